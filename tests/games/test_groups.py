"""The groups of the games: what may import what."""

import ast
from pathlib import Path

import pytest

import poissonmatch_games as games

HERE = Path(games.__file__).parent
FILES = {".".join(path.relative_to(HERE).with_suffix("").parts): path for path in sorted(HERE.rglob("*.py"))}
BELOW = {
    "pictures": set(),
    "impartial": {"pictures"},
    "partisan": {"pictures"},
    "checkers": set(),
    "toads": {"pictures", "impartial", "partisan", "checkers"},
}  # groups a group may import


def tree(name):
    return ast.parse(FILES[name].read_text(encoding="utf-8"))


def imported(name):
    """The modules of the package that one of them imports."""
    parents = name.split(".")
    found = set()
    for node in ast.walk(tree(name)):
        if isinstance(node, ast.ImportFrom) and 0 < node.level <= len(parents):
            base = parents[: len(parents) - node.level] + (node.module.split(".") if node.module else [])
            found |= {".".join(base)} | {".".join([*base, alias.name]) for alias in node.names}
    return found & set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_a_group_imports_groups_below_it_and_what_lies_beside_them(name):
    group = name.split(".")[0]
    for other in imported(name) if group in BELOW else ():
        assert other in ("jit", "cost_bounds", "two_player") or other.split(".")[0] in BELOW[group] | {group}, other


@pytest.mark.parametrize("name", [name for name in FILES if name.split(".")[0] in BELOW])
def test_imports_stand_at_the_head_of_a_file(name):
    inner = [
        node for top in tree(name).body if not isinstance(top, ast.ImportFrom | ast.Import) for node in ast.walk(top)
    ]
    assert not any(isinstance(node, ast.ImportFrom | ast.Import) for node in inner)
