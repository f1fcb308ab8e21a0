"""Thresholds of few data and of finite-size effects, below which results on tori are close to those in infinite volume."""

from __future__ import annotations

import math

import numpy as np

from ..utils.validation import checked

__all__ = [
    "FEW_COUNTS", "FEW_EXCESSES", "FEW_REPLICATES", "MAJORITY", "MAX_BIAS", "MAX_MEAN_IF_NONE", "MIN_COUNT", "MIN_INDEX", "MIN_UNMATCHED",
    "SHIFT_LEVEL", "SIZE_FACTOR", "compared_size", "rounded", "share_of_side",
]  # fmt: skip


def __dir__() -> list[str]:
    return sorted(__all__)


MIN_UNMATCHED = 15.0  # mean unmatched red points per torus above which finite-size effects in u are negligible
MAX_BIAS = 0.01  # bias of u that is negligible, as a share of u
SIZE_FACTOR = 8.0  # least ratio of the sizes of two tori that are compared
SIZE_TOLERANCE = 0.01  # relative tolerance of that ratio
SHIFT_LEVEL = 1e-4  # probability that u of a cell is found to shift if it does not; counts in clusters raise it
MIN_COUNT = 16  # points in all on either side of a threshold below which a tail, slope or quantile has no row
FEW_COUNTS = 100  # points in all below which their interval is that of a count of clusters
FEW_REPLICATES = 10  # replicates below which an index of dispersion is at least MIN_INDEX
FEW_EXCESSES = 20  # tori with an excess of a color below which the excess is taken as normal
MAJORITY = 1.5  # mean excess in standard deviations above which the color usually has more points
MIN_INDEX = 2.0  # index of dispersion of few unmatched points if nothing else is known
MAX_MEAN_IF_NONE = 3.0  # upper end of the 95 % interval of a Poisson mean if no event was seen, the rule of three


def share_of_side(dim: float) -> float:
    """Return the fraction of the side below which the longest pair of a green point, averaged over the tori, must be.

    Parameters
    ----------
    dim : float
        Dimension.

    Returns
    -------
    float

    Examples
    --------
    >>> pm.theory.finite_size.share_of_side(1), pm.theory.finite_size.share_of_side(2)
    (0.2, 0.25)
    """
    return 1 / 5 if dim == 1 else 1 / 4


@checked(points=(1e-300, 1e300))
def rounded(points: float) -> float:
    """Return a number of points rounded up to two digits.

    Parameters
    ----------
    points : float
        Number of points.

    Returns
    -------
    float

    Examples
    --------
    >>> pm.theory.finite_size.rounded(12_345)
    13000.0
    """
    power = 10.0 ** (math.floor(math.log10(points)) - 1)
    return math.ceil(points / power - 1e-9) * power


@checked()
def compared_size(sizes: np.ndarray, large: float) -> float:
    """Return the largest of several sizes that is at most 1/8 of another one, to 1 %; nan if there is none.

    Parameters
    ----------
    sizes : array_like of float
        Sizes.
    large : float
        The other size.

    Returns
    -------
    float

    Examples
    --------
    >>> pm.theory.finite_size.compared_size([100.0, 125.0, 1000.0], 1000.0)
    125.0
    """
    small = np.asarray(sizes)
    small = small[small * SIZE_FACTOR <= (1 + SIZE_TOLERANCE) * large]
    return float(small.max()) if small.size else math.nan
