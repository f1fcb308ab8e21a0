"""Certificates as files; those in `data/` come with the package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .check_cases import check_cases
from .check_families import Lookup, check_families
from .check_strategy import check_strategy
from .check_table import check_table

__all__ = ["Certificate", "check", "load", "stored", "written"]

Certificate = dict[str, Any]
_DATA = Path(__file__).with_name("data")


def stored() -> list[str]:
    """Return the names of the certificates that come with the package."""
    return sorted(path.stem for path in _DATA.glob("*.json"))


def load(name: str | Path) -> Certificate:
    """Return a stored certificate by its name, or one from a file. Raises FileNotFoundError, or ValueError for another file."""
    path = _DATA / f"{name}.json" if str(name) in stored() else Path(name)
    try:
        certificate = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not a certificate: {error}") from None
    if not isinstance(certificate, dict) or not {"kind", "name", "statement"} <= set(certificate):
        raise ValueError(f"{path} is not a certificate: kind, name or statement is missing")
    return certificate


def written(certificate: Certificate) -> bytes:
    """Return the bytes of the file of a certificate."""
    return (json.dumps(certificate, indent=None if "moves" in certificate else 1) + "\n").encode()


def check(certificate: Certificate) -> dict[str, int]:
    """Check a certificate and return the counts of its checker. Raises ValueError with the reason if it is refused."""
    kind = certificate.get("kind")
    try:
        if kind == "families":
            return check_families(certificate)
        if kind == "strategy":
            return check_strategy(certificate)
        if kind == "table":
            return check_table(certificate)
        if kind == "cases":
            tables = {}
            for name in certificate["uses"]:
                table = load(name)
                check_families(table)
                tables[name] = Lookup(table)
            return check_cases(certificate, tables)
    except (KeyError, TypeError, AttributeError, IndexError, RecursionError, ArithmeticError, OSError) as error:
        raise ValueError(f"{certificate.get('name')} is damaged: {type(error).__name__} {error}") from None
    except Exception as error:  # lzma and base64 have errors of their own
        if isinstance(error, ValueError):
            raise
        raise ValueError(f"{certificate.get('name')} is damaged: {error}") from None
    raise ValueError(f"{certificate.get('name')}: unknown kind of certificate {kind!r}")
