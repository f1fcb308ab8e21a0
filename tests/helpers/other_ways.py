"""Other ways to compute the functions of pm.theory: quadratures, series, sums, equations from definitions, and simulations.

Each takes the arguments of its function, and returns the value, Near if it has an absolute error, or None where it does not apply.
"""

import math
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import mpmath as mp
import numpy as np
from scipy import integrate, optimize, stats

import poissonmatch as pm
from helpers import line_on_nodes, mean_field
from poissonmatch.theory import lipschitz

INF, NAN = math.inf, math.nan


class Near(NamedTuple):
    """A value with an absolute error."""

    value: Any
    error: float


def given(values, error):
    """Return a way that is a table of numbers with an absolute error."""
    return lambda *arguments: Near(values[arguments], error) if arguments in values else None


# ---- numbers of points of two colors in a large volume ----


def limits_by_counts(rho, color, dispersions=(1.0, 1.0)):
    """Variance over mean of the smaller of two numbers and of the excess of one: Poisson numbers, or fixed ones."""
    means = np.array([4000, 4000 * rho])
    numbers = [
        np.arange(m - 700, m + 700) if varies else np.array([m]) for m, varies in zip(means, dispersions, strict=True)
    ]
    chances = [stats.poisson.pmf(n, m) if len(n) > 1 else np.ones(1) for n, m in zip(numbers, means, strict=True)]
    chance = np.outer(*chances)
    first, second = np.meshgrid(*numbers, indexing="ij")
    own, other = (first, second) if color == 0 else (second, first)
    found = []
    for values in (np.minimum(own, other), np.maximum(own - other, 0)):
        mean = (chance * values).sum()
        found.append((chance * (values - mean) ** 2).sum() / mean)
    return Near(found, 1e-6)


# ---- balls and mutually nearest points ----


def union_of_balls(dim):
    """1 / (volume of the union of two balls through the centers of each other), in volumes of a ball; 1/2 in the limit."""
    power = (mp.mpf(min(dim, 1e4)) - 1) / 2
    half = mp.quad(lambda x: (1 - x * x) ** power, [0.5, 0.52, 0.6, 1])
    return 1 / (2 - half / mp.quad(lambda x: (1 - x * x) ** power, [0, 0.02, 0.1, 1]))


def nearest_by_hand(dim):
    plane = 6 * math.pi / (8 * math.pi + 3 * math.sqrt(3))
    return {1: 2 / 3, 2: plane, 3: 16 / 27}.get(dim, 0.5 if dim >= 1000 else None)


def enough_reds(nearest):
    """epsilon: at 1 - epsilon reds are as many as green points that are not matched in the first round."""

    def way(dim):
        q = nearest(dim)
        return None if q is None else 1 - optimize.brentq(lambda rho: rho - 1 + float(q) / (1 + rho), 0, 1, xtol=1e-15)

    return way


def ball_by_recursion(dim):
    if dim % 1 or dim > 1e4:
        return None
    return math.prod([1.0 + dim % 2, *(2 * math.pi / k for k in range(2 + int(dim) % 2, int(dim) + 1, 2))])


def ball_by_gamma(dim):
    return 1.0 if dim == INF else mp.pi ** (mp.mpf(dim) / 2) / mp.gamma(mp.mpf(dim) / 2 + 1)


# ---- exponential integrals ----


def decades(low, high):
    """Ends of decades from both ends of an interval, between which a quadrature is accurate."""
    steps = [mp.mpf(10) ** k for k in range(-3, 101) if 10**k < high - low]
    return sorted({mp.mpf(low), *(low + step for step in steps), *(high - step for step in steps), mp.mpf(high)})


def ein_by_quadrature(z):
    sign = 1 if z > 0 else -1
    return mp.quad(lambda t: -mp.expm1(-sign * t) / t if t else sign, decades(0, abs(z)))


def ein_by_series(z):
    if abs(z) > 1000:
        return mp.log(z) + mp.euler if z > 0 else None
    with mp.workdps(30 + int(abs(z))):
        return +mp.mpf(z) * mp.hyp2f2(1, 1, 2, 2, -mp.mpf(z))


