"""Pages of the API reference, generated from the public names of `import poissonmatch as pm`."""

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
# Base classes whose members are not documented again in each subclass.
COMMON = "object, tuple, Exception, BaseException, ABC, Rebuilt"
# The chapters, and the names of pm.__all__ in each.
CHAPTERS = {
    "Points and spaces": [
        "Torus",
        "Box",
        "Slab",
        "Euclidean",
        "Sphere",
        "DistanceTable",
        "MeanField",
        "Geometry",
        "Pattern",
        "load_pattern",
    ],
    "Matchings": ["match", "Matching", "Rule", "RULES", "rules", "blocking_pairs", "rounds", "sprague_grundy"],
    "Point processes": ["processes"],
    "Studies and their tables": ["sweep", "replicates", "load", "IntegrityError"],
    "Figures": ["figures"],
    "Theory": ["theory"],
    "Survival of red points": ["certificates", "octaves", "step_scaling"],
    "Structure factor and number variance": ["structure_factor", "number_variance"],
    "Desire, chains and mass transport": ["desire", "deletion", "descending_chains", "mass_transport"],
    "Infinite patterns and lazy matching": ["infinite", "lazy"],
    "Frog games": ["frogs"],
    "Exact games": ["games"],
}


def public(module: ModuleType) -> dict[str, Any]:
    """Return the public names of a module and their values: its `__all__`, or the functions and classes defined there."""
    if hasattr(module, "__all__"):
        return {name: getattr(module, name) for name in module.__all__}
    return {
        name: thing
        for name, thing in vars(module).items()
        if not name.startswith("_") and documented(thing) and thing.__module__ == module.__name__
    }


def documented(thing: Any) -> bool:
    """Return whether an object is a function or a class, and so has a page; other objects are data."""
    return inspect.isclass(thing) or inspect.isroutine(thing)


def result_of(thing: Any) -> type | None:
    """Return the class that a function returns, if it is defined in the same file."""
    name = getattr(thing, "__annotations__", {}).get("return")
    result = vars(sys.modules[thing.__module__]).get(name) if isinstance(name, str) else None
    return result if inspect.isclass(result) and result.__module__ == thing.__module__ else None


def parts(names: list[str]) -> dict[str, dict[str, Any]]:
    """Return the public objects of some names of pm by module and full name; those in no module under ""."""
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        thing = getattr(pm, name)
        if isinstance(thing, ModuleType):
            found |= _of_module(name, thing, set())
            continue
        found.setdefault("", {})[f"poissonmatch.{name}"] = thing
    return found


def _of_module(name: str, module: ModuleType, listed: set[int]) -> dict[str, dict[str, Any]]:
    """Return the public objects of a module and of its public modules, each under its shortest name only."""
    things = {inner: it for inner, it in public(module).items() if id(it) not in listed}
    listed |= {id(it) for it in things.values()}
    modules = {inner: it for inner, it in things.items() if isinstance(it, ModuleType)}
    found = {name: {f"poissonmatch.{name}.{inner}": it for inner, it in things.items() if inner not in modules}}
    for inner, it in modules.items():
        found |= _of_module(f"{name}.{inner}", it, listed)
    return found


def everything() -> dict[str, Any]:
    """Return all public functions and classes by full name. Raises ValueError if the chapters differ from pm.__all__."""
    listed = [name for names in CHAPTERS.values() for name in names]
    if sorted(listed) != sorted(pm.__all__):
        raise ValueError(f"chapters and pm.__all__ differ in {sorted({*listed} ^ {*pm.__all__}) or 'a repeated name'}")
    return {name: it for part in parts(listed).values() for name, it in part.items() if documented(it)}


def results() -> dict[str, type]:
    """Return the classes of results by full name, which are documented on the page of the function that returns them."""
    public_objects = everything()
    classes = filter(None, map(result_of, public_objects.values()))
    return {f"{it.__module__}.{it.__qualname__}": it for it in classes if it not in public_objects.values()}


