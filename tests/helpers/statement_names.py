"""The names that the calls in tests/statements use: sets, searches by definitions alone, and tests of statistics.

The searches share no code with the package but the rules of the games, which have statements of their own.
"""
# ruff: noqa: F401 (the calls use what is imported)

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from functools import cache, reduce
from itertools import combinations, permutations, product
from math import comb, factorial

import numpy as np
from scipy import optimize, special, stats

import poissonmatch as pm
import poissonmatch_games as games
from helpers import slow_games, slow_locality, slow_toads
from helpers.strips_of_toads import value as strip_value
from poissonmatch.frogs import Position, rules_of
from poissonmatch.frogs.retrograde import Analysis
from poissonmatch_games.checkers import certificates

parse, value_of = games.parse, games.partisan.game


# ---- sets ----
def on_line(*places, colors=None):
    return pm.Pattern([[float(x)] for x in places], colors, pm.Euclidean(1))


line, odd, colored = on_line(0, 1, 3, 7), on_line(0, 1, 3, 7, 12), on_line(0, 1, 3, 7, 12, colors=[0, 1, 0, 1, 1])
pond = pm.Pattern([[0.78, 0.6], [2.44, 0.18], [1.8, 1.46], [0.56, 0.11], [0.82, 1.31]], geometry=pm.Euclidean(2))
torus = pm.processes.binomial(pm.Torus(6.0, 2), 36, rng=5)
plane = pm.infinite.InfinitePoisson(2, seed=2)


def small(*counts, number=6):
    """Random sets in d = 1, 2, 3 with these numbers of points of each color."""
    colors = np.repeat(range(len(counts)), counts)
    rng = np.random.default_rng(counts)
    return [pm.Pattern(rng.random((sum(counts), k % 3 + 1)), colors, pm.Euclidean(k % 3 + 1)) for k in range(number)]


def tori(*counts, number=40, dim=2):
    """Uniform points on tori, one for each unit of volume."""
    side = sum(counts) ** (1 / dim)
    return [pm.processes.binomial(pm.Torus(side, dim), counts, rng=seed) for seed in range(number)]


def poisson(*intensities, volume=1000, number=40, dim=2):
    """Poisson processes of these intensities on tori."""
    side = volume ** (1 / dim)
    return [pm.processes.two_color(pm.Torus(side, dim), intensities, rng=seed) for seed in range(number)]


def sample(points, n=40, color=0):
    """Points of an infinite pattern of one color, from cells along a diagonal."""
    cells = (points.points((k,) * points.dim) for k in range(1000))
    return list(itertools.islice((x for cell in cells for x in cell if x.color == color), n))


def lazy(points, rule="one-color"):
    return pm.lazy.LazyMatching(points, rule, max_distance=60.0)


def matched(points, rule="one-color", order=0, n=40):
    """How many of n points of an infinite pattern have a partner of this order."""
    return sum(lazy(points, rule).partner(x, order).answer is not None for x in sample(points, n))


def between(x, y):
    return math.dist(x.coordinates, y.coordinates)


# ---- matchings by their definitions: sets of pairs, each in both orders ----
def anything(x, y):
    return True


def pads_of(pattern):
    return list(range(len(pattern)))


def pairs_of(matching):
    return both_ways(matching.pairs.tolist())


def both_ways(pairs):
    return {order for x, y in pairs for order in ((x, y), (y, x))}


def by_distance(pattern):
    """All pairs, the closest first."""
    i, j = np.triu_indices(len(pattern), 1)
    order = np.lexsort((j, i, pattern.squared_distance(i, j)))
    return list(zip(i[order].tolist(), j[order].tolist(), strict=True))


@cache
def all_nearest(pattern):
    """The nearest other point of each point."""
    found = {}
    for x, y in by_distance(pattern):
        found.setdefault(x, y)
        found.setdefault(y, x)
    return found


def nearest(pattern, x):
    return all_nearest(pattern)[x]


def at_the_corner(pattern):
    """The point nearest to the origin."""
    return int(np.argmin(np.linalg.norm(pattern.points, axis=1)))


def are_nearest(pattern, x, y):
    """Whether two points are mutually nearest."""
    return nearest(pattern, x) == y and nearest(pattern, y) == x


def greedy(pairs, capacity=1):
    """Match each pair in turn if both its points have remaining capacity."""
    degree, chosen = Counter(), []
    for x, y in pairs:
        if max(degree[x], degree[y]) < capacity:
            chosen.append((x, y))
            degree.update((x, y))
    return both_ways(chosen)


