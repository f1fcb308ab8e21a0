"""A study in Python gives the tables of the pipeline, value for value, however it is told and however many processes work."""

import copy
import itertools
import pickle
from concurrent.futures import ThreadPoolExecutor

import loky
import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from helpers.processes import python
from helpers.refusals import refusal, rows
from helpers.runs import load_study, run_study, tables_in, write_study
from helpers.sweeps import swept
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.run import sweep as module
from poissonmatch.studies.tables.estimate_tables import TABLES
from poissonmatch.utils.errors import BadInput

STUDY = """
seed: 5
studies:
  red: {process: two_color, rule: fussy, dims: [1, inf], sizes: 60, ratios: [0.5, 1], replicates: 8}
  lumps: {process: {name: thomas, offspring: 3}, rule: multi(2), dims: 2, sizes: 50, replicates: 5, observables: [winner, components]}
  target: {dims: 1, sizes: 40, replicates: 8, target_rel_se: 0.05, max_replicates: 40, observables: [unmatched]}
  picture: {dims: 2, sizes: 20, replicates: 2, observables: [realization]}
"""


@pytest.fixture(scope="module")
def piped(tmp_path_factory):
    """The tables of the pipeline, and the study file."""
    home = tmp_path_factory.mktemp("piped")
    path = write_study(home, STUDY, "s")
    folder = run_study(path, home / "r")
    return path, tables_in(folder)


def differ(sweep, frames) -> list[str]:
    """The tables whose values are not the same, to the last bit."""
    found = [] if sweep.complete else ["interrupted"]
    for name in TABLES:
        try:
            if name in frames or len(sweep.frames[name]):
                pd.testing.assert_frame_equal(sweep.frames[name], frames[name], check_exact=True)
        except AssertionError as error:
            found.append(f"{name}: {error}")
    return found


@pytest.mark.parametrize("told", ["path", "file", "dict", "two processes"])
def test_the_frames_are_those_of_the_pipeline(piped, told):
    path, frames = piped
    if told == "dict":
        import yaml

        assert differ(pm.sweep(yaml.safe_load(path.read_text().replace("inf", "'inf'"))), frames) == []
    elif told == "file":
        assert differ(pm.sweep(studies.load(path)), frames) == []
    else:
        assert differ(pm.sweep(str(path), workers=2 if told == "two processes" else 1), frames) == []


def test_blocks_change_nothing(piped, monkeypatch):
    monkeypatch.setattr(module, "BLOCK_SECONDS", 1e-9)
    assert differ(pm.sweep(piped[0]), piped[1]) == []


def test_no_more_processes_than_blocks_or_twice_the_cores(monkeypatch):
    """Threads take the place of processes, which take long to start."""
    started = []

    def executor(max_workers, **_):
        started.append(max_workers)
        return ThreadPoolExecutor(max_workers)

    monkeypatch.setattr(loky, "get_reusable_executor", executor)
    monkeypatch.setattr(loky, "cpu_count", lambda: 1)
    asked = {"dims": 1, "sizes": 9, "observables": ["unmatched"]}
    expected = pm.sweep(**asked, replicates=3).estimates
    assert pm.sweep(**asked, replicates=3, workers=10**6).estimates.equals(expected) and started == []  # one block
    monkeypatch.setattr(module, "BLOCK_SECONDS", 1e-9)
    assert pm.sweep(**asked, replicates=2, workers=10**6).complete and started == [2]
    with pytest.warns(RuntimeWarning, match="3 workers are more than twice the number of cores: 2 are started"):
        assert pm.sweep(**asked, replicates=3, workers=10**6).estimates.equals(expected)
    assert started == [2, 2]


def test_keywords_and_the_file_that_says_the_same(tmp_path):
    asked = {"rule": "fussy", "dims": np.array([1, 2]), "sizes": np.int64(50), "ratios": (0.5, 1.0), "replicates": 8}
    by_words = pm.sweep(**asked, seed=3)
    assert by_words.file.studies["sweep"].process.name == "two_color"
    path = by_words.to_yaml(tmp_path / "mine.yaml")
    assert studies.load(path) == by_words.file
    assert differ(pm.sweep(path), by_words.frames) == []
    folder = run_study(path, tmp_path / "r")
    assert differ(by_words, tables_in(folder)) == []
    assert repr(by_words) == "Sweep(4 cells, 32 replicates)"


