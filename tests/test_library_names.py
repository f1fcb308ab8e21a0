"""The names of the library that studies use and that are not public: a list that may only become shorter."""

import ast
import importlib
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest

import poissonmatch as pm
from helpers.sources import FILES, docs_module, text_of

LIBRARY = tuple(f"poissonmatch.{name}." for name in "theory engine rules points matching frogs survival".split())
NUMBER = 40
NOT_PUBLIC = """
engine.octave_kernels count_pairs new_squares
engine.sums EXPONENTS Totals add_sets add_up bins_of exact_sums
matching.desire desiring_pairs last_partner
matching.flip_distances flip_distances
matching.match LONG MatchedSets compile_seconds match_sets point_seconds
matching.partner_tables realization
matching.rounds why_length_unknown
matching.tiles incompatible match_in_tiles
points.coordinates check_extent refuse
points.frame_columns capacities_in colors_in columns_of coordinates in_columns numbered
points.frames parsed read_frame
points.second_moments Shells ball_counts
points.tiled Part TiledPoints few_tiles fine_tiles
points.uniform drawn_by
rules.catalogue entry_name
survival.octaves log_u_of_torus
theory.intervals Ends
"""


@cache
def public_names() -> dict[str, list[Any]]:
    """Return the values of all names of pm and of its public modules, as documented."""
    found: dict[str, list[Any]] = {}
    for things in docs_module("api_pages").parts(pm.__all__).values():
        for name, value in things.items():
            found.setdefault(name.rpartition(".")[2], []).append(value)
    return found


def imported(module: str) -> Iterator[tuple[str, str]]:
    """Yield the (module, name) of the library that a module of studies imports, or uses of a module that it imports."""
    tree = ast.parse(text_of(FILES[module]))
    package = module.split(".") if FILES[module].name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*above, *(node.module.split(".") if node.module else [])])
            for alias in node.names:
                if (inner := f"{source}.{alias.name}") in FILES:
                    yield from ((inner, name) for name in attributes(tree, alias.asname or alias.name))
                else:
                    yield source, alias.name


def attributes(tree: ast.Module, module: str) -> Iterator[str]:
    """Yield the attributes of a name that a source uses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == module:
            yield node.attr


def not_public() -> set[str]:
    """Return the names, as module.name, that studies use and that are not public."""
    uses = {use for module in FILES if module.startswith("poissonmatch.studies") for use in imported(module)}
    found = set()
    for module, name in uses:
        if module.startswith(LIBRARY):
            value = getattr(importlib.import_module(module), name, None)  # None: of a variable with the module's name
            if not (
                value is None
                or isinstance(value, ModuleType)
                or any(value is it for it in public_names().get(name, []))
            ):
                found.add(f"{module.removeprefix('poissonmatch.')}.{name}")
    return found


@pytest.mark.parametrize("kind", ["new", "gone"])
def test_studies_use_public_names(kind):
    listed = {
        f"{module}.{name}" for module, *names in map(str.split, NOT_PUBLIC.strip().splitlines()) for name in names
    }
    if kind == "new":
        assert sorted(not_public() - listed) == [], "give the name a place on a public module, or use another one"
    else:
        assert sorted(listed - not_public()) == [], "delete these from NOT_PUBLIC"
        assert len(listed) == NUMBER
