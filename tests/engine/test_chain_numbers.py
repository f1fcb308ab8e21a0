"""Chains of nearest neighbors on a few points: partners, candidates, work and numbers of pairs, as literal numbers."""

import numpy as np
import pytest

from helpers.layers import kernel, layer_of, scratch_of, state_of, torus
from poissonmatch.engine import chains, trees
from poissonmatch.engine.coarse import INACTIVE
from poissonmatch.engine.layer import Output, Rows

pytestmark = pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")  # of float32 squares, without a compiler
INF = np.inf
nearest_in_table, is_open = kernel(chains.nearest_in_table), kernel(chains.is_open)
match_pair = kernel(chains.match_pair)


def line(*points, cells=8, **options):
    return layer_of([[t] for t in points], torus(cells, width=8 / cells), **options)


def output_of(n, width=1):
    return Output(np.full((n, width), -1), np.full((n, width), INF))


# ---- distances from a table ---------------------------------------------------------------------------------------------

TABLE = np.array(
    [
        [9, 4, 2, 7, 4, 1],
        [4, 9, 3, 1, 6, 5],
        [2, 3, 9, 8, 2, 3],
        [7, 1, 8, 9, 5, 2],
        [4, 6, 2, 5, 9, 4],
        [1, 5, 3, 2, 4, 9.0],
    ]
)


def table_layer(indices=(4, 1, 0, 2, 5, 3), colors=(0, 0, 0, 1, 1, 2), **options):
    options = {"compatible": [[1, 0, 1], [0, 1, 1], [1, 1, 0]], **options}
    return layer_of([[0.0]] * 6, torus(1), radius=INF, colors=colors, indices=indices, **options)


@pytest.mark.parametrize(
    ("x", "color", "y"),
    [(0, 0, 2), (1, 0, 5), (2, 0, 1), (3, 1, 4), (4, 1, 5), (5, 2, 1)],
)
def test_the_nearest_of_a_table(x, color, y):
    """Points 4, 1, 0 of color 0, 2 and 5 of color 1, and 3 of color 2; point 4 is at distance 4 of 0, and 5 of 3."""
    assert nearest_in_table(x, color, table_layer(), None, TABLE) == y


def test_ties_of_a_table_go_to_the_least_index():
    """Points 0 and 4 are at distance 2 of point 2."""
    for indices, y in (((2, 0, 4, 1, 3, 5), 1), ((2, 4, 0, 1, 3, 5), 2)):
        layer = table_layer(indices, [0] * 6, compatible=[[1]])
        assert nearest_in_table(0, 0, layer, None, TABLE) == y
    assert nearest_in_table(1, 0, layer._replace(indices=np.array([4, 2, 0, 1, 3, 5])), None, TABLE * 0 + 1) == 2


def test_the_first_point_of_a_table_is_the_nearest():
    assert nearest_in_table(1, 0, table_layer((3, 1, 0, 2, 4, 5), [0] * 6, compatible=[[1]]), None, TABLE) == 0


def test_inactive_points_of_a_table():
    layer = table_layer(inactive=[2])
    assert nearest_in_table(0, 0, layer, None, TABLE) == 5 and nearest_in_table(1, 0, layer, None, TABLE) == 5
    assert nearest_in_table(0, 0, table_layer(inactive=[1, 2, 5]), None, TABLE) == -1


def test_a_table_and_a_state():
    """Position 0, index 4, had partner 0 at distance 4; then comes 3 at distance 5; or its only free label is that of 1."""
    state = state_of([2] * 6, last=[(0, 4.0, 0)])
    assert nearest_in_table(0, 0, table_layer(), state, TABLE) == 5
    state = state_of([1, 1, 2, 2, 2, 2], labels=2)
    assert nearest_in_table(0, 0, table_layer(), state, TABLE) == 1
    layer = table_layer((2, 0, 4, 1, 3, 5), [0] * 6, compatible=[[1]])
    assert nearest_in_table(0, 0, layer, state_of([2] * 6, last=[(0, 2.0, 0)]), TABLE) == 2
    state = state_of([1] * 6, excluded=[[], [], [], [], [0], []])
    assert nearest_in_table(0, 0, table_layer(), state, TABLE) == 5


