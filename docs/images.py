"""An image without alternative text is a warning, and so an error of `make docs`, which names the page and the image."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def check(app: Any, doctree: nodes.document) -> None:
    """Warn of each image of a page that has no alternative text."""
    for image in doctree.findall(nodes.image):
        if not image.get("alt", "").strip():
            LOGGER.warning("image without alternative text: %s", image["uri"], location=image, type="image")
    for raw in doctree.findall(nodes.raw):
        for tag in re.findall(r"<img\b[^>]*>", raw.astext()):
            if not re.search(r"\balt=\"[^\"]+\"", tag):
                LOGGER.warning("image without alternative text: %s", tag, location=raw, type="image")


def setup(app: Any) -> dict[str, bool]:
    app.connect("doctree-read", check)
    return {"parallel_read_safe": True}
