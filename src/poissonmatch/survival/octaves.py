"""The fussy matching octave by octave: u and the flow at scales beyond tori of simulated points, at a cost of ln V.

The survivors at scale r (the points with X > r, X the partner distance) have about 0.6 / V points
per unit volume, V the expected number of greens within r. A pool of them on a torus is matched up
to 2 r, all lengths are halved, and the torus is filled again with copies of the pool, each cut at a
random position into windows, which are permuted, turned and reflected. Seams between windows cause a
bias of about 1 / window, in units of r, and the noise of a run one of about 1 / survivors. Both are
estimated from runs with a smaller pool and a smaller window, and removed.

Colors are delayed. The color of a point that never met a free red is not drawn: given the geometry,
by the flip identity, these colors are independent, red with probability q = rho / (1 + rho). In
each octave they are drawn, and forgotten again unless a surviving red x met a free red: a red y
within 2 r with X(y) > |xy|. Then x is *known* to be red. For U undrawn and K known points per unit
volume, G = (1 - q) U, R = q U + K and R - rho G = K.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from ..matching.flip_distances import RED, flip_distances
from ..matching.match import match, warn_if_long
from ..matching.matching import Matching, pattern_of
from ..points.pattern import Pattern
from ..points.spaces import Torus
from ..theory.intervals import student
from ..theory.volumes import unit_ball_volume
from ..utils.libraries import pd
from ..utils.memory import require_memory
from ..utils.validation import TINY, check_int, check_real
from ..utils.worker_processes import in_order

TILE = 2**20  # expected points of a torus of the first octaves
DENSITY = 0.6  # of survivors times V
MAX_POOL = 1.06  # times 2^(d / 2) times the survivors wanted, above which a pool is not copied
FEW_GREENS = 0.01  # greens per red at which R - G has converged
MIN_SIDE = 16.0  # of the torus, in units of r
MAX_OCTAVES = 400
MAX_ERROR = 5.0  # of ln u; an estimate with a larger one says nothing
START = 16  # points at the beginning of a run, for each survivor
WINDOW = 64.0  # in units of r
FACTOR = 4  # by which the pool and the window are smaller in the runs that show the biases
MAX_DIM = 6
POINT_BYTES = 150.0  # of a survivor in a pool, which is copied to 2^d times its volume
POINT_SECONDS = 2e-6  # of a point at the beginning of a run, for each dimension


class Pool(NamedTuple):
    """Survivors on a torus at scale r = 1: coordinates (n, d), whether each is known to be red (n,), the side, and V."""

    points: np.ndarray
    known: np.ndarray
    side: float
    volume: float


# Of a run: ln u, and a row (V, eps, eps - rho, V G) for each octave.
Run = tuple[float, list[tuple[float, float, float, float]]]


@dataclass(frozen=True, eq=False)
class Octaves:
    """Estimates of ln u and of the flow from independent runs.

    Parameters
    ----------
    runs : (n,) float64
        ln u of each run; nan where the pool became too small before the greens were gone.
    small_pool : (n,) float64
        The same with a quarter of the survivors and points; nan if n is 1.
    small_window : (n,) float64
        The same with a quarter of the survivors and points, and of the window; nan if n is 1.
    flow : DataFrame
        For each octave: `V`, the expected number of greens within r; means over the runs of
        `red_green_ratio` (eps), `ratio_excess` (eps - rho), and `V_green` (V times the intensity of
        greens with X > r); and the standard error of eps - rho, `standard_error`.
    """

    runs: np.ndarray
    small_pool: np.ndarray
    small_window: np.ndarray
    flow: pd.DataFrame

    @property
    def bias_of_noise(self) -> float:
        """Bias of the mean of `runs` due to noise, if it is proportional to 1 / survivors."""
        return float(self.small_pool.mean() - self.runs.mean()) / (FACTOR - 1)

    @property
    def bias_of_seams(self) -> float:
        """Bias of the mean of `runs` due to seams, if it is proportional to 1 / window."""
        return float(self.small_window.mean() - self.small_pool.mean()) / (FACTOR - 1)

    @property
    def log_u(self) -> float:
        """Mean of ln u over the runs, without both biases; ln u of the run if there is only one; nan if the error is above 5."""
        if len(self.runs) == 1:
            return float(self.runs[0])
        return self._center if self.error <= MAX_ERROR else math.nan

    @property
    def _center(self) -> float:
        return float(self.runs.mean()) - self.bias_of_noise - self.bias_of_seams

    @property
    def standard_error(self) -> float:
        """Statistical error of `log_u`; nan for one run."""
        n = len(self.runs)
        if n < 2:
            return math.nan
        errors = self.runs.std(ddof=1), self.small_window.std(ddof=1)  # small_pool cancels
        return math.hypot(FACTOR * errors[0], errors[1]) / ((FACTOR - 1) * math.sqrt(n))

    @property
    def systematic_error(self) -> float:
        """Sum of the sizes of both biases: the error if they follow other laws."""
        return abs(self.bias_of_noise) + abs(self.bias_of_seams)

    @property
    def error(self) -> float:
        """Statistical and systematic error, added in quadrature; nan for one run, or if a pool became too small."""
        return math.hypot(self.standard_error, self.systematic_error)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of ln u, its half width that of Student's t and the systematic error, added in quadrature."""
        half = student(0.0, self.standard_error, len(self.runs))[1]
        width = math.hypot(half, self.systematic_error)
        return self._center - width, self._center + width


