"""Every public function, with each argument replaced by strange values.

A call returns, or raises ValueError, TypeError, OSError or MemoryError with a message of one line.
"""

import itertools
import math
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import poissonmatch as pm

SECONDS = 20  # in which each call ends
ALLOWED = (ValueError, TypeError, OSError, MemoryError, pm.IntegrityError)


def recursive() -> list:
    values: list = []
    values.append(values)
    return values


STRANGE = {
    "None": None,
    "NotImplemented": NotImplemented,
    "Ellipsis": ...,
    "True": True,
    "-1": -1,
    "0": 0,
    "3": 3,
    "255": 255,
    "10^6": 10**6,
    "2^31": 2**31,
    "2^63": 2**63,
    "-2^70": -(2**70),
    "10^400": 10**400,
    "10^5000": 10**5000,
    "0.0": 0.0,
    "-0.0": -0.0,
    "0.3": 0.3,
    "1e-320": 1e-320,
    "1e6": 1e6,
    "1e300": 1e300,
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "complex": 1j,
    "Fraction": Fraction(1, 3),
    "Decimal": Decimal("1e400"),
    "int8": np.int8(-128),
    "uint64": np.uint64(2**64 - 1),
    "float16": np.float16(2.5),
    "NumPy bool": np.bool_(True),
    "datetime": np.datetime64("NaT"),
    "empty text": "",
    "text": "one",
    "NUL": "a\0b",
    "escape": "\x1b[31m\n",
    "surrogate": "\ud800",
    "5000 letters": "x" * 5000,
    "5000 braces": "{" * 5000,
    "number as text": "1" * 5000,
    "bytes": b"\xff",
    "empty list": [],
    "list": [1, 2],
    "list of text": ["a", "b"],
    "ragged": [[1], [2, 3]],
    "recursive": recursive(),
    "list of 10^400": [10**400, 1],
    "nan list": [math.nan, math.inf],
    "empty tuple": (),
    "dict": {},
    "dict of text": {"a": 1},
    "set": {1, 2},
    "empty array": np.array([]),
    "0-d array": np.array(2.0),
    "array": np.arange(6).reshape(2, 3),
    "object array": np.array([None, "x"], object),
    "masked": np.ma.array([1.0, 2.0], mask=[True, False]),
    "frame": pd.DataFrame({"x": [1.0]}),
    "series": pd.Series(["a"]),
    "class": int,
    "function": len,
    "object": object(),
    "range": range(3),
    "torus": pm.Torus(3.0, 1),
    "pattern": pm.Pattern([[0.5], [1.0]], None, pm.Torus(3.0, 1)),
    "rule": pm.RULES["two-color"],
}
LONG = {  # functions, and arguments that ask for long work: large numbers are left out
    "octaves": ("runs", "points"), "toads.lucas_plays": ("toads", "frogs", "blanks"), "replicates": ("intensities", "torus"),
}  # fmt: skip
UNCHANGED = (
    "dims",
    "sizes",
    "replicates",
)  # keys of studies, whose schema is tested elsewhere; nor are processes started

TORUS = pm.Torus(4.0, 2)
PATTERN = pm.processes.two_color(TORUS, rng=1)
PLAIN = pm.processes.poisson(TORUS, rng=2)
MATCHING = pm.match(PLAIN)
CHAIN = pm.infinite.InfinitePoisson(1, seed=1)
LABELS = pm.lazy.LazyMatching(CHAIN, "labels(2)", max_distance=30.0)
LAZY = pm.lazy.LazyMatching(CHAIN, max_distance=30.0)
X, Y = LAZY.nearest([0.0]), LAZY.nearest([5.0])
NIM, TRIANGLE = pm.games.Nim(), pm.games.TriangleGame()
OCTAL = pm.games.impartial.OctalGame("0.77")
STRIP = pm.games.ToadsAndFrogs("TT.FF")
PROCESS = {"torus": pm.Torus(1.0, 2), "rng": 1}
SMALL = dict(rule="one-color", dims=1, sizes=10, replicates=2)

