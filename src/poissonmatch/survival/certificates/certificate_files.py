"""Files of certificates: reading them, and whether all values follow from the parameters and the counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...utils.errors import BadInput, IntegrityError, Problem
from ...utils.manifests import parse_json, read_result
from ...utils.validation import check_int
from .certificate import PARAMETERS, Certificate, checked
from .cover import DESIGN, Cover


def read(file: str | Path) -> Certificate | Cover:
    """Return the certificate of a file, or those of the intervals of a cover.

    Parameters
    ----------
    file : path
        File that `survival` or `poissonmatch certify` wrote.

    Returns
    -------
    Certificate or Cover
        The certificate; a Cover for intervals of ratios.

    Raises
    ------
    IntegrityError
        If it is damaged or edited; the message names the key.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "line.json")
    >>> certificate = pm.certificates.survival(dim=1, ratio=0.9, scale=20, box=1600, boxes=20, threshold=20, seed=1, file=file)
    >>> pm.certificates.read(file) == certificate
    True
    """
    file = Path(file)
    data = parse_json(file, read_result(file))
    if "intervals" in data and "parts" not in data:
        remedy = "its intervals have uncertain points; remove it, and run poissonmatch certify d2-cover"
        raise IntegrityError(Problem(file, "made by other code", remedy))
    try:
        certificate = _cover(data) if "intervals" in data else _single(data)
    except (KeyError, TypeError, BadInput) as error:
        why = f"the key {error} is missing" if isinstance(error, KeyError) else str(error)
        raise IntegrityError(Problem(file, "damaged", f"no certificate of this version: {why}")) from None
    _compare(file, data, certificate.to_dict())
    return certificate


def _single(data: dict[str, Any]) -> Certificate:
    """Return the certificate of these parameters and counts."""
    return checked(**{key: data[key] for key in PARAMETERS}).with_counts(*_counted(data))


def _cover(data: dict[str, Any]) -> Cover:
    """Return the cover of this design, with the counts of its rows."""
    cover = Cover(str(data["name"]), {key: data[key] for key in DESIGN})
    plan, rows = cover.plan, data["intervals"]
    if len(rows) > len(plan):
        raise BadInput("there are more intervals than the design has")
    done = tuple(one.with_counts(*_counted(row)) for one, row in zip(plan, rows, strict=False))
    if not all(one.finished for one in done[:-1]):
        raise BadInput("an interval before the last is not finished")
    return Cover(cover.name, cover.design, done)


def _counted(data: dict[str, Any]) -> tuple[tuple[int, ...], str, str]:
    """Return the counts, and the digests of the code and of the engine that made them."""
    counts = tuple(check_int("counts", count, -(2**53), 2**53) for count in data["counts"])
    return counts, str(data["code"]), str(data.get("engine", ""))


def _compare(file: Path, data: dict[str, Any], expected: dict[str, Any]) -> None:
    """Raise IntegrityError for the first key whose value does not follow from the rest."""
    for key, value in expected.items():
        if key == "intervals":
            for row, right in zip(data[key], value, strict=True):
                _compare(file, row, right)
        elif data.get(key) != value:
            raise IntegrityError(
                Problem(file, "damaged", f"{key} is {data.get(key)!r}, and {value!r} follows from the rest")
            )
    if unknown := sorted(set(data) - set(expected)):
        raise IntegrityError(Problem(file, "damaged", f"{unknown[0]!r} is unknown"))
