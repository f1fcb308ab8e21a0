"""Windows of studies: checks of the sides, the number of points in files, and both as text."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...points.spaces import Torus
from ...points.sphere import Sphere
from ...utils.display import counted, number_range
from ...utils.errors import BadInput
from . import parameter_grid
from .fields import Problems
from .process_spec import PointFiles

if TYPE_CHECKING:
    from .schema import Study, StudyFile

MAX_ERRORS = 5  # standard errors between the mean number of points in files and `sizes`


def problems(study: Study) -> Problems:
    """Check the sides of a study, or its sphere."""
    window, sides = study.window, study.side
    if study.geometry == Sphere.name or study.radius is not None:
        yield from _sphere(study)
        return
    if window is None and sides is None:
        return
    key, from_files = "side" if window is None else "window", isinstance(study.process, PointFiles)
    if window is not None and sides is not None:
        yield ("side",), "give either side or window, not both"
    elif from_files != (window is not None):
        yield (key,), "points from files have a `window: {side: [...]}`, simulated points have a `side: [...]`"
    elif study.tiles is not None:
        yield ("tiles",), f"tiles are for tori given by sizes; leave {key} or tiles out"
    lengths = window.side if window is not None else sides
    for index, dim in enumerate(study.dims):
        if dim == math.inf or len(lengths or []) not in (1, dim):
            yield ("dims", index), f"d = {dim:g}, and {key} has {counted({'sides': len(lengths or [])})}"
    if window is None:
        return
    for dim in study.dims:
        if len(window.origin) not in (0, dim):
            yield (key,), f"d = {dim:g}, and origin has {len(window.origin)} coordinates"
    if window.wrap and study.geometry != Torus.name:
        yield (key,), f"wrap moves points on a torus; a {study.geometry} has walls"
    if from_files and study.process.color is not None and (study.intensities or study.ratios):
        yield (study.intensity_key,), "the intensities are those of the points in the window; leave this key out"
    if study.sizes is not None and (numbers := study.counted) and study.sizes != [sum(numbers)]:
        given = ", ".join(f"{size:g}" for size in study.sizes)
        yield ("sizes",), f"{given}, and {study.process.files!r} has {sum(numbers):.12g} points; leave sizes out"


def _sphere(study: Study) -> Problems:
    """Check the keys of a study on a sphere, and those that do not belong to it."""
    from_files = isinstance(study.process, PointFiles)
    if study.geometry != Sphere.name:
        yield ("radius",), f"a {study.geometry} has no radius; write `geometry: sphere`"
    if study.dims != [Sphere.dim]:
        yield ("dims",), "a sphere has `dims: 2`, longitude and latitude"
    for key in ("side", "window", "tiles"):
        if getattr(study, key) is not None:
            yield (key,), f"a sphere has no {key}, but a radius; leave {key} out"
    if (study.radius is None) == (study.sizes is None):
        yield ("radius",), "a sphere has either a radius, or `sizes`, which give it by the number of points"
    if from_files and study.radius is None:
        yield ("radius",), "points from files on a sphere have a `radius`, such as 6371 for km on the Earth"
    elif from_files and study.process.color is not None and (study.intensities or study.ratios):
        key = study.intensity_key
        yield (key,), "the intensities are those of the points in the files; leave this key out"


def window_text(study: Study) -> str:
    """Return the number of points and the window of a study, as text; "" for points on a cube."""
    if study.radius is not None:
        expected = "points" if isinstance(study.process, PointFiles) else "expected points"
        return f"{_size_range(study)} {expected} on a sphere of radius {study.radius:.12g}"
    if study.window is not None and (counts := study.counted) is not None:
        points = study.process.coords
        low = study.window.origin or [0.0] * len(points)
        high = [a + b for a, b in zip(low, study.window.sides(len(points)), strict=True)]
        ends = " x ".join(f"[{a:.12g}, {b:.12g}]" for a, b in zip(low, high, strict=True))
        files = f"in {study.process.count} files" if (study.process.count or 1) > 1 else ""
        mean = " on average" if files else ""
        return " ".join(f"{sum(counts):.6g} points{mean} {files} in the window {ends}, a {study.geometry}".split())
    if study.side is not None:
        sides = " x ".join(f"{side:.12g}" for side in study.side)
        similar = ", enlarged or reduced," if study.sizes is not None else ""
        return f"{_size_range(study)} expected points in a {study.geometry} of {sides}{similar} for each replicate"
    return ""


def _size_range(study: Study) -> str:
    """Return the smallest and the largest number of points of the cells as text."""
    return number_range([cell.size for cell in parameter_grid.cells_of("", study, 0)])


def windows(file: StudyFile) -> Iterator[str]:
    """Yield the number of points and the window of each study that has one."""
    for name, study in file.studies.items():
        if text := window_text(study):
            yield f"studies.{name}: {text}"


def read_points(file: StudyFile) -> list[str]:
    """Read the points in the files that a study file names, and return notes on coordinates that may be wrong.

    Raises BadInput if they do not fit on the smallest torus.
    """
    notes: list[str] = []
    for name, listed in file.studies.items():
        study = listed.by_rule[0]
        if isinstance(study.process, PointFiles):
            smallest = min(parameter_grid.corners(study), key=lambda cell: cell.volume)
            numbers, noted = list[int](), list[list[str]]()
            for replicate in range(study.most_replicates):
                try:
                    with warnings.catch_warnings(record=True) as caught:
                        warnings.simplefilter("always")
                        numbers.append(len(smallest.pattern(replicate)))
                        smallest.capacity(replicate)
                except BadInput as error:
                    raise BadInput(f"studies.{name}.process: {error}") from None
                noted += [[f"studies.{name}.process: {warning.message}" for warning in caught]] if caught else []
            notes += noted[0] if noted else []
            notes += [f"studies.{name}.process: and {len(noted) - 1} more files"] if len(noted) > 1 else []
            for size in study.sizes or []:
                _compare_size(f"studies.{name}.sizes", size, np.array(numbers))
    return notes


def _compare_size(where: str, size: float, numbers: np.ndarray) -> None:
    """Raise BadInput if an expected number of points contradicts the numbers of points in files.

    Numbers that are all equal are taken as fixed.
    """
    mean, deviation = float(numbers.mean()), max(float(numbers.std()), math.sqrt(size))
    tolerance = MAX_ERRORS * deviation / math.sqrt(len(numbers)) if numbers.std() else 0.0
    if numbers.any() and abs(size - mean) > tolerance:  # files without points are samples as well
        files = f"files have {mean:.6g} points on average" if len(numbers) > 1 else f"file has {mean:g} points"
        raise BadInput(f"{where}: {size:g}, and the {files}; write `sizes: {mean:.6g}`, or a `window` instead of sizes")
