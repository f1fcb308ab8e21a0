"""What the site makes of its pages: the diagram of the architecture, notebooks as files, and the home page."""

import json
import re
from xml.etree import ElementTree

import pytest

from helpers.refusals import rows
from helpers.sources import ROOT, docs_module, text_of, tracked

DOCS = ROOT / "docs"
diagram, downloads = map(docs_module, ("diagram", "downloads"))
PAGES = [path for path in tracked("docs/*.md") if not path.relative_to(DOCS).parts[0].startswith("_")]
NOTEBOOKS = [path for path in PAGES if downloads.is_notebook(text_of(path))]
SMALL = "flowchart BT\n  b --> a\n  c --> b\n  d --> c\n  d --> e\n  e --> a\n"


def test_a_name_is_above_all_that_it_imports():
    rows = [[name for name in row if not name.startswith(" ")] for row in diagram.levels(diagram.arrows(SMALL))]
    assert [set(row) for row in rows] == [{"a"}, {"b", "e"}, {"c"}, {"d"}]


@pytest.mark.parametrize("block", [SMALL, diagram.BLOCK.search(text_of(DOCS / "architecture.md"))[1]])
def test_no_arrow_crosses_a_box(block):
    """An arrow that passes a level has a place of its own in it; boxes and places on a level do not overlap."""
    rows = diagram.levels(diagram.arrows(block))
    place = diagram.places(rows)
    level = {name: k for k, row in enumerate(rows) for name in row}
    for start, end in diagram.arrows(block):
        passed = [level[name] for name in level if name.startswith(f" {start} {end} ")]
        assert sorted(passed) == [*range(level[end] + 1, level[start])]
    for row in rows:
        half = {name: 0 if name.startswith(" ") else diagram.WIDE / 2 for name in row}
        ends = [(place[name] - half[name], place[name] + half[name]) for name in row]
        assert all(one[1] < two[0] for one, two in zip(ends, ends[1:], strict=False))


def test_the_diagram_of_the_architecture_is_an_image_on_the_site():
    source = text_of(DOCS / "architecture.md")
    page = diagram.drawn(source)
    assert "mermaid" not in page and page.count("```{raw} html\n<svg") == 1
    pairs = diagram.arrows(diagram.BLOCK.search(source)[1])
    tree = ElementTree.fromstring(re.search(r"<svg.*</svg>", page, re.S)[0])
    drawn = [element.text for element in tree.iter("{http://www.w3.org/2000/svg}text")]
    titles = [element.text for element in tree.iter("{http://www.w3.org/2000/svg}title")]
    assert sorted(drawn) == sorted({name for pair in pairs for name in pair})
    assert titles == [f"{start} imports {end}" for start, end in pairs]
    wide, high = (float(word) for word in tree.get("viewBox").split()[2:])
    assert max(wide, high) < 700  # letters can be read on a phone


@pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda page: page.stem)
def test_each_notebook_is_a_file(page):
    """With the code of the page in its order, its words, and no link to a page that is not beside it."""
    source = text_of(page)
    found = json.loads(downloads.notebook(source))
    assert (found["nbformat"], found["metadata"]["kernelspec"]["name"]) == (4, "python3")
    code = ["".join(cell["source"]) for cell in found["cells"] if cell["cell_type"] == "code"]
    lines = [line for cell in code for line in cell.splitlines() if line.strip()]
    assert len(code) == source.count("```{code-cell}") > 0
    assert all(line in source for line in lines) and not any(line.startswith("```") for line in lines)
    words = "".join("".join(cell["source"]) for cell in found["cells"] if cell["cell_type"] == "markdown")
    assert (
        words.startswith("# ") and not re.search(r"\]\([^)]*\.md", words) and "```{" not in words and ":::" not in words
    )
    assert len({cell["id"] for cell in found["cells"]}) == len(found["cells"])


def test_a_page_with_code_links_to_its_file(tmp_path):
    source = "---\nkernelspec:\n  name: python3\n---\n# A page\n\nSee [more](other.md).\n\n```{code-cell}\n:tags: [slow]\n1 + 1\n```\n"
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/page.md").write_text(source)
    path = downloads.write(tmp_path / "sub/page.md", tmp_path / "_made/notebooks", tmp_path)
    assert path == "/_made/notebooks/sub/page.ipynb"
    cells = json.loads((tmp_path / path[1:]).read_text())["cells"]
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in cells] == [
        ("markdown", "# A page\n\nSee more."),
        ("code", "1 + 1"),
    ]
    page = downloads.linked(source, path)
    assert f"# A page\n\n{{download}}`Download this page as a notebook (.ipynb) <{path}>`\n" in page
    assert page.replace(f"\n{{download}}`Download this page as a notebook (.ipynb) <{path}>`\n", "") == source
    assert not downloads.is_notebook("# A page\n")


