"""Checks of the options of figures, the same in a study file and in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from ...utils.errors import BadInput, nearest, quoted
from ...utils.validation import check_real
from .kinds import PANELS, WIDTHS, Kind, Options, check_limits

CHOICES = {"width": tuple(WIDTHS), "panels": PANELS}
OF_AXES = ("xlim", "ylim", "log", "panels")  # options of axes
OF_PICTURES = ("colors", "s")  # options of pictures of points


def options_of(requested: dict[str, Any], kind: Kind | None) -> Options:
    """Return the options of a figure that are given in Python; BadInput for unknown, invalid and inapplicable ones."""
    names = [field.name for field in fields(Options) if (kind and not kind.axes) or field.name not in OF_PICTURES]
    for name, value in requested.items():
        if name not in names:
            raise BadInput(f"a figure has no option {quoted(name)}{nearest(name, names)}")
        if name in CHOICES and value is not None and value not in CHOICES[name]:
            raise BadInput(f"{name}: {quoted(value)} is not known here{nearest(str(value), CHOICES[name])}")
        if name in ("xlim", "ylim") and value is not None:
            check_limits(value)
        if name in ("title", "caption", "style") and not isinstance(value, str | None):
            raise BadInput(f"{name} must be text, got {quoted(value)}")
        if name == "labels" and not isinstance(value, Mapping):
            raise BadInput(f"labels must be a mapping from names to text, got {quoted(value)}")
    options = Options(**requested)
    if options.s is not None:
        check_real("s", options.s, "a finite area above 0, in square points", 1e-6, 1e6)
    for path, message in option_problems(options, kind):
        raise BadInput(f"{'.'.join(map(str, path))}: {message}")
    return options


def option_problems(options: Options, kind: Kind | None) -> Iterator[tuple[tuple, str]]:
    """Yield the path and the message of each problem of options that have the right types."""
    texts: dict[tuple, str] = {("title",): options.title, ("caption",): options.caption}
    texts |= {("labels", name): text for name, text in options.labels.items()}
    for path, text in texts.items():
        if "$" in text:
            from .canvas import check_formulas  # here, because few figures of a study file need matplotlib

            try:
                check_formulas(text, f"the {path[0].removesuffix('s')}")
            except BadInput as error:
                yield path, str(error)
    if kind and not kind.axes:
        for name in OF_AXES:
            if getattr(options, name) is not None:
                yield (name,), f"a figure {kind.name} has no axes; remove it"
    if kind and options.octaves is not None and not kind.octaves:
        yield ("octaves",), f"a figure {kind.name} does not show octaves; remove it"
    for name in (f"{axis}lim" for axis in options.log or ()):
        if (ends := getattr(options, name, None)) and ends[0] <= 0:
            yield (name,), f"a logarithmic axis has no {ends[0]:g}; it begins above 0"
