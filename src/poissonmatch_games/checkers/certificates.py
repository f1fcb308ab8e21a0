"""Certificates as files; those in `data/` come with the package."""

import json
import math
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from poissonmatch.utils.errors import MAX_LINE, quoted, shorten
from poissonmatch.utils.files import read_regular
from poissonmatch.utils.manifests import unique

from . import check_table, work_limit
from .check_cases import check_cases
from .check_families import Lookup, check_families
from .linear_forms import Undecided, read_integer
from .symbolic_values import read_tree

Certificate = dict[str, Any]
# What a certificate proves. A position and who wins it: {strip, star, free, first}. An inequality:
# {name, position, bound, least}; an equality has a value, no bound. The value of a family: {symbol,
# letters, word, runs, value}, the last two with the same parameters.
Conclusion = dict[str, Any]
MAX_BYTES = 2 * 10**6  # of a file
# A check of a certificate that does not come with the package takes at most about 5 seconds and 1
# GB.
MAX_STEPS = 4 * 10**6  # of `work_limit`, in proofs by cases and families
MAX_OPERATIONS = 15 * 10**6  # of a table of all positions
_DATA = Path(__file__).with_name("data")


def stored() -> list[str]:
    """Return the names of the certificates that come with the package."""
    return sorted(path.stem for path in _DATA.glob("*.json"))


def load(name: str | Path) -> Certificate:
    """Return a stored certificate by its name, or one from a file.

    Raises FileNotFoundError if there is no such file, ValueError if the file is not a certificate.
    """
    path = _DATA / f"{name}.json" if str(name) in stored() else Path(name)
    try:
        certificate = json.loads(read_regular(path, MAX_BYTES).decode(), object_pairs_hook=unique)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ValueError(f"not a certificate: {error.strerror}") from None
    except RecursionError:
        raise ValueError("not a certificate: too many nested brackets") from None
    except ValueError as error:  # JSON, UTF-8, or an integer of thousands of digits
        raise ValueError(f"not a certificate: {error}") from None
    if not isinstance(certificate, dict) or not {"kind", "name", "statement"} <= set(certificate):
        raise ValueError("not a certificate: kind, name or statement is missing")
    return certificate


def written(certificate: Certificate) -> bytes:
    """Return the bytes of the file of a certificate."""
    return (json.dumps(certificate, indent=1) + "\n").encode()


def is_stored(certificate: Certificate) -> bool:
    """Return whether the certificate, as text, is one of those that come with the package."""
    name = certificate.get("name")
    return type(name) is str and name in stored() and _text(load(name)) == _text(certificate)


def _text(certificate: Certificate) -> str:
    return json.dumps(certificate, sort_keys=True)


def check(certificate: Certificate, folder: Path | None = None, *, bounded: bool = True) -> dict[str, int]:
    """Check a certificate and return the counts of its checker.

    Raises ValueError with the reason if it is rejected.

    The certificates that it uses are stored ones, or files in its folder. With `bounded`, one that
    is not stored is rejected if its check takes more work than those above.
    """
    name = shorten(str(certificate.get("name")))
    _check_keys(certificate, name)
    bounded = bounded and not is_stored(certificate)
    try:
        with work_limit.at_most(MAX_STEPS if bounded else math.inf):
            return _checked(certificate, folder, bounded)
    except ValueError as error:
        long = isinstance(error, work_limit.TooLong | check_table.TooLarge)
        hint = "; --allow-long checks it nevertheless" if bounded and long else ""
        raise ValueError(shorten(str(error), MAX_LINE) + hint) from None
    except (TimeoutError, MemoryError):  # of the command
        raise
    except work_limit.DAMAGE as error:
        raise ValueError(f"{name} is damaged: {type(error).__name__} {shorten(str(error))}") from None
    except Exception as error:  # lzma and base64 have their own errors
        raise ValueError(f"{name} is damaged: {shorten(str(error))}") from None


def _check_keys(certificate: Certificate, name: str) -> None:
    """Raise ValueError if the kind or a key is unknown, or a key is missing."""
    kind = certificate.get("kind")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise ValueError(f"{name}: unknown kind of certificate {quoted(kind)}")
    keys = _KEYS[kind]
    wrong = [f"{key!r} is missing" for key in sorted(keys - set(certificate))]
    keys = keys | {"kind", "name", "statement"} | ({"open"} if kind == "families" else set())
    wrong += [f"{quoted(key)} is unknown" for key in sorted(set(certificate) - keys)]
    if wrong:
        raise ValueError(f"{name} is damaged: {wrong[0]}")


def _checked(certificate: Certificate, folder: Path | None, bounded: bool) -> dict[str, int]:
    if certificate["kind"] == "families":
        return check_families(certificate)
    if certificate["kind"] == "table":
        return check_table.check_table(certificate, *[MAX_OPERATIONS] * bounded)
    uses = certificate["uses"]
    if not isinstance(uses, list) or not all(isinstance(name, str) for name in uses) or len(set(uses)) < len(uses):
        raise ValueError(f"uses must be a list of different names, got {quoted(uses)}")
    tables: dict[str, Certificate] = {}
    lookups: dict[str, Lookup] = {}
    for i, name in enumerate(uses):
        with work_limit.placed(f"uses[{i}]"):
            tables[name] = load(_used(name, folder))
            _check_keys(tables[name], quoted(name))
            if tables[name]["kind"] != "families" or tables[name]["symbol"] != "T":
                raise ValueError(f"{quoted(name)} is not a table of families with runs of toads")
            lookups[name] = Lookup(tables[name])
    counts = check_cases(certificate, lookups)
    for name in sorted(uses, key=lambda name: is_stored(tables[name])):  # at the end, since they take longest
        with (
            work_limit.placed(f"uses[{uses.index(name)}]"),
            work_limit.at_most(math.inf) if is_stored(tables[name]) else nullcontext(),
        ):
            check_families(tables[name])
    return counts


def _used(name: str, folder: Path | None) -> str | Path:
    """Return the stored name, or the file in the folder of the certificate.

    Raises ValueError for a file elsewhere, also by a link.
    """
    if name in stored():
        return name
    if folder is not None and Path(name).name == name:
        path = folder / name
        if path.is_file() and path.resolve().parent == folder.resolve():
            return path
    raise ValueError(f"{quoted(name)} is neither a stored certificate nor a file in the same folder")


_STRIP = {"strip", "star", "free", "first"}
# kind -> keys of the certificate besides kind, name and statement
_KEYS: dict[str, set[str]] = {
    "families": {"symbol", "letters", "words"},
    "cases": {"uses", "claims"},
    "table": _STRIP,
}


def concludes(certificate: dict[str, Any], conclusion: Conclusion) -> bool:
    """Return whether a certificate that its checker accepted proves the conclusion."""
    kind = certificate["kind"]
    if kind == "cases":
        return any(
            {**conclusion, **{k: claim[k] for k in {"proof", "mirror"} & set(claim)}} == claim
            for claim in certificate["claims"]
        )
    if kind == "families":
        return set(conclusion) == {"symbol", "letters", "word", "runs", "value"} and _has_value(certificate, conclusion)
    return set(conclusion) == _STRIP and all(certificate[key] == x for key, x in conclusion.items())


def _has_value(certificate: dict[str, Any], conclusion: Conclusion) -> bool:
    if any(certificate[key] != conclusion[key] for key in ("symbol", "letters")):
        return False
    try:
        value = Lookup(certificate).value(conclusion["word"], [read_integer(run) for run in conclusion["runs"]])
    except Undecided:
        return False
    return value == read_tree(conclusion["value"])
