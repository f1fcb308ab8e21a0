"""Green Hackenbush: the two principles against the definition, on all graphs with up to six edges; drawings."""

import itertools
import re

import pytest

import poissonmatch_games as g
from helpers.slow_games import slow


def hanging(edges):
    """What hangs together with the ground: grown edge by edge."""
    held, grown = {0}, True
    while grown:
        grown = {end for edge in edges if set(edge) & held for end in edge} - held
        held |= grown
    return tuple(edge for edge in edges if edge[0] in held)


def cuts(edges):
    return [hanging(edges[:k] + edges[k + 1 :]) for k in range(len(edges))]


slow_value = slow(cuts)


def name(edges, count):
    """One of the ways to number the vertices, the same for equal graphs but for ties."""
    kind = {v: ("ground" if v == 0 else "", sum(v in e for e in edges), edges.count((v, v))) for v in range(count)}
    for _ in range(3):
        kind = {v: str((kind[v], sorted(kind[a ^ b ^ v] for a, b in edges if v in (a, b)))) for v in range(count)}
    groups = [sorted(v for v in range(1, count) if kind[v] == k) for k in sorted(set(map(str, kind.values())))]
    found = []
    for order in itertools.product(*(itertools.permutations(group) for group in groups)):
        new = {0: 0, **{v: k for k, v in enumerate(itertools.chain(*order), 1)}}
        found.append(tuple(sorted(tuple(sorted((new[a], new[b]))) for a, b in edges)))
    return min(found)


def graphs(most):
    """All graphs with at most so many edges that hang together with the ground: several edges and loops too."""
    layer = {((), 1)}
    for _ in range(most + 1):
        yield from layer
        bigger = set()
        for edges, count in layer:
            for a, b in itertools.combinations_with_replacement(range(count + 1), 2):
                if a < count:
                    bigger.add((name((*edges, (a, b)), max(count, b + 1)), max(count, b + 1)))
        layer = bigger


@pytest.mark.parametrize("most, number", [(5, 392), pytest.param(6, 1595, marks=pytest.mark.slow)])
def test_all_graphs_with_few_edges(most, number):
    """Normal play by fusion and colon, misere play by search; the fused graph has the same value, by its options alone."""
    all_graphs = [edges for edges, _ in graphs(most)]
    assert len(all_graphs) == number
    game = g.impartial.GreenHackenbush()
    for edges in all_graphs:
        assert list(game.options(edges)) == cuts(edges)
        assert game.grundy(edges) == slow_value(edges) == slow_value(game.fused(edges)), edges
        if len(edges) < 6:
            assert game.grundy(edges, misere=True) == slow_value(edges, True), edges


def test_large_graphs_need_no_recursion():
    stalk = [(k, k + 1) for k in range(20_000)]
    assert g.impartial.GreenHackenbush().grundy(stalk) == 20_000
    assert g.impartial.GreenHackenbush().grundy([*stalk, (20_000, 10_000)]) == 10_000 + (10_001 % 2)


# ---- drawings: what the position has ----
def test_hackenbush_has_a_line_for_each_edge():
    """Loops and multiple edges as well, at different places."""
    edges = [(0, 1), (0, 1), (1, 1), (1, 2), (2, 3), (0, 3), (0, 4), (4, 5), (1, 4)]
    picture = g.impartial.GreenHackenbush().to_svg(edges)
    paths = re.findall(r'<path d="([^"]*)" fill="none"', picture)
    assert len(paths) == len(set(paths)) == len(edges) and picture.count("<circle") == 5


def test_stones_are_on_their_vertices():
    picture = g.TriangleGame().to_svg((1, 3, 9), "Figure 1")
    assert picture.count('r="5.5"') == 4 and ">9</text>" in picture and "Figure 1" in picture
    assert picture.count("marker-end") == 3
    assert g.impartial.StonesOnDigraph([(0, 1), (1, 0), (2, 0)]).to_svg((2, 1, 0)).count("marker-end") == 3
