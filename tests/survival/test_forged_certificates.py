"""Forged certificates are refused, or reported as not checked."""

import contextlib
import json
import math

import pytest
from typer.testing import CliRunner

import poissonmatch as pm
from poissonmatch.cli.main import app
from poissonmatch.survival.certificates import certificate, independent_check
from poissonmatch.survival.certificates.survival import cover
from poissonmatch.utils.errors import BadInput, IntegrityError

SMALL = {"dim": 1, "ratio": 0.8, "scale": 5.0, "box": 300.0, "boxes": 4, "threshold": 1, "seed": 3}
FORGED = {
    "a count one higher": lambda data: data["counts"].__setitem__(1, data["counts"][1] + 1),
    "a count one lower": lambda data: data["counts"].__setitem__(-1, data["counts"][-1] - 1),
    "invented counts after the first": lambda data: data.update(counts=[data["counts"][0]] + [2**53] * 11),
    "counts above the number of red points": lambda data: data.update(counts=[900 + k for k in range(12)]),
    "counts below minus the number of green points": lambda data: data["counts"].__setitem__(3, -900),
    "counts above 2^53": lambda data: data["counts"].__setitem__(2, 2**54),
    "equal counts": lambda data: data.update(counts=data["counts"][:1] * 12),
    "two counts exchanged": lambda data: data["counts"].insert(0, data["counts"].pop()),
    "counts in another order": lambda data: data["counts"].sort(),
    "more boxes than there are": lambda data: data.update(counts=data["counts"] * 2),
    "boxes that are repeated": lambda data: data.update(counts=data["counts"] * 2, boxes=24),
    "fewer boxes than there are": lambda data: data.update(counts=data["counts"][:-1]),
    "a box that is left out": lambda data: data.update(counts=data["counts"][1:], boxes=11),
    "no counts": lambda data: data.update(counts=[]),
    "a fraction": lambda data: data["counts"].__setitem__(0, 1.5),
    "a float": lambda data: data["counts"].__setitem__(0, data["counts"][0] + 0.0),
    "a truth value": lambda data: data["counts"].__setitem__(0, True),
    "a string": lambda data: data["counts"].__setitem__(0, str(data["counts"][0])),
    "null": lambda data: data["counts"].__setitem__(0, None),
    "infinity": lambda data: data["counts"].__setitem__(0, math.inf),
    "not a number": lambda data: data["counts"].__setitem__(0, math.nan),
    "the seed": lambda data: data.update(seed=4),
    "the ratio": lambda data: data.update(ratio=0.81),
    "a ratio above 1": lambda data: data.update(ratio=2.0),
    "the scale": lambda data: data.update(scale=5.5),
    "the box": lambda data: data.update(box=290.0),
    "the dimension": lambda data: data.update(dim=2, box=60.0),
    "a list": lambda data: data.update(dim=[1]),
    "tiles": lambda data: data.update(tiles=2),
    "a window": lambda data: data.update(window=data["window"] + 1),
    "a packing bound": lambda data: data.update(packing_bound=1),
    "the error probability": lambda data: data.update(error_probability=1e-30),
    "the lower bound": lambda data: data.update(lower_bound=0.9),
    "a bound above 1": lambda data: data.update(lower_bound=1.5),
    "the confidence": lambda data: data.update(confidence=0.99),
    "a failure": lambda data: data.update(failed=True),
    "a key": lambda data: data.update(note="x"),
    "another version": lambda data: data.pop("counts"),
}
UNFINISHED = ("fewer boxes than there are", "no counts")  # with all that follows, they state nothing
FORGED_INTERVALS = {
    "a wider interval": lambda data: data["intervals"][-1].update(ratio=[0.88, data["intervals"][-1]["ratio"][1]]),
    "an interval twice": lambda data: data["intervals"].append(data["intervals"][-1]),
    "intervals exchanged": lambda data: data["intervals"].reverse(),
    "ends exchanged": lambda data: data["intervals"][0]["ratio"].reverse(),
    "an e-value": lambda data: data["intervals"][0].update(e_value=1e30),
    "a count": lambda data: data["intervals"][1]["counts"].__setitem__(2, 30),
    "a count after the last": lambda data: data["intervals"][0]["counts"].append(40),
    "a count in front": lambda data: data["intervals"][0]["counts"].insert(0, -5),
    "the name": lambda data: data.update(name="other"),
    "the dimension of a row": lambda data: data["intervals"][0].update(dim=2),
    "the sum of the error probabilities": lambda data: data.update(error_probability=1e-30),
}
PARTS = [{"ratio": [0.9, 0.902], "intervals": 2, "scale": 5.0, "box": 120.0}]
LINE = {"dim": 1, "boxes": 200, "threshold": 10**4, "seed": 3, "parts": PARTS}


