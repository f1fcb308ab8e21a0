"""The frog games: two solvers, one straight from the rules and one through the matching, must say the same."""

import functools
import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import poissonmatch as pm
from poissonmatch.frogs.labels import LabelTable, all_labels
from poissonmatch.frogs.retrograde import Analysis
from poissonmatch.frogs.solutions import Strategy, is_p_position, solve, winning_moves
from poissonmatch.frogs.variants import Move, Position

SINGLE = ["friendly", "colored", "shy", "shy-colored", "colored-points", "fussy", "misere"]


def parameters_of(variant, rng):
    if variant.startswith("shy"):
        return {"c": float(rng.choice([rng.random() * 0.7, 0.0, 0.25, 0.5]))}  # distances on the grid, too
    return {"missing": True} if variant == "colored-points" else {}


def small(rng, most, ties=False, least=0):
    """A random set in d = 1, 2, 3, on a torus or in space; with ties on a grid, points may coincide."""
    n, dim = int(rng.integers(least, most + 1)), int(rng.integers(1, 4))
    points = rng.integers(0, 4, (n, dim)) / 4 if ties else rng.random((n, dim))
    geometry = pm.Torus(1.0, dim) if rng.random() < 0.5 else pm.Euclidean(dim)
    return pm.Pattern(points, rng.integers(0, 2, n), geometry)


def positions(rules, k=0):
    """All positions of a game in one pond."""
    pads = range(rules.n)
    for frogs in [(), *((a,) for a in pads), *itertools.permutations(pads, 2)]:
        for stones in itertools.combinations(pads, min(k, rules.n)) if frogs and k else [()]:
            try:
                yield rules.position(Position(frogs, frozenset(stones)))
            except ValueError:
                continue


def assert_agree(pattern, variant, **parameters):
    """Winner, P-positions and winning moves of both solvers, in every position."""
    rules, solution = Analysis(pattern, variant, **parameters), solve(pattern, variant, **parameters)
    assert rules.winner == solution.winner
    for position in positions(solution.rules, parameters.get("k", 0)):
        assert solution.is_p_position(position) == rules.is_p_position(position), position
        winning, expected = solution.winning_moves(position), rules.winning_moves(position)
        assert len(winning) == len(set(winning))
        needed = {(move.frog, move.to): move.stones for move in winning}
        legal = solution.rules.moves(position)
        assert {m for m in legal if m.stones >= needed.get((m.frog, m.to), frozenset([-1]))} == expected, position


def assert_ponds_agree(patterns):
    rules, solution = Analysis(patterns, "ponds"), solve(patterns, "ponds")
    labels = [all_labels(pattern) for pattern in patterns]

    def total(frogs):
        return functools.reduce(lambda a, b: a ^ b, (int(g[x, y]) for g, (x, y) in zip(labels, frogs, strict=False)), 0)

    assert rules.winner == solution.winner
    openings = rules.winning_moves(())
    assert set(solution.winning_moves(())) <= openings
    assert bool(solution.winning_moves(())) == bool(openings)
    start = solution.rules.position(())
    claimed = {m for m in rules.rules.moves(start) if m.to[-1][0] in solution.alice.get(total(m.to[:-1]), ())}
    assert claimed == openings
    for opening in itertools.islice(rules.rules.moves(start), 0, None, 5):
        assert solution.is_p_position(opening.to) == rules.is_p_position(opening.to)
        replies = solution.winning_moves(opening.to)
        assert set(replies) == rules.winning_moves(opening.to)
        assert len(replies) <= 1  # Theorem 13: unique
        for move in rules.rules.moves(opening.to):
            position = rules.rules.after(opening.to, move)
            assert rules.grundy(position) == total(position)
            assert solution.is_p_position(position) == rules.is_p_position(position)
            assert set(solution.winning_moves(position)) == rules.winning_moves(position)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("variant", SINGLE)
def test_both_solvers_agree_in_every_position(variant, ties):
    rng = np.random.default_rng([SINGLE.index(variant), ties])
    for _ in range(30):
        assert_agree(small(rng, 9, ties), variant, **parameters_of(variant, rng))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("k, most, sets", [(0, 8, 12), (1, 6, 12), (2, 5, 6)])