def two_color_by_quadrature(r, own, other):
    """eta is a quarter of the integral of e^-t / t from q r to s r."""
    own, other, r = mp.mpf(own), mp.mpf(other), mp.mpf(r)
    s, gap = (mp.sqrt(own) + mp.sqrt(other)) ** 2, abs(own - other)
    if not gap:
        return mp.exp(-ein_by_quadrature(s * r) / 2)
    low, high = mp.log(gap**2 / s * r), mp.log(s * r)
    eta = mp.quad(lambda u: mp.exp(-mp.exp(u)), mp.linspace(low, high, 12)) / 4
    return gap / own * (mp.cosh if own > other else mp.sinh)(eta) ** 2


def as_many_of_both(r, own, other):
    """As many points of a color are matched within r as of the other."""
    own_matched = mp.mpf(other) / own * (1 - two_color_by_quadrature(r, other, own))
    return Near(1 - own_matched, 1e-13 * max(1, other / own))


# ---- matchings of many points, and tails in the mean field by their definition ----


@cache
def matched(rule, dim, *intensities):
    """Partner distances, by order, and colors of about 2e5 points of intensity 1 in all."""
    counts = [round(2e5 * share / sum(intensities)) for share in intensities]
    volume = sum(counts) / sum(intensities)
    space = pm.Torus(volume, 1) if dim == 1 else pm.MeanField(volume, table=False)
    pattern = pm.processes.binomial(space, counts, rng=1)
    return pm.match(pattern, rule, rng=1 if dim == INF else None).distances, pattern.colors


def simulated(rule, dim, intensities, r, color=0, order=0):
    """P(X > r) of a simulation, if there are enough points on both sides of r."""
    distances, colors = matched(rule, dim, *intensities)
    distances = distances if colors is None else distances[colors == color]
    tail = (distances[:, order] > r).mean()
    return Near(tail, 6 * math.sqrt(tail * (1 - tail) / len(distances))) if 0.002 < tail < 0.998 else None


def of_definition(rule, intensities, r, color=0, order=0):
    """P(X > r) in the mean field by the equations of all kinds of points."""
    value = mean_field.tail(pm.rules.rule_named(rule), intensities, color, order, np.array([r]))[0]
    return Near(value, 1e-6 * value + 1e-9)


def poisson_sum(mean, order):
    """P(Poisson(mean) <= order)."""
    return (
        math.fsum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(order + 1)) if mean else 1.0
    )


def multi_by_inversion(t, m, order):
    """The time that many meetings take is a quadrature; it is inverted."""
    if m > 1000:  # all have remaining capacity
        return poisson_sum(t, order)

    def late(tau):
        return integrate.quad(lambda y: 1 / poisson_sum(y, m - 1), 0, tau, epsabs=0, epsrel=1e-13)[0] - t

    return poisson_sum(optimize.brentq(late, 0, 40 + m + math.log(t), xtol=1e-13), order)


def labels_by_sets(t, label):
    """Any two sets of labels meet, and get the smallest label in neither."""
    sets = np.arange(2 ** (label + 1))
    smallest = ~(sets[:, None] | sets) & ((sets[:, None] | sets) + 1)
    becomes = np.where(smallest < len(sets), sets[:, None] | smallest, sets[:, None]).ravel()

    def rates(_, shares):
        met = np.outer(shares, shares)
        return np.bincount(becomes, met.ravel(), len(sets)) - met.sum(axis=1)

    shares = integrate.solve_ivp(rates, (0, t), np.eye(len(sets))[0], "DOP853", rtol=1e-7, atol=1e-10).y[:, -1]
    return Near(shares[sets < 2**label].sum(), 1e-6)


# ---- numbers of two colors ----


def excess_by_sums(own, other):
    a, b = np.meshgrid(np.arange(300), np.arange(300), indexing="ij")
    return (np.maximum(0, a - b) * stats.poisson.pmf(a, own) * stats.poisson.pmf(b, other)).sum()