# Keys of a study, and a kind of figure if it is not the one that fits.
PLOTS = """
rule: fussy, ratios: [0.5, 1.0]
rule: two-color, ratios: [0.5, 1.0]
observables: distances
observables: distances → scaled-tail
"""


@pytest.mark.parametrize("row", rows(PLOTS))
def test_plot(row):
    keys, *kind = row
    figure = swept(f"dims: 1, sizes: 40, replicates: 3, {keys}").plot(*kind)
    assert len(figure.axes) >= 1 and figure.axes[0].get_xlabel()


TORUS = pm.Torus(side=7.0, dim=2)
# A call, and words of the message.
WRONG = """
pm.sweep(dims=1, sizes=9, replicates=1, rule="fusy") → unknown rule 'fusy'
pm.sweep(dims=1, sizes=9, replicates=1, rul="fussy") → unknown key 'rul'; did you mean 'rule'
pm.sweep(dims=1, sizes=9) → the key 'replicates' is missing
pm.sweep({"studies": {}}, dims=1) → not both
pm.sweep({"seeds": 1, "studies": {"a": {"dims": 1, "sizes": 9, "replicates": 1}}}) → unknown key 'seeds'
pm.sweep("nowhere.yaml") → no such file
pm.sweep(3) → mapping
pm.sweep(dims=1, sizes=9, replicates=1, workers=0) → workers must be a whole number from 1 to 1000000, got
pm.sweep(dims=1, sizes=9, replicates=1, workers=-1) → workers must be a whole number from 1 to 1000000, got
pm.sweep(dims=1, sizes=9, replicates=1, workers=2.5) → workers must be a whole number from 1 to 1000000, got
pm.sweep(dims=1, sizes=9, replicates=1, workers=10**9) → workers must be a whole number from 1 to 1000000, got
pm.sweep(dims=1, sizes=9, replicates=2).plot("fussy") → needs points of two colors
pm.sweep(dims=1, sizes=9, replicates=2).plot("fussi") → 'fussi' is not a kind
pm.sweep(dims=1, sizes=200, replicates=3).plot("tail", xlim=(0, 20)) → xlim: 0 is not on a logarithmic axis; log: [] makes both linear
pm.sweep(dims=1, sizes=50, replicates=2, rule="fussy", ratios=0.5, quantities=["collapse"]) → the study does not measure collapse; add flow to observables
pm.sweep(dims=1, sizes=50, replicates=2, quantities="tial") → 'tial' is not known here; did you mean 'tail'
next(pm.replicates("tomas", TORUS)) → did you mean 'thomas'
next(pm.replicates("poisson", pm.Box(3.0, 2, corner=1))) → whose corner is 0; not in Box(side=3.0, dim=2, corner=1.0)
"""


@pytest.mark.parametrize("call, words", rows(WRONG))
def test_what_cannot_be_is_refused_in_a_line(call, words):
    assert words in refusal(eval, call, globals())


@pytest.mark.parametrize("stop", [1, 5, 11])
def test_an_interrupted_sweep_has_what_was_done(monkeypatch, stop):
    whole = pm.sweep(dims=[1, 2], sizes=30, replicates=6)
    monkeypatch.setattr(module, "BLOCK_SECONDS", 1e-9)
    real, calls = module.measure_block, itertools.count()

    def measure_block(block):
        if next(calls) == stop:
            raise KeyboardInterrupt
        return real(block)

    monkeypatch.setattr(module, "measure_block", measure_block)
    part = pm.sweep(dims=[1, 2], sizes=30, replicates=6)
    assert not part.complete and "interrupted" in repr(part)
    keys = ["study", "cell", "replicate"]
    expected = whole.replicates.merge(part.replicates[keys], on=keys)
    pd.testing.assert_frame_equal(part.replicates, expected)
    assert len(part.replicates) == stop and set(part.estimates["cell"]) == set(part.replicates["cell"])


@pytest.mark.slow
def test_a_script_without_a_main_guard_may_use_processes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import poissonmatch as pm\nprint(len(pm.sweep(dims=1, sizes=20, replicates=4, workers=2, progress=True).replicates))\n"
    )
    done = python(script)
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr


