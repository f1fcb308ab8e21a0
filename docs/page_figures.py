"""Figures of executed pages are vector graphics: SVG in the site, PDF in the paper. A figure of many points is a bitmap."""

import os
import re
from contextlib import nullcontext
from io import BytesIO

import matplotlib.pyplot as plt
from IPython import get_ipython
from matplotlib.figure import Figure

from poissonmatch.studies.figures.canvas import SCREEN_DPI, Picture
from poissonmatch.studies.figures.style import styled

FORMAT = os.environ["FIGURE_FORMAT"]
MIME, TIME = {"svg": ("image/svg+xml", "Date"), "pdf": ("application/pdf", "CreationDate")}[FORMAT]
LARGEST = 400_000  # bytes


def vector(figure):
    """Return a figure as text (SVG) or bytes (PDF), or None if it is large."""
    ours = isinstance(figure, Picture)
    buffer = BytesIO()
    with styled(figure.options.style, figure.options.usetex) if ours else nullcontext():
        figure.savefig(buffer, format=FORMAT, bbox_inches=None if ours else "tight", metadata={TIME: None})
    data = buffer.getvalue()
    if len(data) > LARGEST:
        return None
    if FORMAT == "pdf":
        return data
    pixels = (SCREEN_DPI if ours else figure.dpi) / 72  # of a point, as a bitmap would have them
    return re.sub(
        r'(width|height)="([\d.]+)pt"', lambda m: f'{m[1]}="{pixels * float(m[2]):.0f}"', data.decode(), count=2
    )


plt.switch_backend("module://matplotlib_inline.backend_inline")  # which forgets what was registered before
get_ipython().display_formatter.formatters[MIME].for_type(Figure, vector)
