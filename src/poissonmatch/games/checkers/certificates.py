"""Certificates: files that a checker accepts or not. Those in `data/` come with the package."""

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
    """The names of the certificates that come with the package."""
    return sorted(path.stem for path in _DATA.glob("*.json"))


def load(name: str | Path) -> Certificate:
    """A stored certificate by its name, or the one in a file. FileNotFoundError, or ValueError if it is none."""
    path = _DATA / f"{name}.json" if str(name) in stored() else Path(name)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is no certificate: {error}") from None
    if not isinstance(found, dict) or not {"kind", "name", "statement"} <= set(found):
        raise ValueError(f"{path} is no certificate: it has no kind, name and statement")
    return found


def written(certificate: Certificate) -> bytes:
    """The bytes of a certificate's file."""
    return (json.dumps(certificate, indent=None if "moves" in certificate else 1) + "\n").encode()


def check(certificate: Certificate) -> dict[str, int]:
    """What the checker counted. ValueError says why the certificate proves nothing."""
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
    raise ValueError(f"{certificate.get('name')}: {kind!r} is no kind of certificate")
