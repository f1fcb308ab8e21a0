"""Tables of partners, (n, m): their checks, and the rows of a matching in the table `realizations`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..utils.errors import BadInput
from ..utils.validation import check_array


def checked_partners(partner: Any, n: int | None = None) -> np.ndarray:
    """Return partners as a copied (n, m) int64 array. Raises BadInput."""
    array = check_array("partner", partner, "iu", "integers")
    n = len(np.atleast_1d(array)) if n is None else n
    if array.shape[:1] != (n,) or array.ndim > 2:
        raise BadInput(f"partner must be integers, ({n},) or ({n}, m), got {array.dtype} of shape {array.shape}")
    array = array.reshape(n, 1 if array.ndim == 1 else array.shape[1])
    row, column = np.nonzero((array < -1) | (array >= n) | (array == np.arange(n)[:, None]))
    if len(row):
        one = "; points are counted from 0: subtract 1" if array.max() == n and not (array == 0).any() else ""
        raise BadInput(f"partner, row {row[0]}: {array[row[0], column[0]]} is neither another point nor -1{one}")
    return array.astype(np.int64)


def mutual_entries(partners: np.ndarray, labels: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the entries of a table (n, m) that are partners, and for each the entry of the same pair in the other row.

    They are indices of the flat table. Raises BadInput for a partner that is repeated or does not
    have the point as a partner (with labels, in the same column).
    """
    n = len(partners)
    row, column = np.nonzero(partners >= 0)
    partner = partners[row, column]
    there, back = row * n + partner, partner * n + row
    order, reverse = (np.argsort(key, kind="stable") for key in (there, back))
    there, back = there[order], back[reverse]
    twice = there[1:] == there[:-1]
    if twice.any():
        row_of, partner_of = divmod(int(there[np.argmax(twice)]), n)
        raise BadInput(f"partner, row {row_of}: {partner_of} occurs twice")
    if not np.array_equal(there, back):
        row_of, partner_of = divmod(int(there[np.argmin(np.isin(there, back))]), n)
        raise BadInput(f"partner, row {row_of}: {partner_of} does not have {row_of} as a partner")
    if labels and (other := column[order] != column[reverse]).any():
        row_of, partner_of = divmod(int(there[np.argmax(other)]), n)
        raise BadInput(f"partner, row {row_of}: {partner_of} has another label in row {partner_of}")
    entry = row * partners.shape[1] + column
    return entry[order], entry[reverse]


def realization(matching: Any) -> dict[str, np.ndarray]:
    """Return a row for each point and partner of a matching as columns of the table `realizations`."""
    pattern, (n, width) = matching.pattern, matching.partners.shape
    points = pattern.points
    xyz = np.zeros((n, 3))
    xyz[:, : min(3, points.shape[1])] = points[:, :3]
    xyz, color = np.repeat(xyz, width, axis=0), np.repeat(pattern.colors, width)
    columns = {
        "point": np.repeat(np.arange(n), width),
        "order": np.tile(np.arange(width), n),
        "color": color.astype(np.int64),
        **{name: xyz[:, k] for k, name in enumerate("xyz")},
        "partner": matching.partners.ravel(),
        "distance": matching.distances.ravel(),
    }
    keep = (columns["partner"] >= 0) | (columns["order"] == 0)
    return {name: values[keep] for name, values in columns.items()}