def test_replicates_are_those_of_a_study(tmp_path):
    found = list(pm.replicates("two_color", TORUS, "fussy", 3, seed=9, intensities=(1, 0.5)))
    study = "process: two_color, rule: fussy, dims: 2, sizes: 73.5, ratios: 0.5, replicates: 3"
    (cell,) = studies.cells(load_study(tmp_path, f"seed: 9\nstudies: {{a: {{{study}}}}}\n"))
    assert found == [pm.match(cell.pattern(k), "fussy") for k in range(3)]
    assert next(pm.replicates({"name": "thomas", "offspring": 2}, TORUS)).rule == pm.RULES["one-color"]


def test_the_figure_of_a_sweep_has_its_caption_and_limits():
    sweep = pm.sweep(dims=1, sizes=200, replicates=3, progress=False)
    assert pm.figures.caption(sweep.plot("tail")) == pm.figures.caption(pm.figures.tail(sweep.estimates)) != ""
    assert sweep.plot("tail", xlim=(0, 20), log=()).axes[0].get_xlim() == (0, 20)


def test_a_process_of_this_session_is_not_sent_elsewhere(tmp_path):
    @pm.processes.process
    def twins(torus, intensity=1.0, *, rng):
        return np.repeat(rng.random((rng.poisson(intensity * torus.volume / 2), torus.dim)) * torus.side, 2, axis=0)

    try:
        asked = dict(rule="one-color", process="twins", dims=2, sizes=100, replicates=2, observables=["unmatched"])
        made = pm.sweep(**asked)
        assert len(made.replicates) == 2
        for elsewhere in (lambda: pm.sweep(**asked, workers=2), lambda: made.to_yaml(tmp_path / "twins.yaml")):
            with pytest.raises(BadInput, match="twins exists in this session only.*'import': 'module.twins'"):
                elsewhere()
        assert not list(tmp_path.iterdir())
    finally:
        pm.processes.PROCESSES.pop("twins")


WAYS = {
    "pickle": lambda sweep: pickle.loads(pickle.dumps(sweep)),
    "old pickle": lambda sweep: pickle.loads(pickle.dumps(sweep, protocol=2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "another process": lambda sweep: (
        loky.get_reusable_executor(max_workers=1).submit(copy.copy, sweep).result()
    ),  # as joblib does
}


@pytest.mark.parametrize("way", WAYS)
def test_a_sweep_can_be_sent_and_copied(tmp_path, way):
    (tmp_path / "p.csv").write_text("x,y\n1,1\n2,3\n")
    (tmp_path / "s.yaml").write_text(
        "studies:\n"
        "  plain: {dims: 1, sizes: 20, replicates: 2}\n"
        "  lumps: {process: {name: thomas, offspring: 3}, dims: 2, sizes: 20, replicates: 2}\n"
        "  plots: {process: {name: points, files: p.csv, coords: [x, y]}, dims: 2, sizes: 20, replicates: 1}\n"
    )
    sweep = pm.sweep(tmp_path / "s.yaml")
    found = WAYS[way](sweep)
    assert repr(found) == repr(sweep) and found.file == sweep.file and found.complete == sweep.complete
    assert all(found.frames[name].equals(frame) for name, frame in sweep.frames.items())
    for name, study in sweep.file.studies.items():
        again = found.file.studies[name].process
        assert (again, again.spec, again.study_folder.folder, again.entry.name) == (
            study.process, study.process.spec, study.process.study_folder.folder, study.process.entry.name
        )  # fmt: skip
    assert found.to_yaml(tmp_path / "again.yaml").read_text() == sweep.to_yaml(tmp_path / "once.yaml").read_text()


def test_a_sweep_of_a_process_that_is_not_known_any_more():
    @pm.processes.process
    def passing(torus, intensity=1.0, *, rng):
        return rng.random((3, torus.dim)) * torus.side

    try:
        sent = pickle.dumps(pm.sweep(process="passing", dims=1, sizes=3, replicates=1))
    finally:
        del pm.processes.PROCESSES["passing"]
    with pytest.raises(BadInput, match="the process 'passing' is not known: register it"):
        pickle.loads(sent)
