"""Pages that are made from the package when the site is built: the keys of a study, the gallery."""

from pathlib import Path

HERE = Path(__file__).parent


def setup(app):
    return {"parallel_read_safe": True}
