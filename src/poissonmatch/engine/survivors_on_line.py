"""Steps of the densities of the survivors of the fussy matching on the line, whose equations are in theory/fussy_line.py."""

from __future__ import annotations

import numpy as np

from .jit import Int, inlined, jit


@jit
def advance(
    k: np.ndarray,
    roots: np.ndarray,
    i: Int,
    h: float,
    theta: float,
    skew: np.ndarray,
    change: np.ndarray,
    made: np.ndarray,
) -> None:
    """Advance K_r and s from r = i h by a step h for each row of `made`; second order in h.

    Parameters
    ----------
    k : (3, cells)
        K_r as means over the cells (j h, (j + 1) h), rows GG, GR, RR; changed.
    roots : (2,)
        s; changed.
    i, h : int, float
        The distance r is i h at first.
    theta : float
        Position of the mass of K_RR within its first cell.
    skew : (cells,)
        Correction of the sum of a cell of K_RR and the one before it.
    change : (3, cells)
        Overwritten.
    made : (steps, 3)
        G and R after each step, and h W_GG; written.
    """
    for step in range(len(made)):
        a, b, c = k[0, 0], k[1, 0], k[2, 0]
        if i:
            v, w = h * k[0, i], h * (k[1, i] / (1 + h * c * (1 - theta)))
        else:
            v, w = h * (a - h * (a * a + b * b) / 2), h * (b - h * b * (a + c) / 2)
        _advance_densities(k, i, -v / 2, -w / 2, skew, change)
        once = _contact(v, w, roots[0], roots[1])
        twice = _contact(v, w, *once)
        thrice = _contact(v, w, *twice)
        for color in range(2):
            # second order: extrapolation removes the error of the third
            roots[color] = roots[color] - once[color] + (twice[color] + thrice[color]) / 2
            made[step, color] = roots[color] * roots[color]
        made[step, 2] = v
        i += 1


@inlined
def _contact(v: float, w: float, green: float, red: float) -> tuple[float, float]:
    """Return W s."""
    return v * green + w * red, w * green


@inlined
def _advance_densities(k: np.ndarray, i: Int, v: float, w: float, skew: np.ndarray, change: np.ndarray) -> None:
    """Advance K_r from r = i h to (i + 1) h. v, w: -h W_GG / 2 and -h W_GR / 2.

    With W = ((v, w), (w, 0)) the change W K + K W has the rows 2 (v GG + w GR), w (GG + RR) + v GR and 2 w GR,
    where K is the sum of two cells. A loop writes to one row and reads from slices, or it is not vectorized.
    """
    gg, gr, rr = k[0], k[1], k[2]
    first, second, third = change[0], change[1], change[2]  # changes of the cells from r on
    n = len(gg) - i
    first[0], second[0], third[0] = -gg[i], -gr[i], 0.0 if i else 2 * w * gr[0]
    for j in range(1, n):
        first[j] = 2 * v * (gg[j - 1] + gg[j]) + 2 * w * (gr[j - 1] + gr[j])
    for j in range(1, n):
        second[j] = w * (gg[j - 1] + gg[j] + (rr[j - 1] + rr[j] + skew[j])) + v * (gr[j - 1] + gr[j])
    for j in range(1, n):
        third[j] = 2 * w * (gr[j - 1] + gr[j])
    _add(first, gg[i:])
    _add(second, gr[i:])
    _add(third, rr[i:])
    gg, gr, rr = gg[2 * i :], gr[2 * i :], rr[2 * i :]  # of these cells the second order too
    v, w = v / 2, w / 2
    gg[0] += 2 * v * first[0] + 2 * w * second[0]
    gr[0] += w * (first[0] + third[0]) + v * second[0]
    rr[0] += 2 * w * second[0]
    for j in range(1, n - i):
        gg[j] += 2 * v * (first[j - 1] + first[j]) + 2 * w * (second[j - 1] + second[j])
    for j in range(1, n - i):
        gr[j] += w * (first[j - 1] + first[j] + (third[j - 1] + third[j])) + v * (second[j - 1] + second[j])
    for j in range(1, n - i):
        rr[j] += 2 * w * (second[j - 1] + second[j])
    k[0, i] = k[1, i] = 0.0


@inlined
def _add(change: np.ndarray, row: np.ndarray) -> None:
    for j in range(len(row)):
        row[j] += change[j]
