"""Consistency checks of the rows that an observable puts into the table `ratios`: the counterpart of the measures.

A check gets the cell, Numerators, and the columns of all tables available, by name. It yields RatioChecks.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..rules.catalogue import rule_named
from ..sampling.cells import Cell
from ..tables.tables import DISTANCES, NO_X, REPLICATES
from . import locality
from .observable_checks import SLACK, Numerators, RatioCheck, Tables, by_color, denominators_of
from .responses import radii_of
from .survivor_pairs import RED


def winner(cell: Cell, rows: Numerators, tables: Tables) -> Iterator[RatioCheck]:
    """Yield the checks of `winner`: alice_wins and n_unmatched follow from the number of incomplete points."""
    rule, wins, share = rule_named(cell.rule), ("alice_wins", NO_X), ("incomplete_fraction", NO_X)
    number = rows[share]
    for x in (0.0, 1.0, 2.0):
        key = "n_unmatched", x
        yield f"1 if exactly {x:g} points are incomplete, else 0", key, rows[key] == (number == x)
    if rule.across:
        yield "Alice wins only if a point is incomplete", wins, rows[wins] <= (number > 0)
    else:
        yield "Alice wins exactly if a point is incomplete", wins, rows[wins] == (number > 0)
    tori, found = tables.get(REPLICATES.name), tables.get(DISTANCES.name)
    if tori is not None and rule.width == 1:
        alone = by_color(tori, "unmatched").sum(axis=1)
        yield "the incomplete points are those without a partner", share, number == alone
    if tori is not None and found is not None and len(set(rule.capacity)) == 1:
        last = found["order"] == rule.width - 1
        place = np.searchsorted(tori["replicate"], found["replicate"][last])
        full = np.bincount(place, found["count"][last], minlength=len(number))
        text = "the incomplete points are those without a last partner in distances"
        yield text, share, number == by_color(tori, "points").sum(axis=1) - full


def component_fractions(cell: Cell, rows: Numerators, tables: Tables) -> Iterator[RatioCheck]:
    """Yield the checks of `components`: the two largest components and the number of components are consistent."""
    keys = [(name, NO_X) for name in ("largest_component", "second_component", "components", "component_squares")]
    largest, second, number, squares = (rows[key] for key in keys)
    yield "at most the largest", keys[1], second <= largest
    tori = tables.get(REPLICATES.name)
    if tori is not None:
        n = np.maximum(by_color(tori, "points").sum(axis=1), 1)
        least = (largest**2 + second**2) / n
        holds = (squares >= least * (1 - SLACK)) & (squares <= largest * (1 + SLACK))
        yield "at least those of the largest two, at most the share of the largest", keys[3], holds
    nonempty = (largest > 0) * 1 + (second > 0)
    yield "at least the number of nonempty components among the largest two", keys[2], np.minimum(number, 2) == nonempty


def balls(cell: Cell, rows: Numerators, tables: Tables) -> Iterator[RatioCheck]:
    """Yield the checks of `balls`: few points of large balls have partners outside; a partner beyond 4 r is one beyond 2 r."""
    tori = tables.get(REPLICATES.name)
    radii, denominators = denominators_of(tables, "outside")
    before: np.ndarray | float = np.inf
    for r, denominator in zip(radii.tolist(), denominators, strict=True):
        key, near, far = (("outside", r), ("farther_than_2r", r), ("farther_than_4r", r))
        yield "at most the share of smaller balls", key, rows[key] <= before * (1 + SLACK)
        before = rows[key]
        yield "a whole number of balls", near, rows[near] % 1 == 0
        yield (
            "a whole number of balls, at most the number for a smaller distance",
            far,
            (rows[far] % 1 == 0) & (rows[far] <= rows[near]),
        )
        if tori is not None:
            points = by_color(tori, "points")
            counted = points[:, 0] if rule_named(cell.rule).across else points.sum(axis=1)
            yield "the denominator is the number of points that are counted", key, denominator == counted


FALLS = "no more points with X > r than within a smaller r"
ENDS = "the denominator is the number of unmatched points from the longest distance on, and larger before"


def _reaches(denominator: np.ndarray, alone: np.ndarray, longest: np.ndarray, r: float) -> np.ndarray:
    """Return whether the number of points with X > r fits those of unmatched points and the longest distance."""
    beyond, within = longest > r * (1 + SLACK), longest < r * (1 - SLACK)
    return (denominator >= alone) & (~beyond | (denominator > alone)) & (~within | (denominator == alone))


def response(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[RatioCheck]:
    """Yield the checks of `response`.

    The denominator is the number of points with X > r: it falls by pairs to that of unmatched points. The numerator counts points with
    X <= r.
    """
    tori = tables.get(REPLICATES.name)
    volumes, denominators = denominators_of(tables, "response")
    before: np.ndarray | float = np.inf
    for x, r, denominator in zip(volumes.tolist(), radii_of(volumes, cell.dim), denominators, strict=True):
        key = "response", x
        numerator = numerators[key]
        yield "whole numbers of points", key, (numerator % 1 == 0) & (denominator % 1 == 0)
        yield FALLS, key, denominator <= before
        before = denominator
        if tori is None:
            continue
        points, alone = (by_color(tori, name).sum(axis=1) for name in ("points", "unmatched"))
        yield "points with X <= r come in pairs", key, (denominator <= points) & ((points - denominator) % 2 == 0)
        yield "the numerator is at most the number of points with X <= r", key, numerator <= points - denominator
        yield ENDS, key, _reaches(denominator, alone, by_color(tori, "longest").max(axis=1), r)


def survivor_pairs(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[RatioCheck]:
    """Yield the checks of `survivor_pairs`.

    The denominator is the number of reds with X > r: it falls to that of unmatched reds. The numerator counts pairs of them, twice.
    """
    tori = tables.get(REPLICATES.name)
    volumes, denominators = denominators_of(tables, "survivor_pairs")
    before: np.ndarray | float = np.inf
    for x, r, denominator in zip(volumes.tolist(), radii_of(volumes, cell.dim), denominators, strict=True):
        key = "survivor_pairs", x
        numerator = numerators[key]
        yield "a whole number of points, and of pairs counted twice", key, (denominator % 1 == 0) & (numerator % 2 == 0)
        pairs = denominator * np.maximum(denominator - 1, 0)
        yield "at most the number of ordered pairs of points with X > r", key, numerator <= pairs
        yield FALLS, key, denominator <= before
        before = denominator
        if tori is None:
            continue
        points, alone, longest = (tori[f"{name}_{RED}"] for name in ("points", "unmatched", "longest"))
        yield ENDS, key, (denominator <= points) & _reaches(denominator, alone, longest, r)


def flip(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[RatioCheck]:
    """Yield the checks of `flip`.

    The denominator is the number of greens with X > r: it falls to that of unmatched greens. The numerator counts reds with X > r.
    """
    tori = tables.get(REPLICATES.name)
    volumes, denominators = denominators_of(tables, "flip_excess")
    before: np.ndarray | float = np.inf
    for x, r, denominator in zip(volumes.tolist(), radii_of(volumes, cell.dim), denominators, strict=True):
        key = "flip_excess", x
        numerator = numerators[key]
        yield "whole numbers of points", key, (numerator % 1 == 0) & (denominator % 1 == 0)
        yield FALLS, key, denominator <= before
        before = denominator
        if tori is None:
            continue
        yield "at most the number of reds", key, numerator <= tori[f"points_{RED}"]
        points, alone, longest = (tori[f"{name}_{1 - RED}"] for name in ("points", "unmatched", "longest"))
        yield ENDS, key, (denominator <= points) & _reaches(denominator, alone, longest, r)


def octaves(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[RatioCheck]:
    """Yield the check of `octaves`: a number over 1, or 0 over 0."""
    key = "log_inverse_octaves", NO_X
    _, (denominator,) = denominators_of(tables, key[0])
    yield "over 1, or 0 over 0", key, (denominator == 1) | ((denominator == 0) & (numerators[key] == 0))


def rounds(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[RatioCheck]:
    """Yield the checks of `rounds`: the tail falls by pairs, and reaches the number of unmatched points after the last round."""
    needed, tori = numerators["rounds", NO_X], tables.get(REPLICATES.name)
    yield "a whole number of rounds", ("rounds", NO_X), needed % 1 == 0
    before: np.ndarray | float = np.inf
    single = rule_named(cell.rule).width == 1
    for k in locality.ROUNDS:
        key = "round_tail", float(k)
        yield "no more points than after the round before", key, numerators[key] <= before
        before = numerators[key]
        if tori is None:
            continue
        points, alone = (by_color(tori, name).sum(axis=1) for name in ("points", "unmatched"))
        yield "at least the unmatched points", key, numerators[key] >= alone
        yield "exactly the unmatched points after the last round", key, (needed > k) | (numerators[key] == alone)
        if single:
            yield "points are matched in pairs", key, (points - numerators[key]) % 2 == 0
            yield "more than the unmatched points before the last round", key, (needed <= k) | (numerators[key] > alone)


def chains(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[RatioCheck]:
    """Yield the checks of `chains`: chains get longer with their first step, and the sum of the tail is the mean."""
    before: np.ndarray | float = 0.0
    for v in locality.VOLUMES:
        key = "chain_steps", v
        yield "at least the steps of chains with a shorter first step", key, numerators[key] >= before
        before = numerators[key]
    before, total = np.inf, np.zeros_like(numerators["chain_tail", 1.0])
    for k in locality.STEPS:
        key = "chain_tail", float(k)
        yield "at most the points with a chain one step shorter", key, numerators[key] <= before
        before, total = numerators[key], total + numerators[key]
    short = numerators["chain_tail", float(locality.STEPS[-1])] == 0
    text, mean = "the sum of the tail", numerators["chain_steps", 1.0]
    yield text, ("chain_steps", 1.0), (total <= mean) & (~short | (total == mean))


def window(cell: Cell, numerators: Numerators, tables: Tables) -> Iterator[RatioCheck]:
    """Yield the checks of `window`: the tail falls from one in a hundred points."""
    before: np.ndarray | float = np.inf
    tori = tables.get(REPLICATES.name)
    radii, denominators = denominators_of(tables, "window_tail")
    for r, denominator in zip(radii.tolist(), denominators, strict=True):
        key = "window_tail", r
        falls = (numerators[key] % 1 == 0) & (numerators[key] <= before)
        yield "a whole number of points, at most the number for a smaller r", key, falls
        before = numerators[key]
        if tori is not None:
            points = by_color(tori, "points").sum(axis=1)
            yield "one in a hundred points is measured", key, denominator == -(-points // locality.EACH)