def octaves(
    dim: int,
    ratio: float,
    survivors: float = 10**6,
    runs: int = 8,
    seed: int = 0,
    points: float | None = None,
    window: float = WINDOW,
    share: float = 1.0,
    workers: int = 1,
) -> Octaves:
    """Estimate ln u of the fussy matching, and its flow, octave by octave.

    Each run is made three times, with other random numbers: as given, with a quarter of the
    survivors and points, and with these and a quarter of the window. The bias of the noise, assumed
    to be proportional to 1 / survivors, and the bias of the windows, to 1 / window, are removed from
    ln u, and are its systematic error. A single run is made once, and has neither error. In d = 1
    the page on the open problem compares ln u with its exact values.

    Parameters
    ----------
    dim : int
        Dimension, from 1 to 6.
    ratio : float
        rho, the intensity of red over that of green points, in (0, 1].
    survivors : float
        Approximate number of points of a pool, by default 10^6.
    runs : int
        Number of independent runs of each of the three kinds, by default 8.
    seed : int, default 0
        Root seed.
    points : float, optional
        Number of points at the beginning of a run, by default 16 for each survivor. They are
        matched in tori of 2^20 points.
    window : float
        Side of the windows in units of r, by default 64. The noise grows with the window.
    share : float
        Fraction of `survivors` to which a pool may shrink, in (0, 1], by default 1. The pool has
        about survivors * max(share, rho / eps) points.
    workers : int, default 1
        Number of processes.

    Returns
    -------
    Octaves
        ln u with its errors, the runs, and the flow as a data frame.

    Raises
    ------
    ValueError
        If a parameter is out of range.
    MemoryError
        If the survivors do not fit into memory.

    Warns
    -----
    RuntimeWarning
        If it is predicted to take longer than an hour; or if the pools are too small, so that the error
        of ln u is above 5 or not known: then ln u is nan.

    Examples
    --------
    >>> found = pm.octaves(1, 0.5, survivors=2000, points=4000, runs=2, window=16)
    >>> len(found.runs), list(found.flow.columns)
    (2, ['V', 'red_green_ratio', 'ratio_excess', 'V_green', 'standard_error'])
    """
    dim = check_int("dim", dim, 1, MAX_DIM)
    ratio = check_real("ratio", ratio, "a number in (0, 1]", TINY, 1)
    survivors = check_real("survivors", survivors, "a number from 100 to 1e9", 100, 1e9)
    points = check_real(
        "points", START * survivors if points is None else points, "a number from survivors to 1e12", survivors, 1e12
    )
    window = check_real("window", window, "a number from 4", 4, 1e9)
    share = check_real("share", share, "a number in (0, 1]", TINY, 1)
    root, runs = np.random.SeedSequence(check_int("seed", seed, 0, 2**128 - 1)), check_int("runs", runs, 1, 10**6)
    workers = min(check_int("workers", workers, 1, 4096), runs)
    all_settings = (1, 1), (FACTOR, 1), (FACTOR, FACTOR)  # divisors of the pool and of the window
    settings = all_settings if runs > 1 else all_settings[:1]
    require_memory(POINT_BYTES * workers * survivors * 2**dim, f"a pool of {survivors:.3g} survivors in d = {dim}")
    work = sum(points / a for a, _ in settings) * runs
    warn_if_long(POINT_SECONDS * dim * work / workers, f"following {work:.3g} points")
    made: list[list[Run]] = []
    for a, b in settings:
        run = partial(one_run, dim, ratio, survivors / a, points / a, window / b, share)
        made.append([*in_order(run, root.spawn(runs), workers)])
    values = [np.array([value for value, _ in each]) for each in made]
    none = np.full(1, np.nan)
    small_pool, small_window = values[1:] or (none, none)
    found = Octaves(values[0], small_pool, small_window, _flow(made[0]))
    if runs > 1 and not found.error <= MAX_ERROR:
        size = "unknown" if math.isnan(found.error) else f"{found.error:.2g}"
        larger = "start with more survivors or a larger ratio"
        warnings.warn(f"the pools are too small: the error of ln u is {size}; {larger}", RuntimeWarning, stacklevel=2)
    return found


