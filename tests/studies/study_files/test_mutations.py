"""Study files that are valid but for one slip: a plan or exit 2, in bounded time, and what is planned can be drawn."""

import signal

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.command_line import call
from helpers.runs import cells_of
from poissonmatch.cli import main as cli
from poissonmatch.points.processes import PROCESSES
from poissonmatch.rules.catalogue import RULES
from poissonmatch.studies.figures.kinds import KINDS

LONGEST = 30  # seconds for a file; most take a hundredth
names = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)
numbers = st.sampled_from([0.5, 1, 2.0, 3, 7.5, 1e2, 150])
ratios = st.sampled_from([0, 0.1, 0.5, 1, 1.5])


@st.composite
def lists(draw, values):
    """A value, or a list of different ones."""
    found = draw(st.lists(values, min_size=1, max_size=3, unique_by=float))
    return found[0] if len(found) == 1 and draw(st.booleans()) else found


@st.composite
def ranges(draw):
    scale = draw(st.sampled_from([{}, {"scale": "linear"}, {"scale": "log"}]))
    return {"from": draw(st.integers(1, 9)), "to": draw(st.integers(10, 99)), "steps": draw(st.integers(2, 5)), **scale}


@st.composite
def study(draw):
    """A study that fits, with any of its keys."""
    process = draw(st.sampled_from(sorted(PROCESSES)))
    rule = draw(st.sampled_from([*RULES, "multi(2)", "labels(3)"]))
    entry = PROCESSES[process]
    found = {
        "process": process,
        "rule": rule,
        "dims": draw(lists(st.integers(1, 3))),
        "replicates": draw(st.integers(8, 20)),
    }
    found["sizes"] = (
        draw(lists(st.sampled_from([8, 27.0, 64, 125])))
        if entry.whole_side
        else draw(st.one_of(lists(numbers), ranges()))
    )
    if entry.whole_side:
        found |= {"sizes": 64, "dims": draw(lists(st.sampled_from([1, 2, 3])))}
    if process == "matern":
        found |= {"process": {"name": "matern", "distance": 0.1}}
    elif entry.parameters and draw(st.booleans()):
        found["process"] = {"name": process, **{key: draw(st.sampled_from([0.5, 1, 2.0])) for key in entry.parameters}}
    if draw(st.booleans()):
        found["ratios"] = draw(lists(ratios))
    if draw(st.booleans()):
        found["observables"] = draw(st.sampled_from([["distances"], ["unmatched"], ["distances", "components"]]))
    if draw(st.booleans()):
        found["block"] = draw(st.integers(1, 9))
    if 0 not in np.atleast_1d(found.get("ratios", 1)) and draw(st.booleans()):
        found |= {"target_rel_se": 0.1, "max_replicates": 40}
    return found


@st.composite
def files(draw):
    """A study file that is valid, as plain data."""
    found = {"studies": draw(st.dictionaries(names, study(), min_size=1, max_size=2))}
    if draw(st.booleans()):
        found["seed"] = draw(st.integers(0, 2**63 - 1))
    shown = [name for name, s in found["studies"].items() if "distances" in s.get("observables", ["distances"])]
    if shown and draw(st.booleans()):
        found["figures"] = {
            draw(names): {"kind": "tail", "studies": shown, "title": draw(st.sampled_from(["", "a b", "$x$"]))}
        }
    return found


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers(), max_size=3),
    st.just({}), st.just({"from": 1, "to": 2, "steps": 3}), st.sampled_from([*PROCESSES, *KINDS, *RULES, 1e300, 1e-300, 10**30]),
)  # fmt: skip


@st.composite
def slips(draw):
    """(a valid file, the same with one slip), as bytes."""
    data = draw(files())
    flow = draw(st.sampled_from([None, True, False]))

    def text():
        return yaml.safe_dump(data, sort_keys=False, default_flow_style=flow, allow_unicode=True)

    good = text()
    kind = draw(st.sampled_from(["value", "key", "character", "byte", "indent"]))
    if kind in ("value", "key"):
        around, key = draw(st.sampled_from(list(places(data))))
        if kind == "value":
            around[key] = draw(ODD)
        else:
            value = around.pop(key)
            if draw(st.booleans()) and isinstance(around, dict):
                around[draw(st.one_of(names, st.text(max_size=4), st.sampled_from(["dims", "sizes", "title"])))] = value
        return good.encode(), text().encode("utf-8", "surrogatepass")
    if kind == "indent":
        lines = good.splitlines()
        k = draw(st.integers(0, len(lines) - 1))
        lines[k] = draw(st.sampled_from(["", " ", "   ", "\t", "      ", "- "])) + lines[k].lstrip(" ")
        return good.encode(), "\n".join(lines).encode()
    whole: str | bytes = good if kind == "character" else good.encode()
    at, gone = draw(st.integers(0, len(whole))), draw(st.integers(0, 2))
    new = draw(st.one_of(st.sampled_from("&*!|>%@`{}[]:,#'\"-?0e. \n"), st.characters(), st.just("")))
    if isinstance(whole, str):
        return good.encode(), (whole[:at] + new + whole[at + gone :]).encode("utf-8", "surrogatepass")
    return good.encode(), whole[:at] + draw(st.binary(max_size=2)) + whole[at + gone :]


def places(data):
    """(the mapping or list around it, its key) of every value."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(value, dict | list):
            yield from places(value)


def validate(path) -> tuple[int, str]:
    """Exit code and output of `validate`."""
    signal.alarm(LONGEST)
    try:
        return call("validate", path)
    finally:
        signal.alarm(0)


def examples(number):
    return settings(max_examples=number, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.slow
@examples(2000)
@given(slips())
def test_a_slip_is_a_plan_or_exit_2(tmp_path, slip):
    assert outcome(tmp_path, *slip) == ""


def outcome(folder, good: bytes, bad: bytes) -> str:
    """What is wrong with the answers to a valid file and to one with a slip; "" if nothing is."""
    path = folder / "s.yaml"
    path.write_bytes(good)
    code, text = validate(path)
    if code:
        return f"valid, but exit {code}: {text}"
    path.write_bytes(bad)
    code, text = validate(path)
    if code not in (0, cli.BAD_INPUT) or "Traceback" in text or not 0 < len(text) < 20_000:
        return f"exit {code}: {text}"
    if code and not all("s.yaml" in line or line.startswith("and ") for line in text.splitlines()):
        return f"where? {text}"
    if not code:
        return undrawable(path)
    return ""


def undrawable(path) -> str:
    """A cell of a valid file that cannot be drawn."""
    for cell in cells_of(path)[:20]:
        if cell.points_held < 2000:
            try:
                cell.pattern(0)
            except ValueError as error:
                return f"{cell}: {error}"
    return ""
