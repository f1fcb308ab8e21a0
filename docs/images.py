"""An image whose alternative text has few words and an empty table are warnings, and so errors of `make docs`, with the page."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)
WORDS = 8  # of an alternative text, at least


def check(app: Any, doctree: nodes.document) -> None:
    """Warn of each image of a page that has no alternative text, or one of few words, and of each table without rows."""
    images = [(image, image["uri"], image.get("alt", "")) for image in doctree.findall(nodes.image)]
    for raw in doctree.findall(nodes.raw):
        for tag in re.findall(r"<img\b[^>]*>", raw.astext()):
            images.append((raw, tag, "".join(re.findall(r"\balt=\"([^\"]+)\"", tag))))
        if re.search(r"<tbody>\s*</tbody>", raw.astext()):
            LOGGER.warning("table without rows", location=raw, type="table")
    for place, image, words in images:
        if len(words.split()) < WORDS:
            LOGGER.warning(
                "image without an alternative text of %d words: %s", WORDS, image, location=place, type="image"
            )


def setup(app: Any) -> dict[str, bool]:
    app.connect("doctree-read", check)
    return {"parallel_read_safe": True}
