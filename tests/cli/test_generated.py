"""Studies, plans, manifests, states and proofs that are valid but for a slip: an exit code, a message, and nothing elsewhere."""

import json
import os
import shutil
import signal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import poissonmatch as pm
from helpers.command_line import call
from helpers.refusals import rows
from helpers.runs import run_study
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.report import reports
from poissonmatch.studies.run import stages
from poissonmatch.utils.manifests import to_json
from poissonmatch_games.checkers import certificates
from studies.study_files.test_mutations import examples, places, slips

CODES = {0, 2, 3, 4, 5}
BUDGET = 60  # seconds
STUDY = """studies: {a: {process: two_color, rule: fussy, ratios: 0.5, dims: 1, sizes: [20, 30], replicates: 2, block: 1}}
figures: {fussy: {kind: fussy, studies: a}}
"""
MORE = STUDY.replace("[20, 30]", "[20, 30, 40]")  # a batch of this is planned, and not made
# Kinds of files, and the commands that read them.
READERS = """
results/s/.run/plan/*.jsonl → aggregate s.yaml {file} RESULTS → run s.yaml --dry-run RESULTS → batch {batch} \
→ plan-round s.yaml results/s/.run/plan/x-1.jsonl --previous {file} RESULTS
results/s/.run/status.json → status s.yaml RESULTS → status s.yaml --json RESULTS
results/s/blocks/*.json → verify results/s → verify s.yaml RESULTS → status s.yaml RESULTS → aggregate s.yaml RESULTS \
→ run s.yaml -n RESULTS → plan-round s.yaml RESULTS → reproduce {file} → repair s.yaml RESULTS → batch {file} → batch {batch}
results/s/manifest.json → verify results/s → verify s.yaml RESULTS → draw s.yaml RESULTS → report s.yaml RESULTS → run s.yaml -n RESULTS \
→ status s.yaml RESULTS
results/s/figures/fussy.json → verify results/s → report s.yaml RESULTS → run s.yaml -n RESULTS
results/s/pages.json → verify results/s → verify s.yaml RESULTS → run s.yaml -n RESULTS
proofs/*.json → games check {file}
certificates/*.json → certify --check {file} --boxes 1
s.yaml → status s.yaml RESULTS → aggregate s.yaml RESULTS → run -n s.yaml RESULTS → verify s.yaml RESULTS → draw s.yaml RESULTS \
→ validate s.yaml
""".replace("RESULTS", "--results results")
COMMANDS = {kind: commands for kind, *commands in rows(READERS)}
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 3), st.integers(), st.floats(), st.text(max_size=5), st.sampled_from([10**400, "9" * 5000]),
    st.sampled_from([[], {}, [[]], {"": {}}, "a" * 16, "../../x", "/dev/zero", "\0", "\ud800", "\x1b[31m"]),
)  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a study file, its results with figures and report, a plan of more, its state, and proofs."""
    home = tmp_path_factory.mktemp("generated")
    path = home / "s.yaml"
    path.write_text(STUDY)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        file, folder = studies.load(path), run_study(path, home / "results")
        stages.draw(file, folder)
        reports.report(path, file, folder)
        path.write_text(MORE)
        assert call("plan-round", "s.yaml")[0] == 0
        path.write_text(STUDY)
        assert call("status", "s.yaml")[0] == 0
        for name in ("A11", "B11", "row-3-14"):
            (home / "proofs").mkdir(exist_ok=True)
            (home / f"proofs/{name}.json").write_bytes(certificates.written(certificates.load(name)))
        (home / "certificates").mkdir()
        pm.certificates.survival(1, 0.9, 20, 1600, 5, 20, 1, file=home / "certificates/line.json")
        yield home


@st.composite
def changed(draw, data: bytes) -> bytes:
    """Bytes of JSON, or of lines of JSON, with a slip."""
    kind = draw(st.sampled_from(["value", "key", "twice", "bytes", "cut", "whole"]))
    if kind == "cut":
        return data[: draw(st.integers(0, len(data)))]
    if kind == "bytes":
        at = draw(st.integers(0, len(data)))
        return data[:at] + draw(st.binary(max_size=3)) + data[at + draw(st.integers(0, 3)) :]
    lines = data.splitlines() if data.count(b"\n{") else [data]
    at = draw(st.integers(0, len(lines) - 1))
    value = json.loads(lines[at])
    if kind == "whole":
        value = draw(ODD)
    around, key = draw(st.sampled_from([({}, ""), *places(value)])) if isinstance(value, dict | list) else ({}, "")
    if kind == "value":
        around[key] = draw(ODD)
    elif kind == "key" and key != "":
        kept = around.pop(key)
        if isinstance(around, dict) and draw(st.booleans()):
            around[draw(st.text(max_size=3))] = kept
    elif kind == "twice" and key != "":
        around = around if isinstance(around, dict) else {}
        around[draw(st.sampled_from(["kind", "x"]))] = draw(ODD)
    try:
        lines[at] = (
            to_json(value) if len(lines) == 1 else json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
        )
    except ValueError:  # a number of 400 digits
        return data
    return b"\n".join(lines)


def contents(home: Path) -> dict[Path, bytes]:
    """Return the files in a folder, which are all small."""
    return {Path(folder, name): Path(folder, name).read_bytes() for folder, _, names in os.walk(home) for name in names}


def put_back(home: Path, before: dict[Path, bytes]) -> None:
    for path, data in contents(home).items():
        if before.get(path) != data:
            path.unlink()
    for path, data in before.items():
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
    shutil.rmtree(home / "results/s/quarantine", ignore_errors=True)


def wrong(home: Path, command: str) -> str:
    """Return what is wrong with the end of a command, "" if nothing is."""
    elsewhere = {path: data for path, data in contents(home).items() if home / "results" not in path.parents}
    signal.alarm(BUDGET)
    try:
        code, answer = call(*command.split())
    finally:
        signal.alarm(0)
    now = {path: data for path, data in contents(home).items() if home / "results" not in path.parents}
    if code not in CODES or "internal error" in answer or "Traceback" in answer or (code and not answer.strip()):
        return f"{command}: exit {code}: {answer[-3000:]}"
    if len(answer.splitlines()) > 60 or not answer.replace("\n", "").isprintable():
        return f"{command}: {answer[-3000:]}"
    return f"{command}: {now.keys() ^ elsewhere.keys()}" * (now != elsewhere)


def end_of_a_slip(home: Path, data: st.DataObject) -> str:
    """Make a slip in a file, call a command that reads it, and return what is wrong with its end."""
    kind = data.draw(st.sampled_from([*COMMANDS]))
    path = data.draw(st.sampled_from(sorted(home.glob(kind))))
    before = contents(home)
    batch = json.loads((home / "results/s/.run/plan/loop-0.jsonl").read_text().splitlines()[1])["batch"]
    try:
        if kind == "s.yaml":
            path.write_bytes(data.draw(slips())[data.draw(st.integers(0, 1))])
        else:
            path.write_bytes(data.draw(changed(before[path])))
        command = data.draw(st.sampled_from(COMMANDS[kind]))
        return wrong(home, command.format(file=path, batch=f"results/s/blocks/{batch}.json"))
    finally:
        put_back(home, before)


@pytest.mark.parametrize(
    "number", [pytest.param(10, marks=pytest.mark.long), pytest.param(3000, marks=pytest.mark.slow)]
)
def test_a_slip_in_a_file(home, number):
    @examples(number)
    @given(st.data())
    def check(data):
        assert end_of_a_slip(home, data) == ""

    check()
