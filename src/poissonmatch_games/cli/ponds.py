"""Ponds of `poissonmatch play`: random pads, or points from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import typer

from poissonmatch.points.pattern import MAX_TIES, Pattern
from poissonmatch.utils.errors import BadInput, quoted
from poissonmatch.utils.files import read_regular

from ..play.frog_play import random_pattern

MAX_PADS = 10_000  # pads of a pond
FILES = (".csv", ".parquet")


def ponds_of(words: list[str], count: int, dim: int, rng: np.random.Generator, torus: bool, ratio: float) -> list:
    """Return the ponds for the values of --points: a number of random pads or a file each; one value applies to all ponds.

    Raises BadInput for another number of values, an invalid value, and a file without points.
    """
    if len(words) > 1 and len(words) != count:
        got = f"{len(words)} for {count} pond{'s' * (count > 1)}"
        raise BadInput(f"--points must be given once or once for each pond, got {got}")
    return [_pond(word, dim, rng, torus, ratio) for word in (words if len(words) > 1 else words * count)]


def _pond(word: str, dim: int, rng: np.random.Generator, torus: bool, ratio: float) -> Pattern:
    if word.lower().endswith(FILES):
        if torus:
            raise BadInput(f"--torus is for random pads, not for the points of {quoted(word)}")
        return _read(Path(word))
    if not (word.isascii() and word.isdigit()) or len(word) > 9 or int(word) > MAX_PADS:
        allowed = f"a number of pads from 0 to {MAX_PADS}, or a file .csv or .parquet"
        raise BadInput(f"--points must be {allowed}, got {quoted(word)}")
    return random_pattern(int(word), dim, rng, torus=torus, ratio=ratio)


def _read(path: Path) -> Pattern:
    """Return the points of a file with columns x, y, ... and optionally color (integers or names)."""
    from poissonmatch.points.frames import frame_in

    try:
        frame: Any = frame_in(read_regular(path), path.suffix.lower())
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    except Exception as error:  # of pandas, PyArrow or a codec
        text = " ".join(str(error).split())[:200] or type(error).__name__
        raise BadInput(f"{path}: cannot be read as {path.suffix[1:]}: {text}") from None
    if len(frame) > MAX_PADS:
        raise BadInput(f"{path}: a pond must have at most {MAX_PADS} points, got {len(frame)}")
    try:
        pattern = Pattern.from_frame(frame, color="color" if "color" in frame else None)
    except (ValueError, TypeError) as error:
        raise BadInput(f"{path}: {error}") from None
    if len(pattern) <= MAX_TIES and len(ties := pattern.ties()):
        a, b, c, d = ties[0].tolist()
        said = f"pads {a} and {b} are at the same distance as pads {c} and {d}; the pair with the lower numbers counts as closer"
        said += f" (equal distances in all: {len(ties)})"
        typer.echo(f"note: {path}: {said}", err=True)
    return pattern