def test_both_solvers_agree_with_stones(k, most, sets, ties):
    rng = np.random.default_rng([100, k, ties])
    for _ in range(sets):
        assert_agree(small(rng, most, ties), "stones", k=k)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("ponds, most, sets", [(1, 8, 10), (2, 6, 25), (3, 4, 15)])
def test_both_solvers_agree_in_ponds(ponds, most, sets, ties):
    rng = np.random.default_rng([200, ponds, ties])
    for _ in range(sets):
        assert_ponds_agree([small(rng, most, ties, least=int(rng.random() < 0.9) * 2) for _ in range(ponds)])


@pytest.mark.slow
@pytest.mark.parametrize("variant", SINGLE)
def test_both_solvers_agree_on_thousands_of_sets(variant):
    rng = np.random.default_rng([300, SINGLE.index(variant)])
    for repeat in range(1000):
        assert_agree(small(rng, 9, ties=repeat % 4 == 3), variant, **parameters_of(variant, rng))


@pytest.mark.slow
@pytest.mark.parametrize("k, most, sets", [(1, 7, 150), (2, 6, 30), (2, 5, 200), (3, 5, 60)])
def test_both_solvers_agree_with_stones_on_many_sets(k, most, sets):
    rng = np.random.default_rng([400, k, most])
    for repeat in range(sets):
        assert_agree(small(rng, most, ties=repeat % 4 == 3), "stones", k=k)


@pytest.mark.slow
@pytest.mark.parametrize("ponds, most", [(2, 7), (3, 5)])
def test_both_solvers_agree_in_ponds_on_many_sets(ponds, most):
    rng = np.random.default_rng([500, ponds])
    for repeat in range(300):
        assert_ponds_agree([small(rng, most, ties=repeat % 4 == 3) for _ in range(ponds)])


def by_hand(points, own, misere=False, reds=()):
    """Alice wins? Written out once more, without the package: for distinct distances in Euclidean space."""

    def gap(a, b):
        return math.dist(points[a], points[b])

    @functools.cache
    def mover_wins(x, y):  # the frog on y belongs to the player to move
        jumps = [(z, x) for z in range(len(points)) if z not in (x, y) and gap(z, x) < gap(x, y)]
        if not own:
            jumps += [(z, y) for z in range(len(points)) if z not in (x, y) and gap(z, y) < gap(x, y)]
        jumps = [pair for pair in jumps if not set(pair) <= set(reds)]
        return any(not mover_wins(*pair) for pair in jumps) if jumps else misere

    pads = range(len(points))
    return any(all(mover_wins(b, a) for b in pads if b != a and not {a, b} <= set(reds)) for a in pads)


@pytest.mark.parametrize("variant", ["friendly", "colored", "fussy", "misere"])
def test_the_rules_read_as_the_paper_does(variant):
    rng = np.random.default_rng(4)
    for n in [*range(8)] * 4:
        points, colors = rng.random((n, 2)), rng.integers(0, 2, n)
        reds = tuple(np.flatnonzero(colors).tolist()) if variant == "fussy" else ()
        alice = by_hand(points.tolist(), variant == "colored", variant == "misere", reds)
        pattern = pm.Pattern(points, colors, pm.Euclidean(2))
        assert solve(pattern, variant).winner == Analysis(pattern, variant).winner == ("Alice" if alice else "Bob")


@pytest.mark.parametrize("variant", [*SINGLE, "stones"])
def test_the_strategy_wins_every_line_of_play(variant):
    rng = np.random.default_rng([600, len(variant)])
    for _ in range(12):
        extra = {"k": int(rng.integers(1, 3))} if variant == "stones" else parameters_of(variant, rng)
        pattern = small(rng, 5 if variant == "stones" else 8)
        solution = solve(pattern, variant, **extra)
        for position in positions(solution.rules, extra.get("k", 0)):
            assert_wins(solution, position, to_move=not solution.is_p_position(position))


