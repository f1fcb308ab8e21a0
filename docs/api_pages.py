"""The reference of what `import poissonmatch as pm` gives: found in the package, so that nothing is listed twice."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import poissonmatch as pm

MADE = Path(__file__).parent / "_made"
# Whose members are not told of again in each class that has them.
COMMON = "object, tuple, Exception, BaseException, ABC, Rebuilt"
# The chapters, and what of pm.__all__ is in each.
CHAPTERS = {
    "Points and spaces": ["Torus", "Euclidean", "MeanField", "Pattern"],
    "Matchings": ["match", "Matching", "Rule", "RULES", "blocking_pairs", "rounds", "sprague_grundy", "LabeledPairs"],
    "Point processes": ["processes"],
    "Studies and their tables": ["sweep", "replicates", "load", "IntegrityError", "measures"],
    "Figures": ["picture", "figures"],
    "Theory": ["theory"],
    "Desire, chains and mass transport": ["desire", "deletion", "descending_chains", "mass_transport"],
    "Infinite patterns and lazy matching": ["infinite", "lazy"],
    "Preferences at will": ["preferences"],
    "Games of frogs": ["frogs", "retrograde"],
    "Exact games": ["games"],
}


def public(module: ModuleType) -> dict[str, Any]:
    """What a module has to offer: its `__all__`, or the functions and classes that are defined there."""
    if hasattr(module, "__all__"):
        return {name: getattr(module, name) for name in module.__all__}
    return {
        name: thing
        for name, thing in vars(module).items()
        if not name.startswith("_") and documented(thing) and thing.__module__ == module.__name__
    }


def documented(thing: Any) -> bool:
    """Is it a function or a class, and so has a page? The rest is data."""
    return inspect.isclass(thing) or inspect.isroutine(thing)


def result_of(thing: Any) -> type | None:
    """The class that a function says it returns, if it stands in the same file."""
    name = getattr(thing, "__annotations__", {}).get("return")
    found = vars(sys.modules[thing.__module__]).get(name) if isinstance(name, str) else None
    return found if inspect.isclass(found) and found.__module__ == thing.__module__ else None


def parts(names: list[str]) -> dict[str, dict[str, Any]]:
    """What there is under some of the names of pm: things by their full names, by module; "" for those that are in none."""
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        thing = getattr(pm, name)
        if isinstance(thing, ModuleType):
            found |= _of_module(name, thing, set())
            continue
        here = found.setdefault("", {})
        here[f"poissonmatch.{name}"] = thing
        if inspect.isfunction(thing) and (made := result_of(thing)) and made.__name__ not in pm.__all__:
            here[f"{made.__module__}.{made.__name__}"] = made
    return found


def _of_module(name: str, module: ModuleType, listed: set[int]) -> dict[str, dict[str, Any]]:
    """The public things of a module and of its public modules, each under its shortest name only."""
    things = {inner: it for inner, it in public(module).items() if id(it) not in listed}
    listed |= {id(it) for it in things.values()}
    modules = {inner: it for inner, it in things.items() if isinstance(it, ModuleType)}
    found = {name: {f"poissonmatch.{name}.{inner}": it for inner, it in things.items() if inner not in modules}}
    for inner, it in modules.items():
        found |= _of_module(f"{name}.{inner}", it, listed)
    return found


def everything() -> dict[str, Any]:
    """All functions and classes that are public, by their full names. Raises ValueError if a chapter does not fit pm."""
    told = [name for names in CHAPTERS.values() for name in names]
    if sorted(told) != sorted(pm.__all__):
        raise ValueError(f"chapters and pm.__all__ differ in {sorted({*told} ^ {*pm.__all__}) or 'a name told twice'}")
    return {name: it for part in parts(told).values() for name, it in part.items() if documented(it)}


def chapter(names: list[str]) -> list[str]:
    """The lines of a chapter: a table for each module, its data named below."""
    lines = []
    for module, things in parts(names).items():
        if module:
            first = inspect.getdoc(attrgetter(module)(pm)).partition("\n\n")[0]
            lines += [f"### `pm.{module}`", "", first.replace("\n", " "), ""]
        pages = [name for name, thing in things.items() if documented(thing)]
        pages.sort(key=lambda name: inspect.isclass(things[name]) and bool(module))  # of a module the functions first
        if pages:
            lines += ["```{eval-rst}", ".. autosummary::", "   :toctree: _made/api", "   :nosignatures:", ""]
            lines += [*(f"   ~{name}" for name in pages), "```", ""]
        for name, thing in things.items():
            if not documented(thing):
                lines += [f"`{name.replace('poissonmatch', 'pm')}`: {_said(thing)}", ""]
    if "figures" in names:
        lines += [_kinds(), ""]
    return lines


def _said(data: Any) -> str:
    """What there is in a collection, or of what type it is."""
    if isinstance(data, Mapping) or (isinstance(data, tuple | list) and all(isinstance(entry, str) for entry in data)):
        return ", ".join(f"`{entry}`" for entry in data)
    return (
        f"{len(data)} of `{type(data[0]).__name__}`" if isinstance(data, tuple | list) else f"a `{type(data).__name__}`"
    )


def _kinds() -> str:
    from poissonmatch.figures.kinds import KINDS

    rows = [
        f"| [`pm.figures.{name.replace('-', '_')}`](#gallery-kinds-{name}) | {', '.join(f'`{table}`' for table in kind.tables)} |"
        for name, kind in KINDS.items()
    ]
    words = "Each kind of figure is a function of a table of a study, `ax` and options: see [Figures](figures.md)."
    return "\n".join([words, "", "| function | table, and one beside it |", "|---|---|", *rows])


def page(name: str, thing: Any) -> str:
    """The page of a function or a class."""
    short = (
        thing.__name__
        if name == f"{thing.__module__}.{thing.__name__}" and name.count(".") > 2
        else name.replace("poissonmatch", "pm")
    )
    kind = "class" if inspect.isclass(thing) else "function"
    members = ["   :members:", f"   :inherited-members: {COMMON}"] if kind == "class" else []
    return "\n".join([short, "=" * len(short), "", f".. auto{kind}:: {name}", *members, ""])


ABBREVIATIONS = ("sec.", "Prop.", "Cor.", "Thm.", "Def.", "resp.")  # after which a summary goes on


def setup(app: Any) -> dict[str, bool]:
    from sphinx.ext import autosummary  # here, because tests read this file without Sphinx

    autosummary.WELL_KNOWN_ABBREVIATIONS += ABBREVIATIONS
    things = everything()
    (MADE / "api").mkdir(parents=True, exist_ok=True)
    for old in (MADE / "api").iterdir():
        old.unlink()
    for name, thing in things.items():
        (MADE / "api" / f"{name}.rst").write_text(page(name, thing), encoding="utf-8")
    lines = [line for title, names in CHAPTERS.items() for line in (f"## {title}", "", *chapter(names))]
    (MADE / "reference.md").write_text("\n".join(lines), encoding="utf-8")
    app.connect("autodoc-skip-member", lambda app, what, name, thing, skip, options: _is_field(thing) or None)
    app.connect("autodoc-process-signature", call_of)
    app.connect("doctree-read", lambda app, doctree: link(doctree, {*things}))
    return {"parallel_read_safe": True}


def call_of(app: Any, what: str, name: str, thing: Any, options: Any, said: str, result: str) -> tuple[str, str] | None:
    """How a class is called whose `__new__` takes whatever comes: as its `__init__` says."""
    if what != "class" or not (inspect.isfunction(thing.__init__) and inspect.isfunction(thing.__new__)):
        return None
    from sphinx.util.inspect import signature, stringify_signature

    return stringify_signature(signature(thing.__init__, bound_method=True), show_annotation=False), ""


def link(doctree: Any, names: set[str]) -> None:
    """Let words of docstrings lead to what is public: of the same module, or of pm. What is not stays a word."""
    from sphinx.addnodes import pending_xref  # here, because tests read this file without Sphinx

    for node in [*doctree.findall(pending_xref)]:
        if node.get("refdomain") != "py" or node["reftarget"].startswith("poissonmatch."):
            continue
        word = node["reftarget"].removeprefix("pm.")
        first = word.partition(".")[0]
        homes = [home for home in (node.get("py:module"), "poissonmatch") if f"{home}.{first}" in names]
        if not homes and f"poissonmatch.{word}" in names:  # frogs.solve
            homes = ["poissonmatch"]
        if not homes and word.istitle() and len(ends := [name for name in names if name.endswith(f".{word}")]) == 1:
            homes = [ends[0].removesuffix(f".{word}")]  # a class of another module
        if homes:
            node["reftarget"] = f"{homes[0]}.{word}"
            node["refspecific"] = False
        else:
            node.replace_self(node.children)


def _is_field(thing: Any) -> bool:
    """A field of a named tuple, which its class tells of."""
    return (inspect.getdoc(thing) or "").startswith("Alias for field number")
