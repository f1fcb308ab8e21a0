"""The site: `make docs` builds it into docs/_build, without a network."""

import os
import sys
from importlib import metadata
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager
from sphinx.errors import ConfigError

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
os.environ["PYTHONPATH"] = str(HERE.parent / "research")  # of the kernel that runs the cells

if "python3" not in KernelSpecManager().find_kernel_specs():
    raise ConfigError(
        "the site runs the code of its pages in the Jupyter kernel python3, which is missing: pip install ipykernel"
    )

project = "poissonmatch"
copyright = "The poissonmatch developers"
author = copyright
release = version = metadata.version("poissonmatch")
REPOSITORY = "https://example.org/poissonmatch"  # a placeholder, until the repository is published

extensions = [
    "myst_nb",  # Markdown, and notebooks that are text and run when the site is built
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_design",  # cards and grids
    "sphinx_copybutton",
    "sphinx-mathjax-offline",  # mathematics without a network
    "made",  # pages that are made from the package
    "api_pages",
    "gallery",  # a picture for each of its entries
]
exclude_patterns = ["_build", "_made/*.md", "_made/gallery", "_made/notebooks", "**/.ipynb_checkpoints"]
templates_path = ["_templates"]
nitpicky = False

myst_substitutions = {"repository": f"[Repository]({REPOSITORY})", "version": version}
myst_sub_delimiters = ("@", "@")  # values of games contain double braces
myst_enable_extensions = ["substitution", "dollarmath", "amsmath", "colon_fence", "attrs_inline", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_timeout = 600  # seconds for a cell, also on a machine with other work
nb_execution_raise_on_error = True
nb_merge_streams = True

autosummary_generate = False  # api_pages makes the pages
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True
default_role = "py:obj"

html_theme = "pydata_sphinx_theme"
html_title = "poissonmatch"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static"]
html_extra_path = ["_made/root"]
html_css_files = ["site.css"]
html_theme_options = {
    "logo": {"text": f"poissonmatch {version}"},
    "icon_links": [{"name": "Repository", "url": REPOSITORY, "icon": "fa-solid fa-code-branch"}],
    "show_toc_level": 2,
    "collapse_navigation": True,  # hundreds of pages of the reference need not be in the margin of each
    "navigation_with_keys": False,
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_show_sourcelink = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