def test_the_strategy_blocks_what_it_can_where_it_loses():
    solution, lost = solve(small(np.random.default_rng(1), 9, least=9), "stones", k=2), 0
    for position in positions(solution.rules, 2):
        if solution.is_p_position(position) and next(solution.rules.steps(position), None):
            move, lost = Strategy(solution).move(position), lost + 1
            assert len(move.stones) == 2 and solution.rules.objection(position, move) == ""
            after = solution.rules.after(position, move)
            free = solution.winning_moves(after._replace(blocked=frozenset()))
            assert len(solution.winning_moves(after)) == len(free) - 2
    assert lost > 5


def test_the_strategy_wins_every_line_of_play_in_ponds():
    rng = np.random.default_rng(7)
    for _ in range(12):
        solution = solve([small(rng, 5, least=2), small(rng, 5, least=2)], "ponds")
        start = solution.rules.position(())
        assert_wins(solution, start, to_move=not solution.is_p_position(start))


def assert_wins(solution, start, to_move):
    """The strategy takes the side that wins, whoever moves first, and every answer of the other is tried."""
    rules, strategy, seen = solution.rules, Strategy(solution), set()

    def play(position, mine):
        if (position, mine) in seen:
            return
        seen.add((position, mine))
        legal = list(rules.moves(position))
        if not legal:
            stuck_wins = rules.stuck_wins and len(position[0]) == 2
            assert mine == stuck_wins, position
            return
        if mine:
            move = strategy.move(position)
            assert rules.objection(position, move) == ""
        for choice in [move] if mine else legal:
            play(rules.after(position, choice), not mine)

    play(start, to_move)


# ---- theorems on finite sets --------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(10))
def test_theorem_1_parity(n):
    pattern = pm.Pattern(np.random.default_rng(n).random((n, 2)), geometry=pm.Euclidean(2))
    for variant in ("friendly", "colored"):
        assert solve(pattern, variant).winner == ("Alice" if n % 2 else "Bob")


def test_figure_3_in_one_dimension():
    rng = np.random.default_rng(3)
    pairs = np.sort(3.0 * np.arange(-2, 3)[:, None] + rng.random((5, 2)), axis=1).ravel()  # two in each [3i, 3i + 1]
    line = pm.Euclidean(1)
    middle = pm.Pattern(pairs[1:-1, None], geometry=line)  # as many as a solver from the rules likes
    assert_agree(middle, "friendly")
    bob = pm.Pattern(pairs[:, None], geometry=line)
    assert solve(bob).winner == "Bob"
    assert [solve(bob).winning_moves((a,))[0].to for a in range(10)] == [a ^ 1 for a in range(10)]
    alone = pm.Pattern(np.delete(pairs, 5)[:, None], geometry=line)  # [0, 1] keeps one point only
    assert solve(alone).placements.tolist() == [4]
    chain = np.cumsum(1 + 0.5 ** np.arange(8))[:, None]  # gaps that decrease: a descending chain, cut off
    for n in (7, 8):
        pattern = pm.Pattern(chain[:n], geometry=line)
        assert solve(pattern).winner == Analysis(pattern).winner == ("Alice" if n % 2 else "Bob")


def test_shy_is_won_by_the_partner_that_is_near():
    pattern = pm.Pattern([[0.0], [1.0], [10.0], [12.0]], geometry=pm.Euclidean(1))
    assert solve(pattern, "shy", c=1.5).placements.tolist() == [0, 1]  # not 2, whose partner is at least c away
    assert Analysis(pattern, "shy", c=1.5).winning_moves(()) == {Move(None, 0), Move(None, 1)}
    assert solve(pattern, "shy", c=0.5).winner == "Bob"
    assert solve(pattern, "shy", c=1.0).winner == Analysis(pattern, "shy", c=1.0).winner == "Alice"  # at c is within


def test_misere_with_two_leftovers_is_won_by_alice():
    pattern = pm.Pattern([[0.0], [1.0]], geometry=pm.Euclidean(1))
    assert pm.match(pattern, "misere").unmatched.tolist() == [0, 1]
    assert solve(pattern, "misere").winner == Analysis(pattern, "misere").winner == "Alice"


