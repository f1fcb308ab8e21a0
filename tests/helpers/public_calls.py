"""Calls of all public functions, from public_calls.toml: each is a function of its keyword arguments, and these."""
# ruff: noqa: F401 (the calls use what is imported)

import ast
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

import poissonmatch as pm
from helpers.tables import tables

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


def read(text: str) -> tuple[Callable[..., Any], dict[str, Any]]:
    """Return an expression as a function of the keywords of its outer call, and the arguments of this call."""
    tree = ast.parse(text, mode="eval")
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call) and any(k.arg for k in node.keywords))
    keywords = [keyword for keyword in call.keywords if keyword.arg]
    arguments = {keyword.arg: eval(ast.unparse(keyword.value), globals()) for keyword in keywords}
    for keyword in keywords:
        keyword.value = ast.Name(keyword.arg, ast.Load())
    code = compile(ast.unparse(tree), "call", "eval")
    return lambda **named: eval(code, {**globals(), **named}), arguments


CALLS = {name: read(text) for name, text in tables(__file__).items()}