# ---- pairs --------------------------------------------------------------------------------------------------------------


def test_open_candidates():
    Z = np.array([[1, INACTIVE, 0]], np.int32)
    assert [bool(is_open(0, y, Z, None)) for y in (-2, -1, 0, 1, 2)] == [False, False, True, False, True]
    state = state_of([0b01, 0b11, 0b10])
    assert [bool(is_open(0, y, Z, state)) for y in (-1, 0, 1, 2)] == [False, True, False, True]
    state = state._replace(labels=2)
    assert [bool(is_open(x, y, Z, state)) for x, y in ((0, 0), (0, 2), (1, 2), (1, 1))] == [True, False, True, False]


def pair(layer, x=0, y=2, state=None, table=None, width=1):
    candidate, output = np.full(3, 7), output_of(9, width)
    match_pair(x, y, layer, state, table, candidate, output)
    return candidate.tolist(), (layer.Z[0, :3] == INACTIVE).tolist(), output


def test_a_pair():
    layer = line(1.0, 2.0, 7.0, row=[8, 3, 5])
    candidate, inactive, output = pair(layer)
    assert candidate == [1, 7, 3] and inactive == [True, False, True]
    assert output.partner[:, 0].tolist() == [-1, -1, -1, -1, -1, 8, -1, -1, 5]
    assert output.distance[:, 0].tolist() == [INF] * 5 + [2, INF, INF, 2]
    assert pair(line(1.0, 2.0, 7.0), width=2)[2].partner[:3].tolist() == [[2, -1], [-1, -1], [0, -1]]


def test_a_pair_of_a_table():
    """Its length is that of the table, without a root."""
    layer = layer_of([[0.0]] * 3, torus(1), radius=INF, indices=[2, 0, 1], row=[0, 1, 2])
    _, _, output = pair(
        layer, table=np.array([[9, 4, 5], [4, 9, 6], [5, 6, 9.0]]), state=(state := state_of([1, 1, 1]))
    )
    assert output.partner[:3, 0].tolist() == [2, -1, 0] and output.distance[:3, 0].tolist() == [6, INF, 6]
    assert state.last_d2.tolist() == [6, -1, 6]


def test_a_pair_of_points_with_several_partners():
    layer = line(1.0, 2.0, 2.5, indices=[6, 4, 5])
    state = state_of([3, 2, 1])
    state.taken[:] = [1, 0, 2]
    candidate, inactive, output = pair(layer, state=state, width=3)
    assert candidate == [-1, 7, 3] and inactive == [False, False, True]
    assert state.remaining[:3].tolist() == [2, 2, 0] and state.taken.tolist() == [2, 0, 3]
    assert state.last_d2.tolist() == [2.25, -1, 2.25] and state.last_index.tolist() == [5, -1, 6]
    assert output.partner[6].tolist() == [-1, 5, -1] and output.partner[5].tolist() == [-1, -1, 6]
    assert output.distance[6, 1] == output.distance[5, 2] == 1.5
    candidate, inactive, _ = pair(line(1.0, 2.0, 2.5, indices=[6, 4, 5]), state=state_of([1, 1, 2]), width=3)
    assert candidate == [1, 7, -1] and inactive == [True, False, False]


def test_a_pair_with_labels():
    """Of the common labels 1 and 3 the least is taken."""
    layer = line(1.0, 2.0, 2.5, row=[6, 4, 5])
    state = state_of([0b1011, 0b1, 0b1110], labels=4)
    candidate, inactive, output = pair(layer, state=state, width=4)
    assert candidate == [-1, 7, -1] and inactive == [False] * 3
    assert state.remaining[:3].tolist() == [0b1001, 0b1, 0b1100] and state.taken.tolist() == [0, 0, 0]
    assert output.partner[6].tolist() == [-1, 5, -1, -1] and output.partner[5].tolist() == [-1, 6, -1, -1]
    assert output.distance[6, 1] == output.distance[5, 1] == 1.5
    state = state_of([1, 1, 1], labels=1)
    assert pair(line(1.0, 2.0, 2.5), state=state)[0] == [1, 7, 3] and state.taken.tolist() == [0, 0, 0]
    state = state_of([0b100, 0b1, 0b110], labels=4)
    candidate, inactive, output = pair(line(1.0, 2.0, 2.5), state=state, width=4)
    assert candidate == [1, 7, -1] and inactive == [True, False, False] and output.partner[0, 2] == 2


