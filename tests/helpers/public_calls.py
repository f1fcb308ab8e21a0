"""A call of each public function that returns in a moment: the function, and keyword arguments that a test replaces in turn."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import poissonmatch as pm

TORUS, UNIT = pm.Torus(4.0, 2), pm.Torus(1.0, 2)
PATTERN = pm.processes.two_color(TORUS, rng=1)
PLAIN = pm.processes.poisson(TORUS, rng=2)
MATCHING, PERIODIC = pm.match(PLAIN), pm.infinite.Periodic(PLAIN)
CHAIN = pm.infinite.InfinitePoisson(1, seed=1)
LABELS = pm.lazy.LazyMatching(CHAIN, "labels(2)", max_distance=30.0)
LAZY = pm.lazy.LazyMatching(CHAIN, max_distance=30.0)
X, Y = LAZY.nearest([0.0]), LAZY.nearest([5.0])
FUSSY_LINE = pm.theory.fussy_line(1.0)
NIM, TRIANGLE = pm.games.Nim(), pm.games.TriangleGame()
OCTAL = pm.games.impartial.OctalGame("0.77")
STRIP, UP = pm.games.ToadsAndFrogs("TT.FF"), pm.games.parse("^")
ENGINE = pm.games.toads.OutcomeEngine(2**24, 20)


def call(function: Callable[..., Any], **arguments: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return a function and its arguments."""
    return function, arguments