CALLS = {  # the function, and arguments with which it returns in a moment
    "Torus": (pm.Torus, dict(side=2.0, dim=2)),
    "Torus.distance": (TORUS.distance, dict(a=[0.0, 1.0], b=[1.0, 1.0])),
    "Torus.wrap": (TORUS.wrap, dict(points=np.ones((1, 2)))),
    "Box": (pm.Box, dict(side=2.0, dim=2)),
    "Euclidean": (pm.Euclidean, dict(dim=2)),
    "MeanField": (pm.MeanField, dict(volume=4.0, table=True)),
    "Sphere": (pm.Sphere, dict(radius=1.0)),
    "Pattern": (pm.Pattern, dict(points=[[0.5, 1.0]], colors=[0], geometry=TORUS, wrap=False)),
    "Pattern.count": (PATTERN.count, dict(n_colors=2)),
    "Pattern.closer": (PATTERN.closer, dict(x=0, z=1, y=2)),
    "Pattern.distance": (PATTERN.distance, dict(i=0, j=1)),
    "Pattern.squared_distance": (PATTERN.squared_distance, dict(i=0, j=1)),
    "Pattern.to_frame": (PATTERN.to_frame, dict(coords=["x", "y"], color="color")),
    "Pattern.from_frame": (
        pm.Pattern.from_frame,
        dict(frame=pd.DataFrame({"x": [1.0], "c": [0]}), coords=["x"], color="c", geometry=pm.Torus(3.0, 1), color_names=None),
    ),
    "Rule": (pm.Rule, dict(compatible=[[True]], capacity=(1,), exclude=None, labels=0, color_names=("a",), reference_color=0)),
    "Rule.color_name": (pm.RULES["two-color"].color_name, dict(color=0)),
    "Rule.capacities": (pm.RULES["two-color"].capacities, dict(colors=np.array([0, 1]))),
    "match": (pm.match, dict(pattern=PLAIN, rule="one-color", capacity=None, threads=1, rng=None)),
    "Matching": (pm.Matching, dict(partner=[1, 0], distance=[1.0, 1.0], rule="one-color", pattern=None, capacity=None)),
    "Matching.from_partners": (
        pm.Matching.from_partners, dict(pattern=PLAIN, partner=[-1] * len(PLAIN), rule="one-color", capacity=None)
    ),
    "rounds": (pm.rounds, dict(matching=MATCHING)),
    "blocking_pairs": (pm.blocking_pairs, dict(pattern=PLAIN, matching=MATCHING, rule=None)),
    "sprague_grundy": (pm.sprague_grundy, dict(pattern=PLAIN, labels=2, threads=1)),
    "deletion.without_desirers": (pm.deletion.without_desirers, dict(pattern=PLAIN, x=0, rule="one-color")),
    "descending_chains.longest_chain": (pm.descending_chains.longest_chain, dict(pattern=PLAIN, start=0, radius=1.0)),
    "descending_chains.longest_chains": (pm.descending_chains.longest_chains, dict(pattern=PLAIN, radius=1.0)),
    "descending_chains.mean_field_tail": (pm.descending_chains.mean_field_tail, dict(volume=1.0, max_steps=3)),
    "desire.desires": (pm.desire.desires, dict(matching=MATCHING, radius=1.0)),
    "desire.mutually_nearest": (pm.desire.mutually_nearest, dict(pattern=PLAIN)),
    "desire.undesired": (pm.desire.undesired, dict(matching=MATCHING, beyond=1.0)),
    "mass_transport.mass_transport": (
        pm.mass_transport.mass_transport, dict(pattern=PLAIN, source=[0], target=[1], mass=1.0, parts=2)
    ),
    "mass_transport.partners_outside": (
        pm.mass_transport.partners_outside, dict(pattern=PLAIN, partner=[-1] * len(PLAIN), radii=[1.0], points=None)
    ),
    "processes.poisson": (pm.processes.poisson, dict(intensity=1.0, **PROCESS)),
    "processes.two_color": (pm.processes.two_color, dict(intensities=(1.0, 0.5), **PROCESS)),
    "processes.binomial": (pm.processes.binomial, dict(counts=(2, 3), **PROCESS)),
    "processes.lattice": (pm.processes.lattice, dict(intensity=1.0, **PROCESS)),
    "processes.perturbed_lattice": (pm.processes.perturbed_lattice, dict(intensity=1.0, spread=0.1, **PROCESS)),
    "processes.thomas": (pm.processes.thomas, dict(intensity=1.0, offspring=2.0, spread=0.1, **PROCESS)),
    "processes.matern": (pm.processes.matern, dict(intensity=0.5, distance=0.3, **PROCESS)),
    "processes.in_ball": (pm.processes.in_ball, dict(count=5, dim=2, intensity=1.0, rng=1)),
    "processes.thinned": (pm.processes.thinned, dict(pattern=PLAIN, intensities=(0.5, 0.5), rng=1)),
    "replicates": (
        lambda **named: next(pm.replicates(**named)),
        dict(process="poisson", torus=TORUS, rule="one-color", n=1, seed=1, intensities=None, allow_import=False),
    ),
    "octaves": (pm.octaves, dict(dim=1, ratio=0.5, survivors=100.0, runs=2, seed=0, points=100.0, window=8.0, share=1.0, workers=1)),
    "step_scaling": (pm.step_scaling, dict(estimates=pd.DataFrame(), dim=1, ratios=[0.5])),
    "sweep": (pm.sweep, dict(study=None, workers=1, progress=False, seed=1, allow_import=False, **SMALL)),
    "load": (pm.load, dict(path="no.parquet", listed=False)),
    "certificates.read": (pm.certificates.read, dict(file="no.json")),
    "certificates.check": (pm.certificates.check, dict(file="no.json", boxes=None)),
    "certificates.survival": (
        pm.certificates.survival,
        dict(dim=1, ratio=0.5, scale=2.0, box=32.0, boxes=2, threshold=1, seed=1, workers=1, name="", file=None, progress=None),
    ),
    "theory.ein": (pm.theory.ein, dict(z=1.0)),
    "theory.first_round": (pm.theory.first_round, dict(dim=1)),
    "theory.fussy_bounds": (pm.theory.fussy_bounds, dict(low=0.9, high=1.0, r=1.0, steps=16)),
    "theory.fussy_dispersion": (pm.theory.fussy_dispersion, dict(rho=1.0, fixed=False)),
    "theory.fussy_epsilon": (pm.theory.fussy_epsilon, dict(dim=1)),
    "theory.fussy_line": (pm.theory.fussy_line, dict(rho=1.0)),
    "FussyLine.tail": (pm.theory.fussy_line(1.0).tail, dict(r=1.0, color=0)),
    "theory.imbalance": (pm.theory.imbalance, dict(mean=1.0)),
    "theory.label_tail": (pm.theory.label_tail, dict(t=1.0, label=1)),
    "theory.multi_tail": (pm.theory.multi_tail, dict(t=1.0, m=2, order=1)),
    "theory.one_color_response": (pm.theory.one_color_response, dict(volume=1.0, dim=math.inf)),
    "theory.one_color_tail": (pm.theory.one_color_tail, dict(r=1.0, dim=1, intensity=1.0)),
    "theory.two_color_tail": (pm.theory.two_color_tail, dict(r=1.0, own=1.0, other=0.5)),
    "infinite.InfinitePoisson": (pm.infinite.InfinitePoisson, dict(dim=1, intensities=1.0, seed=1)),
    "infinite.Intervals": (pm.infinite.Intervals, dict(alone=[0], colored=False, seed=1)),
    "infinite.Periodic": (pm.infinite.Periodic, dict(pattern=PLAIN)),
    "Periodic.point": (pm.infinite.Periodic(PLAIN).point, dict(index=0)),
    "InfinitePattern.cell_of": (CHAIN.cell_of, dict(place=[0.0])),
    "InfinitePattern.draw": (CHAIN.draw, dict(cell=(0,))),
    "InfinitePattern.points": (CHAIN.points, dict(cell=(0,))),
    "InfinitePattern.ring": (lambda **named: next(CHAIN.ring(**named), None), dict(cell=(0,), r=1)),
    "InfinitePattern.window": (CHAIN.window, dict(low=[0.0], high=[2.0])),
    "lazy.LazyMatching": (pm.lazy.LazyMatching, dict(points=CHAIN, rule="one-color", max_distance=10.0)),
    "LazyMatching.are_partners": (LAZY.are_partners, dict(x=X, y=Y)),
    "LazyMatching.label": (LABELS.label, dict(x=X, y=Y)),
    "LazyMatching.nearest": (LAZY.nearest, dict(place=[1.0])),
    "LazyMatching.neighbors": (lambda **named: next(LAZY.neighbors(**named), None), dict(x=X)),
    "LazyMatching.partner": (LAZY.partner, dict(x=X, order=0)),
    "LazyMatching.partners": (LAZY.partners, dict(x=X)),
    "figures.caption": (pm.figures.caption, dict(figure=None)),
    "figures.game": (pm.figures.game, dict(record=pm.frogs.record(PLAIN), ax=None)),
    "figures.infinite": (pm.figures.infinite, dict(lazy=LAZY, low=[0.0], high=[4.0], around=None, ax=None)),
    "figures.picture": (pm.figures.picture, dict(pattern=PLAIN, rule="one-color", name="")),
    "figures.nim_table": (pm.figures.nim_table, dict(size=4)),
    "figures.puzzle": (pm.figures.puzzle, dict(toads=1, frogs=1, blanks=1)),
    "figures.simplex": (pm.figures.simplex, dict(total=6, misere=False)),
    "figures.svg": (pm.figures.svg, dict(rows=PLAIN)),
    "figures.thermograph": (pm.figures.thermograph, dict(game="+-1", name="", ax=None)),
    "Pattern.plot": (PLAIN.plot, dict(ax=None, width=3.0, style=None, labels=None, title=None)),
    "frogs.all_labels": (pm.frogs.all_labels, dict(pattern=PLAIN)),
    "frogs.check": (pm.frogs.check, dict(pattern=PLAIN, variant="friendly", p_positions=[])),
    "frogs.options": (pm.frogs.options, dict(pattern=PLAIN, variant="friendly", alice=0, bob=1)),
    "frogs.record": (pm.frogs.record, dict(pattern=PLAIN, variant="friendly", moves=None)),
    "frogs.reply": (pm.frogs.reply, dict(ponds=[CHAIN], opening=[X], max_distance=20.0)),
    "frogs.rules_of": (pm.frogs.rules_of, dict(pattern=PLAIN, variant="friendly")),
    "frogs.solve": (pm.frogs.solve, dict(pattern=PLAIN, variant="friendly", threads=1)),
    "frogs.Strategy": (pm.frogs.Strategy, dict(solution=pm.frogs.solve(PLAIN))),
    "games.game_named": (pm.games.game_named, dict(name="nim", misere=False)),
    "games.one_blank": (pm.games.one_blank, dict(position="TTF.FTF", chain=None)),
    "games.option_graph": (
        lambda game, start, **named: pm.games.option_graph(game, start, **named),
        dict(game=NIM, start=(1, 2), misere=None, max_positions=100),
    ),
    "games.parse": (pm.games.parse, dict(source="*")),
    "games.Nim": (pm.games.Nim, dict(misere=False)),
    "Nim.grundy": (NIM.grundy, dict(position=(1, 2), misere=None)),
    "Nim.advice": (NIM.advice, dict(position=(1, 2), misere=None)),
    "Nim.genus": (NIM.genus, dict(position=(1, 2))),
    "Nim.is_p": (NIM.is_p, dict(position=(1, 2), misere=None)),
    "Nim.is_tame": (NIM.is_tame, dict(position=(1, 2))),
    "Nim.longest_play": (NIM.longest_play, dict(position=(1, 2))),
    "Nim.outcome": (NIM.outcome, dict(position=(1, 2), misere=None)),
    "Nim.p_positions": (NIM.p_positions, dict(positions=[(1, 2)], misere=None)),
    "Nim.read": (NIM.read, dict(text="1 2")),
    "Nim.show": (NIM.show, dict(position=(1, 2))),
    "Nim.values": (NIM.values, dict(largest=5, misere=None)),
    "Nim.winning_moves": (NIM.winning_moves, dict(position=(1, 2), misere=None)),
    "Nim.validate": (NIM.validate, dict(position=(1, 2))),
    "games.TriangleGame": (pm.games.TriangleGame, dict(misere=False, memory=2**24)),
    "TriangleGame.grundy": (TRIANGLE.grundy, dict(position=(1, 3, 2))),
    "TriangleGame.columns": (TRIANGLE.columns, dict(total=5)),
    "TriangleGame.exceptions": (TRIANGLE.exceptions, dict(total=5)),
    "TriangleGame.rows": (lambda **named: next(TRIANGLE.rows(**named), None), dict(total=5)),
    "TriangleGame.values": (TRIANGLE.values, dict(total=5, misere=None)),
    "TriangleGame.to_svg": (TRIANGLE.to_svg, dict(position=(1, 3, 2), title="")),
    "TriangleGame.closed_form_failures": (TRIANGLE.closed_form_failures, dict(total=5, misere=None)),
    "TriangleGame.wild_positions": (TRIANGLE.wild_positions, dict(total=5)),
    "impartial.OctalGame": (pm.games.impartial.OctalGame, dict(code="0.77", misere=False)),
    "OctalGame.period": (OCTAL.period, dict(largest=50)),
    "OctalGame.values": (OCTAL.values, dict(largest=50, misere=None)),
    "OctalGame.grundy": (OCTAL.grundy, dict(position=(5,))),
    "impartial.SubtractionGame": (pm.games.impartial.SubtractionGame, dict(take=[1, 3], misere=False)),
    "impartial.GraphGame": (pm.games.impartial.GraphGame, dict(text="a: b", misere=False)),
    "impartial.FunctionGame": (pm.games.impartial.FunctionGame, dict(options=lambda n: range(n), misere=False)),
    "impartial.StonesOnDigraph": (pm.games.impartial.StonesOnDigraph, dict(edges=[(0, 1)], count=None, misere=False)),
    "impartial.GreenHackenbush": (lambda **named: pm.games.impartial.GreenHackenbush().grundy(**named), dict(position="0-1")),
    "impartial.Kayles": (lambda **named: pm.games.impartial.Kayles().grundy(**named), dict(position=(5,))),
    "impartial.Wythoff": (lambda **named: pm.games.impartial.Wythoff().grundy(**named), dict(position=(1, 2))),
    "impartial.Euclid": (lambda **named: pm.games.impartial.Euclid().grundy(**named), dict(position=(1, 2))),
    "impartial.Sprouts": (lambda **named: pm.games.impartial.Sprouts().grundy(**named), dict(position="2")),
    "impartial.binary_columns": (pm.games.impartial.binary_columns, dict(heaps=[1, 2])),
    "impartial.find_period": (pm.games.impartial.find_period, dict(values=[0, 1, 0, 1], proof_length=None)),
    "impartial.mex": (pm.games.impartial.mex, dict(values=[0, 1])),
    "impartial.misere_quotient": (
        pm.games.impartial.misere_quotient, dict(game=NIM, largest=2, max_order=20, max_tests=2, max_states=100)
    ),
    "impartial.record": (pm.games.impartial.record, dict(game=NIM, start=(1, 2), moves=[], misere=None)),
    "impartial.sprouts_drawing": (pm.games.impartial.sprouts_drawing, dict(spots=2, moves=())),
    "impartial.triangle_patterns": (pm.games.impartial.triangle_patterns, dict(game=TRIANGLE, total=6)),
    "partisan.game": (pm.games.partisan.game, dict(left=[0], right=[1])),
    "partisan.Game.compare": (pm.games.parse("^").compare, dict(other=1)),
    "partisan.Game.__add__": (pm.games.parse("^").__add__, dict(other=1)),
    "partisan.Game.__mul__": (pm.games.parse("^").__mul__, dict(times=2)),
    "partisan.Domineering": (lambda **named: pm.games.partisan.Domineering(**named).value, dict(position="..")),
    "partisan.Hackenbush": (lambda **named: pm.games.partisan.Hackenbush(**named).value, dict(position="LR")),
    "games.ToadsAndFrogs": (lambda **named: pm.games.ToadsAndFrogs(**named).value, dict(position="T.F")),
    "ToadsAndFrogs.to_svg": (STRIP.to_svg, dict(title="")),
    "ToadsAndFrogs.winning_moves": (STRIP.winning_moves, dict(player="Left")),
    "toads.OutcomeEngine": (pm.games.toads.OutcomeEngine, dict(memory=2**24, longest=20)),
    "OutcomeEngine.left_wins": (
        pm.games.toads.OutcomeEngine(2**24, 20).left_wins, dict(strip="T.F", value=0, left_starts=True, budget=None)
    ),
    "OutcomeEngine.compare": (pm.games.toads.OutcomeEngine(2**24, 20).compare, dict(strip="T.F", value=0, budget=None)),
    "toads.dyadic": (pm.games.toads.dyadic, dict(x=Fraction(1, 4))),
    "toads.lucas_plays": (pm.games.toads.lucas_plays, dict(toads=1, frogs=1, blanks=1, max_strips=1000)),
    "toads.motion": (pm.games.toads.motion, dict(play="T.F", first="Left")),
}  # fmt: skip
NOT_CALLED = {  # public, and tested elsewhere: writers of files, abstract classes, and what they return
    "IntegrityError", "certificates.Certificate", "frogs.Move", "frogs.Position", "infinite.InfinitePattern", "infinite.DecreasingGaps",
    "processes.Process", "processes.process", "games.tables.check_claims", "games.tables.toads_and_frogs", "games.tables.triangle",
    "impartial.HeapGame", "impartial.ImpartialGame", "impartial.LoopyGame", "impartial.SproutsMap", "partisan.Game", "partisan.Ruleset",
}  # fmt: skip


