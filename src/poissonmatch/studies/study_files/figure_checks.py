"""Cross-field checks of the figures of a study file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ...rules.catalogue import RULES, rule_named
from ...utils.errors import BadInput, nearest
from ..figures.kinds import KINDS, Kind
from ..statistics.observables import measured
from ..tables.estimate_tables import LAW_TABLE
from . import parameter_grid
from .fields import first_duplicate

if TYPE_CHECKING:
    from .schema import FigureSpec, Study


Problems = Iterator[tuple[tuple, str]]


def figure_problems(figure: FigureSpec, studies: dict[str, Study], laws: list[str]) -> Problems:
    """Yield the problems of a figure with its studies. laws: the studies to which laws are fitted."""
    for path, check in _matplotlib_checks(figure):
        try:
            check()
        except BadInput as error:
            yield path, str(error)
    kind = KINDS[figure.kind]
    if not kind.axes:
        for key in ("xlim", "ylim", "log", "panels"):
            if getattr(figure, key) is not None:
                yield (key,), f"a figure {kind.name} has no axes; remove it"
    if figure.octaves is not None and not kind.octaves:
        yield ("octaves",), f"a figure {kind.name} does not show octaves; remove it"
    for axis in figure.log or ():
        if (ends := getattr(figure, f"{axis}lim")) and ends[0] <= 0:
            yield (f"{axis}lim",), f"a logarithmic axis has no {ends[0]:g}; it begins above 0"
    for study in figure.labels:
        if study not in figure.studies:
            yield ("labels", study), f"the figure has no study {study[:80]!r}{nearest(study, figure.studies)}"
    if (places := first_duplicate(figure.studies)) is not None:
        yield ("studies", places[1]), f"{figure.studies[places[1]]!r} occurs twice"
    for place, study in enumerate(figure.studies):
        if study not in studies:
            yield ("studies", place), f"there is no study {study[:80]!r}{nearest(study, studies)}"
        elif reason := incompatible(KINDS[figure.kind], studies[study]):
            yield ("studies", place), f"study {study} {reason}"
    if kind.second == LAW_TABLE.name and not {*figure.studies} & {*laws}:
        yield ("studies",), f"a figure {kind.name} shows fitted laws; list one of its studies under laws"
    if reason := _together(kind, {name: studies[name] for name in figure.studies if name in studies}):
        yield ("studies",), reason


def _together(kind: Kind, studies: dict[str, Study]) -> str:
    """Return why studies that fit a kind one by one cannot be in one figure of it; "" if they can."""
    red = {name: rule_named(study.rule).reference_color is not None for name, study in studies.items()}
    if kind.name == "winner-ratio" and len({*red.values()}) > 1:
        reds = ", ".join(name for name in red if red[name])
        return f"a figure winner-ratio shows other quantities of {reds}, whose rule has a reference color; draw two figures"
    return ""


def _matplotlib_checks(figure: FigureSpec) -> Iterator[tuple[tuple, Callable[[], Any]]]:
    """Yield the checks that need matplotlib, with the path of each."""
    texts: dict[tuple, str] = {("title",): figure.title, ("caption",): figure.caption}
    texts |= {("labels", study): text for study, text in figure.labels.items()}
    for path, text in texts.items():
        if "$" in text:
            from ..figures.canvas import check_formulas  # here, because few figures need matplotlib

            yield path, lambda text=text, what=path[0]: check_formulas(text, f"the {what.removesuffix('s')}")  # type: ignore[misc]
    if figure.style is not None:
        from ..figures.style import read_style

        yield ("style",), lambda: read_style(figure.style)  # type: ignore[arg-type]
    if figure.octaves is not None and KINDS[figure.kind].octaves:
        from ..figures.octave_points import read_octaves

        yield ("octaves",), lambda: read_octaves(figure.octaves)


def incompatible(kind: Kind, study: Study) -> str:
    """Return why a study cannot be shown in a figure of this kind; "" if it can."""
    if missing := kind.needs - {*study.observables, *measured(study.observables)}:
        return f"must list {', '.join(sorted(missing))} in observables"
    if missing := kind.quantities - study.estimated:
        return f"must list {', '.join(sorted(missing))} in quantities, which a figure {kind.name} shows"
    pairs = parameter_grid.intensity_pairs(study)
    if kind.ratio and any(len(pair) < 2 for pair in pairs):
        return f"needs points of two colors, since a figure {kind.name} is drawn against their ratio"
    if kind.ratio and any(len(pair) > 2 for pair in pairs):
        return f"has more than two colors, and a figure {kind.name} is drawn against the ratio of two"
    if kind.ratio and not any(all(pair) if kind.reference_color else pair[0] for pair in pairs):
        return f"has no points of a color that a figure {kind.name} shows"
    if kind.reference_color and rule_named(study.rule).reference_color is None:
        rules = ", ".join(name for name, rule in RULES.items() if rule.reference_color is not None)
        return f"needs a rule with a reference color ({rules}), not {study.rule}"
    if kind.ratio and not kind.reference_color and rule_named(study.rule).n_colors == 1:
        return f"needs a rule that distinguishes colors, not {study.rule}"
    return ""