def in_rounds(pattern, allowed=anything, capacity=1):
    """The round of each pair: in each round all mutually closest potential partners are matched."""
    pairs = [pair for pair in by_distance(pattern) if allowed(*pair)]
    return slow_locality.in_rounds(pairs, [capacity] * len(pattern))


@cache
def all_matchings(n, capacity=1):
    """All sets of pairs of n points in which no point has more partners than the capacity."""
    pairs = list(combinations(range(n), 2))
    chosen = (part for size in range(n * capacity // 2 + 1) for part in combinations(pairs, size))
    return [both_ways(part) for part in chosen if max(Counter(itertools.chain(*part)).values(), default=0) <= capacity]


def farthest(pattern, pairs, capacity=1):
    """The distance of each point to its farthest partner, infinite if it has fewer than the capacity."""
    partners = [[y for x, y in pairs if x == point] for point in pads_of(pattern)]
    return [
        max(pattern.distance(x, y) for y in some) if len(some) == capacity else math.inf
        for x, some in enumerate(partners)
    ]


def is_stable(pattern, pairs, allowed=anything, capacity=1):
    """Whether no two points that are no partners are closer than the farthest partner of each."""
    limit = farthest(pattern, pairs, capacity)
    others = (pair for pair in combinations(pads_of(pattern), 2) if pair not in pairs and allowed(*pair))
    return not any(pattern.distance(x, y) < min(limit[x], limit[y]) for x, y in others)


def stable_by_wishes(wishes):
    """All stable perfect matchings of persons who list the partners that they accept, the best first."""
    persons = range(len(wishes))

    def better(x, y, partner):
        return wishes[x].index(y) < wishes[x].index(partner[x])

    perfect = (dict(pairs) for pairs in all_matchings(len(wishes)) if len(pairs) == len(wishes))
    return [
        partner
        for partner in perfect
        if all(partner[x] in wishes[x] for x in persons)
        and not any(better(x, y, partner) and better(y, x, partner) for x in persons for y in wishes[x])
    ]


# ---- games of frogs ----
def jumps(pattern, game, frogs, stones=(), **parameters):
    """All jumps, (from, to), by the rules of a game."""
    rules = rules_of(pattern, game, **parameters)
    return {(move.frog, move.to) for move in rules.steps(Position(frogs, frozenset(stones)))}


def closer(pattern, x, y, z):
    """Whether a jump from y to z brings a frog closer to the other one, on x."""
    return z not in (x, y) and pattern.distance(x, z) < pattern.distance(x, y)


def p_positions(pattern, game="friendly", **parameters):
    """The ordered pairs of pads that are P-positions, by retrograde analysis of the rules."""
    rules = Analysis(pattern, game, **parameters)
    legal = (pair for pair in permutations(pads_of(pattern), 2) if not rules.rules.impossible(*pair))
    return {pair for pair in legal if rules.is_p_position(pair)}


def winner(pattern, game="friendly", **parameters):
    return Analysis(pattern, game, **parameters).winner


def openings(pattern, game="friendly", **parameters):
    """The pads on which Alice wins, by retrograde analysis."""
    return {move.to for move in Analysis(pattern, game, **parameters).winning_moves(())}


def replies(pattern, a, game="friendly", **parameters):
    """The pads on which Bob wins after Alice's opening, by retrograde analysis."""
    return {move.to for move in Analysis(pattern, game, **parameters).winning_moves((a,))}


def with_stones(pattern, k):
    """Whether (x, y, stones) is a P-position of colored frogs with k stones, by search through all positions."""
    pads, stones = pads_of(pattern), list(map(frozenset, combinations(pads_of(pattern), k)))

    @cache
    def is_p(x, y, blocked):
        free = (z for z in pads if closer(pattern, x, y, z) and z not in blocked)
        return not any(is_p(z, x, chosen) for z in free for chosen in stones)

    return is_p


def mex_labels(pattern, shared=2):
    """The label of each pair: the smallest number that no closer pair has which shares a point with it.

    Or only the first of its points.
    """

    @cache
    def label(x, y):
        after = [(x, z) for z in pads_of(pattern) if closer(pattern, x, y, z)]
        after += [(y, z) for z in pads_of(pattern) if closer(pattern, y, x, z) and shared == 2]
        return slow_games.slow_mex({label(*sorted(pair)) for pair in after})

    return {pair: label(*sorted(pair)) for pair in permutations(pads_of(pattern), 2)}


# ---- Toads and Frogs ----
short = [[*map("".join, product("TF.", repeat=n))] for n in range(8)]  # all strips of n squares


@cache
def outcome_engine():
    return games.toads.OutcomeEngine(2**26, longest=118)


def agrees(strip, cell, plus="0"):
    """Whether a strip has the value of a cell plus another one, or keeps its bounds: N an infinitesimal, 1<V,V||3."""
    bounds = "-1/1024<V<1/1024" if cell == "N" else cell if "V" in cell else f"V={cell}"
    relations = {"=": r"V=(.*)", ">": r"([^,<]+)<V", "<": r"V<([^,<]+)", "|": r"V\|\|([^,]+)"}
    found = [(sign, text) for sign, pattern in relations.items() for text in re.findall(pattern, bounds)]
    return all(outcome_engine().compare(strip, parse(text) + parse(plus)) == sign for sign, text in found)


def agreeing(toads, frogs, row, plus="0"):
    """How many cells of a printed row, for b = 1, 2, ..., agree with T^toads .^b F^frogs, and are in the program's copy.

    ? is a cell that is not legible.
    """
    cells = [(b, cell) for b, cell in enumerate(row.split(), 1) if cell != "?"]
    copies = [games.toads.published(toads - frogs, frogs, b).text for b, _ in cells]
    return sum(
        agrees(f"T^{toads} .^{b} F^{frogs}", cell, plus) and cell == copy
        for (b, cell), copy in zip(cells, copies, strict=True)
    )


def proves(name, /, **conclusion):
    """Whether a stored certificate is accepted by its checker and proves this conclusion."""
    certificate = certificates.load(name)
    certificates.check(certificate)
    return certificates.concludes(certificate, conclusion)


@cache
def wins_sum(strips, piece):
    """Whether the player who begins wins the sum of strips."""
    after = (
        (*strips[:i], new, *strips[i + 1 :]) for i, s in enumerate(strips) for _, new in slow_toads.moves(s, piece)
    )
    return any(not wins_sum(new, "F" if piece == "T" else "T") for new in after)


def negative(strip):
    return strip[::-1].translate(str.maketrans("TF", "FT"))


# ---- the Triangle Game ----
PHI = (1 + math.sqrt(5)) / 2
triangle, small_triangles = games.TriangleGame(), list(product(range(6), repeat=3))


def rotations(position):
    return [(*position[i:], *position[:i]) for i in range(3)]


def triangle_moves(position):
    return set(slow_games.triangle_moves(position))


def is_golden(position, ratio=PHI):
    """Whether a rotation of the position is (x, x + z, z) with z at least x times the ratio."""
    return any(y == x + z and z >= ratio * x for x, y, z in rotations(position))


triangle_wins = slow_games.slow_win(triangle_moves)


# ---- descending chains ----
def longest_chain(pattern, x, bound=math.inf, ratio=1.0):
    """The number of steps of the longest chain from x, each step less than a multiple of the one before."""
    near = [y for y in pads_of(pattern) if y != x and pattern.distance(x, y) < bound]
    return max((1 + longest_chain(pattern, y, ratio * pattern.distance(x, y), ratio) for y in near), default=0)


# ---- statistics: with fixed seeds, at the level of one percent ----
def fits(values, expected):
    """Whether the mean of independent values, or the fraction of hits, agrees with an expected one."""
    if np.asarray(values).dtype == bool:
        return bool(stats.binomtest(int(np.sum(values)), len(values), expected).pvalue > 0.01)
    return bool(stats.ttest_1samp(values, expected).pvalue > 0.01)


def poisson_counts(counts, mean):
    """Whether independent counts agree with a Poisson distribution."""
    top = int(stats.poisson.isf(0.02, mean))
    expected = [*stats.poisson.pmf(range(top), mean), stats.poisson.sf(top - 1, mean)]
    seen = np.bincount(np.minimum(counts, top), minlength=top + 1)
    return bool(stats.chisquare(seen, len(counts) * np.array(expected)).pvalue > 0.01)


def slopes(x, y, candidates):
    """The candidates in the 99 % interval of the slope of log y against log x, by least squares."""
    line = stats.linregress(np.log(x), np.log(y))
    half = stats.t.ppf(0.995, len(x) - 2) * line.stderr
    return [slope for slope in candidates if abs(slope - line.slope) < half]


# ---- figures ----
def arrows(figure):
    return [len(ax.texts) for ax in figure.axes]


def markers(figure):
    return [[len(c.get_offsets()) for c in ax.collections if not hasattr(c, "get_segments")] for ax in figure.axes]


def segments(figure):
    return [max(len(c.get_segments()) for c in ax.collections if hasattr(c, "get_segments")) for ax in figure.axes]