# ---- chains -------------------------------------------------------------------------------------------------------------


def match(layer, state=None, table=None, tree=None, rows=None, max_work=INF, price=0.0, width=1):
    """Return the partners, work and number of pairs, and candidates."""
    n, scratch = len(layer.indices), scratch_of(layer)
    rows = Rows(0, int(layer.grid.cells[0]), 0, int(layer.grid.cells[0])) if rows is None else Rows(*rows)
    output = output_of(n, width)
    work, pairs = chains.match_chains(layer, state, table, tree, rows, output, scratch, max_work, price)
    partner = output.partner[:, 0] if width == 1 else output.partner
    return partner.tolist(), (work, pairs), scratch.candidate.tolist()


def test_chains_on_a_line():
    """0.0 - 0.9 - 1.6 - 2.0: the chain ends in the last two, goes on from 0.9, and matches it with 0.0; each step is a search."""
    layer = line(0.0, 0.9, 1.6, 2.0)
    assert match(layer) == ([1, 0, 3, 2], (5, 2), [1, 2, 3, 4])


def test_a_point_without_another_within_the_radius():
    layer = line(0.0, 0.9, 2.1, 4.5)
    assert match(layer) == ([1, 0, -1, -1], (4, 1), [1, 2, -2, -2])
    assert match(line(0.0, 1.0, radius=1.0))[0] == [1, 0] and match(line(0.0, 1.0, radius=0.999))[0] == [-1, -1]


def test_rows_in_the_result():
    layer = line(0.0, 0.9, 1.6, 2.0, row=[3, 0, 2, 1])
    assert match(layer)[0] == [3, 2, 1, 0]


@pytest.mark.parametrize(
    ("rows", "partner", "found", "candidate"),
    [
        ((0, 8, 2, 4), [-1, -1, 3, 2, 5, 4], (4, 2), [-1, -1, 3, 4, 5, 6]),  # begins at 2.0 and 3.9
        ((0, 1, 0, 1), [-1] * 6, (2, 0), [1, 2, -1, -1, -1, -1]),  # goes to 1.6, which is in row 1
        ((1, 3, 1, 3), [-1, -1, 3, 2, -1, -1], (2, 1), [-1, -1, 3, 4, -1, -1]),
        ((0, 2, 0, 1), [-1] * 6, (3, 0), [1, 2, 3, -1, -1, -1]),  # goes to 2.0, which is in row 2
        ((1, 8, 0, 8), [-1, -1, 3, 2, 5, 4], (4, 2), [-1, -1, 3, 4, 5, 6]),  # 0.0 and 0.9 are in row 0
        ((0, 5, 4, 5), [-1, -1, -1, -1, 5, 4], (2, 1), [-1, -1, -1, -1, 5, 6]),
        ((0, 4, 4, 5), [-1] * 6, (0, 0), [-1] * 6),  # 4.1 is in row 4
    ],
)
def test_rows_in_which_chains_begin_and_stay(rows, partner, found, candidate):
    """A row has one cell here."""
    assert match(line(0.0, 0.9, 1.6, 2.0, 3.9, 4.1), rows=rows) == (partner, found, candidate)


def test_a_chain_that_goes_back_before_it_leaves():
    """From 1.2 to 0.5, and on to 7.9 in row 7."""
    assert match(line(0.5, 1.2, 7.9), rows=(0, 2, 1, 2)) == ([-1, -1, -1], (3, 0), [2, 0, -1])


def test_rows_of_the_plane():
    """Four rows of three cells; the chains begin in the second, at the second and third point."""
    points = [[0.5, 0.5], [1.5, 0.5], [1.5, 1.4], [2.5, 2.5]]
    layer = layer_of(points, torus(4, 3))
    assert match(layer, rows=(0, 4, 1, 2)) == ([-1, 2, 1, -1], (6, 1), [-1, 2, 3, -1])
    assert match(layer_of(points, torus(4, 3)), rows=(1, 2, 1, 2))[0] == [-1, 2, 1, -1]
    assert match(layer_of(points, torus(4, 3)), rows=(2, 3, 1, 2))[0] == [-1] * 4


