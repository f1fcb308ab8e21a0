"""Random small sets, and the claim that the two solvers say the same on them."""

import itertools

import poissonmatch as pm
from poissonmatch.frogs import Position, solve
from poissonmatch.frogs.retrograde import Analysis

SINGLE = ["friendly", "colored", "shy", "shy-colored", "colored-points", "fussy", "misere", "misere-colored"]


PARAMETERS = {  # of games on sets in a unit cube
    **dict.fromkeys(("shy", "shy-colored"), {"c": 0.3}),
    "colored-points": {"missing": True},
    "confined": {"reach": 0.7},
    "stones": {"k": 1},
}


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


def disagreements(pattern, variant, **parameters):
    """What the two solvers tell differently: the winner, or of a position whether it is a P-position, or its winning moves."""
    rules, solution = Analysis(pattern, variant, **parameters), solve(pattern, variant, **parameters)
    found = [] if rules.winner == solution.winner else ["winner"]
    for position in positions(solution.rules, parameters.get("k", 0)):
        if solution.is_p_position(position) != rules.is_p_position(position):
            found.append(("P", position))
        winning, expected = solution.winning_moves(position), rules.winning_moves(position)
        needed = {(move.frog, move.to): move.stones for move in winning}
        legal = solution.rules.moves(position)
        wins = {m for m in legal if m.stones >= needed.get((m.frog, m.to), frozenset([-1]))}
        if wins != expected or len(winning) != len(set(winning)):
            found.append(("moves", position))
    return found
