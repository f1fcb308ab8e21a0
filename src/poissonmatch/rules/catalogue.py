"""The catalogue of named rules: one entry each."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from functools import cache

from ..utils.errors import BadInput, nearest, quoted
from ..utils.registry import Registry
from ..utils.validation import MAX_CAPACITY, checked
from . import laws
from .rule import MAX_COLORS, MUTUALLY_NEAREST, Rule

# The rules of Deijfen, Holroyd and Martin (2016), with their sections.
_NAMED = {
    # 2: any two points
    "one-color": Rule(law=laws.OneColorLaw()),
    # 3.2: different colors
    "two-color": Rule(((False, True), (True, False)), color_names=("amber", "blue"), law=laws.TwoColorLaw()),
    # 3.3: not two red points
    "fussy": Rule(((True, True), (True, False)), color_names=("green", "red"), reference_color=1, law=laws.FussyLaw()),
    # 4.1: not two mutually nearest points
    "misere": Rule(exclude=MUTUALLY_NEAREST, law=laws.MisereLaw()),
}
RULES = Registry("rules", _NAMED.items())
RULES.__doc__ = """Rules by name. Each also has a name in study files and in `pm.match`.

- "one-color": any two points may be matched, each to at most one partner.
- "two-color": only points of different colors (amber 0, blue 1).
- "fussy": any two points except two red ones (green 0, red 1).
- "misere": any two points except pairs that are mutually nearest in the whole set.

Two families of rules and custom rules have names, but are no keys:

- "multi(m)": up to m partners for each point.
- "labels(K)": the pairs with a Sprague-Grundy label below K.
- "custom(11/10; 1,2)": rows of the matrix of compatible colors; capacity of each color. Its colors
  have the names of those of a named rule with the same matrix.

The rules are those of Deijfen, Holroyd and Martin (2016), sections 2 to 4.
"""
FAMILIES: dict[str, Callable[[int], Rule]] = {
    "multi": lambda m: Rule(
        capacity=(m,), law=laws.MultiLaw(m) if m > 1 else laws.OneColorLaw()
    ),  # 4.2: up to m partners
    "labels": lambda k: Rule(
        labels=k, law=laws.LabelsLaw() if k > 1 else laws.OneColorLaw()
    ),  # 4.3: Sprague-Grundy labels below k
}
# custom(rows of the matrix; capacities; labels K; not "mutually nearest"), where defaults are left
# out.
CUSTOM = re.compile(
    r"custom\( *(?P<rows>[01]+(?:/[01]+)*) *(?:; *(?P<capacity>[0-9]{1,9}(?: *, *[0-9]{1,9})*) *)?"
    rf"(?:; *labels (?P<labels>[0-9]{{1,9}}) *)?(?:; *not (?P<exclude>{MUTUALLY_NEAREST}) *)?\)"
)


def rule_named(name: str | Rule) -> Rule:
    """Return the rule with a name.

    Parameters
    ----------
    name : str or Rule
        A key of RULES, "multi(m)", "labels(K)" or "custom(11/10; 1,2)"; a Rule is returned unchanged.

    Returns
    -------
    Rule

    Raises
    ------
    ValueError
        If there is no such rule; the message lists the valid names.

    Examples
    --------
    >>> pm.rules.rule_named("multi(3)").capacity
    (3,)
    """
    if isinstance(name, Rule):
        return name
    if isinstance(name, str):
        if name in RULES:
            return RULES[name]
        family = re.fullmatch(r"([a-z]+)\(([0-9]{1,9})\)", name)
        if family and family[1] in FAMILIES:
            number = int(family[2])
            if number < 1:
                raise BadInput(f"{name}: the number in brackets must be at least 1")
            return _of_family(family[1], number)
        if custom := CUSTOM.fullmatch(name):
            return _custom(name, **custom.groupdict())
    close = nearest(name if isinstance(name, str) else "", RULES)
    if "did you mean" not in close:
        families = [f"{f}(1), {f}(2), ..." for f in FAMILIES]
        close = f"; the rules are {', '.join([*RULES, *families, 'custom(11/10; 1,2) (rows; capacities)'])}, or a Rule"
    raise BadInput(f"unknown rule {quoted(name)}{close}")


@cache
def _of_family(family: str, number: int) -> Rule:
    return FAMILIES[family](number)


@cache
def _custom(name: str, rows: str, capacity: str | None, labels: str | None, exclude: str | None) -> Rule:
    compatible = tuple(tuple(entry == "1" for entry in row) for row in rows.split("/"))
    try:
        rule = Rule(
            compatible=compatible,
            capacity=tuple(int(number) for number in (capacity or "1").split(",")),
            labels=int(labels or 0),
            exclude=exclude,
            color_names=next((like.color_names for like in RULES.values() if like.compatible == compatible), ()),
        )
        return rule_named(rule_name(rule)) if entry_name(rule) else rule
    except ValueError as error:
        raise BadInput(f"{name[:60]}: {error}") from None


@checked()
def rule_name(rule: Rule) -> str:
    """Return the name of a rule, which rule_named accepts.

    An equivalent entry of RULES has precedence over custom(...).

    Parameters
    ----------
    rule : Rule
        A rule.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        For more than 16 colors, a capacity of 10^9 or more, and excluded pairs of indices.

    Examples
    --------
    >>> pm.rules.rule_name(pm.Rule(capacity=(1, 2))), pm.rules.rule_name(pm.Rule(capacity=2))
    ('custom(1; 1,2)', 'multi(2)')
    """
    if name := entry_name(rule):
        return name
    if rule.n_colors > MAX_COLORS:
        raise BadInput(f"a rule of {rule.n_colors} colors has no name; at most {MAX_COLORS} have one")
    if len(rule.pairs):
        raise BadInput("a rule that excludes pairs of indices has no name: the indices belong to one set of points")
    rule = _plainest(rule)
    if max(rule.capacity) > MAX_CAPACITY:
        raise BadInput(f"a capacity of {max(rule.capacity)} is too much for a rule with a name; at most {MAX_CAPACITY}")
    parts = ["/".join("".join("01"[entry] for entry in row) for row in rule.compatible)]
    parts += [",".join(map(str, rule.capacity))] if rule.capacity != (1,) else []
    parts += [f"labels {rule.labels}"] if rule.labels else []
    parts += [f"not {MUTUALLY_NEAREST}"] if rule.bans_nearest else []
    return f"custom({'; '.join(parts)})"


def _plainest(rule: Rule) -> Rule:
    """Return the shortest equivalent rule."""
    capacity = (1,) if rule.labels else rule.capacity
    capacity = capacity[:1] if len(set(capacity)) == 1 else capacity
    compatible = ((True,),) if all(map(all, rule.compatible)) else rule.compatible
    return Rule(compatible, capacity, MUTUALLY_NEAREST if rule.bans_nearest else None, rule.labels)


def entry_name(rule: Rule) -> str:
    """Return the name of the equivalent entry of RULES or FAMILIES, or "" if there is none."""
    if len(rule.pairs):
        return ""
    plain = _plainest(rule)
    for name, entry in RULES.items():
        if entry == plain:
            return name
    for family in FAMILIES:
        with contextlib.suppress(BadInput):  # there may be no entry with this number
            if rule_named(name := f"{family}({plain.width})") == plain:
                return name
    return ""
