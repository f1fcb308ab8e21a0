"""The key `max_distance` of studies: the whole matching without its longer pairs, for which no exact value is claimed."""

import numpy as np
import pytest

import poissonmatch as pm
from helpers.runs import cells_of, write_study
from helpers.sweeps import swept
from poissonmatch.studies.figures.figure_rows import max_distances
from poissonmatch.studies.statistics.observables import measure
from poissonmatch.studies.tables.tables import cell_columns

R = 0.4


def file_of(folder, keys):
    return write_study(folder, f"studies: {{one: {{dims: 2, sizes: 200, replicates: 2, {keys}}}}}\n", "s")


def cell_of(folder, keys):
    (cell,) = cells_of(file_of(folder, keys))
    return cell


@pytest.mark.parametrize("rule", ("one-color", "two-color", "fussy", "multi(2)"))
def test_the_rows_are_those_of_the_whole_matching_without_longer_pairs(tmp_path, rule):
    whole = cell_of(tmp_path, f"rule: {rule}")
    limited = cell_of(tmp_path, f"rule: {rule}, max_distance: {R}, observables: [distances, realization, components]")
    for replicate in range(2):
        pattern = whole.pattern(replicate)
        assert limited.pattern(replicate) == pattern  # the points do not depend on it
        distances = pm.match(pattern, rule).distances
        near = distances <= R
        tables = measure(limited, replicate)
        (row,) = tables["replicates"].to_pylist()
        for color in range(len(pattern.count())):
            own = pattern.colors == color
            assert row[f"unmatched_{color}"] == np.count_nonzero(~near[own].any(axis=1)) > 0
            assert row[f"sum_distance_{color}"] == pytest.approx(distances[own, 0][near[own, 0]].sum())
            assert row[f"longest_{color}"] == distances[own, 0][near[own, 0]].max() <= R
    partners = measure(limited, 0)["realizations"].to_pandas()["distance"].to_numpy()
    assert np.nanmax(partners[np.isfinite(partners)]) <= R


def test_survivors_up_to_it_are_those_of_the_whole_matching():
    """N(r), R(r) and G(r), the points with X > r, depend on the pairs up to r only."""
    keys = "rule: fussy, dims: 2, ratios: 0.5, sizes: 2000, replicates: 8, observables: [flow, survivor_pairs]"
    sweeps = [swept(keys), swept(keys, max_distance=1)]
    columns = ["value", "standard_error"]
    whole, limited = (sweep.estimates.set_index(["quantity", "x"])[columns] for sweep in sweeps)
    for quantity in ("survivor_pairs", "red_green_ratio", "red_surplus", "ratio_slope"):
        rows = limited.loc[quantity]
        assert 3 < len(rows) < len(whole.loc[quantity]) and rows.index.max() <= np.pi  # V of 1 green point in a unit
        assert rows.to_numpy() == pytest.approx(whole.loc[quantity].loc[rows.index].to_numpy(), rel=1e-12)


def test_no_survivors_within_the_smallest_ball(tmp_path):
    limited = cell_of(tmp_path, "rule: fussy, max_distance: 1e-9, observables: survivor_pairs")
    assert measure(limited, 0)["ratios"].num_rows == 0


def test_it_is_in_names_records_and_captions(tmp_path):
    whole, limited = cell_of(tmp_path, "rule: fussy"), cell_of(tmp_path, f"rule: fussy, max_distance: {R}")
    assert "-m0.4-" in limited.id and "-m" not in whole.id and limited.fingerprint != whole.fingerprint
    assert "max_distance" not in whole.record  # so results without it keep their names
    assert type(limited).of_record(limited.record).id == limited.id
    assert cell_columns(limited)["process"].endswith('{"max_distance": 0.4}')
    table = pm.sweep(file_of(tmp_path, f"rule: fussy, max_distance: {R}")).estimates
    assert max_distances(table) == [R] and table["exact"].isna().all() and table["exact_torus"].isna().all()


def test_a_scaled_tail_ends_at_it():
    """Beyond it the unmatched points would grow with V, against the limit that the figure names."""
    sweep = swept("dims: 1, sizes: 500, replicates: 8, max_distance: 2.0, observables: distances")
    (ax,) = pm.figures.scaled_tail(sweep.estimates).axes
    curve = max(ax.lines, key=lambda line: len(line.get_xdata()))
    assert 1 < max(curve.get_xdata()) <= 2.0
    (ax,) = pm.figures.tail(sweep.estimates).axes
    assert max(max(line.get_xdata()) for line in ax.lines) > 2.0
