"""Drawings, and their files as bytes, equal for equal drawings."""

from __future__ import annotations

import hashlib
import io
import itertools
import string
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from matplotlib import cbook, mathtext, rc_context
from matplotlib.backends import backend_pdf
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ...utils.errors import BadInput
from .kinds import CAPTION, Options
from .style import latex_errors, need_latex, styled
from .text_format import plain

DPI = 300
MAX_NESTED = 20  # levels of braces in a formula
SCREEN_DPI = 150
# A private method of PdfFile, tested with matplotlib 3.11; versions 3.8 to 3.10 have none and do not need it. If it is
# missing, PDF files whose text LaTeX sets differ between processes, since the names of their fonts do.
SUBSET_PREFIX = "_get_subset_prefix"
METADATA: dict[str, dict[str, Any]] = {  # no dates
    "pdf": {"CreationDate": None, "Producer": None, "Creator": "poissonmatch"},
    "png": {"Software": "poissonmatch"},
    "svg": {"Date": None, "Creator": "poissonmatch"},
}


def _steady_prefix(charset: Any) -> str:
    """Return a name for a font subset in a PDF that is the same in each process."""
    digest = hashlib.sha256(repr(sorted(map(str, charset))).encode()).digest()
    return "".join(string.ascii_uppercase[byte % 26] for byte in digest[:6]) + "+"


@contextmanager
def _steady_names() -> Iterator[None]:
    """Name font subsets by _steady_prefix while a figure is saved, if matplotlib has SUBSET_PREFIX."""
    original = vars(backend_pdf.PdfFile).get(SUBSET_PREFIX)
    if original:
        setattr(backend_pdf.PdfFile, SUBSET_PREFIX, staticmethod(_steady_prefix))
    try:
        yield
    finally:
        if original:
            setattr(backend_pdf.PdfFile, SUBSET_PREFIX, original)


class Picture(Figure):
    """A Figure without pyplot that a notebook displays."""

    def __init__(self, options: Options, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.options = options
        FigureCanvasAgg(self)

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        with styled(self.options.style, self.options.usetex):
            self.savefig(buffer, format="png", dpi=SCREEN_DPI)
        return buffer.getvalue()


@dataclass
class Drawing:
    """A figure and its caption with mathematics between dollar signs, which is also an attribute of the figure."""

    figure: Figure
    caption: str
    options: Options = Options()

    def __post_init__(self) -> None:
        """Store the caption in the figure."""
        self.figure.poissonmatch_caption = self.caption  # type: ignore[attr-defined]


def render(drawing: Drawing, formats: Sequence[str] = ("pdf", "png")) -> dict[str, bytes]:
    """Return the files of these formats and of the caption, as bytes by suffix; equal drawings give equal bytes.

    Raises OSError if a format needs LaTeX and it is not installed, BadInput for characters that
    LaTeX cannot set.
    """
    files = {}
    if "pgf" in formats:
        need_latex("the format pgf")
    with styled(drawing.options.style, drawing.options.usetex), _steady_names(), latex_errors():
        if engine := drawing.figure.get_layout_engine():
            engine.execute(drawing.figure)
        with rc_context({"figure.autolayout": False, "figure.constrained_layout.use": False}):
            drawing.figure.set_layout_engine(None)  # laid out once for all formats; "none" would draw twice
            for name in formats:
                buffer = io.BytesIO()
                more: Any = {"metadata": METADATA[name]} if name in METADATA else {}
                drawing.figure.savefig(buffer, format=name, dpi=DPI, **more)
                files[f".{name}"] = buffer.getvalue()
    files[CAPTION] = (textwrap.fill(plain(drawing.caption), 100) + "\n").encode()
    return files


def check_formulas(text: str, what: str = "the title") -> None:
    """Raise BadInput if mathematics between dollar signs is invalid, or has braces nested beyond MAX_NESTED."""
    if not cbook.is_math_text(text):
        return
    depth = itertools.accumulate((c == "{") - (c == "}") for c in text)
    if max(depth) > MAX_NESTED:  # the parser calls itself for each
        raise BadInput(f"{what} is not a formula: braces are nested more than {MAX_NESTED} levels deep")
    try:
        mathtext.MathTextParser("path").parse(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{what} is not a formula: {' '.join(str(error).split())[:200]}") from None
