"""How a drawing becomes files: bytes by suffix, the same for the same drawing."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib import cbook, mathtext
from matplotlib.figure import Figure

from ..errors import BadInput
from .kinds import CAPTION, Options
from .style import need_latex, styled
from .words import plain

DPI = 300
METADATA: dict[str, dict[str, Any]] = {  # no dates
    "pdf": {"CreationDate": None, "Producer": None, "Creator": "poissonmatch"},
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": "poissonmatch"},
    "pgf": {},
}


@dataclass
class Drawing:
    """A figure and the caption that says what it shows, with its mathematics between dollars."""

    figure: Figure
    caption: str
    options: Options = field(default_factory=Options)


def render(drawing: Drawing, formats: Sequence[str] = ("pdf", "png")) -> dict[str, bytes]:
    """The files of these formats and of the caption, as bytes by suffix; the same drawing gives the same bytes.

    Raises OSError for a format that needs LaTeX where there is none, BadInput for letters that LaTeX cannot set.
    """
    found = {}
    if "pgf" in formats:
        need_latex("the format pgf")
    with styled(drawing.options.style, drawing.options.usetex):
        for name in formats:
            buffer = io.BytesIO()
            try:
                drawing.figure.savefig(buffer, format=name, dpi=DPI, metadata=METADATA[name])
            except RuntimeError as error:  # of LaTeX
                said = [line for line in str(error).splitlines() if line.startswith("!")] or str(error).splitlines()
                raise BadInput(f"LaTeX cannot set its letters: {said[0]}") from None
            found[f".{name}"] = buffer.getvalue()
    found[CAPTION] = (textwrap.fill(plain(drawing.caption), 100) + "\n").encode()
    return found


def refuse_title(title: str, what: str = "the title") -> None:
    """Raises BadInput for words with mathematics (between dollars) that is none."""
    try:
        if cbook.is_math_text(title):
            mathtext.MathTextParser("path").parse(title)
    except ValueError as error:
        raise BadInput(f"{what} is not a formula: {' '.join(str(error).split())[:200]}") from None
