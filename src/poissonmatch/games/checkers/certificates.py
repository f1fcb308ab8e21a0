"""Certificates as files; those in `data/` come with the package."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from ...utils.files import read_regular
from .check_cases import check_cases
from .check_families import Lookup, check_families
from .check_strategy import check_strategy
from .check_table import check_table

MAX_BYTES = 10**8  # of a file
Certificate = dict[str, Any]
_DATA = Path(__file__).with_name("data")


def stored() -> list[str]:
    """Return the names of the certificates that come with the package."""
    return sorted(path.stem for path in _DATA.glob("*.json"))


def load(name: str | Path) -> Certificate:
    """Return a stored certificate by its name, or one from a file. Raises FileNotFoundError, or ValueError for another file."""
    path = _DATA / f"{name}.json" if str(name) in stored() else Path(name)
    try:
        certificate = json.loads(read_regular(path, MAX_BYTES).decode("utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} is not a certificate: {error}") from None
    if not isinstance(certificate, dict) or not {"kind", "name", "statement"} <= set(certificate):
        raise ValueError(f"{path} is not a certificate: kind, name or statement is missing")
    return certificate


def written(certificate: Certificate) -> bytes:
    """Return the bytes of the file of a certificate."""
    return (json.dumps(certificate, indent=None if "moves" in certificate else 1) + "\n").encode()


def check(certificate: Certificate, folder: Path | None = None) -> dict[str, int]:
    """Check a certificate and return the counts of its checker. Raises ValueError with the reason if it is refused.

    The certificates that it uses are stored ones, or in its folder.
    """
    name, kind = certificate.get("name"), certificate.get("kind")
    checkers = {
        "families": check_families,
        "strategy": check_strategy,
        "table": check_table,
        "cases": partial(_check_cases, folder),
    }
    if not isinstance(kind, str) or kind not in checkers:
        raise ValueError(f"{name}: unknown kind of certificate {kind!r}")
    try:
        return checkers[kind](certificate)
    except ValueError:
        raise
    except (KeyError, TypeError, AttributeError, IndexError, RecursionError, ArithmeticError, OSError) as error:
        raise ValueError(f"{name} is damaged: {type(error).__name__} {error}") from None
    except Exception as error:  # lzma and base64 have their own errors
        raise ValueError(f"{name} is damaged: {error}") from None


def _check_cases(folder: Path | None, certificate: Certificate) -> dict[str, int]:
    tables = {}
    for name in certificate["uses"]:
        if name not in stored() and (folder is None or Path(name).name != name or not (folder / name).is_file()):
            raise ValueError(f"it uses {name!r}, which is not beside it")
        tables[name] = load(name if name in stored() else Path(str(folder), name))
    for table in tables.values():
        check_families(table)
    return check_cases(certificate, {name: Lookup(table) for name, table in tables.items()})