def test_misere_with_two_leftovers_and_a_fight():
    pattern = pm.Pattern(np.array([0.0, 1, 3, 7, 15, 20])[:, None], geometry=pm.Euclidean(1))
    assert pm.match(pattern, "misere").unmatched.tolist() == [4, 5]
    assert Analysis(pattern, "misere").winning_moves(()) == {Move(None, 4), Move(None, 5)}
    assert_agree(pattern, "misere")


def test_shy_and_shy_colored_differ_on_four_points():
    pattern = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], geometry=pm.Euclidean(1))
    assert Analysis(pattern, "shy", c=1).winner == solve(pattern, "shy", c=1).winner == "Alice"
    assert Analysis(pattern, "shy-colored", c=1).winner == solve(pattern, "shy-colored", c=1).winner == "Bob"
    assert solve(pattern, "shy-colored", c=2).placements.tolist() == [1]  # Theorem 7 (ii) needs an infinite set
    assert Analysis(pattern, "shy-colored", c=2).winning_moves(()) == {Move(None, 1)}


def test_a_point_may_miss_a_label():
    pattern = pm.Pattern([[0.0], [1.0], [3.0]], geometry=pm.Euclidean(1))
    assert all_labels(pattern).tolist() == [[-1, 0, 2], [0, -1, 1], [2, 1, -1]]
    two = pm.Pattern([[0.0], [1.0]], geometry=pm.Euclidean(1))
    assert solve([two, two], "ponds").winner == "Bob"
    assert solve([pattern, two], "ponds").winner == Analysis([pattern, two], "ponds").winner == "Alice"


def test_players_without_a_pad():
    def pattern(n, colors=None):
        return pm.Pattern(np.arange(n, dtype=float)[:, None], colors, pm.Euclidean(1))

    for variant, extra in [("friendly", {}), ("shy", {"c": 1}), ("fussy", {}), ("misere", {}), ("stones", {"k": 1})]:
        for n, winner in [(0, "Bob"), (1, "Alice")]:
            assert solve(pattern(n), variant, **extra).winner == Analysis(pattern(n), variant, **extra).winner == winner
    for n in range(5):  # Bob has no pad far enough away
        for variant in ("shy", "shy-colored"):
            game = (pattern(n), variant)
            assert solve(*game, c=9).winner == Analysis(*game, c=9).winner == ("Alice" if n else "Bob")
    for colors, winner in [([0, 0, 0], "Alice"), ([1, 1, 1], "Bob")]:
        game = (pattern(3, colors), "colored-points")
        assert solve(*game, missing=True).winner == Analysis(*game, missing=True).winner == winner
    for sizes, winner in [((0, 3), "Bob"), ((1, 4), "Bob"), ((2, 0), "Bob"), ((2, 1), "Alice")]:
        ponds = [pattern(n) for n in sizes]
        assert solve(ponds, "ponds").winner == Analysis(ponds, "ponds").winner == winner


def test_labels_of_large_sets_are_the_first_of_all_labels():
    pattern = pm.Pattern(np.random.default_rng(8).random((300, 2)), geometry=pm.Torus(1.0, 2))
    label, partner = all_labels(pattern), pm.match(pattern, "labels(20)").partner
    for x in range(300):
        for k in range(20):
            assert partner[x, k] == (np.flatnonzero(label[x] == k)[0] if k in label[x] else -1)


def test_large_ponds(monkeypatch):
    rng = np.random.default_rng(9)
    ponds = [pm.Pattern(rng.random((n, 2)), geometry=pm.Torus(1.0, 2)) for n in (101, 151)]
    exact = solve(ponds, "ponds")
    monkeypatch.setattr("poissonmatch.labels.EXACT", 50)
    rough = solve(ponds, "ponds")
    assert not rough.tables[0].complete and exact.tables[0].complete
    assert rough.winner == exact.winner == "Alice"  # an odd pond misses the label 0 somewhere
    unknown = 0
    for _ in range(300):
        position = tuple(tuple(rng.choice(len(p), 2, replace=False).tolist()) for p in ponds)
        labels = rough.labels(position)
        assert all(
            a in (None, b) and (a is not None or b >= 64) for a, b in zip(labels, exact.labels(position), strict=True)
        )
        if labels.count(None) == 2:
            with pytest.raises(ValueError, match="unknown labels"):
                rough.winning_moves(position)
            continue
        unknown += labels.count(None)
        winning = rough.winning_moves(position)
        assert set(winning) <= set(exact.winning_moves(position))
        assert rough.is_p_position(position) == exact.is_p_position(position) == (not winning)
    assert unknown > 20
    with pytest.raises(ValueError, match="up to 50 points"):
        all_labels(ponds[0])


