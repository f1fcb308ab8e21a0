"""How a drawing becomes files: bytes by suffix, the same for the same drawing."""

from __future__ import annotations

import hashlib
import io
import string
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from matplotlib import cbook, mathtext, rc_context
from matplotlib.backends import backend_pdf
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ..utils.errors import BadInput
from .kinds import CAPTION, Options
from .style import latex_told, need_latex, styled
from .words import plain

DPI = 300
SCREEN_DPI = 150
NO_LAYOUT: Any = {"figure.autolayout": False, "figure.constrained_layout.use": False}
METADATA: dict[str, dict[str, Any]] = {  # no dates
    "pdf": {"CreationDate": None, "Producer": None, "Creator": "poissonmatch"},
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": "poissonmatch"},
}


def _steady_prefix(charset: Any) -> str:
    """A name for the letters of a font that a PDF holds: matplotlib's own, of Type 1 fonts, is another each time."""
    digest = hashlib.sha256(repr(sorted(map(str, charset))).encode()).digest()
    return "".join(string.ascii_uppercase[byte % 26] for byte in digest[:6]) + "+"


@contextmanager
def _steady_names() -> Iterator[None]:
    """While a figure is saved; the user's own are as they were."""
    usual = vars(backend_pdf.PdfFile).get("_get_subset_prefix")
    if usual is None:  # another version of matplotlib
        yield
        return
    try:
        backend_pdf.PdfFile._get_subset_prefix = staticmethod(_steady_prefix)  # type: ignore[method-assign]
        yield
    finally:
        backend_pdf.PdfFile._get_subset_prefix = usual  # type: ignore[method-assign]


class Picture(Figure):
    """A Figure that a notebook shows, though it is made without pyplot. options: how it is to look."""

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
    """A figure and the caption that says what it shows, with its mathematics between dollars; the figure knows it."""

    figure: Figure
    caption: str
    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        self.figure.poissonmatch_caption = self.caption  # type: ignore[attr-defined]


def render(drawing: Drawing, formats: Sequence[str] = ("pdf", "png")) -> dict[str, bytes]:
    """The files of these formats and of the caption, as bytes by suffix; the same drawing gives the same bytes.

    Raises OSError for a format that needs LaTeX where there is none, BadInput for letters that LaTeX cannot set.
    """
    found = {}
    if "pgf" in formats:
        need_latex("the format pgf")
    with styled(drawing.options.style, drawing.options.usetex), _steady_names(), latex_told():
        if engine := drawing.figure.get_layout_engine():
            engine.execute(drawing.figure)
        with rc_context(NO_LAYOUT):
            drawing.figure.set_layout_engine(
                None
            )  # laid out once for all formats: no engine, and not "none", which draws twice
            for name in formats:
                buffer = io.BytesIO()
                more: Any = {"metadata": METADATA[name]} if name in METADATA else {}
                drawing.figure.savefig(buffer, format=name, dpi=DPI, **more)
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