def rebuilt(data):
    """The file with all that follows from its parameters and counts, if they are possible."""
    try:
        if "intervals" not in data:
            return certificate._certificate(data).to_dict()
        shared = {key: data[key] for key in certificate.SHARED}
        rows = [certificate._certificate({**shared, **row}) for row in data["intervals"]]
        return certificate.Intervals(tuple(rows)).to_dict()
    except (BadInput, KeyError, TypeError):
        return data


@pytest.mark.parametrize("what", [*FORGED, *FORGED_INTERVALS])
def test_a_forged_certificate_is_refused_or_reported_as_not_checked(tmp_path, what):
    file = tmp_path / "a.json"
    if what in FORGED:
        pm.certificates.survival(**SMALL | {"boxes": 12}, file=file)
    else:
        cover("line", LINE, file)
    assert pm.certificates.check(file, "all")[2] == 0
    honest, data = (json.loads(file.read_text()) for _ in range(2))
    (FORGED | FORGED_INTERVALS)[what](data)
    for forged in (data, rebuilt(data)):
        file.write_text(json.dumps(forged))
        if forged is not data and (forged == honest or what in UNFINISHED):
            continue
        with pytest.raises(IntegrityError, match=r"a\.json: damaged: ."):
            pm.certificates.check(file, "all")
        with contextlib.suppress(IntegrityError):
            assert pm.certificates.check(file, 1)[2] > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"counts": [5, 2**53]}, "box 2: D is 9007199254740992, and a window has about 208 red points"),
        ({"counts": [30] * 12}, "all 12 boxes have the same D"),
        ({"counts": [400 + k for k in range(12)]}, r"lower_bound is 1\.\d+, above 1"),
        ({"counts": [5] * 13}, "there are counts after the last box"),
        ({"counts": None}, "no certificate of this version: 'NoneType' object is not iterable"),
        ({"seed": None}, "no certificate of this version: seed must be"),
    ],
)
def test_the_message_names_what_is_impossible(tmp_path, change, message):
    file = tmp_path / "a.json"
    data = pm.certificates.survival(**SMALL | {"boxes": 12}, file=file).to_dict() | change
    file.write_text(json.dumps(rebuilt(data)))
    with pytest.raises(IntegrityError, match=rf"a\.json: damaged: .*{message}"):
        pm.certificates.check(file)


def test_a_tenth_of_the_counts_is_noticed_with_probability_0_99():
    assert [independent_check._enough(total, None) for total in (0, 1, 4, 30, 10**5)] == [0, 1, 4, 23, 44]


def test_the_first_line_and_the_exit_code_say_how_many_boxes_were_not_checked(tmp_path):
    file = tmp_path / "a.json"
    pm.certificates.survival(**SMALL | {"boxes": 30}, file=file)
    for options, code, line in [
        (("--boxes", "1"), 5, "no error in what was drawn again; drawn again: 1 of 30; not checked: 29"),
        ((), 5, "no error in what was drawn again; drawn again: 23 of 30; not checked: 7"),
        (("--boxes", "all"), 0, "right; drawn again: 30 of 30; not checked: 0"),
    ]:
        done = CliRunner().invoke(app, ["certify", "--check", str(file), *options])
        assert (done.exit_code, done.stdout.splitlines()[0]) == (code, f"{file}: {line}")
        assert "not registered in config/certificates.yaml" in done.stdout
    done = CliRunner().invoke(app, ["certify", "--check", str(file), "--boxes", "31"])
    assert str(done.exception) == "boxes must be a whole number from 0 to 30, got 31"


def test_a_certificate_of_other_parameters_than_those_of_its_name_is_refused(tmp_path):
    file = tmp_path / "d1-rho0.5.json"
    pm.certificates.survival(**SMALL, file=file)
    done = CliRunner().invoke(app, ["certify", "--check", str(file)])
    assert str(done.exception) == f"{file}: not ours: d1-rho0.5 is registered with other parameters"