COLORS = {"colors": [0, 0, 0, 0, 1, 1, 1], "compatible": [[0, 1], [1, 0]]}
TWO = (0.0, 1.0, 3.0, 5.0, 0.4, 1.25, 2.5)


@pytest.mark.parametrize(
    ("starter", "work", "last"), [([True, False], 6, -2), ([False, True], 6, -1), ([True, True], 6, -2)]
)
def test_colors_that_chains_begin_at(starter, work, last):
    """Point 3 has no partner; a chain begins there only if its color is a starter."""
    partner = [4, 5, 6, -1, 0, 1, 2]
    assert match(line(*TWO, starter=starter, **COLORS)) == (partner, (work, 3), [1, 2, 3, last, 5, 6, 7])


def test_without_a_starter_there_are_no_chains():
    assert match(line(*TWO, starter=[False, False], **COLORS)) == ([-1] * 7, (0, 0), [-1] * 7)


def test_a_point_without_a_partner_is_searched_from_once():
    """Two coincident ones, of which the first is a start in both turns; the point of the other color is too far away."""
    layer = line(1.0, 1.0, 2.5, colors=[0, 0, 1], compatible=[[0, 1], [1, 0]], starter=[True, False])
    assert match(layer) == ([-1] * 3, (2, 0), [-2, -2, -1])


def test_a_point_just_beyond_the_radius():
    """It is found by coarse squares, and refused by exact ones."""
    assert match(line(0.0, 0.50001, radius=0.5))[0] == [-1, -1]
    assert neighbors(line(0.0, 0.50001, radius=0.5))[0] == [-1, -1]


def test_coincident_points_start_first():
    """At 1.5; the second search is one too many."""
    assert match(line(1.0, 1.5, 1.5, 1.9)) == ([3, 2, 1, 0], (4, 2), [1, 2, 3, 4])
    assert match(line(1.0, 1.5, 1.5, 1.9), max_work=1.5) == ([-1] * 4, (2, 0), [-1, 2, -1, -1])


@pytest.mark.parametrize(
    ("max_work", "price", "work", "pairs"),
    [(0, 9, 1, 0), (1, 9, 2, 0), (3, 9, 4, 0), (4, 0, 5, 1), (4, 0.5, 5, 1), (4, 1, 5, 2), (5, 0, 5, 2)],
)
def test_work_and_its_limit(max_work, price, work, pairs):
    """Four searches find the first pair, and the fifth the second; each pair allows as much more as its price."""
    assert match(line(0.0, 0.9, 1.6, 2.0), max_work=max_work, price=price)[1] == (work, pairs)


def test_the_limit_grows_with_each_pair():
    """Two searches a pair, three for the last: 4 + 1 are allowed after the first pair, 4 + 2 after the second."""
    assert match(line(0.0, 0.5, 2.0, 2.5, 4.0, 4.5), max_work=4, price=0)[1] == (5, 2)
    assert match(line(0.0, 0.5, 2.0, 2.5, 4.0, 4.5), max_work=4, price=1)[1] == (6, 3)


def test_several_partners():
    """Pairs at .4, .7 and .9; the others are farther than the radius."""
    found = match(line(0.0, 0.9, 1.6, 2.0), state=state_of([2] * 4), width=2)
    assert found == ([[1, -1], [2, 0], [3, 1], [2, -1]], (8, 3), [-2, 2, 3, -2])
    found = match(line(0.0, 0.9, 1.6, 2.0), state=state_of([3] * 4, labels=2), width=2)
    assert found == ([[1, -1], [0, 2], [3, 1], [2, -1]], (8, 3), [-2, 2, 3, -2])


def test_excluded_pairs():
    state = state_of([1] * 4, excluded=[[], [], [3], [2]])
    assert match(line(0.0, 0.9, 1.6, 2.0), state=state)[0] == [-1, 2, 1, -1]


def test_a_table():
    """Pairs of indices 1 and 3 at distance 1, 2 and 5 at 3, 0 and 4 at 4."""
    assert match(table_layer(), table=TABLE) == ([4, 3, 5, 1, 0, 2], (0, 3), [1, 2, 3, 4, 5, 6])


