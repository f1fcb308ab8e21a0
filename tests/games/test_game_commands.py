"""The commands of games: values, tables, pictures and files, what they print and what they refuse."""

import shlex
from doctest import ELLIPSIS, OutputChecker

import pytest

from helpers.command_line import call, run
from helpers.tables import tables
from poissonmatch_games.checkers import certificates

TABLES = tables(__file__)


def games(*words):
    return run("games", *words)


def test_certificates_are_accepted_or_refused(here):
    code, text = call("games", "check", "A11", "A12")
    assert code == 0 and [line.split(": ")[1] for line in text.splitlines()] == ["accepted"] * 2
    certificate = certificates.written(certificates.load("A11")).replace(b"{a-1|1}", b"{a-1|2}")
    (here / "a.json").write_bytes(certificate)
    code, text = call("games", "check", "a.json")
    assert code == 4 and text.startswith("a.json: damaged: rejected: words, .F: {a-1|2} is not the value where")
    assert len(text.splitlines()) == 1


@pytest.mark.slow
def test_the_table_from_the_command_line(here):
    words = ("toads-and-frogs", "--k", "0", "--a", "1..2", "--b", "1..3", "--memory", "1GB", "--time", "5min")
    done = games(*words, "--output", "out/t.parquet")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "out/t.parquet: 6 cells, 6 with a value, 0 with bounds; 0 differ from print\n"
    assert done.stderr.splitlines()[0] == "T^1 .^1 F^1: *"
    assert sorted(p.name for p in (here / "out").iterdir()) == ["t.parquet", "t.pdf", "t.png", "t.txt"]
    again = games(*words, "--output", "out/t.parquet")
    assert again.returncode == 0 and again.stderr == ""  # nothing is worked out twice
    (here / "out" / "t.parquet").write_bytes(b"PAR1")
    broken = games(*words, "--output", "out/t.parquet")
    assert broken.returncode == 4 and len(broken.stderr.splitlines()) == 1 and "damaged" in broken.stderr


@pytest.mark.slow
def test_puzzle_and_thermograph_files(here):
    position = ["T.F", ".TF", "FT.", "F.T"]
    done = games("puzzle", "--toads", 1, "--frogs", 1, "--output", "p.png")
    assert done.stdout.splitlines() == [*position, "3 moves; solutions: 2; longest play: 3 moves"]
    assert games("value", "TT.FF", "--thermograph", "t.pdf").returncode == 0
    assert sorted(p.name for p in here.iterdir()) == ["p.pdf", "p.png", "p.txt", "t.pdf"]


@pytest.fixture
def files(here):
    """A folder with graphs, rulesets and ponds."""
    (here / "folder.csv").mkdir()
    for name, text in TABLES["files"].items():
        (here / name).write_text(text)
    return here


@pytest.mark.parametrize("words, output", TABLES["said"])
def test_the_output_of_commands(files, words, output):
    done = run(*shlex.split(words))
    assert done.returncode == 0 and OutputChecker().check_output(output, done.stdout, ELLIPSIS), done


@pytest.mark.parametrize("words, message", TABLES["refused"])
def test_bad_input_is_one_message_and_exit_code_2(files, words, message):
    before = sorted(files.iterdir())
    done = run(*shlex.split(words))
    assert done.returncode == 2 and message in done.stderr, done
    assert len(done.stderr.splitlines()) == 1 and done.stdout == "" and sorted(files.iterdir()) == before
    assert len(done.stderr) < 1000


@pytest.mark.parametrize(
    "words, message", [(["T" * 100_000], "unknown game"), (["nim", "9" * 100_000], "whole numbers")]
)
def test_the_message_on_a_huge_word_is_short(words, message):
    done = games("solve", *words)
    assert done.returncode == 2 and message in done.stderr
    assert len(done.stderr.splitlines()) == 1 and len(done.stderr) < 1000


# ---- pictures of strips ----
SHOWN = {"board": "<circle", "play": "5. ", "graph": "dashed red", "tree": "dashed red"}


@pytest.mark.parametrize("show", SHOWN)
def test_pictures_in_the_terminal(here, show):
    assert call("games", "strip", "TT.FF", "--show", show) == (0, "results/games/strip.svg\n")
    assert SHOWN[show] in (here / "results" / "games" / "strip.svg").read_text(encoding="utf-8")


def test_a_graph_for_graphviz(tmp_path):
    path = tmp_path / "g.dot"
    assert call("games", "strip", "T.F", "--show", "graph", "--output", str(path))[0] == 0
    assert path.read_text(encoding="utf-8").startswith("digraph game {")
