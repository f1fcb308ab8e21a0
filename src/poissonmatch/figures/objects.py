"""A pattern or a matching as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..matching.export import realization
from ..matching.match import match
from ..matching.matching import Matching
from ..points.pattern import Pattern, as_pattern
from ..rules.catalogue import entry_name
from ..rules.rule import Rule
from ..tables.tables import REALIZATIONS
from ..utils.errors import BadInput

MAX_POINTS = 2000  # that a notebook draws by itself


def picture(pattern: Pattern, rule: str | Rule = "one-color", name: str = "") -> pd.DataFrame:
    """Match a pattern, and return rows for `figures.realization`: rows of several may be put together by pandas.concat.

    Parameters
    ----------
    pattern : Pattern
    rule : str or Rule, optional
    name : str, optional
        What the picture is called in the caption, by default the rule.

    Returns
    -------
    pandas.DataFrame
        A row for each point and partner.

    Raises
    ------
    BadInput
        A ValueError, for a pattern without coordinates, or in more than three dimensions.

    Examples
    --------
    >>> pattern = pm.Pattern([[0.0, 0.0], [3.0, 4.0]], None, pm.Torus(10.0, 2))
    >>> pm.picture(pattern)[["point", "partner", "distance"]]
       point  partner  distance
    0      0        1       5.0
    1      1        0       5.0
    """
    return _rows(pattern, match(as_pattern(pattern), rule), rule, name)


def as_it_is(shown: Pattern | Matching) -> pd.DataFrame:
    """The same of a matching that was made before, or of points of which nothing is said of partners: their rule is "".

    Raises BadInput also for a matching whose points are not known.
    """
    if isinstance(shown, Pattern):
        return _rows(shown, Matching.from_partners(shown, np.full(len(shown), -1)), "", "points")
    if shown.pattern is None:
        raise BadInput("a picture needs the points of the matching, which are not known")
    return _rows(shown.pattern, shown, entry_name(shown.rule) or shown.rule)


def _rows(pattern: Pattern, matching: Matching, rule: str | Rule, name: str = "") -> pd.DataFrame:
    geometry = pattern.geometry
    if not geometry.has_coordinates or not 1 <= geometry.dim <= 3:
        raise BadInput(f"a picture needs points in one, two or three dimensions, not in {geometry!r}")
    if not geometry.is_cube:
        raise BadInput("a picture shows tori with one side, not with a side for each axis")
    title = name or (rule if isinstance(rule, str) else "a rule of one's own")
    side = float(geometry.side)
    counts = pattern.count(2)
    volume = side**geometry.dim
    columns: dict[str, Any] = {
        **realization(pattern.points, pattern.colors, matching.partners, matching.distances),
        "study": title,
        "cell": title,
        "process": "",
        "rule": rule,
        "dim": float(geometry.dim),
        "geometry": geometry.name,
        "size": float(len(pattern)),
        "volume": volume,
        "side": side,
        **{f"intensity_{k}": count / volume if count or not k else np.nan for k, count in enumerate(counts)},
        "ratio": counts[1] / counts[0] if counts[0] and counts[1] else np.nan,
    }
    return pd.DataFrame(columns)[REALIZATIONS.wide(len(counts)).names]


def pictures(*wanted: tuple[Pattern, str | Rule, str]) -> pd.DataFrame:
    """Several of them in one figure: a pattern, a rule and a name each."""
    return pd.concat([picture(*one) for one in wanted], ignore_index=True)


def plot(item: Pattern | Matching, ax: Any = None, **options: Any) -> Any:
    """Draw a pattern, or a matching with its pairs, as a matplotlib Figure: `figures.realization`."""
    from . import realization

    return realization(as_it_is(item), ax, **options)


def svg(item: Pattern | Matching) -> str | None:
    """Return the same as SVG, for a notebook; None if there is no picture, or too many points for one."""
    from . import svg as as_svg

    pattern = item if isinstance(item, Pattern) else item.pattern
    if pattern is None or not 0 < len(pattern) <= MAX_POINTS:
        return None
    try:
        return str(as_svg(as_it_is(item)))
    except BadInput:
        return None
