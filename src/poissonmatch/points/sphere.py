"""The sphere: points are longitudes and latitudes in degrees, with great-circle distances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..utils.errors import BadInput
from .coordinates import check_extent, refuse
from .geometry import Geometry


@dataclass(frozen=True)
class Sphere(Geometry):
    """The surface of a ball, such as the Earth, with points (n, 2): longitude and latitude in degrees.

    Points are matched as unit vectors in three dimensions, since the order of chords is the order
    of arcs. Distances are arcs of great circles, computed from chords: up to 1e-15 of the radius
    for near points, and 1e-7 of it near the antipode. The cutoff is the radius of a ball with a
    twentieth of the area. Longitudes are from -180 to 360, so -90 and 270 are the same meridian;
    latitudes are from -90 to 90.

    Parameters
    ----------
    radius : float
        Radius, in the user's unit of length.

    Raises
    ------
    ValueError
        If the radius is not a number between 1e-150 and 1e150.

    Examples
    --------
    >>> earth = pm.Sphere(6371.0)
    >>> float(earth.distance([-0.1, 51.5], [2.4, 48.9]).round())  # London and Paris, in km
    339.0
    >>> places = [[-0.1, 51.5], [2.4, 48.9], [179.9, -16.6], [-179.9, -16.6]]
    >>> cities = pm.Pattern(places, None, earth)
    >>> pm.match(cities).distance.round()
    array([339., 339.,  21.,  21.])
    """

    radius: float
    dim: int = field(default=2, init=False, repr=False)
    name = "sphere"
    is_flat = False
    in_studies = True
    axis_names = ["longitude", "latitude"]

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", check_extent("radius", self.radius))

    @property
    def volume(self) -> float:
        """The area."""
        return 4 * math.pi * self.radius**2

    @property
    def periods(self) -> np.ndarray:
        """None of the three axes of the embedding is periodic: (3,) inf."""
        return np.full(3, math.inf)

    @property
    def cutoff(self) -> float:
        """Largest distance at which finite-size effects are negligible: a ball has a twentieth of the area."""
        return self.radius * math.acos(0.9)

    def ball_volume(self, radius: Any) -> Any:
        """Return the area of the points within this distance of a point."""
        return math.pi * (self.radius * self.chord(np.asarray(radius, dtype=float))) ** 2

    def embed(self, points: np.ndarray) -> np.ndarray:
        """Return the unit vectors of points, (..., 3)."""
        longitude, latitude = np.moveaxis(np.radians(points), -1, 0)
        across = np.cos(latitude)
        return np.stack([across * np.cos(longitude), across * np.sin(longitude), np.sin(latitude)], axis=-1)

    def arc(self, chord: np.ndarray) -> np.ndarray:
        """Return the arcs of these chords of the unit sphere; inf for inf."""
        return np.where(chord < math.inf, 2 * self.radius * np.arcsin(np.minimum(chord / 2, 1.0)), math.inf)

    def chord(self, arc: Any) -> Any:
        """Return the chords of the unit sphere of these arcs, 2 for an arc of more than half a circle."""
        return 2 * np.sin(np.minimum(arc / (2 * self.radius), math.pi / 2))

    def uniform_points(self, counts: Sequence[int], rng: np.random.Generator) -> np.ndarray:
        """Return independent uniform points; their order says nothing about the place."""
        n = sum(counts)
        return np.column_stack([rng.uniform(-180, 180, n), np.degrees(np.arcsin(rng.uniform(-1, 1, n)))])

    def numbers_per_point(self, n: float) -> float:
        """Return the numbers that each of n points takes in memory: angles and a unit vector."""
        return 5

    def _check_inside(self, array: np.ndarray, wrap: bool) -> np.ndarray:
        if wrap:
            raise BadInput("wrap=True moves points on a torus; longitudes on a sphere may be from -180 to 360")
        outside = (array < [-180, -90]) | (array > [360, 90])
        refuse(array, outside, "is outside: a longitude is from -180 to 360, a latitude from -90 to 90")
        return array
