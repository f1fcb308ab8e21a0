"""Tab completion in a public module shows its public names, and nothing that it imports."""

import types

import pytest

import poissonmatch as pm

MODULES = [
    getattr(package, name)
    for package in (pm, pm.games)
    for name in dir(package)
    if isinstance(getattr(package, name), types.ModuleType)
]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_completion_shows_public_names_only(module):
    kinds = {kind.replace("-", "_") for kind in pm.figures.KINDS} if module is pm.figures else set()
    assert set(dir(module)) == {*module.__all__, *kinds}
    assert all(hasattr(module, name) for name in dir(module))
