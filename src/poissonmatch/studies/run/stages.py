"""The stages after simulation: aggregate, which reads only the blocks of the study file, and draw."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from ...utils.atomic_writer import replace_together, with_space, write_atomically
from ...utils.errors import BadInput, IntegrityError, Problem, integrity_error, quoted
from ...utils.files import exists
from ...utils.libraries import pa, pd
from ...utils.manifests import MANIFEST, read_json, sha256, to_json
from ...utils.worker_processes import in_order
from .. import study_files
from ..results import cell_records, provenance, up_to_date
from ..results.batch_files import BLOCKS, NewTable
from ..results.load import rows_of
from ..results.results import FinishedBlocks, Results
from ..sampling.cells import Block
from ..statistics import estimates, estimators, fitting
from ..tables.estimate_tables import ESTIMATES, LAW_TABLE, TABLES
from ..tables.invariants import columns_of
from ..tables.parquet import concatenated, to_arrow
from ..tables.tables import RATIOS, REPLICATES, Columns, empty, stacked

# The rows of cells that are estimated together, and what their estimates need of other cells.
Chunk = tuple[list[Mapping[str, Columns]], estimates.Context]
CHUNK = 64  # cells that are estimated together, at most,
CHUNK_ROWS = 50_000  # and the number of their rows after which there are no more
GROUP_ROWS = 20_000  # of a row group of the tables, of which there may be thousands


def aggregate(
    file: study_files.StudyFile, folder: Path, *, processes: int = 1, batches: Collection[str] | None = None
) -> None:
    """Concatenate the blocks of a study file to its tables, cell by cell, and estimate.

    batches: names of those that hold the blocks, by default all in the folder. Raises IntegrityError for an invalid
    block.
    """
    up_to_date.forget_stamps(folder, "aggregate", up_to_date.tables_digest(file))
    results = Results(folder, batches=batches)
    results.demand_manifests()
    needed = array("q")  # replicates; a cell is made twice rather than kept, since a study may have millions
    missing: list[Block] = []
    used: set[str] = set()
    colors = 2
    for _, cell in study_files.in_row_order(file):
        cell = cell_records.as_needed(cell, results)
        needed.append(cell.replicates)
        missing += results.missing(cell)
        used |= results.batches_of(results.blocks(cell))
        colors = max(colors, len(cell.intensities))
    if missing:
        raise IntegrityError(*(Problem(folder / BLOCKS, "missing", str(block)) for block in missing))
    about = {
        "study": up_to_date.relevant(file),
        "seed": file.seed,
        "code": up_to_date.code(),
        "versions": results.versions(used),
    }
    tables: dict[str, NewTable] = {}

    def add(name: str, rows: pa.Table) -> None:
        tables[name].write(concatenated(TABLES[name], [rows], colors))

    try:
        for name in file.tables:
            tables[name] = NewTable(folder, TABLES[name].wide(colors), about, GROUP_ROWS)
        workers = min(processes, len(needed) // CHUNK)  # few cells take less time than the start of workers
        cells = zip(study_files.in_row_order(file), needed, strict=True)
        blocks = ([*results.blocks(replace(cell, replicates=number))] for (_, cell), number in cells)
        add_rows(add, file, results, blocks, workers)
        listed = {f"{name}.parquet": table.complete() for name, table in tables.items()}
        data = to_json({**about, "commit": provenance.commit(), "sha256": listed})
        others = [folder / f"{name}.parquet" for name in TABLES.keys() - tables.keys()]  # of another study file
        files = {folder / f"{name}.parquet": table.file for name, table in tables.items()}
        replace_together(files, folder / MANIFEST, data, others)
    except OSError as error:
        raise with_space(error, folder) from None
    finally:
        for table in tables.values():
            table.discard()


def add_rows(
    add: Callable[[str, pa.Table], None],
    file: study_files.StudyFile,
    results: FinishedBlocks,
    blocks: Iterable[Sequence[Block]],
    processes: int = 1,
) -> None:
    """Add the rows of all tables. blocks: those of each cell, in the order of the rows.

    One chunk of cells after another is read and estimated, so that few rows are in memory. A cell is compared with a
    smaller one, which comes before it. Raises IntegrityError at the end, with the problems of all cells.
    """
    problems: list[Problem] = []

    def chunks() -> Iterator[Chunk]:
        context = estimates.Context()
        chunk: list[Mapping[str, Columns]] = []
        groups: set[int] = set()
        size = 0
        for of_cell in blocks:
            try:
                rows = results.read_cell(of_cell)
            except IntegrityError as error:
                problems.extend(error.problems)
            if problems:  # those of the other cells are still to be found
                continue
            for name, part in rows.items():
                add(name, part)
            if RATIOS.name in rows and file.laws:
                ratios.append(fitting.needed(rows[RATIOS.name].to_pandas(), file.laws))
            columns = {name: estimators.arrays_of(TABLES[name], part) for name, part in rows.items()}
            chunk.append(columns | {REPLICATES.name: columns_of(rows[REPLICATES.name])})
            summary = estimators.CellSample(chunk[-1][REPLICATES.name]).summary
            context.add(summary)
            groups.add(summary.size_group)
            size += sum(map(len, rows.values()))
            if len(chunk) == CHUNK or size > CHUNK_ROWS:
                yield chunk, context.of(groups)
                chunk, groups, size = [], set(), 0
        if chunk:
            yield chunk, context.of(groups)

    ratios, fitted = [empty(RATIOS)], [empty(ESTIMATES)]
    estimated = partial(_estimated, wanted=file.estimated)
    for made in in_order(estimated, chunks(), processes):
        for name, columns in made.items():
            add(name, to_arrow(TABLES[name], columns))
        if file.laws and ESTIMATES.name in made:
            fitted.append(fitting.needed(pd.DataFrame(made[ESTIMATES.name]), file.laws))
        pa.default_memory_pool().release_unused()  # else freed memory is kept, more after each chunk
    if problems:
        raise IntegrityError(*dict.fromkeys(problems))
    if file.laws:
        laws = fitting.table(stacked(ESTIMATES, fitted), stacked(RATIOS, ratios), file.laws)
        add(LAW_TABLE.name, to_arrow(LAW_TABLE, laws))


def _estimated(chunk: Chunk, wanted: estimates.Wanted) -> dict[str, Columns]:
    """Return the rows of a chunk of cells in the tables `transitions` and `estimates`."""
    return estimates.columns_of_cells(*chunk, wanted)


def draw(
    file: study_files.StudyFile,
    folder: Path,
    names: Iterable[str] | None = None,
    say: Callable[[str], object] = lambda note: None,
) -> list[Path]:
    """Draw figures of a study file from its tables alone, with the caption in a text file; return the files written.

    names: of figures, by default all. say: called with a note about each figure with nothing to draw. Raises
    IntegrityError if the tables are not those of the file.
    """
    names = list(file.figures if names is None else names)
    for name in names:
        if name not in file.figures:
            raise BadInput(
                f"the study file has no figure {quoted(name)}; there are {', '.join(file.figures) or 'none'}"
            )
    listed = tables_of(file, folder, {f"{t}.parquet" for name in names for t in up_to_date.tables_drawn(file, name)})
    facts = {name: up_to_date.figure_facts(file, name, listed) for name in names}  # before a style file may change
    tables = cache(lambda table: rows_of(folder / f"{table}.parquet")[0])
    written: list[Path] = []
    digest = up_to_date.tables_digest(file)
    for name in names:
        up_to_date.forget_stamps(folder, f"draw_{name}", up_to_date.figure_digest(file, name, digest))
        drawn = rendered(file, name, tables)
        data = {folder / up_to_date.FIGURES / f"{name}{suffix}": data for suffix, data in drawn.files.items()}
        digests = {path.name: sha256(content) for path, content in data.items()}
        entry = {"facts": facts[name], "sha256": digests, "caption": drawn.caption, "width": drawn.width}
        write_atomically(up_to_date.figure_manifest(folder, name), to_json(entry))  # first; see up_to_date.unlisted
        for path, content in data.items():
            write_atomically(path, content)
        written += data
        if drawn.nothing:
            say(f"figure {name}: {drawn.nothing}")
    return written


class Drawn(NamedTuple):
    """A figure: its files by suffix, its caption, its width by name, and why there is nothing to draw."""

    files: dict[str, bytes]
    caption: str
    width: str
    nothing: str


def rendered(
    file: study_files.StudyFile, name: str, tables: Callable[[str], pd.DataFrame], formats: Iterable[str] | None = None
) -> Drawn:
    """Return a figure in these formats, by default its own. tables: return a table by its name.

    Raises BadInput with the name of the figure.
    """
    from ..figures import canvas  # here, because a job that simulates would wait for matplotlib
    from ..figures.draw import blank
    from ..figures.draw import draw as drawing_of
    from ..figures.kinds import WIDTHS, NothingToDraw

    spec, nothing = file.figures[name], ""
    rows, *second = map(tables, up_to_date.tables_drawn(file, name))
    try:
        try:
            drawing = drawing_of(spec.kind, rows, spec.studies, second=second[0] if second else None, **spec.options)
        except NothingToDraw as error:
            nothing = str(error)
            drawing = blank(nothing, spec.kind, spec.options)
        files = canvas.render(drawing, list(formats or spec.format))
    except BadInput as error:  # a title that is no mathematics, say
        raise BadInput(f"figure {name}: {' '.join(str(error).split())}") from None
    width = "column" if drawing.figure.get_figwidth() <= WIDTHS["column"] else "text"
    return Drawn(files, drawing.caption, width, nothing)


def tables_of(file: study_files.StudyFile, folder: Path, read: set[str]) -> dict[str, str]:
    """Return the SHA-256 of the tables by name.

    Raises IntegrityError unless they are those of this study file and code.

    read: the files that must be there; the others need not have been copied along.
    """
    if not exists(folder / MANIFEST):
        raise integrity_error(folder / MANIFEST, "missing", "the study is not finished")
    needed = read | {MANIFEST}
    if problems := [p for p in up_to_date.tables(file, folder) if p.kind != "missing" or p.path.name in needed]:
        raise IntegrityError(*problems)
    return read_json(folder / MANIFEST)["sha256"]
