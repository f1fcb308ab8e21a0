"""The observable `flip`: eps - rho of a fussy matching by the flip identity.

In the same surroundings, a green point has the partner distance min(X, m) of a red one with X,
where m is the distance to the nearest red point y with X(y) > m. R' is the intensity of the reds
with m <= r < X, and G and R those of the greens and reds with X > r. For Poisson processes R' = R -
rho G exactly, also on a torus; R' varies less than R and G do.
"""

from __future__ import annotations

import numpy as np

from ....matching.flip_distances import flip_distances
from ....matching.matching import Matching
from ....points.geometry import Geometry
from ....theory.finite_size import MIN_COUNT
from .distances import edges
from .interface import Columns, GreenCurve, Quantity, counts_within, curve_columns
from .red_flow import exact_excess

DECADES = 8  # range of volumes below the cutoff


def radii_of(space: Geometry) -> np.ndarray:
    """Return the lower ends of the bins of the table `distances` up to the cutoff."""
    r = edges()
    return np.asarray(r[(r <= space.cutoff) & (r > space.cutoff * 10 ** (-DECADES / space.dim))])


class Flip(GreenCurve):
    """Reds with m <= r < X, and greens with X > r, for balls of volume x (unit: side^d)."""

    name = "flip"
    only_rule = "fussy"
    max_dim = 6
    max_points = 2**24
    min_count = MIN_COUNT
    bytes = 1500.0
    memory_per_point = 150.0
    quantities = (
        Quantity("flip_excess",
                 r"$\epsilon - \rho$ computed as $R' / G$ by the flip identity, where $R'$ is the intensity of the red points $x$ with $X(x) > r$ such that a "
                 "red point within $r$ is closer to $x$ than to its partner. For Poisson processes it has the same mean as `ratio_excess` and a "
                 "smaller error", "mean", x="V",
                 exact=exact_excess),
    )  # fmt: skip

    def measure(self, matching: Matching) -> Columns:
        """Return numbers of points for each volume."""
        pattern = matching.known_pattern
        radii = radii_of(pattern.geometry)
        volumes = np.asarray(pattern.geometry.ball_volume(radii))
        near = flip_distances(matching, float(radii[-1]))
        green, red = (matching.distance[pattern.colors == color] for color in (0, 1))
        begun, ended, gone = (counts_within(radii, each) for each in (near, red[np.isfinite(near)], green))
        return curve_columns("flip_excess", volumes, begun - ended, len(green) - gone)
