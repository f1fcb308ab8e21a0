"""Ponds for `poissonmatch play`: random ones, or of a person's own points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..frogs.play import random_pattern
from ..points.pattern import Pattern
from ..utils.errors import BadInput, quoted

MOST = 10_000  # pads of a pond
FILES = (".csv", ".parquet")


def ponds_of(words: list[str], count: int, dim: int, rng: np.random.Generator, torus: bool, ratio: float) -> list:
    """A pond for each word, a number of random pads or a file of them; a single word speaks for all `count` ponds.

    Raises BadInput for another number of words, for a word that is neither, and for a file that holds no points.
    """
    if len(words) > 1 and len(words) != count:
        raise BadInput(
            f"--points is given {len(words)} times, and there {'is' if count == 1 else 'are'} {count} pond{'s' * (count > 1)}"
        )
    return [_pond(word, dim, rng, torus, ratio) for word in (words if len(words) > 1 else words * count)]


def _pond(word: str, dim: int, rng: np.random.Generator, torus: bool, ratio: float) -> Pattern:
    if word.lower().endswith(FILES):
        if torus:
            raise BadInput(f"--torus is for random pads, not for those of {quoted(word)}")
        return _read(Path(word))
    if not (word.isascii() and word.isdigit()) or len(word) > 9 or int(word) > MOST:
        raise BadInput(f"--points is a number of pads from 0 to {MOST}, or a file .csv or .parquet, not {quoted(word)}")
    return random_pattern(int(word), dim, rng, torus=torus, ratio=ratio)


def _read(path: Path) -> Pattern:
    """The points of a file: columns x, y, .. and, if there is one, color: whole numbers or names."""
    from ..points.frames import frame_in

    try:
        frame: Any = frame_in(path.read_bytes(), path.suffix.lower())
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    except Exception as error:  # of pandas, PyArrow or a codec: the file is not what its name says
        words = " ".join(str(error).split())[:200] or type(error).__name__
        raise BadInput(f"{path}: cannot be read as {path.suffix[1:]}: {words}") from None
    if len(frame) > MOST:
        raise BadInput(f"{path}: {len(frame)} points; a pond has at most {MOST}")
    try:
        return Pattern.from_frame(frame, color="color" if "color" in frame else None)
    except (ValueError, TypeError) as error:
        raise BadInput(f"{path}: {error}") from None
