"""A new rule, process, observable, figure kind and frog variant is one entry: added here at run time, and driven all the way.

The variant is driven through play and the page in tests/frogs/test_variants.py.
"""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.command_line import run
from helpers.refusals import rows
from helpers.runs import load_study, run_study, write_study
from helpers.throwaway import THROWAWAY
from poissonmatch import processes
from poissonmatch.points.processes import PROCESSES
from poissonmatch.rules.catalogue import RULES
from poissonmatch.rules.rule import Rule
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.figures.figure_layout import Aspect
from poissonmatch.studies.figures.kinds import KINDS, Kind
from poissonmatch.studies.run import stages
from poissonmatch.studies.statistics.observables import OBSERVABLES
from poissonmatch.studies.statistics.observables.interface import MatchingObservable, Quantity, ratio_columns
from poissonmatch.studies.tables.tables import NO_X
from poissonmatch.utils.errors import BadInput

STUDY = """
studies:
  a:
    process: {name: ring, wobble: 0.01}
    rule: hermits
    dims: [1, 2]
    sizes: [40, 80]
    ratios: 0.5
    replicates: 8
    observables: [shares, distances]
figures:
  f: {kind: shares, studies: a, title: "$\\\\rho$"}
"""


class Hermits(type(RULES["two-color"].law)):
    """Red points stay alone."""

    def unmatched(self, dim, intensities, color):
        return float(color == 1)


def ring(torus, intensities=(1.0, 1.0), wobble: float = 0.1, *, rng):
    """Evenly spaced points on a diagonal, moved a little."""
    counts = [round(i * torus.volume) for i in intensities]
    places = np.linspace(0, torus.side, sum(counts), endpoint=False)[:, None] * np.ones(torus.dim)
    places = torus.wrap(places + rng.normal(0, wobble, places.shape))
    return pm.Pattern(places, np.repeat([0, 1], counts), torus)


class Shares(MatchingObservable):
    """Points whose partner is within 1, and toruses on which some are left."""

    name = "shares"
    quantities = (Quantity("near", "share with a near partner", "share"), Quantity("some_left", "left", "proportion"))

    def measure(self, matching):
        near = (matching.partners >= 0) & (matching.distances < 1)
        left = float(len(matching.unmatched) > 0)
        return ratio_columns({("near", NO_X): (near.sum(), len(near)), ("some_left", NO_X): (left, 1.0)})


def draw_shares(rows, layout):
    """Shares against size."""
    for panel in layout.panels(rows[rows["quantity"] == "near"], Aspect(xlabel="points", ylabel="near"), x="size"):
        panel.bars()
    return "Shares of points with a partner within 1."


@pytest.fixture
def entries(monkeypatch):
    """The five entries, for the length of a test."""
    hermits = Rule(compatible=((1, 0), (0, 0)), color_names=("plain", "red"), reference_color=1, law=Hermits())
    monkeypatch.setitem(RULES, "hermits", hermits)
    monkeypatch.setitem(PROCESSES, "ring", processes.Process(ring, colored=True, flat=True))
    monkeypatch.setitem(OBSERVABLES, "shares", Shares())
    monkeypatch.setitem(KINDS, "shares", Kind("shares", draw_shares, frozenset({"shares"})))
    for name, variant in THROWAWAY.items():
        monkeypatch.setitem(pm.frogs.VARIANTS, name, variant)


@pytest.mark.slow
def test_new_entries_are_studied_like_any_other(entries, tmp_path):
    path = write_study(tmp_path, STUDY, "s")
    done = run("validate", path)
    assert done.returncode == 0 and "1 study, 4 cells" in done.stdout
    folder = run_study(path, tmp_path / "r")
    estimates = pm.load(folder / "estimates.parquet").set_index(["dim", "size", "quantity", "color", "order"])
    red = estimates.loc[(2.0, 80.0, "unmatched_fraction", 1, 0)]
    assert red["value"] == red["exact"] == 1 and red["process"] == 'ring{"wobble": 0.01}'
    near = estimates.loc[(1.0, 40.0, "near", 0, 0)]
    left = estimates.loc[(1.0, 40.0, "some_left", 0, 0)]
    assert 0 < near["value"] < 1 and near["upper"] <= 1 and left["value"] == 1 and 0.6 < left["lower"] < 0.7
    written = stages.draw(studies.load(path), folder)
    assert [p.name for p in written] == ["f.pdf", "f.png", "f.txt"] and all(p.stat().st_size > 40 for p in written)
    pads = pm.Pattern([[0.0], [1.0], [4.0]], [0, 1, 0], pm.Euclidean(1))
    assert (
        pm.frogs.solve(pads, "shy-fussy", c=0.5).winner == pm.frogs.retrograde.Analysis(pads, "shy-fussy", c=0.5).winner
    )


# An edit of the study, and words of the message.
EDITS = """
name: ring → name: rng → 'rng' is not known here; did you mean 'ring'?
wobble: 0.01 → woble: 0.01 → unknown key 'woble'; did you mean 'wobble'?
wobble: 0.01 → wobble: -1 → line 4: studies.a.process.wobble: must be 0 or greater than 0, got -1
rule: hermits → rule: hermit → did you mean 'hermits'?
[shares, distances] → [share, distances] → 'share' is not known here; did you mean 'shares'?
kind: shares → kind: share → 'share' is not known here; did you mean 'shares'?
[shares, distances] → [distances] → study a must list shares in observables
dims: [1, 2] → dims: [1, inf] → the process ring has no mean-field model
"""


@pytest.mark.parametrize("old, new, said", rows(EDITS))
def test_new_entries_are_known_to_messages(entries, tmp_path, old, new, said):
    assert old in STUDY
    with pytest.raises(BadInput) as error:
        load_study(tmp_path, STUDY.replace(old, new))
    assert said in str(error.value)