def _flow(runs: list[Run]) -> pd.DataFrame:
    """Return the means over runs of the rows of their octaves."""
    common = min(len(rows) for _, rows in runs)  # octaves of all runs
    flow = np.array([rows[:common] for _, rows in runs])
    volume, eps, excess, green = flow.mean(axis=0).T
    with np.errstate(invalid="ignore"):  # nan if a run has no greens left
        error = flow[:, :, 2].std(axis=0, ddof=1) / math.sqrt(len(flow)) if len(flow) > 1 else np.full(common, np.nan)
    columns = {"V": volume, "red_green_ratio": eps, "ratio_excess": excess, "V_green": green, "standard_error": error}
    return pd.DataFrame(columns)


def one_run(
    dim: int, ratio: float, survivors: float, points: float, window: float, share: float, seed: np.random.SeedSequence
) -> Run:
    """Return the result of a run of `octaves`."""
    rng = np.random.default_rng(seed)
    return followed(_first(dim, ratio, survivors, points, rng), ratio, survivors, window, share, rng)


def log_u_of_torus(
    matching: Matching, ratio: float, size: float, green: float, share: float, rng: np.random.Generator
) -> float:
    """Return ln u, followed from the survivors of a fussy matching on a torus; nan if there are too few.

    They are those at the scale at which a run of `octaves` begins. size: expected number of points;
    green: intensity of the greens.
    """
    torus, volume = matching.known_pattern.geometry, DENSITY * START
    side = float(torus.sides.min())
    r = (volume / unit_ball_volume(torus.dim) / green) ** (1 / torus.dim)
    if side < MIN_SIDE * r:
        return math.nan
    points, known = survivors_of(matching, r)
    pool = Pool(points / r, known, side / r, volume)
    return followed(pool, ratio, size / START, WINDOW, share, rng)[0]


def followed(pool: Pool, ratio: float, survivors: float, window: float, share: float, rng: np.random.Generator) -> Run:
    """Follow a pool until its greens are gone; return ln u, nan if the pool is too small, and a row of each octave."""
    dim, q, rows = pool.points.shape[1], ratio / (1 + ratio), []
    for _ in range(MAX_OCTAVES):
        known = int(pool.known.sum())
        green, red = (1 - q) * (len(pool.known) - known), q * (len(pool.known) - known) + known
        scale = unit_ball_volume(dim) / pool.side**dim  # of counts, to V times intensities
        excess = known / green if green else math.inf
        rows.append((pool.volume, ratio + excess, excess, scale * green))
        if green <= FEW_GREENS * red:
            break
        wanted = survivors * max(share, ratio / (ratio + excess))
        if len(pool.known) <= MAX_POOL * 2 ** (dim / 2) * wanted:  # else most are reds, which do not become fewer
            pool = _filled(pool, window, rng)
        pool = _next(pool, q, rng)
        if pool.side < MIN_SIDE or not len(pool.known):
            return math.nan, rows
    value = scale * (red - green) / (pool.volume * ratio)
    return (math.log(value) if value > 0 else math.nan), rows