def excess_by_fourier(own, other):
    """2 pi |k| is the integral of (1 - cos k x) / (1 - cos x) over a period."""
    own, other = mp.mpf(own), mp.mpf(other)

    def integrand(x):
        half = 2 * mp.sin(x / 2) ** 2
        return -mp.re(mp.expm1(-(own + other) * half + 1j * (own - other) * mp.sin(x))) / half

    ends = [0, *(mp.pi * mp.mpf(10) ** -k for k in range(int(mp.log10(own + other + 1)) // 2 + 3, -1, -1))]
    return (mp.quad(integrand, ends) / mp.pi + own - other) / 2


def excess_by_bessel(mean):
    m = mp.mpf(mean)
    return 2 * m * mp.exp(-2 * m) * (mp.besseli(0, 2 * m) + mp.besseli(1, 2 * m))


# ---- the fussy matching on the line ----

GRIDS = {0.2: (0.04, 4), 1: (0.05, 24), 10: (0.01, 0.8), 100: (0.001, 0.08)}  # step of the coarsest grid, largest r


@cache
def on_nodes(rho):
    """ln G, ln R, ln(R - G) and W_GG by the second solver."""
    return line_on_nodes.extrapolated(rho, *GRIDS[min(GRIDS, key=lambda known: abs(math.log(known / rho)))])


def u_on_nodes(rho):
    """The difference of the survivors at an r beyond which hardly a green point is left."""
    return Near(math.exp(on_nodes(rho)[2][-1]) / rho, 1e-6)


def contact_integral(rho, power):
    """The integral of r^power W_GG, by an exponential decrease beyond the last node."""
    h, end = GRIDS[rho]
    contacts = on_nodes(rho)[3]
    r, rate = h * np.arange(len(contacts)), math.log(contacts[-11] / contacts[-1]) / (10 * h)
    beyond = contacts[-1] / rate * (end + 1 / rate) ** power
    return integrate.simpson(r**power * contacts, x=r) + beyond


def u_by_contacts(rho):
    """rho u = (1 + rho) exp(-2 int W_GG dr), see fussy_line.py."""
    return Near((1 + rho) / rho * math.exp(-2 * contact_integral(rho, 0)), 1e-4)


def tail_on_nodes(r, color, rho):
    if r > GRIDS[rho][1]:
        return None
    return Near(math.exp(on_nodes(rho)[color][round(r / GRIDS[rho][0])]) / rho**color, 5e-6)


def dispersion_on_nodes(rho, fixed):
    step = 1e-3
    u, more, less = (u_on_nodes(x).value for x in (rho, rho * (1 + step), rho * (1 - step)))
    red, slope = rho * u, (more - less) / (2 * step)
    lost = (rho**2 * slope**2 + rho * (u + slope) ** 2) / red if fixed else 0
    return Near(4 * red * contact_integral(rho, 1) + red / (1 + rho) - lost, 2e-3)


@cache
def dispersion_by_simulation(rho, fixed):
    """The variance over the mean of the unmatched red points of 600 tori."""
    counts, rng = [], np.random.default_rng(1)
    for _ in range(600):
        torus, process = pm.Torus(300 / rho, 1), pm.processes.binomial if fixed else pm.processes.two_color
        pattern = process(torus, [round(300 / rho), 300] if fixed else (1.0, rho), rng=rng)
        counts.append(np.count_nonzero(pattern.colors[pm.match(pattern, "fussy").unmatched]))
    index = np.var(counts, ddof=1) / np.mean(counts)
    return Near(index, 4 * index * math.sqrt(2 / 600))


def response_by_difference(volume):
    """To first order in rho, the survivors of nearly no red points, by the second solver."""
    logs = [line_on_nodes.extrapolated(rho, volume / 160, volume / 2)[:, -1] for rho in (1e-4, 2e-4)]
    once, twice = ((math.exp(log[1] - log[0]) / rho - 1) / rho for log, rho in zip(logs, (1e-4, 2e-4), strict=True))
    return Near(2 * once - twice, 4e-5 * volume)


def responses(volume, dim=1):
    """On the line also V - O(V^3), and numbers from finer grids; in the mean field the integral of 1 / (1 + V)."""
    if dim == INF:
        return mp.quad(lambda x: 1 / (1 + x), decades(0, volume))
    return Near(volume, volume**3 / 20) if volume <= 0.1 else given({(2.0,): 1.83543, (8.0,): 4.97868}, 4e-5)(volume)


# ---- intervals ----


def chi_square(total, index, dof):
    """Of a count of clusters; the level is that of a normal variable at the quantile of Student's t."""
    outside = stats.norm.sf(stats.t.ppf(0.975, min(dof, 1e15)))
    k = total / index
    return stats.chi2.ppf(outside, 2 * k) / 2 * index, stats.chi2.isf(outside, 2 * k + 2) / 2 * index


def student_interval(transform, back, slope):
    """Student's t of a transformed estimate."""

    def way(value, error, n):
        low, high = stats.t.interval(0.95, n - 1, transform(value), error * slope(value))
        return back(low), back(high)

    return way


def binomial_ends(n, *shares):
    """At the ends as many successes, or as few, have probability .025."""
    ends = []
    for k in (round(share * n) for share in shares):
        low = optimize.brentq(lambda p, k=k: stats.binom.sf(k - 1, n, p) - 0.025, 0, 1, xtol=1e-14) if k else 0.0
        high = optimize.brentq(lambda p, k=k: stats.binom.cdf(k, n, p) - 0.025, 0, 1, xtol=1e-14) if k < n else 1.0
        ends.append((low, high))
    return [*zip(*ends, strict=True)]


def positive_parts(total, mean, *differences):
    """The interval of n E[D; D > 0] by the quantiles of chi-square, and an integral over the normal density."""
    n, squares = len(differences), sum((d - mean) ** 2 for d in differences)
    deviations = [math.sqrt(squares / stats.chi2.ppf(share, n)) for share in (0.975, 0.025)]
    low, high = (n * stats.norm.expect(lambda x: x, loc=mean, scale=each, lb=0) for each in deviations)
    return min(low, total), max(high, total)


# ---- losses ----


def loss_by_equation(ratio, interval):
    """Largest U(rho) with |(1 + x) U' - U| <= 2 x - 2 U and U = 0 at an end; the upper end uses U' >= -2 b / (1 + b) only."""
    a, b = interval
    up = integrate.solve_ivp(lambda x, u: (2 * x - u) / (1 + x), (a, ratio), [0.0], rtol=1e-11, atol=1e-14).y[0, -1]
    down = integrate.solve_ivp(lambda x, u: -2 * x / (1 + x), (b, ratio), [0.0], rtol=1e-11, atol=1e-14).y[0, -1]
    return Near(max(up, down), 1e-9 + 2 * (b - ratio) ** 2 * (down > up))


def loss_in_rationals(ratio, interval):
    rho, (a, b) = Fraction(ratio), map(Fraction, interval)
    return float(max((rho - a) * (rho + a) / (1 + rho), 2 * (b - rho) / (1 + 1 / b)))


def covers_by_losses(ratio, surplus):
    """No farther end has a loss of at most the surplus, and these have."""
    low, high = lipschitz.covers(ratio, surplus)
    assert lipschitz.loss(ratio, (low, high)) <= surplus
    assert not low or lipschitz.loss(ratio, (low * (1 - 1e-9), ratio)) > surplus
    assert lipschitz.loss(ratio, (ratio, high * (1 + 1e-9))) > surplus
    return low, high


def covers_in_rationals(ratio, surplus):
    """The roots of the two losses, to 1e-12, by bisection."""
    ends = []
    for stop in (0.0, 9.0):
        near = ratio
        for _ in range(60):
            middle = (near + stop) / 2
            near, stop = (
                (middle, stop) if loss_in_rationals(ratio, sorted((ratio, middle))) <= surplus else (near, middle)
            )
        ends.append(near)
    return Near(ends, 1e-12)


def center_by_roots(interval):
    """The ratio at which the losses of both ends are equal."""
    equal = optimize.brentq(
        lambda x: loss_in_rationals(x, (interval[0], x)) - loss_in_rationals(x, (x, interval[1])), *interval
    )
    return Near(equal, 6e-10)
