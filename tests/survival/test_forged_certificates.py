"""Forged certificates are refused, or reported as not checked."""

import contextlib
import itertools
import json
import re
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import poissonmatch as pm
from helpers.refusals import rows
from helpers.tables import tables
from poissonmatch.cli import certify
from poissonmatch.cli.main import app
from poissonmatch.survival.certificates import certificate_files, independent_check
from poissonmatch.survival.certificates.survival import cover
from poissonmatch.utils.errors import BadInput, IntegrityError

TABLES = tables(__file__, "certificates.toml")
SMALL = TABLES["small"]


def update(**change):
    return lambda data: data.update(change)


def counted(expression):
    """Other counts of the boxes, from those that there are, c."""
    return lambda data: data.update(counts=eval(expression, {"c": data["counts"]}))


# What is forged, and the counts of the boxes.
COUNTS = """
a count one higher → [c[0], c[1] + 1, *c[2:]]
a count one lower → [*c[:-1], c[-1] - 1]
invented counts after the first → [c[0]] + [2**53] * 11
counts above the number of red points → [900 + k for k in range(12)]
equal counts → c[:1] * 12
two counts exchanged → [c[-1], *c[:-1]]
counts in another order → sorted(c)
more boxes than there are → c * 2
fewer boxes than there are → c[:-1]
a float → [c[0] + 0.0, *c[1:]]
a string → [str(c[0]), *c[1:]]
null → [None, *c[1:]]
counts below minus the number of green points → [*c[:3], -900, *c[4:]]
counts above 2^53 → [*c[:2], 2**54, *c[3:]]
a fraction → [1.5, *c[1:]]
a truth value → [True, *c[1:]]
infinity → [float("inf"), *c[1:]]
not a number → [float("nan"), *c[1:]]
"""
FORGED = {
    **{name: counted(expression) for name, expression in rows(COUNTS)},
    **{name: update(**change) for name, change in TABLES["update"].items()},
    "boxes that are repeated": lambda data: data.update(counts=data["counts"] * 2, boxes=24),
    "a box that is left out": lambda data: data.update(counts=data["counts"][1:], boxes=11),
    "a window": lambda data: data.update(window=data["window"] + 1),
    "another version": lambda data: data.pop("counts"),
}
UNFINISHED = ("fewer boxes than there are", "no counts")  # with all that follows, they state nothing


def exchange(one, other):
    """Exchange the counts of two rows."""
    one["counts"], other["counts"] = other["counts"], one["counts"]


def in_second(change):
    """Make a change in the second row of a cover."""
    return lambda data: change(data["intervals"][1])


def in_part(**change):
    """Change the first part of the design of a cover."""
    return lambda data: data["parts"][0].update(change)


# What is forged, and the counts of an interval.
COUNTS_OF_A_ROW = """
all counts of an interval doubled → [2 * k for k in c]
all counts of an interval one higher → [k + 1 for k in c]
two boxes exchanged → [c[-1], *c[:-1]]
a count → [*c[:2], 30, *c[3:]]
a count after the last → [*c, 40]
a count in front → [-5, *c]
a box that is left out → c[1:]
boxes that are repeated → c * 2
"""
FORGED_COVERS = {
    **{name: in_second(counted(expression)) for name, expression in rows(COUNTS_OF_A_ROW)},
    **{name: update(**change) for name, change in TABLES["update_cover"].items()},
    **{name: in_second(update(**change)) for name, change in TABLES["in_row"].items()},
    **{name: in_part(**change) for name, change in TABLES["in_part"].items()},
    "counts of another interval": lambda data: data["intervals"][1].update(counts=data["intervals"][2]["counts"]),
    "intervals exchanged": lambda data: data["intervals"].insert(0, data["intervals"].pop(1)),
    "counts of two intervals exchanged": lambda data: exchange(*data["intervals"][:2]),
    "an interval twice": lambda data: data["intervals"].append(data["intervals"][-1]),
    "a gap": lambda data: data["intervals"].pop(1),
    "a gap in the design": lambda data: data["parts"].pop(1),
    "a wider interval": in_second(lambda row: row.update(interval=[0.8, row["interval"][1]])),
    "fewer and wider intervals": lambda data: in_part(intervals=1)(data) or data["intervals"].pop(1),
    "a lower end": lambda data: data["parts"][-1].update(ratio=[0.8, 0.88]),
    "a smaller loss": in_second(lambda row: row.update(loss=row["loss"] / 2)),
    "the registered sum hidden": lambda data: data["parts"].pop(),
}
HIDDEN = {"the registered sum hidden"}  # as far as the file alone can tell, its design was registered
LINE = TABLES["line"]


def rebuilt(data):
    """The file with all that follows from its parameters and counts, if they are possible."""
    try:
        if "intervals" not in data:
            return certificate_files._single(data).to_dict()
        return certificate_files._cover(data).to_dict()
    except (BadInput, KeyError, TypeError):
        return data


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_certificate_is_refused_or_reported_as_not_checked(tmp_path, what):
    file = tmp_path / "a.json"
    pm.certificates.survival(**SMALL | {"boxes": 12}, file=file)
    assert pm.certificates.check(file, "all")[2] == 0
    honest, data = (json.loads(file.read_text()) for _ in range(2))
    FORGED[what](data)
    for forged in (data, rebuilt(data)):
        file.write_text(json.dumps(forged))
        if forged is not data and (forged == honest or what in UNFINISHED):
            continue
        with pytest.raises(IntegrityError, match=r"a\.json: damaged: ."):
            pm.certificates.check(file, "all")
        with contextlib.suppress(IntegrityError):
            assert pm.certificates.check(file, 1)[2] > 0


