"""Tables of facts as text, beside the files that read them."""

import tomllib
from pathlib import Path
from typing import Any


def tables(file: str, name: str = "") -> dict[str, Any]:
    """Return the tables of a TOML file beside a file, by default of its name."""
    path = Path(file)
    path = path.with_name(name) if name else path.with_suffix(".toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
