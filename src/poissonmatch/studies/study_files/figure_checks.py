"""Cross-field checks of the figures of a study file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...points.sphere import Sphere
from ...rules.catalogue import RULES
from ...theory.finite_size import MIN_COUNT
from ...utils.errors import BadInput, nearest
from ..figures.figure_options import option_problems
from ..figures.kinds import KINDS, Kind, Options
from ..statistics.observables import measured
from ..tables.estimate_tables import LAW_TABLE
from .fields import Problems, repeated

if TYPE_CHECKING:
    from .schema import FigureSpec, Study, StudyFile


def figure_problems(figure: FigureSpec, studies: dict[str, Study], laws: list[str]) -> Problems:
    """Yield the problems of a figure with its studies. laws: the studies to which laws are fitted."""
    kind = KINDS[figure.kind]
    yield from option_problems(Options(**figure.options), kind)
    yield from _file_problems(figure, kind)
    for study in figure.labels:
        if study not in figure.studies:
            yield ("labels", study), f"the figure has no study {study[:80]!r}{nearest(study, figure.studies)}"
    yield from repeated("studies", figure.studies, repr)
    for position, study in enumerate(figure.studies):
        if study not in studies:
            yield ("studies", position), f"there is no study {study[:80]!r}{nearest(study, studies)}"
        elif reason := next(filter(None, (incompatible(kind, one) for one in studies[study].by_rule)), ""):
            yield ("studies", position), f"study {study} {reason}"
    if kind.second == LAW_TABLE.name and not {*figure.studies} & {*laws}:
        yield ("studies",), f"a figure {kind.name} shows fitted laws; list one of its studies under laws"
    if reason := _together(kind, {name: studies[name] for name in figure.studies if name in studies}):
        yield ("studies",), reason


def _file_problems(figure: FigureSpec, kind: Kind) -> Problems:
    """Yield the problems of the files that a figure names."""
    try:
        if path := figure.style:
            from ..figures.style import read_style  # here, because few figures need matplotlib

            read_style(path)
    except BadInput as error:
        yield ("style",), str(error)
    try:
        if (path := figure.octaves) and kind.octaves:
            from ..figures.octave_points import read_octaves

            read_octaves(path)
    except BadInput as error:
        yield ("octaves",), str(error)


def _together(kind: Kind, studies: dict[str, Study]) -> str:
    """Return why studies that fit a kind one by one cannot be in one figure of it; "" if they can."""
    red = {
        f"{name} ({one.rule})" if len(study.by_rule) > 1 else name: one.rule_entry.reference_color is not None
        for name, study in studies.items()
        for one in study.by_rule
    }
    if kind.name == "winner-ratio" and len({*red.values()}) > 1:
        reds = ", ".join(name for name in red if red[name])
        return f"a figure winner-ratio shows other quantities of {reds}, whose rule has a reference color; draw two figures"
    return ""


def incompatible(kind: Kind, study: Study) -> str:
    """Return why a study cannot be shown in a figure of this kind; "" if it can."""
    if missing := kind.needs - {*study.observables, *measured(study.observables)}:
        return f"must list {', '.join(sorted(missing))} in observables"
    if missing := kind.quantities - study.estimated:
        return f"must list {', '.join(sorted(missing))} in quantities, which a figure {kind.name} shows"
    if study.geometry == Sphere.name and not kind.axes:
        return f"is on a sphere, which a figure {kind.name} does not show; pm.match(pattern).plot() draws a map"
    if kind.ratio:
        pairs = study.intensity_pairs
        if any(len(pair) < 2 for pair in pairs):
            return f"needs points of two colors, since a figure {kind.name} is drawn against their ratio"
        if any(len(pair) > 2 for pair in pairs):
            return f"has more than two colors, and a figure {kind.name} is drawn against the ratio of two"
        if not any(all(pair) if kind.reference_color else pair[0] for pair in pairs):
            return f"has no points of a color that a figure {kind.name} shows"
    if kind.reference_color and study.rule_entry.reference_color is None:
        rules = ", ".join(name for name, rule in RULES.items() if rule.reference_color is not None)
        return f"needs a rule with a reference color ({rules}), not {study.rule}"
    if kind.ratio and not kind.reference_color and study.rule_entry.n_colors == 1:
        return f"needs a rule that distinguishes colors, not {study.rule}"
    return ""


def empty_figures(file: StudyFile) -> Iterator[str]:
    """Yield a remark for each figure of which it is known before a run that there is nothing to draw."""
    for name, figure in file.figures.items():
        sizes: dict[float, set[float]] = {}  # by dimension
        points = 0.0  # of a cell, in all replicates
        for study in (study for listed in figure.studies for study in file.studies[listed].by_rule):
            for dim in study.dims:
                of_dim = study.sizes_of(dim)
                sizes.setdefault(dim, set()).update(of_dim)
                points = max(points, study.most_replicates * max(of_dim))
        if figure.kind == "finite-size" and all(len(of_dim) < 2 for of_dim in sizes.values()):
            yield f"figures.{name}: there is nothing to draw: no ratio has tori of two sizes"
        if figure.kind in ("tail", "scaled-tail") and points < 2 * MIN_COUNT:
            yield f"figures.{name}: there is nothing to draw: a tail needs at least {2 * MIN_COUNT} points in all"
