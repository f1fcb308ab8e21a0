"""The mean partner distance in infinite volume: exact power laws, other sizes of tori, and the notes of means and variances."""

import math

import numpy as np
import pandas as pd
import pytest

from helpers.sweeps import swept
from helpers.tables import tables
from poissonmatch.studies.statistics.estimators import CellSample
from poissonmatch.studies.statistics.observables.distances import BINS, edges, infinite_volume_means
from poissonmatch.studies.study_files import parameter_grid
from poissonmatch.studies.study_files.read import of_data
from poissonmatch.studies.tables.estimate_tables import INFINITE, INFINITE_VARIANCE
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


TABLES = tables(__file__)


@pytest.mark.parametrize("rule, dim, power, a", TABLES["power_laws"])
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


@pytest.mark.slow
@pytest.mark.parametrize("keys", TABLES["sizes"])
def test_small_tori_give_the_mean_of_large_ones(keys):
    """Tori of 4,000 or 16,000 points, and the same estimate on tori of 256,000; their own mean is far from it."""
    value, error = TABLES["sizes"][keys]
    rows = swept(f"{keys}, replicates: 60, seed: 5").estimates
    rows = rows[rows["color"] == 0].set_index("quantity")
    found, own = rows.loc["infinite_volume_mean"], rows.loc["mean_distance"]
    assert abs(found["value"] - value) < 3 * math.hypot(found["standard_error"], error)
    assert found["lower"] < found["value"] < found["upper"] and pd.isna(found["note"])
    assert value - own["value"] > 3 * own["standard_error"] and own["note"] == INFINITE_VARIANCE


@pytest.mark.parametrize("keys", TABLES["notes"])
def test_notes_of_means(keys):
    """An infinite mean has no interval. If X has a light tail, the mean of the tori is that in infinite volume."""
    note, is_of_tori = TABLES["notes"][keys]
    rows = swept(f"{keys}, sizes: 1000, replicates: 3").estimates
    mean = rows[rows["quantity"] == "mean_distance"]
    assert (mean["note"].fillna("") == note).all() and (mean["lower"].isna() == (note == INFINITE)).all() and len(mean)
    far = rows[rows["quantity"] == "infinite_volume_mean"]
    assert (len(far) > 0) == is_of_tori and np.isin(far["value"], mean["value"]).all()
