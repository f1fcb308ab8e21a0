"""Files of points and titles that are valid but for some slips: points, or BadInput that names the file; never another error."""

import datetime
import decimal
import io
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import cbook, mathtext

from helpers.runs import cells_of
from poissonmatch.studies.figures.canvas import MAX_NESTED, check_formulas
from poissonmatch.utils.errors import BadInput
from studies.study_files.test_mutations import examples

PROCESS = "{{name: points, files: p.{ending}, coords: [x, y], color: kind}}"
STUDY = "studies: {{a: {{process: " + PROCESS + ", dims: 2, sizes: 20, intensities: [[0.5, 0.5]], replicates: 1}}}}\n"
GOOD = "x,y,kind\n0.5,1.25,oak\n2,3.5,beech\n4.0,1e-1,oak\n"
PIECES = [
    "9" * 400, "-" + "9" * 400, "1e999", "1e-999", "0x10", "1_000", "nan", "inf", "-0", "", " ", '"', '""', "'", ",", ",,", "\n", "\r", "\0",
    "\ufeff", "x", "x,y", "\u0665", "1,5", "1;5", "true", "\x1b[31m", "\u202e", "=1+1", "9007199254740993", "18446744073709551616", "4.4721359549995805",
]  # fmt: skip


@st.composite
def csv_files(draw):
    """A CSV file with up to three slips, as bytes."""
    text = GOOD
    for _ in range(draw(st.integers(1, 3))):
        at, gone = draw(st.integers(0, len(text))), draw(st.integers(0, 4))
        text = text[:at] + draw(st.one_of(st.sampled_from(PIECES), st.text(max_size=3))) + text[at + gone :]
    data = text.encode("utf-8", "surrogatepass")
    at = draw(st.integers(0, len(data)))
    return data[:at] + draw(st.binary(max_size=2)) + data[at:] if draw(st.booleans()) else data


ODD = st.sampled_from([
    10**400, -(10**400), 2**63, 2**64, 1.5, np.nan, np.inf, None, True, "oak", "", b"\xff", decimal.Decimal("1e500"), decimal.Decimal("1.5"),
    datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1), datetime.timedelta(1), [1, 2], {"a": 1}, np.float32(1.5), np.uint64(2**63), 1j,
])  # fmt: skip


@st.composite
def parquet_files(draw):
    """A Parquet file with odd values in a column, or with odd bytes."""
    frame = pd.read_csv(io.StringIO(GOOD))
    if draw(st.booleans()):
        column = draw(st.sampled_from(["x", "y", "kind"]))
        values = draw(st.lists(ODD, min_size=3, max_size=3)) if draw(st.booleans()) else [draw(ODD)] * 3
        frame[column] = pd.Series(values, dtype=draw(st.sampled_from([object, None])))
    buffer = io.BytesIO()
    try:
        frame.to_parquet(buffer)
    except Exception:  # such a table cannot be written
        buffer = io.BytesIO()
        pd.read_csv(io.StringIO(GOOD)).to_parquet(buffer)
    data = bytearray(buffer.getvalue())
    if draw(st.booleans()):
        for _ in range(draw(st.integers(1, 4))):
            data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
        del data[len(data) - draw(st.integers(0, 30)) :]
    return bytes(data)


def answer(folder, ending: str, data: bytes) -> str:
    """The problem that is reported with a file of points; "" for points."""
    (folder / f"p.{ending}").write_bytes(data)
    (folder / "s.yaml").write_text(STUDY.format(ending=ending))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (cell,) = cells_of(folder / "s.yaml")
            pattern = cell.pattern(0)
    except BadInput as error:
        return str(error)
    assert (
        np.isfinite(pattern.points).all() and (pattern.points < cell.side).all() and pattern.colors.max(initial=0) < 2
    )
    return ""


def is_clear(said: str) -> bool:
    return said == "" or (
        any(name in said for name in ("p.csv", "p.parquet", "s.yaml", "colors of the points"))
        and len(said.splitlines()) == 1
    )


FILES = {"csv": csv_files(), "parquet": parquet_files()}
NUMBERS = [100, pytest.param(5000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("ending", FILES)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_slip_in_a_file_of_points(tmp_path, ending, number):
    @examples(number)
    @given(FILES[ending])
    def check(data):
        assert is_clear(answer(tmp_path, ending, data))

    check()


FORMULA = st.one_of(
    st.sampled_from([
        "$", "{", "}", "^", "_", "\\", "\\frac", "\\sqrt", "\\sqrt[", "]", "\\left(", "\\right)", "\\mathrm{", "\\hat", "\\overline{", "\\binom{",
        "\\sum", "\\rho", "'", "''", "\\operatorname{", "\\genfrac", "\\substack{", "\\middle|", "\\$", "%", "&", "#", "~", "\\,", "x", "1",
        "{" * 60, "}" * 60, "\\frac{1}{" * 20, "^{" * 25, "_" * 30, "\\sqrt" * 40, "\u202e", "\U0001f438",
    ]),
    st.characters(),
)  # fmt: skip


@pytest.mark.parametrize("number, longest", [(200, 12), pytest.param(20_000, 30, marks=pytest.mark.slow)])
def test_a_title_is_a_formula_or_is_refused(number, longest):
    @examples(number)
    @given(st.lists(FORMULA, max_size=longest).map("".join))
    def check(text):
        assert is_a_formula_or_refused(text)

    check()


def is_a_formula_or_refused(text: str) -> bool:
    for words in (text, f"${text}$"):
        try:
            check_formulas(words)
        except BadInput as error:
            if not str(error).startswith("the title is not a formula: "):
                return False
        else:
            if cbook.is_math_text(words):
                deeper(words, 30)
    return True


def deeper(text: str, calls: int) -> None:
    """Read a formula as it is drawn, with more calls around it."""
    if calls:
        deeper(text, calls - 1)
    else:
        mathtext.MathTextParser("agg").parse(text)


def test_braces_to_the_bound():
    check_formulas("$" + "{" * MAX_NESTED + "x" + "}" * MAX_NESTED + "$")
    with pytest.raises(BadInput, match="nested more than"):
        check_formulas("$" + "{" * (MAX_NESTED + 1) + "x" + "}" * (MAX_NESTED + 1) + "$")
