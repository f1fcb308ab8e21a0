"""The frog games: two solvers, one straight from the rules and one through the matching, must say the same."""

import functools
import itertools
import math

import numpy as np
import pytest

import poissonmatch as pm
from helpers.agreement import SINGLE, disagreements, parameters_of, positions, small
from poissonmatch.frogs import Strategy, all_labels, solve
from poissonmatch.frogs.retrograde import Analysis


def pond_disagreements(patterns, variant="ponds", strict=False, **parameters):
    """What the two solvers tell differently of ponds, or what Theorem 13 does: labels add up, and at most one reply wins."""
    rules, solution = (solver(patterns, variant, strict=strict, **parameters) for solver in (Analysis, solve))
    labels = [all_labels(pattern, rules.rules.game.rule, strict=strict) for pattern in patterns]

    def total(frogs):
        return functools.reduce(lambda a, b: a ^ b, (int(g[x, y]) for g, (x, y) in zip(labels, frogs, strict=False)), 0)

    start, openings = solution.rules.position(()), rules.winning_moves(())
    said = set(solution.winning_moves(()))
    claimed = {m for m in rules.rules.moves(start) if m.to[-1][0] in solution.alice.get(total(m.to[:-1]), ())}
    right = {
        "winner": rules.winner == solution.winner,
        "openings": said <= openings and bool(said) == bool(openings),
        "claimed openings": claimed == openings,
    }
    for opening in itertools.islice(rules.rules.moves(start), 0, None, 5):
        replies = solution.winning_moves(opening.to)
        right["P", opening] = solution.is_p_position(opening.to) == rules.is_p_position(opening.to)
        right["replies", opening] = set(replies) == rules.winning_moves(opening.to) and (strict or len(replies) <= 1)
        for move in rules.rules.moves(opening.to):
            position = rules.rules.after(opening.to, move)
            right["label", position] = rules.grundy(position) == total(position)
            right["P", position] = solution.is_p_position(position) == rules.is_p_position(position)
            right["moves", position] = set(solution.winning_moves(position)) == rules.winning_moves(position)
    return [what for what, agreed in right.items() if not agreed]


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("variant", SINGLE)
@pytest.mark.parametrize("sets", [20, pytest.param(500, marks=pytest.mark.slow)])
def test_both_solvers_agree_in_every_position(sets, variant, ties):
    rng = np.random.default_rng([SINGLE.index(variant), ties])
    for _ in range(sets):
        assert disagreements(small(rng, 9, ties), variant, **parameters_of(variant, rng)) == []


@pytest.mark.parametrize("variant", ["stones", "fussy-stones"])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(
    "k, most, sets", [(0, 8, 12), (1, 6, 12), (2, 5, 6), pytest.param(3, 5, 60, marks=pytest.mark.slow)]
)
def test_both_solvers_agree_with_stones(k, most, sets, ties, variant):
    rng = np.random.default_rng([100, k, ties])
    for _ in range(sets):
        assert disagreements(small(rng, most, ties), variant, k=k) == []


@pytest.mark.parametrize("variant", ["ponds", "fussy-ponds", "shy-ponds"])
@pytest.mark.parametrize("ties, strict", [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize(
    "ponds, most, sets", [(1, 8, 10), (2, 6, 12), (3, 4, 12), pytest.param(2, 7, 300, marks=pytest.mark.slow)]
)
def test_both_solvers_agree_in_ponds(ponds, most, sets, ties, strict, variant):
    rng = np.random.default_rng([200, ponds, ties])
    more = {"c": 0.3} if variant == "shy-ponds" else {}
    for _ in range(sets):
        patterns = [small(rng, most, ties, least=int(rng.random() < 0.9) * 2) for _ in range(ponds)]
        assert pond_disagreements(patterns, variant, strict, **more) == []


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("counts", [(3, 3), (2, 4), (3, 4), (1, 2), (2, 1), (2, 2, 3)])
def test_misere_ponds_by_hand(counts, strict):
    """The game written out once more, for distinct distances or strict play: a player without a jump in any pond wins."""
    sources = [(np.random.default_rng([n, 7]), n) for n in counts]
    ponds = [rng.integers(0, 3, (n, 2)) * 1.0 if strict else rng.random((n, 2)) for rng, n in sources]
    gaps = [np.linalg.norm(pond[:, None] - pond, axis=2) for pond in ponds]

    def jumps(position):
        for pond, (x, y) in enumerate(position):
            for z, w in itertools.product(range(counts[pond]), (x, y)):
                if z not in (x, y) and gaps[pond][z, w] < gaps[pond][x, y]:
                    yield (*position[:pond], (min(z, w), max(z, w)), *position[pond + 1 :])

    @functools.cache
    def mover_wins(position):
        options = list(jumps(position))
        return not options or any(not mover_wins(option) for option in options)

    pairs = [list(itertools.combinations(range(n), 2)) for n in counts]
    alice = any(
        all(mover_wins((*others, (min(a, b), max(a, b)))) for b in range(counts[-1]) if b != a)
        for others in itertools.product(*pairs[:-1])
        for a in range(counts[-1])
    )
    solution = solve([pm.Pattern(pond, geometry=pm.Euclidean(2)) for pond in ponds], "misere-ponds", strict=strict)
    assert solution.winner == ("Alice" if alice else "Bob") and bool(len(solution.placements)) == alice
    for position in itertools.product(*pairs):
        assert solution.is_p_position(position) != mover_wins(position)


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


@pytest.mark.parametrize("variant", ["friendly", "colored", "fussy", "misere", "misere-colored"])
def test_the_rules_read_as_the_paper_does(variant):
    rng = np.random.default_rng(4)
    for n in [*range(8)] * 4:
        points, colors = rng.random((n, 2)), rng.integers(0, 2, n)
        reds = tuple(np.flatnonzero(colors).tolist()) if variant == "fussy" else ()
        alice = by_hand(points.tolist(), "colored" in variant, "misere" in variant, reds)
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
            assert lost_plays(solution, position, to_move=not solution.is_p_position(position)) == []


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
        assert lost_plays(solution, start, to_move=not solution.is_p_position(start)) == []


def lost_plays(solution, start, to_move):
    """Where the strategy, which takes the side that wins whoever moves first, loses or breaks a rule: every answer is tried."""
    rules, strategy, seen, lost = solution.rules, Strategy(solution), set(), []

    def play(position, mine):
        if (position, mine) in seen:
            return
        seen.add((position, mine))
        legal = list(rules.moves(position))
        if not legal:
            stuck_wins = rules.stuck_wins and len(position[0]) == 2
            lost.extend([position] * (mine != stuck_wins))
            return
        if mine:
            move = strategy.move(position)
            lost.extend([move] * bool(rules.objection(position, move)))
        for choice in [move] if mine else legal:
            play(rules.after(position, choice), not mine)

    play(start, to_move)
    return lost
