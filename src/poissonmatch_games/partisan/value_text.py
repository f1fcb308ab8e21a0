"""Values as text, in the notation of CGSuite with its abbreviations, and as LaTeX.

An abbreviation is tried in this order: number + ups + nimber; a power of up or a sum of its first powers, plus number and
nimber; +-x; number + Tiny or Miny; otherwise the options, in braces only where bars do not separate them.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from .names import Name, tex, written

MAX_BARS = 3  # side by side, outside of braces; as in CGSuite
MAX_POWER = 100  # of up


class Style(NamedTuple):
    """Symbols of text, or of LaTeX."""

    name: Callable[[Name], str]
    braces: tuple[str, str]
    bar: Callable[[int], str]
    comma: str
    switch: str
    tiny: Callable[[str, str], str]  # of "Tiny" or "Miny", and the argument
    power: Callable[[int, str], str]  # of 1 (up) or -1 (down), and "<n>" or "[n]"


TEXT = Style(
    written, ("{", "}"), "|".__mul__, ",", "+-", "{}({})".format, lambda sign, power: ("^" if sign > 0 else "v") + power
)
LATEX = Style(
    tex,
    (r"\left\{", r"\right\}"),
    lambda bars: r"\," + r"\middle|" * bars + r"\,",
    ", ",
    r"\pm ",
    lambda word, x: rf"{{{'+' if word == 'Tiny' else '-'}}}_{{{x}}}",
    lambda sign, power: (r"{\uparrow}^" if sign > 0 else r"{\downarrow}_") + f"{{{power.strip('<>')}}}",
)


def value_text(g: Any, style: Style = TEXT) -> str:
    """Return a value as text, so that `parse` reads the same value, or in another style."""
    return _written(g, style, braces=True)[0]


def _written(g: Any, style: Style, braces: bool) -> tuple[str, int]:
    """Return the text and the largest number of bars side by side outside of braces, 0 if it is in braces or has none."""
    if (short := _abbreviated(g, style)) is not None:
        return short, 0
    sides, bars = [], 1
    for options in (g.left, g.right):
        texts = [_written(option, style, len(options) > 1) for option in in_order(options)]
        sides.append(style.comma.join(text for text, _ in texts))
        bars = max(bars, *(count + 1 for _, count in texts))
    text = style.bar(bars).join(sides)
    return (style.braces[0] + text + style.braces[1], 0) if braces or bars > MAX_BARS else (text, bars)


def _abbreviated(g: Any, style: Style) -> str | None:
    if g.name is not None:
        return style.name(g.name)
    if (uptimal := _power_of_up(g)) is not None:
        x, sign, power, nimber = uptimal
        first, last = style.name(Name(x, 0, 0)), style.name(Name(Fraction(0), 0, nimber))
        return first * bool(x) + style.power(sign, power) + last * bool(nimber)
    if g == -g:
        texts = [value_text(option, style) for option in in_order(g.left)]
        if len(texts) > 1:
            return style.switch + style.braces[0] + style.comma.join(texts) + style.braces[1]
        return style.switch + (f"({texts[0]})" if _has_terms(g.left[0]) else texts[0])
    for word, sign in (("Tiny", 1), ("Miny", -1)):
        tiny = g if sign > 0 else -g
        x, h = tiny.left[0], tiny.right[0]
        alone = len(tiny.left) == len(tiny.right) == len(h.right) == 1
        if alone and x.is_number and h.left == (x,) and h.right[0].mean < x.number:
            text = style.tiny(word, value_text(x - h.right[0], style))
            return style.name((sign * x).name) + text if x.number else text
    return None


def _has_terms(g: Any) -> bool:
    """Return whether a value is written as a sum of number, ups or a power of up, and nimber, with more than one term."""
    if g.name is not None:
        return sum(map(bool, g.name)) > 1
    uptimal = _power_of_up(g)
    return uptimal is not None and bool(uptimal[0] or uptimal[3])


def in_order(options: Any) -> list[Any]:
    """Return options in the order of CGSuite: numbers, nimbers, sums of numbers, ups and nimbers, others."""

    def key(g: Any) -> tuple[Any, ...]:
        if g.name is None:
            return 3, [key(option) for option in in_order(g.left)], [key(option) for option in in_order(g.right)]
        number, ups, nimber = g.name
        return (0, number) if g.is_number else (1, nimber) if (number, ups) == (0, 0) else (2, number, ups, nimber)

    return sorted(options, key=key)


def _power_of_up(g: Any) -> tuple[Fraction, int, str, int] | None:
    """Return (number, sign, "<n>" or "[n]", nimber) if the value is number + a power of up, or a sum of powers, + nimber."""
    if g.left_stop != g.right_stop:
        return None
    small, known = g - g.left_stop, _powers(g._from_options, min(g.birthday, MAX_POWER))
    alone = [side[0].name for side in (small.left, small.right) if len(side) == 1]
    for nimber in sorted(
        {0, 1, *(name.nim ^ 1 for name in alone if name is not None and name.number == 0 == name.ups)}
    ):
        if (found := known.get(small + _nimber(g._from_options, nimber))) is not None:
            return (g.left_stop, *found, nimber)
    return None


@cache
def _powers(game: Callable[..., Any], largest: int) -> dict[Any, tuple[int, str]]:
    """Return the values ^<n>, v<n>, ^[n], v[n] for 2 <= n <= largest."""
    found: dict[Any, tuple[int, str]] = {}
    for n, (power, total) in enumerate(powers_of_up(game, largest), 1):
        for value, text in ((power, f"<{n}>"), (total, f"[{n}]")) if n > 1 else ():
            found[value], found[-value] = (1, text), (-1, text)
    return found


def powers_of_up(game: Callable[..., Any], largest: int) -> Iterator[tuple[Any, Any]]:
    """Yield ^<n> and the sum ^[n] of the first n powers, for n from 1: ^[n] = {^[n-1]|*} and ^<n> = ^[n] - ^[n-1].

    `game` makes a value from options.
    """
    total = game()
    for _ in range(largest):
        before, total = total, game([total], [_nimber(game, 1)])
        yield total - before, total


@cache
def _nimber(game: Callable[..., Any], n: int) -> Any:
    options = [_nimber(game, smaller) for smaller in range(n)]
    return game(options, options)
