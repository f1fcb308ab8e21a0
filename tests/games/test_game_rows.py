"""The tables of the exact games: wrong content with right checksums is found."""

import pytest

import poissonmatch as pm
from helpers.forge import column_changes, forge, row_changes
from poissonmatch.utils.errors import IntegrityError
from poissonmatch_games import tables as game_tables
from poissonmatch_games.checkers import certificates
from poissonmatch_games.table_declarations import GAME_TABLES


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """The tables of the exact games, small; the certificates of the claims are not checked."""
    home = tmp_path_factory.mktemp("games")
    game_tables.triangle(home / "triangle.parquet", 7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificates, "check", lambda certificate: {})
        game_tables.check_claims(home / "claims.parquet", 6, memory=512 * 10**6, seconds=60)
    ranges = (range(2), range(1, 4), range(1, 4))
    game_tables.toads_and_frogs(home / "toads_and_frogs.parquet", *ranges, memory=512 * 10**6, seconds=60)
    return home


# What no law of these tables can see: a number or a text that another run could have written.
FREE = {"seconds", "positions", "cells", "squares", "statement", "remark", "certificates", "by", "value", "published", "source",
        "kind", "agrees", "bounds", "counterexample", "claim", "k", "a", "b", "x", "y", "z", "grundy", "misere_grundy"}  # fmt: skip


@pytest.mark.parametrize("table", GAME_TABLES.values(), ids=lambda t: t.name)
def test_wrong_content_of_a_table_of_games_is_found(games, tmp_path, table):
    whole = (games / f"{table.name}.parquet").read_bytes()
    path = tmp_path / f"{table.name}.parquet"
    path.write_bytes(whole)
    frame = pm.load(path)
    frame.attrs.clear()
    changes = [
        (c.name, k, change) for c in table.columns if not c.nullable for k, change in column_changes(table, c, frame)
    ]
    must = {"nan", "inf", "-inf", "negative"}
    for column, kind, change in changes:
        if column == "excess" and kind == "negative":
            continue
        path.write_bytes(whole)
        forge(path, change)
        if column not in FREE or (
            kind in must and column not in ("claim", "statement", "remark", "certificates", "by")
        ):
            with pytest.raises(IntegrityError, match=f"impossible: table {table.name}, row"):
                pm.load(path)
    for kind, change in row_changes(table, frame):
        path.write_bytes(whole)
        forge(path, change)
        if kind in ("a row twice", "not sorted", "backwards") or (table.name == "triangle" and "missing" in kind):
            with pytest.raises(IntegrityError, match=f"impossible: table {table.name}, row"):
                pm.load(path)


GAME_CASES = {
    "a value with bounds": ("toads_and_frogs", lambda f: f.assign(bounds="V < 1"), "either a value or bounds"),
    "a value without its kind": ("toads_and_frogs", lambda f: f.assign(kind=None), "a kind for each value"),
    "agreement with nothing": ("toads_and_frogs", lambda f: f.assign(agrees=None), "compared if both are known"),
    "false without a counterexample": (
        "claims",
        lambda f: f.assign(holds=False),
        "does not hold if it is refuted",
    ),
    "a P-position of nim-value 1": (
        "triangle",
        lambda f: f.assign(grundy=f["grundy"].replace(0, 1)),
        "0 exactly for P-positions",
    ),
    "a P-position that is none": ("triangle", lambda f: f.assign(p=True), "0 exactly for P-positions"),
    "another total": ("triangle", lambda f: f.assign(total=f["total"] + 1), r"total = x \+ y \+ z"),
}


@pytest.mark.parametrize("case", GAME_CASES)
def test_a_table_of_games_that_contradicts_itself_is_refused(games, tmp_path, case):
    table, change, words = GAME_CASES[case]
    path = tmp_path / f"{table}.parquet"
    path.write_bytes((games / f"{table}.parquet").read_bytes())
    forge(path, change)
    with pytest.raises(IntegrityError, match=words):
        pm.load(path)
    if table == "toads_and_frogs":  # a run that would take it up
        with pytest.raises(IntegrityError, match=words):
            game_tables.toads_and_frogs(path, [0], [1], [1], memory=512 * 10**6, seconds=60)