def chapter(names: list[str]) -> list[str]:
    """Return the lines of a chapter: a table for each module, followed by its data."""
    lines = []
    for module, things in parts(names).items():
        if module:
            first = inspect.getdoc(attrgetter(module)(pm)).partition("\n\n")[0]
            lines += [f"### `pm.{module}`", "", first.replace("\n", " "), ""]
        pages = [name for name, thing in things.items() if documented(thing)]
        pages.sort(key=lambda name: inspect.isclass(things[name]) and bool(module))  # in a module functions first
        if pages:
            lines += ["```{eval-rst}", ".. autosummary::", "   :toctree: _made/api", "   :nosignatures:", ""]
            lines += [*(f"   ~{name}" for name in pages), "```", ""]
        for name, thing in things.items():
            if not documented(thing):
                lines += [f"`{name.replace('poissonmatch', 'pm')}`: {_contents(thing)}", ""]
    if "figures" in names:
        lines += [_kinds(), ""]
    return lines


def _contents(data: Any) -> str:
    """Return the entries of a collection of names, or the type of other data."""
    if isinstance(data, Mapping) or (isinstance(data, tuple | list) and all(isinstance(entry, str) for entry in data)):
        return ", ".join(f"`{entry}`" for entry in data)
    if isinstance(data, int | float):
        return f"{data:g}"
    return (
        f"{len(data)} of `{type(data[0]).__name__}`" if isinstance(data, tuple | list) else f"a `{type(data).__name__}`"
    )


def _kinds() -> str:
    from poissonmatch.studies.figures.kinds import KINDS

    rows = [
        f"| [`pm.figures.{name.replace('-', '_')}`](#gallery-kinds-{name}) | {', '.join(f'`{table}`' for table in kind.tables)} |"
        for name, kind in KINDS.items()
    ]
    text = (
        "Each kind of figure is a function of a table of a study, `ax` and options: see [Figures](gallery/figures.md)."
    )
    return "\n".join([text, "", "| function | tables |", "|---|---|", *rows])


def page(name: str, thing: Any) -> str:
    """Return the page of a function with the class of its result, or of a class."""
    short = name.replace("poissonmatch", "pm")
    lines = [short, "=" * len(short), "", *_directive(name, thing)]
    result = result_of(thing) if inspect.isfunction(thing) else None
    if result and result not in everything().values():
        lines += _directive(f"{result.__module__}.{result.__qualname__}", result)
    return "\n".join(lines)


def _directive(name: str, thing: Any) -> list[str]:
    if not inspect.isclass(thing):
        return [f".. autofunction:: {name}", ""]
    return [f".. autoclass:: {name}", "   :members:", f"   :inherited-members: {COMMON}", ""]


ABBREVIATIONS = ("sec.", "Prop.", "Cor.", "Thm.", "Def.", "resp.")  # which do not end a summary


def setup(app: Any) -> dict[str, bool]:
    """Write the pages and register the event handlers."""
    from sphinx.ext import autosummary  # imported here, because tests import this file without Sphinx

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
    app.connect("doctree-read", lambda app, doctree: link(doctree, {*things, *results()}))
    return {"parallel_read_safe": True}


def call_of(app: Any, what: str, name: str, thing: Any, options: Any, text: str, result: str) -> tuple[str, str] | None:
    """Return the signature of `__init__` for a class whose `__new__` takes any arguments."""
    if what != "class" or not (inspect.isfunction(thing.__init__) and inspect.isfunction(thing.__new__)):
        return None
    from sphinx.util.inspect import signature, stringify_signature

    return stringify_signature(signature(thing.__init__, bound_method=True), show_annotation=False), ""


def link(doctree: Any, names: set[str]) -> None:
    """Resolve references in docstrings to public names of the same module or of pm; leave others as text."""
    from sphinx.addnodes import pending_xref  # imported here, because tests import this file without Sphinx

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
    """Return whether this is a field of a named tuple, which is documented with its class."""
    return (inspect.getdoc(thing) or "").startswith("Alias for field number")
