"""The mean partner distance in infinite volume: exact power laws, other sizes of tori, and the notes of means and variances."""

import math

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm
from poissonmatch.studies.statistics.estimators import CellSample
from poissonmatch.studies.statistics.observables.distances import BINS, edges, infinite_volume_means
from poissonmatch.studies.study_files import parameter_grid
from poissonmatch.studies.study_files.read import of_data
from poissonmatch.studies.tables.estimate_tables import INFINITE, INFINITE_VARIANCE, UNKNOWN_MOMENTS
from poissonmatch.studies.tables.tables import cell_columns


def sample_and_rows(rule, dim, size, distances, **ratios):
    """Return a cell with one torus for each array of distances, and its rows of the table `distances`."""
    study = {"process": "binomial", "rule": rule, "dims": dim, "sizes": size, "replicates": len(distances), **ratios}
    (cell,) = parameter_grid.cells(of_data({"seed": 1, "studies": {"a": study}}, "a"))
    columns = {
        "points_0": size // len(distances),
        "unmatched_0": [size // len(distances) - len(each) for each in distances],
    }
    columns |= {"sum_distance_0": [each.sum() for each in distances]}
    columns |= dict.fromkeys(("points_1", "unmatched_1", "sum_distance_1"), 0)
    replicates = pd.DataFrame({**cell_columns(cell), "replicate": range(len(distances)), **columns})
    place = np.concatenate([np.searchsorted(edges(), each, side="right") - 1 for each in distances])
    rows = {
        "replicate": np.repeat(np.arange(len(distances)), [len(each) for each in distances]),
        "r_lower": edges()[place],
    }
    rows |= {"color": 0 * place, "order": 0 * place, "bin": place + BINS.start, "count": np.ones(len(place))}
    return CellSample(replicates), rows


LAWS = [("one-color", 2, 2, 0.0), ("one-color", 3, 3, 0.0), ("two-color", 3, 1.5, 0.4)]


@pytest.mark.parametrize(("rule", "dim", "power", "a"), LAWS)
def test_the_mean_of_an_exact_power_law_although_long_distances_are_cut(rule, dim, power, a):
    """P(X > r) is proportional to r^-p (1 - a / r^2) from r = 1; points with X above half of the side are unmatched."""
    size = 60_000
    half, share = size ** (1 / dim) / 2, (np.arange(size) + 0.5) / size
    grid = np.geomspace(1, 1e9, 400_001)
    tail = grid**-power * (1 - a / grid**2) / (1 - a)
    distance = np.interp(-share, -tail, grid)
    distance = [each[each < half] for each in (distance[::2], distance[1::2])]
    exact = 1 + (1 / (power - 1) - a / (power + 1)) / (1 - a)
    ratios = {"ratios": 1} if rule == "two-color" else {}
    sample, rows = sample_and_rows(rule, dim, size, distance, **ratios)
    found = next(infinite_volume_means(sample, rows))
    assert found.value[0] == pytest.approx(exact, rel=3e-4) and distance[0].mean() < exact * (1 - 1e-3)
    assert abs(found.influence[:, 0].sum()) < 1e-9


SIZES = [  # rule, process, dim, ratio, size, value of tori of 256,000 points and its standard error
    ("one-color", "poisson", 2, None, 4000, 0.7625, 0.0003),
    ("misere", "poisson", 2, None, 4000, 0.9864, 0.0004),
    ("two-color", "binomial", 3, 1, 16_000, 1.0202, 0.0025),
    ("two-color", "two_color", 3, 1, 16_000, 1.0202, 0.0025),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "process", "dim", "ratio", "size", "value", "error"), SIZES)
def test_small_tori_give_the_mean_of_large_ones(rule, process, dim, ratio, size, value, error):
    """Tori of 4,000 or 16,000 points, and the same estimate on tori of 256,000; their own mean is far from it."""
    words = dict(process=process, rule=rule, dims=dim, sizes=size, replicates=60, progress=False, seed=5)
    rows = pm.sweep(**words, **({"ratios": ratio} if ratio else {})).estimates
    rows = rows[rows["color"] == 0].set_index("quantity")
    found, own = rows.loc["infinite_volume_mean"], rows.loc["mean_distance"]
    assert abs(found["value"] - value) < 3 * math.hypot(found["standard_error"], error)
    assert found["lower"] < found["value"] < found["upper"] and pd.isna(found["note"])
    assert value - own["value"] > 3 * own["standard_error"] and own["note"] == INFINITE_VARIANCE


NOTES = [  # rule, dim, process, ratio, note of the mean distance, whether there is a mean in infinite volume
    ("misere", 1, "poisson", None, INFINITE, False),
    ("misere", 3, "poisson", None, "", False),
    ("one-color", 1, "thomas", None, UNKNOWN_MOMENTS, False),
    ("custom(11/11; 1,2)", 2, "two_color", 1, UNKNOWN_MOMENTS, False),
    ("labels(2)", 1, "poisson", None, UNKNOWN_MOMENTS, False),
    ("two-color", 3, "two_color", 1, INFINITE_VARIANCE, False),
    ("two-color", 2, "two_color", 0.5, "", True),
    ("multi(2)", 1, "poisson", None, "", True),
]


@pytest.mark.parametrize(("rule", "dim", "process", "ratio", "note", "infinite"), NOTES)
def test_notes_of_means(rule, dim, process, ratio, note, infinite):
    """An infinite mean has no interval. If X has a light tail, the mean of the tori is that in infinite volume."""
    words = dict(process=process, rule=rule, dims=dim, sizes=1000, replicates=3, progress=False)
    rows = pm.sweep(**words, **({"ratios": ratio} if ratio else {})).estimates
    mean = rows[rows["quantity"] == "mean_distance"]
    assert (mean["note"].fillna("") == note).all() and (mean["lower"].isna() == (note == INFINITE)).all() and len(mean)
    far = rows[rows["quantity"] == "infinite_volume_mean"]
    assert (len(far) > 0) == infinite and np.isin(far["value"], mean["value"]).all()
