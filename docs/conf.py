"""The site: `make docs` builds it into docs/_build, without a network."""

import os
import sys
import tomllib
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager
from sphinx.errors import ConfigError

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
# of the kernel that runs the cells
os.environ["PYTHONPATH"] = str(HERE.parent / "research")
os.environ["PYTHONSTARTUP"] = str(HERE / "page_figures.py")
os.environ["FIGURE_FORMAT"] = "pdf" if tags.has("paper") else "svg"  # noqa: F821, a name that Sphinx defines

if "python3" not in KernelSpecManager().find_kernel_specs():
    raise ConfigError(
        "the site runs the code of its pages in the Jupyter kernel python3, which is missing: pip install ipykernel"
    )

project = "poissonmatch"
copyright = "The poissonmatch developers"
author = copyright
PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
release = version = PROJECT["version"]
URLS = {name: url for name, url in PROJECT.get("urls", {}).items() if name in ("Repository", "Issues")}

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
    "images",  # each with alternative text
]
exclude_patterns = [
    "_build",
    "_templates",
    "data/README.md",  # a file beside the data, which pages offer as a download
    "_made/*.md",
    "_made/gallery",
    "_made/notebooks",
    "**/.ipynb_checkpoints",
    "paper/references.md",  # a part of two pages
]
templates_path = ["_templates"]
nitpicky = False

myst_substitutions = {
    "repository": "".join(f" · [{name}]({url})" for name, url in URLS.items()),
    "version": version,
}
myst_sub_delimiters = ("@", "@")  # values of games contain double braces
myst_enable_extensions = ["substitution", "dollarmath", "amsmath", "colon_fence", "attrs_inline", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_timeout = 600  # seconds for a cell, also on a machine with other work
nb_execution_raise_on_error = True
nb_merge_streams = True
nb_output_stderr = "remove"  # that kernels are compiled, where the site is built for the first time

autosummary_generate = False  # api_pages makes the pages
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True
default_role = "py:obj"

nb_render_markdown_format = "myst"  # tables that the cells of a page make
latex_documents = [
    (
        "paper/theorem-on-the-line",
        "theorem-on-the-line.tex",
        "Unmatched points of fussy stable matchings",
        author,
        "howto",
    )
]
latex_elements = {
    "papersize": "a4paper",
    "pointsize": "12pt",
    "fontpkg": r"\usepackage{mathpazo}",
    "fncychap": "",
    "tableofcontents": "",
    "preamble": r"\DeclareUnicodeCharacter{220E}{\ensuremath{\square}}\setcounter{secnumdepth}{0}",
}
latex_table_style = ["booktabs"]
latex_show_urls = "no"

html_theme = "pydata_sphinx_theme"
html_title = "poissonmatch"
html_favicon = "_static/favicon.svg"
html_static_path = ["_static", "_made/static"]
html_extra_path = ["_made/root"]
html_css_files = ["site.css"]
html_theme_options = {
    "logo": {"text": f"poissonmatch {version}"},
    "icon_links": [
        {"name": name, "url": url, "icon": f"fa-solid fa-{'bug' if name == 'Issues' else 'code-branch'}"}
        for name, url in URLS.items()
    ],
    "navbar_center": ["chapters"],
    "show_toc_level": 2,
    "collapse_navigation": True,  # hundreds of pages of the reference need not be in the margin of each
    "navigation_with_keys": False,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars = {"**": ["site-navigation"]}
html_context = {
    "theme_chapters": {
        "Program": "installation",
        "Mathematics": "definitions-and-exact-values",
        "Games": "frog-games",
    }
}
html_show_sourcelink = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# `make paper` builds one page, without the rest of the site: sphinx -t paper -b latex
if tags.has("paper"):  # noqa: F821
    root_doc = "paper/theorem-on-the-line"
    include_patterns = [f"{root_doc}.md"]
    extensions = ["myst_nb"]
    html_extra_path = html_static_path = []
    suppress_warnings = ["myst.xref_missing"]  # links to other pages of the site, which the site checks
