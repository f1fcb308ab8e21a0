"""Cross-field checks of a study file, made before anything is simulated.

Each function yields pairs (path, message); an empty path is the study, or the file, itself.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...matching import tiles
from ...points.distance_tables import MeanField
from ...points.processes import PROCESSES
from ...points.spaces import Torus
from ...points.tiled import fine_tiles
from ...theory.volumes import ball_power, is_mean_field
from ...utils.errors import BadInput, nearest
from ..sampling import user_functions
from ..sampling.cells import SPACES
from ..statistics.observables import OBSERVABLES, measured, needs_table, quantities_of
from ..statistics.observables.distances import BINS
from ..statistics.observables.interface import SumObservable
from ..tables.tables import DISTANCES, PER_DECADE
from . import forecast, parameter_grid, window_checks
from .fields import Problems, first_duplicate, length, repeated
from .figure_checks import empty_figures, figure_problems
from .process_spec import Imported, PointFiles

if TYPE_CHECKING:
    from .schema import Study, StudyFile

MAX_CELLS = 1_000_000  # of one file
MAX_POINTS = 1e12  # of a torus
MEAN_FIELD_SIZE = 20_000  # points whose table of distances takes 3 GB
MIN_REPLICATES = 8  # to judge an error by


# ---- a study ----


def study_problems(study: Study) -> Problems:
    """Yield the problems of a study. Later checks assume that the earlier ones passed."""
    if problems := list(_rules(study)):
        yield from problems
        return
    for check in CHECKS:
        problems = list(dict.fromkeys(problem for one in study.by_rule for problem in check(one)))
        yield from problems
        if problems:
            return


def _rules(study: Study) -> Problems:
    """Check that the rules of a list differ, and that they can be applied to the same points."""
    first, *others = study.by_rule
    yield from repeated("rule", [one.rule for one in study.by_rule])
    for index, other in enumerate(others, start=1):
        if other.intensity_pairs != first.intensity_pairs:
            both = f"{first.rule} and {other.rule} need points of different colors"
            yield ("rule", index), f"{both}; give intensities for both, or move one to a separate study"
            return


def _target(study: Study) -> Problems:
    if (study.target_rel_se is None) != (study.max_replicates is None):
        yield (), "target_rel_se and max_replicates must be given together"
    elif study.max_replicates is not None:
        if not MIN_REPLICATES <= study.replicates <= study.max_replicates:
            why = f"from {MIN_REPLICATES} (to estimate the error) to max_replicates"
            yield (), f"with a target_rel_se, replicates must be {why}"
        if any(0 in pair for pair in study.intensity_pairs):
            yield (), "with a target_rel_se no intensity may be 0: a color without points has no error"


def _colors(study: Study) -> Problems:
    rule, pairs = study.rule_entry, study.intensity_pairs
    if (number := len(study.process.entry.parts)) and number != rule.n_colors:
        colors = f"{rule.n_colors} color{'s' * (rule.n_colors > 1)}"
        yield ("process",), f"{number} processes, and {study.rule} has {colors}; a list has one process for each color"
        return
    if study.intensities is not None and study.ratios is not None:
        yield (), "give either intensities or ratios, not both"
    single = [pair[0] for pair in pairs if len(pair) == 1]
    if study.intensities is not None and rule.n_colors > 1 and single:
        both = single if len(single) == rule.n_colors else single[:1] * rule.n_colors
        suggestion = f"[[{', '.join(f'{one:g}' for one in both)}]]"
        known = f"points of one color, and {study.rule} distinguishes {rule.n_colors}"
        yield ("intensities",), f"{known}: did you mean {suggestion}?"
    for index, pair in enumerate(pairs):
        where = study.intensity_key, index
        if 1 < rule.n_colors < len(pair):
            yield where, f"{len(pair)} colors, and {study.rule} knows {rule.n_colors}"
        elif not sum(pair):
            yield where, "no color has points; one of the intensities must be greater than 0"


def _files(study: Study) -> Problems:
    """Check points from files: one file for each replicate, one coordinate for each dimension."""
    if isinstance(points := study.process, PointFiles):
        if points.capacity is not None and study.rule_entry.labels:
            yield ("process",), f"{study.rule} gives each point one partner for each label; leave capacity out"
        if points.count is not None and (number := study.most_replicates) > points.count:
            key = "replicates" if study.replicates == number else "max_replicates"
            yield (key,), f"{number} replicates need {number} files, and {points.files!r} names {points.count}"
        for index, dim in enumerate(study.dims):
            if dim not in (len(points.coords), math.inf):
                yield ("dims", index), f"d = {dim}, and the coords of the points are {len(points.coords)}"


def _mean_field(study: Study) -> Problems:
    if math.inf not in study.dims:
        return
    if study.process.entry.flat:
        yield (), f"the process {study.process.name} has no mean-field model; leave inf out of dims"
    if needs_table(study.observables) and max(study.requested_sizes(math.inf)) > MEAN_FIELD_SIZE:
        tables = " and ".join(name for name in study.observables if OBSERVABLES[name].table_of_pairs)
        where = "in the mean-field model (dims: inf)"
        yield (), f"{tables} {where} needs sizes up to {MEAN_FIELD_SIZE}; move it to a separate study"


def _geometry(study: Study) -> Problems:
    """Check that a space other than the torus has no mean-field model."""
    if study.geometry != Torus.name and math.inf in study.dims:
        yield ("geometry",), f"the mean-field model is no {study.geometry}; leave inf out of dims"


def _observables(study: Study) -> Problems:
    """Check that each observable is defined for the rule and in all spaces."""
    rule = study.rule_entry
    spaces = [
        MeanField(1.0) if is_mean_field(dim) else SPACES[study.geometry](study.sides_of(dim) or 1.0, int(dim))
        for dim in study.dims
    ]
    has_capacities = isinstance(study.process, PointFiles) and study.process.capacity is not None
    key = "max_distance" if study.max_distance is not None else "a column of capacities" if has_capacities else ""
    largest = max(study.requested_sizes(study.dims[0]))
    for index, name in enumerate(study.observables):
        entry = OBSERVABLES[name]
        if largest > entry.max_points:
            why = f"is for tori of up to {entry.max_points:.0f} points, not of {largest:.12g}"
            yield ("observables", index), f"{name} {why}; leave it out of observables, or move it to a separate study"
            return
        if reason := next(filter(None, (entry.incompatible(rule, space) for space in spaces)), ""):
            yield ("observables", index), f"{name} {reason}; leave it out of observables"
        if key and entry.needs_all_pairs:
            known = ", ".join(o.name for o in OBSERVABLES.values() if not o.needs_all_pairs)
            yield ("observables", index), f"{name} needs a matching without {key}; {known} do not"
    for index, name in enumerate(study.quantities or ()):
        if name not in quantities_of(study.observables):
            observable = next(entry.name for entry in OBSERVABLES.values() if name in quantities_of([entry.name]))
            yield ("quantities", index), f"the study does not measure {name}; add {observable} to observables"


def _tiles(study: Study) -> Problems:
    if study.tiles is None:
        return
    if study.tiles & (study.tiles - 1):
        yield ("tiles",), f"{study.tiles} is not a power of two"
    if study.max_distance is not None:
        yield ("tiles",), "tiles are for matchings without max_distance; leave one of them out"
    if study.process.entry.split is None:
        drawn = ", ".join(p.name for p in PROCESSES.values() if p.split is not None)
        yield ("process",), f"{study.process.name} cannot be drawn in tiles; {drawn} can"
    whole = [name for name in measured(study.observables) if not isinstance(OBSERVABLES[name], SumObservable)]
    if whole:
        known = ", ".join(o.name for o in OBSERVABLES.values() if isinstance(o, SumObservable))
        yield ("observables",), f"{' and '.join(whole)} cannot be measured in tiles; {known} can"
    for dim in study.dims:
        if reason := tiles.incompatible(study.rule_entry, dim):
            yield ("tiles",), f"{study.rule} in d = {dim:g} {reason}"
            return
        smallest = min(study.requested_sizes(dim))
        if study.tiles > (parts := fine_tiles(dim, smallest)):
            drawn = f"{smallest:g} points in d = {dim} are drawn in {parts} parts an axis"
            yield ("tiles",), f"{drawn}; there cannot be {study.tiles} tiles"
            return


def _twice(study: Study) -> Problems:
    """Check that no two cells are equal."""
    pairs = study.intensity_pairs
    yield from repeated("dims", study.dims)
    yield from repeated(study.intensity_key, pairs if study.ratios is None else study.ratios)
    depends = study.process.entry.whole_side
    for dim, pair in itertools.product(study.dims, pairs) if depends else [(study.dims[0], pairs[0])]:
        if (indices := first_duplicate(sizes := study.sizes_of(dim, pair))) is not None:
            first, second = (f"{study.requested_sizes(dim)[k]:.12g}" for k in indices)
            both = f"and {first} are both {sizes[indices[0]]:g} points in d = {dim}"
            yield ("sizes", indices[1]), f"{second} {'occurs twice' if first == second else both}"
            return


def _possible(study: Study) -> Problems:
    """Check that the process can draw each cell."""
    for cell in parameter_grid.corners(study):
        where = f"in d = {cell.dim}, {cell.size:g} points of intensity {sum(cell.intensities):g}"
        try:
            if (points := cell.points_held) > MAX_POINTS:
                key = "sizes" if points == cell.size else "process"
                yield (key,), f"{where}: {points:g} points must be drawn; at most {MAX_POINTS:g} can be"
                return
        except BadInput as error:
            yield ("process",), f"{where}: {error}"
            return


def _scale(study: Study) -> Problems:
    """Check that the bins of `distances` contain the typical distances, with a decade to spare."""
    if not any(OBSERVABLES[name].table is DISTANCES for name in measured(study.observables)):
        return
    low, high = (10.0 ** (BINS[k] / PER_DECADE + spare) for k, spare in ((0, 1), (-1, -1)))
    for cell in parameter_grid.corners(study):
        intensity = sum(cell.intensities)
        spacing = (1 / intensity) ** (1 / ball_power(cell.dim))
        if not low <= spacing <= high:
            where = f"in d = {cell.dim} points of intensity {intensity:g} are about {spacing:.2g} apart"
            counted = f"distances are counted from {low / 10:g} to {high * 10:g}"
            yield (study.intensity_key,), f"{where}, and {counted}; take another unit of length"
            return


CHECKS = (
    window_checks.problems, _colors, _target, _files, _mean_field, _geometry, _observables, _tiles, _twice, _possible, _scale
)  # fmt: skip


# ---- a file ----


def too_many_cells(data: Any) -> Problems:
    """Yield a problem if there are too many cells, counted before any range is expanded."""
    studies = data.get("studies") if isinstance(data, dict) else None
    counted = {name: _cell_count(study) for name, study in studies.items()} if isinstance(studies, dict) else {}
    if (total := sum(counted.values())) > MAX_CELLS:
        largest = max(counted, key=lambda name: counted[name])
        yield ("studies", largest), f"{total} cells in this file; at most {MAX_CELLS} fit in one"


def _cell_count(study: Any) -> int:
    """Return the number of cells of a study that is not yet checked; 0 if it is not a mapping."""
    if not isinstance(study, dict):
        return 0
    pairs = max(length(study.get(key)) for key in ("intensities", "ratios"))
    return math.prod(length(study.get(key)) for key in ("rule", "dims", "sizes")) * pairs


def file_problems(file: StudyFile) -> Problems:
    """Yield the problems of a file: of each study, of names, laws and figures."""
    for section in ("studies", "figures"):
        names: dict[str, str] = {}
        for name in getattr(file, section):
            if (other := names.setdefault(name.lower(), name)) != name:
                yield (section, name), f"equals {other!r} on a disk that ignores case; choose another name"
    for name, study in file.studies.items():
        for path, message in study_problems(study):
            yield ("studies", name, *path), message
    yield from _laws(file)
    for name, figure in file.figures.items():
        for path, message in figure_problems(figure, file.studies, file.laws):
            yield ("figures", name, *path), message


def _laws(file: StudyFile) -> Problems:
    if not file.laws:
        return
    from ..statistics.fitting import FITTED  # here, because few studies need it

    yield from repeated("laws", file.laws, repr)
    for index, name in enumerate(file.laws):
        study = file.studies.get(name)
        if study is None:
            yield ("laws", index), f"there is no study {name[:80]!r}{nearest(name, file.studies)}"
        elif "response" not in study.observables and not any(
            forecast.pairs_with_reds(one, dim) for one in study.by_rule for dim in one.dims
        ):
            yield ("laws", index), f"study {name} has no law to fit: it needs unmatched red points or a response"
        elif missing := {*FITTED} & quantities_of(study.observables) - study.estimated:
            listed = f"must list {', '.join(sorted(missing))} in quantities"
            yield ("laws", index), f"study {name} {listed}, to which laws are fitted"


# ---- remarks ----


def remarks(file: StudyFile) -> Iterator[str]:
    """Yield remarks on valid but unusual entries of a study file."""
    for name, figure in file.figures.items():
        if figure.usetex or "pgf" in figure.format:
            from ..figures.style import need_latex  # here, because few figures need matplotlib

            try:
                need_latex(f"figures.{name}")
            except OSError as error:
                yield str(error)
    yield from forecast.odd_numbers(file)
    yield from empty_figures(file)
    yield from forecast.not_tested(file)
    yield from window_checks.windows(file)
    for name, listed in file.studies.items():
        study = listed.by_rule[0]
        if (smallest := min(study.requested_sizes(study.dims[0]))) < 1:
            yield f"studies.{name}.sizes: {smallest:g} is less than one point: most tori will be empty"
        for dim in study.dims:
            requests = study.requested_sizes(dim)
            for requested, size in zip(requests, study.sizes_of(dim), strict=True):
                if not requested / 2 <= size <= requested * 2:
                    yield f"studies.{name}.sizes: the {study.process.name} in d = {dim} nearest to {requested:g} points has {size:g}"
                    break


def imports(file: StudyFile) -> Iterator[str]:
    """Yield a line for each function that a study file would import; nothing is imported."""
    for name, study in file.studies.items():
        if isinstance(spec := study.process, Imported):
            yield f"studies.{name}.process: {user_functions.refusal(user_functions.find(spec.name, spec.study_folder.folder))}"
