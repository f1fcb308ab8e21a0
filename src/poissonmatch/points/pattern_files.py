"""Patterns from Parquet files that Pattern.save wrote."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..utils.errors import BadInput, printable
from ..utils.libraries import pd
from .distance_tables import DistanceTable, MeanField
from .frames import KEY
from .pattern import Pattern
from .spaces import Box, Euclidean, Slab, Torus
from .sphere import Sphere

SPACES = {kind.name: kind for kind in (Torus, Box, Slab, Euclidean, Sphere, DistanceTable, MeanField)}


def load_pattern(path: str | Path) -> Pattern:
    """Return the pattern in a Parquet file that `Pattern.save` wrote.

    Parameters
    ----------
    path : str or Path
        Parquet file.

    Returns
    -------
    Pattern
        Equal to the pattern that was saved.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is damaged or contains no pattern.

    Examples
    --------
    >>> import tempfile
    >>> pattern = pm.Pattern([[0.1], [0.4]], [0, 1], pm.Torus(1.0, 1), grid=0.1, color_names=["oak", "fir"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pm.load_pattern(pattern.save(f"{folder}/trees.parquet"))
    Pattern(2 points: 1 oak, 1 fir; Torus(side=1.0, dim=1), grid 0.1)
    """
    try:
        frame = pd.read_parquet(Path(path), page_checksum_verification=True)
        about = frame.attrs[KEY]
        parameters = dict(about["geometry"])
        points, space = frame.drop(columns="color").to_numpy(float), SPACES[parameters.pop("name")](**parameters)
        colors, names = np.asarray(frame["color"]), about["color_names"]
        return Pattern(points, colors, space, grid=about["grid"], color_names=names)
    except FileNotFoundError:
        raise
    except Exception as error:  # of pandas and PyArrow
        detail = " ".join(str(error).split())[:200]
        raise BadInput(f"{printable(str(path))}: not a file of Pattern.save: {detail}") from None