def test_the_home_page():
    """Three sentences, a figure that can be moved, a result and a picture with captions, an install line, three cards of links, and the version."""
    page = text_of(DOCS / "index.md")
    summary = page.split("\n\n")[1]
    assert summary.count(".") == 3 and summary.endswith(".")
    pictures = re.findall(r":::\{figure\} (\S+)\n:alt: .+\n(?::(?:fig)?class: \w+\n)?\n(.+\n)+:::", page)
    assert [name for name, _ in pictures] == ["_made/matching.png", "_made/result.png", "realizations.png"]
    assert (DOCS / "realizations.png").exists()
    cards = re.findall(r"grid-item-card\} (.+)\n(.+)\n:::", page)
    assert [title for title, _ in cards] == ["Program", "Mathematics", "Games"]
    for _, links in cards:
        pages = re.findall(r"\]\((\S+\.md)\)", links)
        assert len(pages) > 3 and all((DOCS / name).exists() for name in pages)
    assert "pip install" in page and "@@ version @@" in page and "@@ repository @@" in page


# What is on a page, and the message.
FAULTS = """
[a page](missing.md) → cross-reference target not found: 'missing.md'
[a section](index.md#missing) → local id not found in doc 'index': 'missing'
{term}`missing term` → term not in glossary: 'missing term'
![](picture.png) → image without an alternative text of 8 words: picture.png
![seven words do not say much, sadly](picture.png) → image without an alternative text of 8 words: picture.png
<img src="picture.png"> → image without an alternative text of 8 words: <img src="picture.png">
<table><tbody> </tbody></table> → table without rows
A page in no index. → lonely.md: WARNING: document isn't included in any toctree
"""


@pytest.mark.filterwarnings("ignore:.myst_parser")
def test_the_build_names_each_fault_of_a_page(tmp_path, capfd):
    """A dead link, an undefined term, an image without alternative text, a page in no index; and no other."""
    pytest.importorskip("myst_parser")
    from sphinx.cmd.build import build_main

    settings = [f"import sys\nsys.path.insert(0, {str(DOCS)!r})", "extensions = ['myst_parser', 'images']"]
    (tmp_path / "conf.py").write_text("\n".join([*settings, "html_theme = 'basic'", "myst_heading_anchors = 3\n"]))
    (tmp_path / "picture.png").write_bytes((DOCS / "realizations.png").read_bytes())
    right = "# Index\n\n```{glossary}\nterm\n  A meaning.\n```\n\n{term}`term` ![a picture of a point and of two lines](picture.png) [Index](index.md#index)\n"
    (tmp_path / "index.md").write_text(right)
    words = ["-q", "-b", "html", str(tmp_path), str(tmp_path / "out")]
    assert build_main([*words, "-W"]) == 0
    (tmp_path / "lonely.md").write_text("# Lonely\n\n" + "\n\n".join(fault for fault, _ in rows(FAULTS)))
    capfd.readouterr()
    assert build_main([*words, "-W"]) != 0
    warnings = re.sub(r"\x1b\[[0-9;]*m", "", capfd.readouterr().err)
    assert [fault for fault, message in rows(FAULTS) if message not in warnings] == []
    assert warnings.count("WARNING: ") == len(rows(FAULTS)), warnings


CHAPTERS = re.findall(r"^:caption: (.+)\n\n((?:[\w/-]+\n)+)", text_of(DOCS / "index.md"), re.M)
LISTED = [page for _, names in CHAPTERS for page in names.split()]


def test_the_pages_are_few_and_in_the_order_of_a_users_needs():
    """The gallery and the reference of Python have pages of their own."""
    assert [title for title, _ in CHAPTERS] == ["Program", "Mathematics", "Games", "Development"]
    assert len({*LISTED, "index"} - {"api", "gallery"}) <= 32
    parts = [path.relative_to(DOCS) for path in PAGES if path.relative_to(DOCS).parts[0] not in ("data", "gallery")]
    names = {str(part.with_suffix("")) for part in parts}
    assert names == {*LISTED, "index", "paper/references"}  # which is a part of two pages


@pytest.mark.parametrize("page", LISTED)
def test_a_page_has_the_name_of_its_file_and_says_at_once_what_it_is_for(page):
    text = text_of(DOCS / f"{page}.md")
    if included := re.match(r"```\{include\} (\S+)", text):
        text = text_of(DOCS / included[1])
    title, _, rest = (
        text.partition("\n# ")[2].partition("\n") if not text.startswith("# ") else text[2:].partition("\n")
    )
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).removeprefix("the-")
    paper = "paper/theorem-on-the-line"  # which has the title and the abstract of a paper
    assert page in ("statements", paper) or slug == page.rpartition("/")[2]
    assert page in ("changes", paper) or re.search(r"\bThis (page|paper) ", rest.strip().partition("\n\n")[0])