def _first(dim: int, ratio: float, survivors: float, points: float, rng: np.random.Generator) -> Pool:
    """Return about this number of survivors of Poisson processes, from a few tori that are joined to one."""
    along = max(1, round((points / TILE) ** (1 / dim)))
    torus = Torus((points / along**dim / (1 + ratio)) ** (1 / dim), dim)
    volume = max(1.0, DENSITY * points / survivors)
    r = (volume / unit_ball_volume(dim)) ** (1 / dim)
    parts = []
    for number in range(along**dim):
        counts = rng.poisson(torus.volume * np.array([1.0, ratio]))
        colors = np.repeat(np.array([1 - RED, RED], np.uint8), counts)
        at, known = _survivors(rng.random((len(colors), dim)) * torus.side, colors, torus, r)
        parts.append((at + torus.side * np.array(np.unravel_index(number, (along,) * dim)), known))
    at, known = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return Pool(at / r, known, along * torus.side / r, volume)


def _next(pool: Pool, q: float, rng: np.random.Generator) -> Pool:
    """Return the survivors at twice the scale, with lengths in units of it."""
    dim = pool.points.shape[1]
    red = pool.known | (rng.random(len(pool.known)) < q)
    colors = np.where(red, RED, 1 - RED).astype(np.uint8)
    at, met = _survivors(pool.points, colors, Torus(pool.side, dim), 2.0, pool.known)
    return Pool(at / 2, met, pool.side / 2, pool.volume * 2**dim)


def _survivors(
    points: np.ndarray, colors: np.ndarray, torus: Torus, r: float, known: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the points with X > r, and whether each is known to be red: before, or as it met a free red within r."""
    pattern = Pattern(torus.wrap(points), colors, torus)
    return survivors_of(match(pattern, "fussy"), r, known)


def survivors_of(matching: Matching, r: float, known: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the points with X > r of a fussy matching, and whether each is known to be red."""
    pattern = pattern_of(matching)
    met = np.zeros(len(pattern), bool) if known is None else known.copy()
    met[pattern.colors == RED] |= flip_distances(matching, r) <= r
    survives = matching.distance > r
    return pattern.points[survives], met[survives]


def _filled(pool: Pool, window: float, rng: np.random.Generator) -> Pool:
    """Return a torus of twice the side, filled with copies of the windows, permuted, turned and reflected."""
    dim, copies = pool.points.shape[1], 2
    number = max(1, round(pool.side / window))
    width, slots = pool.side / number, (number * copies,) * dim
    order, copied, known = rng.permutation(math.prod(slots)), [], []
    for copy in range(copies**dim):
        moved = pool.points + pool.side * rng.random(dim)
        moved -= pool.side * (moved >= pool.side)
        cell = np.minimum((moved / width).astype(np.int64), number - 1)
        each = np.ravel_multi_index(tuple(cell.T), (number,) * dim)
        local = moved - (cell + 0.5) * width
        axes = rng.permuted(np.tile(np.arange(dim), (number**dim, 1)), axis=1)
        signs = rng.choice([-1.0, 1.0], (number**dim, dim))
        if dim > 1:
            local = np.take_along_axis(local, axes[each], axis=1)
        local *= signs[each]
        slot = np.array(np.unravel_index(order[copy * number**dim + each], slots)).T
        copied.append((slot + 0.5) * width + local)
        known.append(pool.known)
    side = pool.side * copies
    return Pool(np.concatenate(copied), np.concatenate(known), side, pool.volume)
