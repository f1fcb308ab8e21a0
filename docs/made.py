"""What is made when the site is built: the keys of a study file, its schema for editors, diagrams, notebooks, and pages of files outside docs/."""

from __future__ import annotations

import json
import os
import re
from importlib import resources
from pathlib import Path
from typing import Any

import click
import diagram
import downloads
import measured_tables as measured
import numpy as np
from typer.main import get_command

from poissonmatch.cli.main import SECTIONS, app
from poissonmatch.frogs import VARIANTS
from poissonmatch.points.processes import PROCESSES
from poissonmatch.rules.catalogue import RULES
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.figures.kinds import KINDS
from poissonmatch.studies.statistics.observables import OBSERVABLES, markdown, quantities
from poissonmatch_games import play
from poissonmatch_games.play.frog_play import random_pattern
from poissonmatch_games.play.page import APART, write_page

HERE = Path(__file__).parent
MADE = HERE / "_made"
WORDS = {
    "process": [*PROCESSES, "points"],
    "rule": RULES,
    "observables": OBSERVABLES,
    "quantities": quantities(),
    "kind": KINDS,
}


PLAIN = {"integer": "a whole number", "number": "a number", "string": "text", "boolean": "`true`, or `false`"}


def _type(about: dict[str, Any], named: bool) -> str:
    """Return the type of a key in words. named: the allowed words are listed with its meaning."""
    if "anyOf" in about or "oneOf" in about:
        forms = [one for one in about.get("anyOf", about.get("oneOf")) if one.get("type") != "null"]
        found = [word for one in forms for word in _type(one, named).split(", or ") if word]
        return ", or ".join(dict.fromkeys(found))
    if "enum" in about:
        return "a name" if named else ", or ".join(f"`{word}`" for word in about["enum"])
    if "const" in about:
        return f"`{about['const']}`"
    if "pattern" in about:
        return ""
    if about.get("type") == "array":
        return "a list"
    if about.get("type") == "object":
        return "a mapping"
    if "$ref" in about:
        return "a range" if about["$ref"].endswith("/Range") else "a mapping"
    return PLAIN.get(about.get("type", ""), "")


def keys() -> str:
    """A table for each part of a study file: key, type, default, meaning."""
    schema = studies.StudyFile.model_json_schema()
    parts = (
        ("The file", schema),
        ("A study", schema["$defs"]["Study"]),
        ("A figure", schema["$defs"]["FigureSpec"]),
    )
    lines = []
    for title, part in parts:
        lines += [f"## {title}", "", "| key | type | default | meaning |", "|---|---|---|---|"]
        for key, about in part["properties"].items():
            default = "**required**" if key in part.get("required", ()) else _said(about.get("default"))
            words = f". Names: {', '.join(f'`{word}`' for word in WORDS[key])}" if key in WORDS else ""
            *first, last = _type(about, key in WORDS).split(", or ")
            kinds = " or ".join([", ".join(first), last] if first else [last])
            lines.append(f"| `{key}` | {kinds} | {default} | {about['description']}{words} |")
        lines.append("")
    return "\n".join(lines)


def commands() -> str:
    """A section for each command of the command line, with its help."""
    lines = []
    for title, names in SECTIONS.items():
        lines += [f"### {title}", ""]
        for name in names:
            command = get_command(app).commands[name]
            inner = getattr(command, "commands", {})
            for words, one in {name: command, **{f"{name} {other}": inner[other] for other in inner}}.items():
                with click.Context(one, info_name=f"poissonmatch {words}", max_content_width=100) as context:
                    lines += [f"#### {words}", "", "```text", one.get_help(context), "```", ""]
    return "\n".join(lines)


def frog_rules() -> str:
    """A table of the frog games with their rules, the first two paragraphs of the docstrings of their classes."""
    rows = [
        (name, " ".join(" ".join((variant.__doc__ or "").split("\n\n")[:2]).split()))
        for name, variant in VARIANTS.items()
    ]
    return "\n".join(["| game | rules |", "|---|---|", *(f"| `{name}` | {words} |" for name, words in rows)])


def _said(default: Any) -> str:
    return "" if default in (None, "", [], {}) else f"`{json.dumps(default)}`"


def movable(step: float = 0.1, longest: float = 5.0) -> str:
    """Return the script of the figure that can be moved, with the matching of the page of games and measured curves."""
    rows = measured.fussy().query("dim == 2 and quantity == 'tail' and color == 1")
    largest = rows[rows["size"] == rows.groupby("ratio")["size"].transform("max")]
    radii = np.arange(0, longest + step / 2, step)
    tails = {
        ratio: np.interp(radii, [0, *tail["x"]], [1, *tail["value"]]).round(4).tolist()
        for ratio, tail in largest.groupby("ratio")
    }
    rule = {"compatible": RULES["fussy"].compatible, "capacity": RULES["fussy"].capacity}
    data = {"rule": rule, "step": step, "ratios": list(tails), "tails": list(tails.values())}
    matching = (resources.files(play) / "browser" / "matching.js").read_text(encoding="utf-8")
    own = (HERE / "movable.js").read_text(encoding="utf-8").replace("/*DATA*/null", json.dumps(data))
    return f"(() => {{\n{matching}\n{own}\n}})();\n"


def _with_script(app: Any, _name: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Load the script on the pages that have an image for it."""
    if re.search(r'<img[^>]* class="[^"]*\bmovable\b', context.get("body", "")):
        app.add_js_file("movable.js", loading_method="defer")


def _inside(app: Any, name: str, source: list[str]) -> None:
    """Links that leave docs/, as they are right where the repository is read, lead to the pages of the site that hold the same.

    Diagrams become SVG, and a page that is a notebook has a link to it as a file.
    """
    source[0] = diagram.drawn(source[0])
    if downloads.is_notebook(source[0]):
        source[0] = downloads.linked(source[0], downloads.write(HERE / f"{name}.md", MADE / "notebooks", HERE))
    source[0] = re.sub(
        r"\]\(\.\./(benchmarks/results|results)/(\w+)\.md",
        lambda link: "](/result-tables.md" if link[1] == "results" else f"](/_made/measured/{link[2]}.md",
        source[0],
    )


def setup(app: Any) -> dict[str, bool]:
    os.environ.pop("MPLBACKEND", None)  # set by the command line, it would hide the figures of cells
    for folder in ("root", "measured", "static"):
        (MADE / folder).mkdir(parents=True, exist_ok=True)
    (MADE / "keys.md").write_text(keys(), encoding="utf-8")
    (MADE / "frog-rules.md").write_text(frog_rules(), encoding="utf-8")
    (MADE / "quantities.md").write_text(markdown(), encoding="utf-8")
    (MADE / "commands.md").write_text(commands(), encoding="utf-8")
    (MADE / "root" / "study.schema.json").write_text(json.dumps(studies.for_editors(), indent=1), encoding="utf-8")
    page = MADE / "root" / "play-here.html"
    write_page(page, random_pattern(13, 2, np.random.default_rng(7), apart=APART))
    for path in (MADE.parents[1] / "benchmarks" / "results").glob("*.md"):
        (MADE / "measured" / path.name).write_bytes(path.read_bytes())
    (MADE / "static" / "movable.js").write_text(movable(), encoding="utf-8")
    app.connect("source-read", _inside)
    app.connect("html-page-context", _with_script)
    return {"parallel_read_safe": True}