@contextmanager
def alarm() -> Iterator[None]:
    """Raise an error of its own if a call does not end."""

    def late(signum: int, frame: object) -> None:
        raise RuntimeError(f"no answer in {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fault(function: object, arguments: dict) -> str:
    """What is wrong with the answer to these arguments."""
    import matplotlib.pyplot as plt

    try:
        with alarm(), np.errstate(all="ignore"):
            function(**arguments)  # type: ignore[operator]
    except ALLOWED as error:
        text = str(error)
        several = isinstance(error, pm.IntegrityError) or text.startswith(("sweep: ", "replicates: "))  # one line each
        if not text or "\n" in text.strip() and not several or max(map(len, text.splitlines())) > 1000:
            return f"a message of {len(text)} characters: {text[:200]!r}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        plt.close("all")
    return ""


def left_out(name: str, argument: str, value: object) -> bool:
    """Whether a call is not made, because it would start processes or work for long, as it was asked to."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    large = number and 100 < float(min(value, 1e300)) < 1e13  # type: ignore[type-var, operator]
    workers = argument == "workers" and isinstance(value, int) and value > 0
    return argument in UNCHANGED or workers or large and argument in LONG.get(name, ())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_strange_values(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function, arguments = CALLS[name]
    faults = {
        f"{argument}={what}": text
        for argument, (what, value) in itertools.product(arguments, STRANGE.items())
        if not left_out(name, argument, value) and (text := fault(function, {**arguments, argument: value}))
    }
    assert not faults, "\n".join(f"{call}: {text}" for call, text in faults.items())


def public(module: object, prefix: str = "") -> Iterator[str]:
    for name in module.__all__:
        value = getattr(module, name)
        if hasattr(value, "__all__") and hasattr(value, "__path__") or type(value).__name__ == "module":
            yield from public(value, f"{name}." if name in ("impartial", "partisan", "toads") else f"{prefix}{name}.")
        elif callable(value):
            yield f"{prefix}{name}"


def test_every_public_function_has_a_row():
    names = set(public(pm))
    short = {name.removeprefix("games.") for name in CALLS} | set(CALLS)
    assert {name for name in names if name not in short | NOT_CALLED and name.rpartition(".")[2] not in short} == set()
