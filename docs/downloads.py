"""Each page that is a notebook as a file .ipynb, with a link below its heading; made when the site is built."""

from __future__ import annotations

import json
import re
from pathlib import Path

FRONT = re.compile(r"\A---\n(.*?)^---\n", re.M | re.S)
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n((?::[^\n]*\n)*)\n*(.*?)^```$\n?", re.M | re.S)
HEADING = re.compile(r"^# .*\n", re.M)
LOCAL = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)[^)]*\)")  # a link to another page
ROLE = re.compile(r"\{(?:download|ref|doc|py:\w+|abbr)\}`([^`<]*?)(?: ?<[^`>]*>)?`")
DIRECTIVE = re.compile(r"^(`{3,}|:{3,})\{[^}]*\}.*?^\1$\n?", re.M | re.S)  # such as a table of contents
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def is_notebook(source: str) -> bool:
    """Return whether a page has code that runs: its front matter names a kernel."""
    front = FRONT.match(source)
    return bool(front and "kernelspec" in front[1])


def notebook(source: str) -> str:
    """Return a page as the text of a notebook: its cells of code, and between them its words without links to other pages."""
    body, cells, end = FRONT.sub("", source), [], 0
    for cell in CELL.finditer(body):
        cells += [_words(body[end : cell.start()]), _cell("code", cell[2].rstrip())]
        end = cell.end()
    cells = [cell | {"id": f"cell-{k}"} for k, cell in enumerate([*cells, _words(body[end:])]) if cell["source"]]
    return json.dumps(
        {"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False
    )


def _words(text: str) -> dict:
    return _cell("markdown", LOCAL.sub(r"\1", ROLE.sub(r"\1", DIRECTIVE.sub("", text))).strip())


def _cell(kind: str, text: str) -> dict:
    more = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True), **more}


def linked(source: str, path: str) -> str:
    """Return a page with a link to its notebook below its heading."""
    link = f"\n{{download}}`Download this page as a notebook (.ipynb) <{path}>`\n"
    return HEADING.sub(lambda heading: heading[0] + link, source, count=1)


def write(page: Path, folder: Path, docs: Path) -> str:
    """Write the notebook of a page below a folder; return its path as a link of the site."""
    path = (folder / page.relative_to(docs)).with_suffix(".ipynb")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(page.read_text(encoding="utf-8")), encoding="utf-8")
    return f"/{path.relative_to(docs).as_posix()}"
