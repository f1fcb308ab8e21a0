"""Patterns in Parquet files: coordinates and colors, with the space, the grid and the names of the colors."""

from __future__ import annotations

import dataclasses
import json
import os
import secrets
from pathlib import Path
from typing import Any

import numpy as np

from ..utils.errors import BadInput, printable
from ..utils.libraries import pa
from .geometry import Geometry
from .pattern import Pattern
from .slab import Slab
from .spaces import Box, DistanceTable, Euclidean, MeanField, Torus
from .sphere import Sphere

SPACES = {kind.name: kind for kind in (Torus, Box, Slab, Euclidean, Sphere, DistanceTable, MeanField)}
KEY = b"poissonmatch"


def save(pattern: Pattern, path: str | Path) -> Path:
    """Write a pattern; see Pattern.save."""
    import pyarrow.parquet as pq

    path, space = Path(path), pattern.geometry
    if path.suffix != ".parquet":
        raise BadInput(f"the name of a file of a pattern must end in .parquet, got {printable(path.name)}")
    if SPACES.get(space.name) is not type(space):
        raise BadInput(f"a pattern is saved in a space of the package, not in {space}")
    parameters = {part.name: getattr(space, part.name) for part in dataclasses.fields(space) if part.init}
    about = {"geometry": {"name": space.name, **parameters}, "grid": pattern.grid, "color_names": pattern.color_names}
    points = pattern.points
    names = space.axis_names if space.has_coordinates else [f"distance_{k}" for k in range(points.shape[1])]
    columns = {name: points[:, k] for k, name in enumerate(names)} | {"color": pattern.colors}
    table = pa.table(columns).replace_schema_metadata({KEY: json.dumps(about)})
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        pq.write_table(table, partial, write_page_checksum=True)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    return path


def load_pattern(path: str | Path) -> Pattern:
    """Return the pattern in a Parquet file that `Pattern.save` wrote.

    Parameters
    ----------
    path : str or Path

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
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, page_checksum_verification=True)
        about = json.loads((table.schema.metadata or {})[KEY])
        columns = [column.to_numpy() for column in table.columns]
        points = np.column_stack(columns[:-1]) if len(columns) > 1 else np.zeros((len(table), 0))
        space = _space(about["geometry"])
        return Pattern(points, columns[-1], space, grid=about["grid"], color_names=about["color_names"])
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        detail = " ".join(str(error).split())[:200]
        raise BadInput(f"{printable(str(path))}: not a file of Pattern.save: {detail}") from None


def _space(parameters: dict[str, Any]) -> Geometry:
    """Return a space from its name and its parameters. Raises KeyError or TypeError."""
    kind = SPACES[parameters.pop("name")]
    return kind(**parameters)