@pytest.mark.parametrize("variant", [*SINGLE, "stones"])
def test_a_large_set_obeys_n_and_p(variant):
    rng = np.random.default_rng(10)
    n = 20_001
    pattern = pm.Pattern(rng.random((n, 2)) * 141, (rng.random(n) < 0.4).astype(int), pm.Torus(141.0, 2))
    extra = {"c": 1.0} if variant.startswith("shy") else {"k": 2} if variant == "stones" else {}
    solution = solve(pattern, variant, **extra)
    rules, lost = solution.rules, 0
    for _ in range(15):
        x, y = rng.choice(n, 2, replace=False).tolist()
        if rng.random() < 0.7:  # near each other, and often a P-position
            near = np.argsort(pattern.distance(x, np.arange(n)))[1:6]
            y = int(rng.choice(near))
        if rules.together(x, y):
            continue
        position = rules.position((x, y))
        winning = solution.winning_moves(position)
        for move in winning:
            assert rules.objection(position, move) == ""
            assert solution.is_p_position(rules.after(position, move))
        moves = [Move(frog, z) for frog in (x, y) for z in rng.choice(n, 40).tolist()]
        moves = [move for move in moves if not rules.objection(position, move)]
        if solution.is_p_position(position):
            lost += 1
            assert not winning
            assert not any(solution.is_p_position(rules.after(position, move)) for move in moves)
    for a in solution.placements[:3].tolist():
        assert solution.is_p_position(Position((a,), solution._stones(a)))
    assert lost


def test_distances_of_the_mean_field_model():
    rng = np.random.default_rng(11)
    table = np.triu(rng.exponential(size=(8, 8)), 1)
    pattern = pm.Pattern(table + table.T, geometry=pm.MeanField(8.0))
    for variant, extra in [("friendly", {}), ("colored", {}), ("shy-colored", {"c": 0.5}), ("misere", {})]:
        assert_agree(pattern, variant, **extra)


# ---- symmetries ---------------------------------------------------------------------------------------

grid_points = st.lists(st.tuples(*[st.integers(0, 1023)] * 2), min_size=2, max_size=9, unique=True)


@settings(max_examples=40, deadline=None)
@given(grid_points, st.tuples(*[st.integers(0, 1023)] * 2), st.randoms(use_true_random=False))
def test_translations_and_permutations(grid, shift, random):
    points = np.array(grid) / 1024
    n = len(points)
    torus = pm.Torus(1.0, 2)
    i, j = np.triu_indices(n, 1)
    assume(len(np.unique(torus.squared_distance(points[i], points[j]))) == len(i))
    colors = np.array([random.randrange(2) for _ in range(n)])
    order = np.array(random.sample(range(n), n))  # new index -> old index
    moved = pm.Pattern((points + np.array(shift) / 1024) % 1, colors, torus)
    shuffled = pm.Pattern(points[order], colors[order], torus)
    for variant in [*SINGLE, "stones"]:
        extra = {"c": 0.25} if variant.startswith("shy") else {"k": 1} if variant == "stones" else {}
        extra |= {"missing": True} if variant == "colored-points" else {}
        solution = solve(pm.Pattern(points, colors, torus), variant, **extra)
        assert solve(moved, variant, **extra).placements.tolist() == solution.placements.tolist()
        other = solve(shuffled, variant, **extra)
        assert sorted(order[other.placements].tolist()) == solution.placements.tolist()
        x, y = 0, 1
        if not other.rules.together(x, y):
            old = (int(order[x]), int(order[y]))
            assert other.is_p_position((x, y)) == solution.is_p_position(old)
            found = {(int(order[m.frog]), int(order[m.to])) for m in other.winning_moves((x, y))}
            assert found == {(m.frog, m.to) for m in solution.winning_moves(old)}