def in_tree(*points, colors=None, compatible=((True,),), state=None, **options):
    points = np.array([[t] for t in points])
    layer = layer_of(points, torus(1, width=8.0), colors=colors, compatible=compatible, radius=INF)
    first = np.array(layer.first_positions(), np.int64)
    tree = trees.new_tree(points.copy(), np.arange(len(points)), first)
    trees.write_nodes(layer, state, tree)
    return match(layer, state=state, tree=tree, **options)


def test_a_tree():
    """Each of five searches visits one node, 47 less than the number that is free."""
    found = ([1, 0, 3, 2], (-235, 2), [1, 2, 3, 4])
    assert in_tree(0.0, 0.9, 1.6, 2.0) == in_tree(0.0, 0.9, 1.6, 2.0, max_work=-47) == found
    assert in_tree(0.0, 0.9, 1.6, 2.0, max_work=-48) == ([-1] * 4, (-47, 0), [-1] * 4)


def test_a_tree_of_several_colors():
    partner, (_, pairs), _ = in_tree(*TWO, **COLORS)
    assert partner == [4, 5, 6, -1, 0, 1, 2] and pairs == 3
    state = state_of([2] * 4)
    assert in_tree(0.0, 0.9, 1.6, 2.0, state=state, width=2)[0] == [[1, 3], [2, 0], [3, 1], [2, 0]]
    state = state_of([3] * 4, labels=2)
    assert in_tree(0.0, 0.9, 1.6, 2.0, state=state, width=2)[0] == [[1, 3], [0, 2], [3, 1], [2, 0]]


# ---- nearest neighbors ----------------------------------------------------------------------------------------------------


def neighbors(layer, tree=None, near=None):
    n = len(layer.indices)
    near, near_d2 = np.full(n, -1) if near is None else np.array(near), np.full(n, INF)
    chains.find_neighbors(layer, tree, near, near_d2, scratch_of(layer))
    return near.tolist(), near_d2.tolist()


def test_neighbors():
    """By index; those that are known are left."""
    layer = line(0.0, 0.5, 1.75, 5.0, indices=[3, 1, 0, 2])
    assert neighbors(layer) == ([-1, 3, -1, 1], [INF, 0.25, INF, 0.25])
    assert neighbors(layer, near=[-1, 0, -1, -1]) == ([-1, 0, -1, 1], [INF, INF, INF, 0.25])
    assert neighbors(line(0.0, 0.75, radius=0.5)) == ([-1, -1], [INF, INF])
    assert neighbors(layer_of([[0.5, 0.5], [0.5, 1.25], [1.5, 1.5]], torus(4, 3), radius=0.8))[0] == [1, 0, -1]


def test_neighbors_of_colors():
    layer = line(*TWO, **COLORS)
    assert neighbors(layer) == ([4, 5, 6, -1, 0, 1, 2], [0.4**2, 0.0625, 0.25, INF, 0.4**2, 0.0625, 0.25])
    layer = line(0.0, 0.5, 0.75, colors=[0, 1, 2], compatible=[[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    assert neighbors(layer)[0] == [2, -1, 0]


def test_neighbors_in_a_tree():
    for colors, compatible, near in (
        ([0, 0, 0, 0], [[1]], [1, 3, 3, 1]),
        ([0, 0, 1, 1], [[0, 1], [1, 0]], [1, 0, 3, 0]),
    ):
        points = np.array([[0.0], [0.5], [1.75], [5.0]])
        options = {"colors": colors, "compatible": compatible, "indices": [3, 1, 0, 2]}
        layer = layer_of(points, torus(1, width=8.0), radius=INF, **options)
        tree = trees.new_tree(points.copy(), np.arange(4), np.array(layer.first_positions(), np.int64))
        trees.write_nodes(layer, None, tree)
        found, d2 = neighbors(layer, tree)
        gap = [1.75, 0.5, 5.0, 0.0]  # by index
        assert found == near and d2 == [
            min(abs(gap[i] - gap[j]), 8 - abs(gap[i] - gap[j])) ** 2 for i, j in enumerate(near)
        ]