CALLS = {
    "Torus": call(pm.Torus, side=2.0, dim=2),
    "Torus.distance": call(TORUS.distance, a=[0.0, 1.0], b=[1.0, 1.0]),
    "Torus.wrap": call(TORUS.wrap, points=np.ones((1, 2))),
    "Box": call(pm.Box, side=2.0, dim=2),
    "Euclidean": call(pm.Euclidean, dim=2),
    "MeanField": call(pm.MeanField, volume=4.0, table=True),
    "Sphere": call(pm.Sphere, radius=1.0),
    "Slab": call(pm.Slab, side=2.0, dim=2, walls=(-1,)),
    "load_pattern": call(pm.load_pattern, path="no.csv"),
    "DistanceTable": call(
        lambda **named: pm.Pattern(geometry=pm.DistanceTable(), **named), points=[[0.0, 1.0], [1.0, 0.0]], colors=None
    ),
    "Pattern": call(pm.Pattern, points=[[0.5, 1.0]], colors=[0], geometry=TORUS, wrap=False),
    "Pattern.count": call(PATTERN.count, n_colors=2),
    "Pattern.closer": call(PATTERN.closer, x=0, z=1, y=2),
    "Pattern.distance": call(PATTERN.distance, i=0, j=1),
    "Pattern.squared_distance": call(PATTERN.squared_distance, i=0, j=1),
    "Pattern.to_frame": call(PATTERN.to_frame, coords=["x", "y"], color="color"),
    "Pattern.from_frame": call(
        pm.Pattern.from_frame,
        frame=pd.DataFrame({"x": [1.0], "c": [0]}),
        coords=["x"],
        color="c",
        geometry=pm.Torus(3.0, 1),
        color_names=None,
    ),
    "Rule": call(
        pm.Rule, compatible=[[True]], capacity=(1,), exclude=None, labels=0, color_names=("a",), reference_color=0
    ),
    "Rule.color_name": call(pm.RULES["two-color"].color_name, color=0),
    "Rule.capacities": call(pm.RULES["two-color"].capacities, colors=np.array([0, 1])),
    "match": call(pm.match, pattern=PLAIN, rule="one-color", capacity=None, threads=1, rng=None, max_distance=None),
    "Matching": call(pm.Matching, partner=[1, 0], distance=[1.0, 1.0], rule="one-color", pattern=None, capacity=None),
    "Matching.from_partners": call(
        pm.Matching.from_partners,
        pattern=PLAIN,
        partner=[-1] * len(PLAIN),
        rule="one-color",
        capacity=None,
        max_distance=None,
    ),
    "rounds": call(pm.rounds, matching=MATCHING),
    "blocking_pairs": call(pm.blocking_pairs, pattern=PLAIN, matching=MATCHING, rule=None),
    "sprague_grundy": call(pm.sprague_grundy, pattern=PLAIN, labels=2, threads=1),
    "deletion.without_desirers": call(pm.deletion.without_desirers, pattern=PLAIN, x=0, rule="one-color"),
    "descending_chains.chains_within": call(
        lambda **named: [*pm.descending_chains.chains_within(**named)], pattern=PLAIN, radii=[0.5, 1.0]
    ),
    "rules.rule_name": call(pm.rules.rule_name, rule=pm.RULES["fussy"]),
    "rules.rule_named": call(pm.rules.rule_named, name="fussy"),
    "descending_chains.longest_chain": call(pm.descending_chains.longest_chain, pattern=PLAIN, start=0, radius=1.0),
    "descending_chains.longest_chains": call(pm.descending_chains.longest_chains, pattern=PLAIN, radius=1.0),
    "descending_chains.mean_field_tail": call(pm.descending_chains.mean_field_tail, volume=1.0, max_steps=3),
    "desire.desires": call(pm.desire.desires, matching=MATCHING, radius=1.0),
    "desire.mutually_nearest": call(pm.desire.mutually_nearest, pattern=PLAIN),
    "desire.undesired": call(pm.desire.undesired, matching=MATCHING, beyond=1.0),
    "mass_transport.mass_transport": call(
        pm.mass_transport.mass_transport, pattern=PLAIN, source=[0], target=[1], mass=1.0, parts=2
    ),
    "mass_transport.partners_outside": call(
        pm.mass_transport.partners_outside, pattern=PLAIN, partner=[-1] * len(PLAIN), radii=[1.0], points=None
    ),
    "processes.poisson": call(pm.processes.poisson, intensity=1.0, torus=UNIT, rng=1),
    "processes.two_color": call(pm.processes.two_color, intensities=(1.0, 0.5), torus=UNIT, rng=1),
    "processes.binomial": call(pm.processes.binomial, counts=(2, 3), torus=UNIT, rng=1),
    "processes.lattice": call(pm.processes.lattice, intensity=1.0, torus=UNIT, rng=1),
    "processes.perturbed_lattice": call(pm.processes.perturbed_lattice, intensity=1.0, spread=0.1, torus=UNIT, rng=1),
    "processes.thomas": call(pm.processes.thomas, intensity=1.0, offspring=2.0, spread=0.1, torus=UNIT, rng=1),
    "processes.matern": call(pm.processes.matern, intensity=0.5, distance=0.3, torus=UNIT, rng=1),
    "processes.process_named": call(pm.processes.process_named, name="lattice+poisson"),
    "theory.structure_factor_limits": call(pm.theory.structure_factor_limits, rho=0.5, color=0, dispersions=(1.0, 1.0)),
    "processes.mixed": call(
        pm.processes.mixed, processes=("lattice", "poisson"), intensities=(1.0, 0.5), torus=UNIT, rng=1
    ),
    "structure_factor": call(pm.structure_factor, pattern=PLAIN, max_n=2),
    "number_variance": call(pm.number_variance, pattern=PLAIN, radii=[0.5], centers=10),
    "processes.in_ball": call(pm.processes.in_ball, count=5, dim=2, intensity=1.0, rng=1),
    "processes.thinned": call(pm.processes.thinned, pattern=PLAIN, intensities=(0.5, 0.5), rng=1),
    "replicates": call(
        lambda **named: next(pm.replicates(**named)),
        process="poisson",
        torus=TORUS,
        rule="one-color",
        n=1,
        seed=1,
        intensities=None,
        allow_import=False,
    ),
    "octaves": call(
        pm.octaves, dim=1, ratio=0.5, survivors=100.0, runs=2, seed=0, points=100.0, window=8.0, share=1.0, workers=1
    ),
    "step_scaling": call(pm.step_scaling, estimates=pd.DataFrame(), dim=1, ratios=[0.5]),
    "sweep": call(
        pm.sweep,
        study=None,
        workers=1,
        progress=False,
        seed=1,
        allow_import=False,
        rule="one-color",
        dims=1,
        sizes=10,
        replicates=2,
    ),
    "load": call(pm.load, path="no.parquet", listed=False),
    "certificates.read": call(pm.certificates.read, file="no.json"),
    "certificates.check": call(pm.certificates.check, file="no.json", boxes=None),
    "certificates.survival": call(
        pm.certificates.survival,
        dim=1,
        ratio=0.5,
        scale=2.0,
        box=32.0,
        boxes=2,
        threshold=1,
        seed=1,
        workers=1,
        name="",
        file=None,
        progress=None,
    ),
    "theory.ein": call(pm.theory.ein, z=1.0),
    "theory.first_round": call(pm.theory.first_round, dim=1),
    "theory.finite_size.compared_size": call(pm.theory.finite_size.compared_size, sizes=[1.0, 2.0], large=8.0),
    "theory.finite_size.rounded": call(pm.theory.finite_size.rounded, points=123.0),
    "theory.finite_size.share_of_side": call(pm.theory.finite_size.share_of_side, dim=1),
    "theory.intervals.dispersion": call(pm.theory.intervals.dispersion, count=20.0, error=5.0, n=9),
    "theory.intervals.of_count": call(pm.theory.intervals.of_count, total=3.0, index=1.0, dof=9.0),
    "theory.intervals.of_excess": call(
        pm.theory.intervals.of_excess, total=3.0, difference=np.array([3.0, -1.0]), mean=0.0
    ),
    "theory.intervals.of_positive": call(pm.theory.intervals.of_positive, value=1.0, error=0.1, n=9),
    "theory.intervals.of_proportion": call(pm.theory.intervals.of_proportion, value=np.array([0.5]), n=8),
    "theory.intervals.of_share": call(pm.theory.intervals.of_share, value=0.5, error=0.1, n=9),
    "theory.intervals.student": call(pm.theory.intervals.student, value=1.0, error=0.1, n=9),
    "theory.volumes.ball_power": call(pm.theory.volumes.ball_power, dim=2),
    "theory.volumes.ball_volume": call(pm.theory.volumes.ball_volume, dim=2, radius=1.0),
    "theory.volumes.cutoff": call(pm.theory.volumes.cutoff, dim=2, side=1.0, volume=1.0),
    "theory.volumes.is_mean_field": call(pm.theory.volumes.is_mean_field, dim=2),
    "theory.volumes.unit_ball_volume": call(pm.theory.volumes.unit_ball_volume, dim=2),
    "theory.fussy_bounds": call(pm.theory.fussy_bounds, rho=0.9, r=1.0, steps=16),
    "theory.fussy_dispersion": call(pm.theory.fussy_dispersion, rho=1.0, fixed=False),
    "theory.fussy_epsilon": call(pm.theory.fussy_epsilon, dim=1),
    "theory.fussy_line": call(pm.theory.fussy_line, rho=1.0),
    "FussyLine.tail": call(FUSSY_LINE.tail, r=1.0, color=0),
    "theory.imbalance": call(pm.theory.imbalance, mean=1.0),
    "theory.label_tail": call(pm.theory.label_tail, t=1.0, label=1),
    "theory.multi_tail": call(pm.theory.multi_tail, t=1.0, m=2, order=1),
    "theory.one_color_response": call(pm.theory.one_color_response, volume=1.0, dim=math.inf),
    "theory.one_color_tail": call(pm.theory.one_color_tail, r=1.0, dim=1, intensity=1.0),
    "theory.two_color_tail": call(pm.theory.two_color_tail, r=1.0, own=1.0, other=0.5),
    "infinite.InfiniteLattice": call(pm.infinite.InfiniteLattice, dim=1, spread=0.5, seed=1),
    "infinite.InfiniteMatern": call(pm.infinite.InfiniteMatern, dim=1, distance=0.5, seed=1),
    "infinite.InfiniteThomas": call(pm.infinite.InfiniteThomas, dim=1, offspring=5.0, spread=0.2, seed=1),
    "infinite.InfinitePoisson": call(pm.infinite.InfinitePoisson, dim=1, intensities=1.0, seed=1),
    "infinite.Intervals": call(pm.infinite.Intervals, single=[0], colored=False, seed=1),
    "infinite.Periodic": call(pm.infinite.Periodic, pattern=PLAIN),
    "Periodic.point": call(PERIODIC.point, index=0),
    "InfinitePattern.cell_of": call(CHAIN.cell_of, coordinates=[0.0]),
    "InfinitePattern.draw": call(CHAIN.draw, cell=(0,)),
    "InfinitePattern.points": call(CHAIN.points, cell=(0,)),
    "InfinitePattern.ring": call(lambda **named: next(CHAIN.ring(**named), None), cell=(0,), r=1),
    "InfinitePattern.window": call(CHAIN.window, low=[0.0], high=[2.0]),
    "lazy.LazyMatching": call(pm.lazy.LazyMatching, points=CHAIN, rule="one-color", max_distance=10.0),
    "LazyMatching.are_partners": call(LAZY.are_partners, x=X, y=Y),
    "LazyMatching.desirers": call(LAZY.desirers, x=X, radius=2.0),
    "LazyMatching.desires": call(LAZY.desires, x=X, y=Y),
    "LazyMatching.label": call(LABELS.label, x=X, y=Y),
    "LazyMatching.nearest": call(LAZY.nearest, coordinates=[1.0]),
    "LazyMatching.neighbors": call(lambda **named: next(LAZY.neighbors(**named), None), x=X),
    "LazyMatching.partner": call(LAZY.partner, x=X, order=0),
    "LazyMatching.partners": call(LAZY.partners, x=X),
    "figures.caption": call(pm.figures.caption, figure=None),
    "figures.game": call(pm.figures.game, record=pm.frogs.record(PLAIN), ax=None),
    "figures.infinite": call(pm.figures.infinite, lazy=LAZY, low=[0.0], high=[4.0], around=None, ax=None),
    "figures.picture": call(pm.figures.picture, pattern=PLAIN, rule="one-color", name=""),
    "figures.nim_table": call(pm.figures.nim_table, size=4),
    "figures.puzzle": call(pm.figures.puzzle, toads=1, frogs=1, blanks=1),
    "figures.simplex": call(pm.figures.simplex, total=6, misere=False),
    "figures.svg": call(pm.figures.svg, rows=pm.figures.picture(PLAIN)),
    "figures.thermograph": call(pm.figures.thermograph, game="+-1", name="", ax=None),
    "Pattern.plot": call(PLAIN.plot, ax=None, width="column", style=None, labels=None, title=None),
    "frogs.all_labels": call(pm.frogs.all_labels, pattern=PLAIN, rule="one-color"),
    "frogs.check": call(pm.frogs.check, pattern=PLAIN, variant="friendly", p_positions=[]),
    "frogs.options": call(pm.frogs.options, pattern=PLAIN, variant="friendly", alice=0, bob=1),
    "frogs.is_p_position": call(pm.frogs.is_p_position, matching=LAZY, x=X, y=Y, blocked=()),
    "frogs.play_length": call(pm.frogs.play_length, matching=MATCHING),
    "frogs.record": call(pm.frogs.record, pattern=PLAIN, variant="friendly", moves=None),
    "frogs.reply": call(pm.frogs.reply, ponds=[CHAIN], opening=[X], max_distance=20.0),
    "frogs.rules_of": call(pm.frogs.rules_of, pattern=PLAIN, variant="friendly"),
    "frogs.solve": call(pm.frogs.solve, pattern=PLAIN, variant="friendly", threads=1),
    "frogs.Strategy": call(pm.frogs.Strategy, solution=pm.frogs.solve(PLAIN)),
    "games.game_named": call(pm.games.game_named, name="nim", misere=False),
    "games.one_blank": call(pm.games.one_blank, position="TTF.FTF", chain=None),
    "games.option_graph": call(
        lambda game, start, **named: pm.games.option_graph(game, start, **named),
        game=NIM,
        start=(1, 2),
        misere=None,
        max_positions=100,
    ),
    "games.parse": call(pm.games.parse, source="*"),
    "games.position_from": call(pm.games.position_from, text="T.F + nim(1)"),
    "games.Nim": call(pm.games.Nim, misere=False),
    "Nim.grundy": call(NIM.grundy, position=(1, 2), misere=None),
    "Nim.advice": call(NIM.advice, position=(1, 2), misere=None),
    "Nim.genus": call(NIM.genus, position=(1, 2)),
    "Nim.is_p": call(NIM.is_p, position=(1, 2), misere=None),
    "Nim.is_tame": call(NIM.is_tame, position=(1, 2)),
    "Nim.longest_play": call(NIM.longest_play, position=(1, 2)),
    "Nim.outcome": call(NIM.outcome, position=(1, 2), misere=None),
    "Nim.p_positions": call(NIM.p_positions, positions=[(1, 2)], misere=None),
    "Nim.read": call(NIM.read, text="1 2"),
    "Nim.show": call(NIM.show, position=(1, 2)),
    "Nim.values": call(NIM.values, largest=5, misere=None),
    "Nim.winning_moves": call(NIM.winning_moves, position=(1, 2), misere=None),
    "Nim.validate": call(NIM.validate, position=(1, 2)),
    "games.TriangleGame": call(pm.games.TriangleGame, misere=False, memory=2**24),
    "TriangleGame.grundy": call(TRIANGLE.grundy, position=(1, 3, 2)),
    "TriangleGame.columns": call(TRIANGLE.columns, total=5),
    "TriangleGame.exceptions": call(TRIANGLE.exceptions, total=5),
    "TriangleGame.values": call(TRIANGLE.values, total=5, misere=None),
    "TriangleGame.to_svg": call(TRIANGLE.to_svg, position=(1, 3, 2), title=""),
    "TriangleGame.closed_form_failures": call(TRIANGLE.closed_form_failures, total=5, misere=None),
    "TriangleGame.wild_positions": call(TRIANGLE.wild_positions, total=5),
    "impartial.GrundysGame": call(pm.games.impartial.GrundysGame().values, largest=12, misere=None),
    "impartial.OctalGame": call(pm.games.impartial.OctalGame, code="0.77", misere=False),
    "OctalGame.period": call(OCTAL.period, largest=50),
    "OctalGame.values": call(OCTAL.values, largest=12, misere=None),
    "OctalGame.grundy": call(OCTAL.grundy, position=(5,)),
    "impartial.SubtractionGame": call(pm.games.impartial.SubtractionGame, take=[1, 3], misere=False),
    "impartial.GraphGame": call(pm.games.impartial.GraphGame, text="a: b\nb:", misere=False),
    "impartial.FunctionGame": call(pm.games.impartial.FunctionGame, options=lambda n: range(n), misere=False),
    "impartial.StonesOnDigraph": call(pm.games.impartial.StonesOnDigraph, edges=[(0, 1)], count=None, misere=False),
    "impartial.GreenHackenbush": call(pm.games.impartial.GreenHackenbush().grundy, position=((0, 1),)),
    "impartial.Kayles": call(pm.games.impartial.Kayles().grundy, position=(5,)),
    "impartial.Wythoff": call(pm.games.impartial.Wythoff().grundy, position=(1, 2)),
    "impartial.Euclid": call(pm.games.impartial.Euclid().grundy, position=(1, 2)),
    "impartial.Sprouts": call(pm.games.impartial.Sprouts().grundy, position=2),
    "impartial.binary_columns": call(pm.games.impartial.binary_columns, heaps=[1, 2]),
    "impartial.find_period": call(pm.games.impartial.find_period, values=[0, 1, 0, 1], proof_length=None),
    "impartial.mex": call(pm.games.impartial.mex, values=[0, 1]),
    "impartial.misere_quotient": call(
        pm.games.impartial.misere_quotient, game=NIM, largest=2, max_order=20, max_tests=2, max_states=100
    ),
    "impartial.record": call(pm.games.impartial.record, game=NIM, start=(1, 2), moves=[], misere=None),
    "partisan.game": call(pm.games.partisan.game, left=[0], right=[1]),
    "partisan.Game.compare": call(UP.compare, other=1),
    "partisan.Game.__add__": call(UP.__add__, other=1),
    "partisan.Game.__mul__": call(UP.__mul__, times=2),
    "partisan.Domineering": call(lambda **named: pm.games.partisan.Domineering(**named).value, position=".."),
    "partisan.ImpartialPosition": call(
        lambda **named: pm.games.partisan.ImpartialPosition(**named).value, position=(pm.games.Nim(), (1, 2))
    ),
    "partisan.Hackenbush": call(lambda **named: pm.games.partisan.Hackenbush(**named).value, position="LR"),
    "games.ToadsAndFrogs": call(lambda **named: pm.games.ToadsAndFrogs(**named).value, position="T.F"),
    "ToadsAndFrogs.to_svg": call(STRIP.to_svg, title=""),
    "ToadsAndFrogs.winning_moves": call(STRIP.winning_moves, player="Left"),
    "toads.OutcomeEngine": call(pm.games.toads.OutcomeEngine, memory=2**24, longest=20),
    "OutcomeEngine.left_wins": call(ENGINE.left_wins, strip="T.F", value=0, left_starts=True, budget=None),
    "OutcomeEngine.compare": call(ENGINE.compare, strip="T.F", value=0, budget=None),
    "toads.dyadic": call(pm.games.toads.dyadic, x=Fraction(1, 4)),
    "toads.lucas_plays": call(pm.games.toads.lucas_plays, toads=1, frogs=1, blanks=1, max_strips=1000),
    "toads.motion": call(pm.games.toads.motion, play="T.F", first="Left"),
    "toads.published": call(pm.games.toads.published, k=0, a=1, b=2),
}