@pytest.fixture(scope="module")
def covered(tmp_path_factory):
    """The file of a cover whose last interval is not counted yet."""
    file = tmp_path_factory.mktemp("cover") / "line.json"
    whole = cover("line", LINE, file)
    file.write_text(json.dumps(replace(whole, done=whole.done[:-1]).to_dict()))
    return file.read_text()


def checked(file, *options):
    """The result of certify --check, and its output or its message."""
    done = CliRunner().invoke(app, ["certify", "--check", str(file), *options])
    return done.exit_code, done.stdout or str(done.exception)


@pytest.mark.parametrize("what", FORGED_COVERS)
def test_a_forged_cover_is_refused_and_its_statement_not_made(tmp_path, what, covered, monkeypatch):
    """Whether all that follows is forged as well or not, and whether the design is known or not."""
    file = tmp_path / "line.json"
    honest, data = json.loads(covered), json.loads(covered)
    FORGED_COVERS[what](data)
    for forged, registered in itertools.product((data, rebuilt(data)), ({"line": LINE}, {})):
        if forged == honest:
            continue
        monkeypatch.setattr(certify, "_registered", lambda registered=registered: registered)
        file.write_text(json.dumps(forged))
        code, text = checked(file, "--boxes", "all")
        refused = re.search(r"line\.json: (damaged|not ours): .", text)
        assert refused or (
            what in HIDDEN
            and not registered
            and "not checked: the intervals of line, because it is not registered" in text
        )
        code, text = checked(file)
        assert code != 0 and (
            "u > 0 for every" not in text or re.search(r"not checked: \d+\n.*; if the \d+ other", text)
        )


def test_the_statement_of_a_cover_needs_a_box_of_each_interval_and_a_registered_design(tmp_path, covered, monkeypatch):
    file = tmp_path / "line.json"
    file.write_text(covered)
    total, statement = (
        sum(len(one["counts"]) for one in json.loads(covered)["intervals"]),
        "u > 0 for every \u03c1 in [0.87, 0.95]",
    )
    monkeypatch.setattr(certify, "_registered", lambda: {"line": LINE})
    code, text = checked(file, "--boxes", "all")
    assert code == 0 and text.splitlines() == [
        f"{file}: right; drawn again: {total} of {total}; not checked: 0",
        f"d = 1: {statement} with error probability 5.0e-03; 4 of 5 registered intervals",
    ]
    code, text = checked(file)
    drawn = int(re.search(r"drawn again: (\d+)", text)[1])
    assert (
        code == 5
        and drawn >= 4
        and f"{statement} with" in text
        and f"; if the {total - drawn} other counts are right" in text
    )
    code, text = checked(file, "--boxes", "3")
    assert (
        code == 5
        and "u > 0" not in text
        and "not checked: the intervals of line, because 3 of 4 intervals were drawn" in text
    )
    monkeypatch.setattr(certify, "_registered", dict)
    code, text = checked(file, "--boxes", "all")
    assert code == 5 and "u > 0" not in text and "because it is not registered" in text


def test_other_code_is_named(tmp_path, covered, monkeypatch):
    file, data = tmp_path / "line.json", json.loads(covered)
    monkeypatch.setattr(certify, "_registered", lambda: {"line": LINE})
    data["intervals"][1].update({"code": "0123456789abcdef", "engine": "fedcba9876543210"})
    del data["intervals"][2]["engine"]  # as in older files
    file.write_text(json.dumps(data))
    *_, last = checked(file)[1].splitlines()
    assert "; counted by code 0123456789abcdef, not by the installed code" in last
    assert last.endswith("; matched by the engine fedcba9876543210, not by the installed engine")


def test_a_file_of_the_old_kind_is_refused(tmp_path):
    file = tmp_path / "d2-intervals.json"
    file.write_text(json.dumps({"dim": 2, "intervals": []}))
    code, text = checked(file)
    assert code != 0 and text.endswith(
        "its intervals have uncertain points; remove it, and run poissonmatch certify d2-cover"
    )


@pytest.mark.parametrize(
    "change, message",
    [
        ({"counts": [5, 2**53]}, "box 2: D is 9007199254740992, and a window has about 208 red points"),
        ({"counts": [400, 450]}, "box 2: D is 450, and a window has about 208 red points"),  # at most 441
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
        found, text = checked(file, *options)
        assert (found, text.splitlines()[0]) == (code, f"{file}: {line}")
        assert "not registered in config/certificates.yaml" in text
    assert checked(file, "--boxes", "31")[1] == "boxes must be a whole number from 0 to 30, got 31"


def test_a_certificate_of_other_parameters_than_those_of_its_name_is_refused(tmp_path):
    file = tmp_path / "d1-rho0.5.json"
    pm.certificates.survival(**SMALL, file=file)
    assert checked(file)[1] == f"{file}: not ours: d1-rho0.5 is registered with other parameters"


@pytest.mark.parametrize(
    "change", [b'{"a": 1, "a": 1, %b', b"\xef\xbb\xbf{%b", b"\xff\xfe{%b"], ids=["a key twice", "BOM", "no UTF-8"]
)
def test_a_certificate_in_another_form_is_refused(tmp_path, change):
    """The last of two equal keys would be read, and a byte order mark be left out."""
    file = tmp_path / "a.json"
    file.write_bytes(change % json.dumps(pm.certificates.survival(**SMALL).to_dict()).encode()[1:])
    with pytest.raises(IntegrityError, match="not a JSON object"):
        certificate_files.read(file)
