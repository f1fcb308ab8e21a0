"""A call of each public function that returns in a moment: the function, and keyword arguments that a test replaces in turn.

Those whose arguments are plain data are in public_calls.toml.
"""

from collections.abc import Callable
from fractions import Fraction
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd

import poissonmatch as pm
from helpers.plain_calls import frozen
from helpers.tables import tables

TORUS, UNIT = pm.Torus(4.0, 2), pm.Torus(1.0, 2)
PATTERN = pm.processes.two_color(TORUS, rng=1)
PLAIN = pm.processes.poisson(TORUS, rng=2)
MATCHING = pm.match(PLAIN)
CHAIN = pm.infinite.InfinitePoisson(1, seed=1)
LABELS = pm.lazy.LazyMatching(CHAIN, "labels(2)", max_distance=30.0)
LAZY = pm.lazy.LazyMatching(CHAIN, max_distance=30.0)
X, Y = LAZY.nearest([0.0]), LAZY.nearest([5.0])
NIM = pm.games.Nim()
SHARED = {
    "pattern": PLAIN,
    "matching": MATCHING,
    "torus": UNIT,
    "geometry": TORUS,
    "lazy": LAZY,
    "points": CHAIN,
    "x": X,
    "y": Y,
    "game": NIM,
}
OBJECTS = {  # those whose methods are called
    "Torus": TORUS,
    "Pattern": PATTERN,
    "Rule": pm.RULES["two-color"],
    "Matching": MATCHING,
    "FussyLine": pm.theory.fussy_line(1.0),
    "Periodic": pm.infinite.Periodic(PLAIN),
    "InfinitePattern": CHAIN,
    "LazyMatching": LAZY,
    "Nim": NIM,
    "TriangleGame": pm.games.TriangleGame(),
    "OctalGame": pm.games.impartial.OctalGame("0.77"),
    "ToadsAndFrogs": pm.games.ToadsAndFrogs("TT.FF"),
    "OutcomeEngine": pm.games.toads.OutcomeEngine(2**24, 20),
    "partisan.Game": pm.games.parse("^"),
}


def function_of(name: str) -> Callable[..., Any]:
    """Return a public function, or a method of an object."""
    place, _, last = name.rpartition(".")
    if place in OBJECTS:
        return getattr(OBJECTS[place], last)
    return attrgetter(name)(pm.games if place in ("impartial", "partisan", "toads") else pm)


def arguments_of(shared: tuple = (), none: tuple = (), **plain: Any) -> dict[str, Any]:
    """Return the arguments of a row."""
    values = {name: frozen(value) for name, value in plain.items()}
    return {name: SHARED[name] for name in shared} | dict.fromkeys(none) | values


def call(function: Callable[..., Any], **arguments: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return a function and its arguments."""
    return function, arguments


def first(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that returns the first of what this one yields."""
    return lambda **named: next(function(**named), None)


def value_of(ruleset: type) -> Callable[..., Any]:
    """Return a function that returns the value of a position of partisan games."""
    return lambda **named: ruleset(**named).value


CALLS = {name: (function_of(name), arguments_of(**row)) for name, row in tables(__file__).items()}
CALLS |= {
    "Torus.wrap": call(TORUS.wrap, points=np.ones((1, 2))),
    "DistanceTable": call(
        lambda **named: pm.Pattern(geometry=pm.DistanceTable(), **named), points=[[0.0, 1.0], [1.0, 0.0]], colors=None
    ),
    "Pattern.from_frame": call(
        pm.Pattern.from_frame,
        frame=pd.DataFrame({"x": [1.0], "c": [0]}),
        coords=["x"],
        color="c",
        geometry=pm.Torus(3.0, 1),
        color_names=None,
    ),
    "Rule.capacities": call(pm.RULES["two-color"].capacities, colors=np.array([0, 1])),
    "descending_chains.chains_within": call(
        lambda **named: [*pm.descending_chains.chains_within(**named)], pattern=PLAIN, radii=[0.5, 1.0]
    ),
    "rules.rule_name": call(pm.rules.rule_name, rule=pm.RULES["fussy"]),
    "replicates": call(
        first(pm.replicates),
        process="poisson",
        torus=TORUS,
        rule="one-color",
        n=1,
        seed=1,
        intensities=None,
        allow_import=False,
    ),
    "step_scaling": call(pm.step_scaling, estimates=pd.DataFrame(), dim=1, ratios=[0.5]),
    "theory.intervals.of_excess": call(
        pm.theory.intervals.of_excess, total=3.0, difference=np.array([3.0, -1.0]), mean=0.0
    ),
    "theory.intervals.of_proportion": call(pm.theory.intervals.of_proportion, value=np.array([0.5]), n=8),
    "InfinitePattern.ring": call(first(CHAIN.ring), cell=(0,), r=1),
    "LazyMatching.label": call(LABELS.label, x=X, y=Y),
    "LazyMatching.neighbors": call(first(LAZY.neighbors), x=X),
    "figures.game": call(pm.figures.game, record=pm.frogs.record(PLAIN), ax=None),
    "figures.svg": call(pm.figures.svg, rows=pm.figures.picture(PLAIN)),
    "frogs.is_p_position": call(pm.frogs.is_p_position, matching=LAZY, x=X, y=Y, blocked=()),
    "frogs.reply": call(pm.frogs.reply, ponds=[CHAIN], opening=[X], max_distance=20.0),
    "frogs.Strategy": call(pm.frogs.Strategy, solution=pm.frogs.solve(PLAIN)),
    "impartial.GrundysGame": call(pm.games.impartial.GrundysGame().values, largest=12, misere=None),
    "impartial.FunctionGame": call(pm.games.impartial.FunctionGame, options=range, misere=False),
    "impartial.GreenHackenbush": call(pm.games.impartial.GreenHackenbush().grundy, position=((0, 1),)),
    "impartial.Kayles": call(pm.games.impartial.Kayles().grundy, position=(5,)),
    "impartial.Wythoff": call(pm.games.impartial.Wythoff().grundy, position=(1, 2)),
    "impartial.Euclid": call(pm.games.impartial.Euclid().grundy, position=(1, 2)),
    "impartial.Sprouts": call(pm.games.impartial.Sprouts().grundy, position=2),
    "partisan.Domineering": call(value_of(pm.games.partisan.Domineering), position=".."),
    "partisan.ImpartialPosition": call(value_of(pm.games.partisan.ImpartialPosition), position=(NIM, (1, 2))),
    "partisan.Hackenbush": call(value_of(pm.games.partisan.Hackenbush), position="LR"),
    "games.ToadsAndFrogs": call(value_of(pm.games.ToadsAndFrogs), position="T.F"),
    "games.option_graph": call(
        lambda game, start, **named: pm.games.option_graph(game, start, **named),
        game=NIM,
        start=(1, 2),
        misere=None,
        max_positions=100,
    ),
    "toads.dyadic": call(pm.games.toads.dyadic, x=Fraction(1, 4)),
}