# ---- bad input ----------------------------------------------------------------------------------------

FOUR = pm.Pattern([[0.0], [1.0], [3.0], [7.0]], [0, 1, 1, 0], pm.Euclidean(1))


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: solve(FOUR, "angry"), "unknown variant 'angry'; the variants are friendly"),
        (lambda: solve(FOUR, "friendly", c=1), "friendly has no parameter 'c'; it takes no parameter"),
        (lambda: solve(FOUR, "shy"), "shy needs the parameter c"),
        (lambda: solve(FOUR, "shy", c=-1), "c must be a distance"),
        (lambda: solve(FOUR, "shy", c=math.nan), "c must be a distance"),
        (lambda: solve(FOUR, "stones", k=-1), "k must be a whole number of stones"),
        (lambda: solve(FOUR, "stones", k=1.5), "k must be a whole number of stones"),
        (lambda: solve(FOUR, "ponds"), "a list of patterns"),
        (lambda: solve([], "ponds"), "a list of patterns"),
        (lambda: solve([FOUR, 3], "ponds"), "a pond is a Pattern, not int"),
        (lambda: solve([FOUR], "friendly"), "a pond is a Pattern, not list"),
        (lambda: solve(pm.Pattern([[1.0]], geometry=pm.Euclidean(1)), "colored-points"), "points of both colors"),
        (lambda: solve(pm.Pattern([[1.0]], [2], pm.Euclidean(1)), "fussy"), "knows the colors 0 and 1, not 2"),
        (lambda: is_p_position(FOUR, "friendly", (1, 1)), "not large enough for two frogs"),
        (lambda: is_p_position(FOUR, "friendly", (1, 4)), "no pad 4"),
        (lambda: is_p_position(FOUR, "friendly", (-1, 2)), "no pad -1"),
        (lambda: is_p_position(FOUR, "friendly", (0.0, 2)), "no pad 0.0"),
        (lambda: is_p_position(FOUR, "friendly", (0, 1, 2)), "at most two frogs"),
        (lambda: winning_moves(FOUR, "fussy", (1, 2)), "not both be on red"),
        (lambda: winning_moves(FOUR, "colored-points", (0, 3)), "each frog keeps to its own color"),
        (lambda: winning_moves(FOUR, "colored-points", (1,)), "amber pads only"),
        (lambda: winning_moves(FOUR, "friendly", Position((0, 1), frozenset([2]))), "no stones"),
        (lambda: winning_moves(FOUR, "stones", Position((0, 1), frozenset([2, 3])), k=1), "1 stones, not 2"),
        (lambda: winning_moves([FOUR, FOUR], "ponds", ((0, 1),)), "of all 2 ponds, not of 1"),
        (lambda: winning_moves([FOUR, FOUR], "ponds", ((0,), (0,))), "two frogs are in every pond"),
        (lambda: Strategy(solve(FOUR)).move((0, 1)), "the game is over"),
    ],
)
@pytest.mark.parametrize("solver", ["matching", "rules"])
def test_bad_input_is_explained(call, message, solver, monkeypatch):
    if solver == "rules":
        monkeypatch.setitem(call.__globals__, "solve", Analysis)
        monkeypatch.setitem(
            call.__globals__, "is_p_position", lambda p, v, at, **kw: Analysis(p, v, **kw).is_p_position(at)
        )
        monkeypatch.setitem(
            call.__globals__, "winning_moves", lambda p, v, at, **kw: Analysis(p, v, **kw).winning_moves(at)
        )
        if "Strategy" in call.__code__.co_names:
            pytest.skip("a strategy plays through the matching")
    with pytest.raises(ValueError, match=message):
        call()


def test_label_table_of_no_points():
    empty = LabelTable.of(pm.Pattern(np.zeros((0, 1)), geometry=pm.Euclidean(1)))
    assert empty.complete and not len(empty.present()) and not len(empty.missing(3))
