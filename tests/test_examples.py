"""The reference: all public names of `import poissonmatch as pm` have docstrings with parameters, and examples that run."""

import doctest
import inspect
import re

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot

import poissonmatch as pm
from helpers.sources import docs_module
from poissonmatch.rules import catalogue
from poissonmatch.studies.figures.kinds import KINDS

PAGES = docs_module("api_pages")
PUBLIC, RESULTS = PAGES.everything(), PAGES.results()
SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n(-{3,})\n((?:(?![^\n]*\n-{3,}\n).*\n?)*)", re.M)


def sections(text: str) -> dict[str, str]:
    """The sections of a docstring, by their titles."""
    return {title: body for title, line, body in SECTION.findall(text) if len(line) == len(title)}


def examples(text: str) -> list[doctest.Example]:
    """The examples in the section of this name."""
    return doctest.DocTestParser().get_examples(sections(text).get("Examples", ""))


def told(text: str) -> set[str]:
    """The names in the section Parameters."""
    heads = re.findall(r"^(\S.*)$", sections(text).get("Parameters", ""), re.M)
    return {name.lstrip("*") for head in heads for name in head.partition(" : ")[0].split(", ")}


def inherits(thing: object) -> bool:
    """Is it a class that is called as its base is?"""
    return inspect.isclass(thing) and not {"__init__", "__new__"} & {*vars(thing)}


def arguments(thing: object) -> set[str]:
    """What a function or a class is called with."""
    if not inspect.isclass(thing):
        return {*inspect.signature(thing).parameters}
    made = next((call for call in (thing.__init__, thing.__new__) if inspect.isfunction(call)), None)
    return {*inspect.signature(made).parameters} - {"self", "cls", "_cls"} if made else set()


def runs(text: str, name: str) -> str:
    """What doctest says against the examples of a docstring, whose names are np, pm and their own."""
    said: list[str] = []
    space = {"np": np, "pm": pm, "__name__": "__main__"}
    test = doctest.DocTestParser().get_doctest(text, space, name, None, 0)
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False).run(test, out=said.append)
    return "".join(said)


@pytest.fixture(autouse=True)
def without_a_display():
    matplotlib.use("Agg")
    yield
    pyplot.close("all")


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLIC)
def test_the_examples_of(name):
    text = inspect.getdoc(PUBLIC[name])
    assert any(example.want for example in examples(text)), "no example that shows something"
    assert runs(text, name) == ""


@pytest.mark.parametrize("name", RESULTS)
def test_the_class_of_a_result(name):
    text = inspect.getdoc(RESULTS[name])
    assert runs(text, name) == "" and (told(text) == arguments(RESULTS[name]) or inherits(RESULTS[name]))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_example_of_a_kind_of_figure(kind):
    draw = getattr(pm.figures, kind.replace("-", "_"))
    assert told(inspect.getdoc(draw)) == arguments(draw)
    assert runs(inspect.getdoc(draw), kind) == ""


@pytest.mark.parametrize("name", PUBLIC)
def test_the_arguments_of(name):
    thing, names = PUBLIC[name], told(inspect.getdoc(PUBLIC[name]))
    assert names == arguments(thing) or (inherits(thing) and not names)


@pytest.mark.parametrize("name", ["match", "sweep", "sprague_grundy", "replicates"])
def test_the_main_functions_state_every_argument_and_the_result(name):
    """With a phrase for each argument, and the default of each that has one."""
    parts = sections(inspect.getdoc(getattr(pm, name)))
    result = parts.get("Returns") or parts["Yields"]
    assert len(result.splitlines()) > 1
    for head, phrase in re.findall(r"^(\S.*)\n((?: +.*\n?)*)", parts["Parameters"], re.M):
        assert phrase.strip(), head
        if "optional" in head and head.partition(" ")[0] not in ("rng", "capacity"):
            assert "default" in phrase, head


def test_the_rules_are_listed():
    assert all(f'"{name}' in pm.RULES.__doc__ for name in (*pm.RULES, *catalogue.FAMILIES, "custom("))


def test_all_of_the_package_is_looked_at():
    """Each name of pm is there, or something in it, and the classes of results."""
    tops = {name.split(".")[1] for name in PUBLIC}
    assert {*pm.__all__} - tops == {"RULES"}  # which is data
    assert "poissonmatch.theory.fussy_line" in PUBLIC and "poissonmatch.frogs.retrograde.Analysis" in PUBLIC
    assert {"poissonmatch.studies.run.sweep.Sweep", "poissonmatch.theory.fussy_line.FussyLine"} <= {*RESULTS}
    assert len(PUBLIC) > 100
