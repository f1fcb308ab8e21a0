"""Are these all the rows of some replicates, and such as a run can have made? Of a block, of a cell, of the tables of a study.

What must be there follows from the entries: the replicates of the block, the quantities and arguments of the observables of
the cell, their kinds; then come the laws of each observable. Every function here raises Impossible where it is not so.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..cells import Cell
from ..errors import BadInput
from ..geometry import cutoff
from ..processes import PROCESSES
from ..rules import rule_named
from .cellrows import cell_columns, cell_of
from .invariants import Check, Impossible, columns_of, demand, equal, row_of
from .laws import Numbers
from .observables import OBSERVABLES, Observable, Quantity, measured, quantities, tables_of
from .rows import Columns, Part, Words
from .sums import SLACK
from .tables import CELL, ESTIMATES, FROGS, NO_X, REPLICATES, SHARD_TABLES, TABLES, Table

# ---- some replicates of a cell -------------------------------------------------------------------------


def rows_of(cell: Cell, replicates: range, tables: Mapping[str, Columns]) -> None:
    """Look at the rows of some replicates of a cell. tables: columns by name; one that is not among them is not looked at."""
    try:
        rule_named(cell.rule)
        PROCESSES[cell.process_name]
    except (BadInput, KeyError):
        name = next(iter(tables))
        words = f"table {name}: of the rule {cell.rule[:60]} and the process {cell.process_name[:60]}, one of which is not known"
        raise Impossible(name, words) from None
    tori = tables.get(REPLICATES.name)
    if tori is not None:
        sequence(REPLICATES, tori, {"replicate": _first(replicates, len(tori["replicate"]) + 1)})
    entries = [OBSERVABLES[name] for name in measured(cell.observables)]
    for table in SHARD_TABLES.values():
        mine = [entry for entry in entries if entry.table is table and (replicates.start == 0 or not entry.first_only)]
        rows = tables.get(table.name)
        if rows is None:
            continue
        if not mine:
            none = Check("no rows, since no observable of the cell makes any", (), np.zeros(len(rows["cell"]), bool))
            demand(table, rows, [none])
            continue
        if "replicate" in table.names:
            inside = (rows["replicate"] >= replicates.start) & (rows["replicate"] < replicates.stop)
            text = f"replicates {replicates.start} to {replicates.stop - 1}"
            demand(table, rows, [Check(text, ("replicate",), inside)])
        if table is FROGS:
            _frogs(cell, replicates, mine, rows, tables)
        else:
            for entry in mine:
                demand(table, rows, entry.laws(cell, rows, tables), tables)


def _first(replicates: range, n: int) -> np.ndarray:
    """The first n of them: no more than there can be rows of, whatever a manifest says."""
    return np.arange(replicates.start, min(replicates.stop, replicates.start + n))


def sequence(table: Table, columns: Columns, keys: Mapping[str, Any]) -> None:
    """The rows have exactly these keys, in this order."""
    rows, wanted = (len(next(iter(arrays))) for arrays in ([columns[name] for name in keys], keys.values()))
    n = min(rows, wanted)
    same = np.all([equal(columns[name][:n], values[:n]) for name, values in keys.items()], axis=0)
    if rows == wanted and same.all():
        return
    row = int(np.argmin(np.append(same, False)))
    here = row_of(table, columns, row, keys) if row < rows else f"table {table.name} ends before row {row}"
    need = "no more rows" if row == wanted else ", ".join(f"{name} {values[row]}" for name, values in keys.items())
    raise Impossible(table.name, f"{here}; always: {need}")


def _frogs(
    cell: Cell, replicates: range, entries: list[Observable], rows: Columns, tables: Mapping[str, Columns]
) -> None:
    """The rows of the table `frogs`: all of them, each of its kind, and the laws of the observables."""
    known = {quantity.name: quantity for entry in entries for quantity in entry.quantities}
    text = "a quantity of the observables of the cell"
    demand(FROGS, rows, [Check(text, ("quantity",), rows["quantity"].isin(known))])
    far = cutoff(cell.dim, cell.side, cell.volume)
    arguments = {name: quantity.arguments(far) for name, quantity in known.items()}
    keys = sorted((name, x) for name, found in arguments.items() for x in found or ())
    # the rows of quantities whose arguments no entry tells are not counted
    place = np.flatnonzero(rows["quantity"].isin(name for name, found in arguments.items() if found is not None))
    numbered = _first(replicates, len(place) // max(1, len(keys)) + 1)
    times = len(numbered)
    wanted = {
        "replicate": np.repeat(numbered, len(keys)),
        "quantity": Words(np.tile(np.arange(len(keys)), times), (name for name, _ in keys)),
        "x": np.tile([x for _, x in keys], times),
    }
    sequence(FROGS, {name: rows[name][place] for name in wanted}, wanted)
    demand(FROGS, rows, _kinds(known, rows, tables.get(REPLICATES.name)))
    of_key = dict(zip(keys, place.reshape(times, len(keys)).T, strict=True))
    numbers: Numbers = {key: (rows["top"][k], rows["bottom"][k]) for key, k in of_key.items()}
    for entry in entries:
        names = {quantity.name for quantity in entry.quantities}
        mine = {key: value for key, value in numbers.items() if key[0] in names}
        for text, key, holds, _ in entry.laws(cell, mine, tables):
            if not np.all(holds):
                right = np.ones(len(rows["x"]), bool)
                right[of_key[key]] = holds
                demand(FROGS, rows, [Check(text, ("top", "bottom"), right)])


def _kinds(known: Mapping[str, Quantity], rows: Columns, tori: Columns | None) -> Iterator[Check]:
    """Every ratio is one of its kind."""
    quantity, top, bottom = rows["quantity"], rows["top"], rows["bottom"]

    def of(*kinds: str) -> np.ndarray:
        return quantity.isin(q.name for q in known.values() if q.kind in kinds)

    about = ("top", "bottom")
    yield Check("0 or 1 over 1", about, ~of("proportion") | (((top == 0) | (top == 1)) & (bottom == 1)))
    yield Check("top from 0 to bottom", about, ~of("share") | ((top >= 0) & (top <= bottom)))
    yield Check("top from 0", about, ~of("mean") | (top >= 0))
    counted = quantity.isin(q.name for q in known.values() if q.of_points)
    yield Check("a whole number over that of the points", about, ~counted | (top == np.floor(top)))
    if tori is not None:
        points = (tori["points_0"] + tori["points_1"])[rows["replicate"] - tori["replicate"][0]]
        yield Check("bottom is the number of points", about, ~counted | (bottom == points))


def inputs(tables: Mapping[str, Columns]) -> None:
    """Look at the rows from which a study is estimated: replicates from 0 for each cell, and what they have been measured for."""
    for name, columns in tables.items():
        columns_of(SHARD_TABLES[name], columns, {})
    parts = {
        name: {key: Part(columns, rows) for key, rows in cells_of(SHARD_TABLES[name], columns).items()}
        for name, columns in tables.items()
    }
    for key, tori in parts[REPLICATES.name].items():
        mine = {name: found[key] for name, found in parts.items() if key in found}
        seen = mine[FROGS.name]["quantity"].seen() if FROGS.name in mine else set()
        names = [
            entry.name
            for entry in OBSERVABLES.values()
            if (
                seen & {quantity.name for quantity in entry.quantities}
                if entry.table is FROGS
                else entry.table.name in mine
            )
        ]
        cell = _cell_of(REPLICATES, tori, 0, measured(names))
        rows_of(cell, range(len(tori["replicate"])), mine)
    for name, found in parts.items():
        if lost := sorted(found.keys() - parts[REPLICATES.name].keys()):
            raise Impossible(name, f"table {name} has the cell {'/'.join(lost[0])}, which {REPLICATES.name} has not")


# ---- the tables of a study -----------------------------------------------------------------------------


class _Plan(NamedTuple):
    """What the metadata of a table say of one study."""

    observables: tuple[str, ...]
    least: int  # replicates of a cell
    most: int


def results(tables: Mapping[str, Columns], about: Mapping[str, Any]) -> None:
    """Look at the tables of a study, one or several. about: their metadata, with its study, cells and seed."""
    try:
        plans = {
            name: _Plan(
                measured(OBSERVABLES[observable].name for observable in study["observables"]),
                int(study["replicates"]),
                int(study["max_replicates"] or study["replicates"]),
            )
            for name, study in about["study"]["studies"].items()
        }
        fingerprints, seed = Counter(about["cells"]), int(about["seed"])
    except (KeyError, TypeError, ValueError, AttributeError):
        name = next(iter(tables))
        raise Impossible(name, f"table {name}: its metadata do not say of which study it is") from None
    cells: dict[tuple[str, str], Cell] = {}
    parts: dict[tuple[str, str], dict[str, Columns]] = {}
    for name, columns in tables.items():
        found = []
        for key, rows in cells_of(TABLES[name], columns).items():
            cell = cells[key] = _cell(TABLES[name], columns, rows.start, plans, seed, fingerprints)
            parts.setdefault(key, {})[name] = Part(columns, rows)
            found.append((cell, rows.stop - rows.start))
        if name == ESTIMATES.name:
            demand(ESTIMATES, columns, _estimates(columns, found, plans))
        if name == REPLICATES.name and Counter(cell.fingerprint for cell, _ in found) != fingerprints:
            words = f"table {name} has {len(found)} cells; always: the {fingerprints.total()} of its metadata"
            raise Impossible(name, words)
    for key, cell in cells.items():
        mine = parts[key]
        for name in tables_of(cell.observables, 0) & set(tables):
            mine.setdefault(name, Part(tables[name], slice(0)))
        rows_of(cell, _replicates(plans[cell.study], mine), mine)


def cells_of(table: Table, columns: Columns) -> dict[tuple[str, str], slice]:
    """The rows of each cell, by study and cell."""
    study, cell = columns["study"], columns["cell"]
    if not len(study):
        return {}
    ends = np.flatnonzero((np.diff(study.codes) != 0) | (np.diff(cell.codes) != 0)) + 1
    starts = [0, *ends.tolist(), len(study)]
    first = np.repeat(starts[:-1], np.diff(starts))
    for column in CELL:
        values = columns[column.name]
        demand(table, columns, [Check("one for all rows of a cell", (column.name,), equal(values, values[first]))])
    return {(study[a], cell[a]): slice(a, b) for a, b in itertools.pairwise(starts)}


def _cell(
    table: Table, columns: Columns, row: int, plans: Mapping[str, _Plan], seed: int, fingerprints: Counter[str]
) -> Cell:
    """The cell of a row, which is one of those in the metadata."""
    plan = plans.get(columns["study"][row])
    cell = _cell_of(table, columns, row, plan.observables if plan else (), seed)
    if plan is None or cell.id != columns["cell"][row] or cell.fingerprint not in fingerprints:
        names = ("study", "cell", "process", "rule", "dim", "size", "intensity_0", "intensity_1")
        words = f"{row_of(table, columns, row, names)}; always: a cell of the study in its metadata"
        raise Impossible(table.name, words)
    return cell


def _cell_of(table: Table, columns: Columns, row: int, observables: tuple[str, ...], seed: int = 0) -> Cell:
    """The cell of a row, whose columns fit each other."""
    values = {column.name: columns[column.name][row] for column in CELL}
    try:
        cell = cell_of(values, observables, seed)
        wanted = {**cell_columns(cell), "cell": values["cell"]}  # the name of the cell is another matter
    except (ValueError, KeyError, TypeError, ArithmeticError):
        words = f"{row_of(table, columns, row, [column.name for column in CELL])}; always: the columns of a cell"
        raise Impossible(table.name, words) from None
    for name, value in wanted.items():
        if not np.all(values[name] == value if isinstance(value, str) else equal(values[name], value)):
            words = f"{row_of(table, columns, row, (name,))}; always: {name} = {value} in this cell"
            raise Impossible(table.name, words)
    return cell


def _replicates(plan: _Plan, tables: Mapping[str, Columns]) -> range:
    """Those of a cell; of a study with a target, as many as the tables have, within its bounds."""
    last = max((int(rows["replicate"].max(initial=-1)) for rows in tables.values() if "replicate" in rows), default=-1)
    return range(max(plan.least, min(last + 1, plan.most)))


def _estimates(columns: Columns, cells: list[tuple[Cell, int]], plans: Mapping[str, _Plan]) -> Iterator[Check]:
    """Every row of `estimates` is one of its quantity and its cell."""
    quantity, known = columns["quantity"], quantities()
    yield Check("a quantity of an observable", ("quantity",), quantity.isin(known))
    lengths = [length for _, length in cells]
    entries = [known[word] for word in quantity.words]

    def by_quantity(values: list[Any]) -> np.ndarray:
        return np.array(values)[quantity.codes] if values else np.zeros(0)

    def by_cell(values: list[Any]) -> np.ndarray:
        return np.repeat(np.array(values, float), lengths)

    value, x, exact, n = (columns[name] for name in ("value", "x", "exact", "n_replicates"))
    fewest, all_of_them = (by_cell([getattr(plans[cell.study], end) for cell, _ in cells]) for end in ("least", "most"))
    text = "as many replicates as the study asks for"
    yield Check(text, ("n_replicates",), (n >= fewest) & (n <= all_of_them))
    least, most = (by_quantity([entry.bounds[end] for entry in entries]) for end in (0, 1))
    slack = SLACK * (1 + np.abs(value))
    yield Check("a value that it can have", ("value",), (value >= least - slack) & (value <= most + slack))
    yield Check("a value that it can have", ("exact",), ~((exact < least - SLACK) | (exact > most + SLACK)))
    error, lower, upper = (columns[name] for name in ("standard_error", "lower", "upper"))
    for name in ("standard_error", "lower", "upper"):
        text = "nan for one replicate, and a number for more"
        yield Check(text, ("n_replicates", name), np.isnan(columns[name]) == (n == 1))
    yield Check(
        "lower <= value <= upper", ("lower", "value", "upper"), ~((lower > value + slack) | (upper < value - slack))
    )
    arguments = [entry.x for entry in entries]
    text = "x = -1 if it has no argument, and only then"
    yield Check(text, ("x",), (x == NO_X) == by_quantity([not argument for argument in arguments]))
    far = by_cell([cutoff(cell.dim, cell.side, cell.volume) for cell, _ in cells])
    cut = by_quantity([entry.cut for entry in entries])
    yield Check(
        "the cut-off of the torus where it is about a distance, else inf",
        ("cutoff",),
        equal(columns["cutoff"], np.where(cut == "", np.inf, far)),
    )
    distance = np.select([cut == "x", cut == "value"], [x, value], -np.inf)
    yield Check(
        "trusted if the distance is at most the cut-off",
        ("trusted",),
        columns["trusted"] == (distance <= columns["cutoff"]),
    )
    colors, width = (
        by_cell([len(cell.intensities) for cell, _ in cells]),
        by_cell([rule_named(cell.rule).width for cell, _ in cells]),
    )
    yield Check("a color of the cell", ("color",), columns["color"] < colors)
    yield Check("a partner that its rule gives", ("order",), columns["order"] < width)
