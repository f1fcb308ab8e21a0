"""Progress is shown in a terminal, in a notebook without ipywidgets, and as text elsewhere, without warnings."""

import io
import sys
import types
import warnings

import pytest

import poissonmatch as pm
from helpers.refusals import rows
from poissonmatch.studies.run import progress
from poissonmatch.studies.run.progress import ProgressBar

# A call, and its text.
TEXTS = """
remaining(5, 20, 60.0, "jobs") → 5 of 20 jobs done after 1 minute, about 3 minutes left
remaining(20, 20, 6000.0, "jobs") → 20 of 20 jobs done after 1 hour and 40 minutes
remaining(0, 20, 3.0, "jobs") → 0 of 20 jobs done after 3 seconds
remaining(5, 20, 60.0, "jobs", short=True) → 5 of 20 jobs, 1:00 elapsed, about 3:00 left
remaining(5, 20, 7500.0, "jobs", short=True, left=4.0) → 5 of 20 jobs, 2:05:00 elapsed, about 0:04 left
remaining(5, 20, 60.0, "jobs", left=float("nan")) → 5 of 20 jobs done after 1 minute
duration(0.2) → less than a second
duration(1) → 1 second
duration(45) → 45 seconds
duration(66) → 1 minute and 6 seconds
duration(720) → 12 minutes
duration(11520) → 3 hours and 12 minutes
"""


@pytest.mark.parametrize("call, text", rows(TEXTS))
def test_progress_as_text(call, text):
    assert eval(call, vars(progress)) == text


def test_no_work_has_no_progress():
    assert progress.remaining(0, 0, 3.0, "jobs") == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def notebook(monkeypatch):
    """A notebook without ipywidgets; the list of what it displays."""
    shown = []

    class Handle:
        def update(self, bundle, raw):
            shown.append(bundle)

    def display(bundle, raw, display_id):
        shown.append(bundle)
        return Handle()

    module = types.ModuleType("IPython")
    module.get_ipython = type("ZMQInteractiveShell", (), {})
    module.display = types.SimpleNamespace(display=display)
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    return shown


def test_a_terminal_shows_a_bar_and_messages_above_it(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    stream = Terminal()
    with ProgressBar("jobs", stream) as bar:
        bar.update(1, 4, "simulate")
        bar.say("a job [b] failed")
        bar.update(2, 4, "aggregate" + 80 * "x")  # cut, so that the bar stays on one line
    text = stream.getvalue()
    assert "aggregatex" in text and 80 * "x" not in text
    assert "a job [b] failed" in text and "2 of 4 jobs" in text
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") == 1  # the cursor is back


def test_a_file_gets_lines_of_text(monkeypatch):
    stream = io.StringIO()
    with ProgressBar("replicates", stream, keep=True) as bar:
        bar.update(1, 4, "a")
        assert stream.getvalue() == ""
        bar.start -= 11
        bar.update(2, 4, "b")
    first, last = stream.getvalue().splitlines()
    assert first.startswith("2 of 4 replicates done after 11 seconds") and first.endswith("; b")
    assert last.startswith("2 of 4 replicates done")


def test_lines_of_text_are_written_after_10_s_30_s_and_each_minute():
    stream = io.StringIO()
    bar = ProgressBar("jobs", stream)
    start, times = bar.start, []
    for seconds in range(0, 250, 2):
        bar.start = start - seconds
        bar.update(1, 4)
        if stream.getvalue():
            times.append(seconds)
            stream.seek(stream.truncate(0))
    assert times == [10, 30, 60, 120, 180, 240]


def test_a_notebook_shows_one_element_that_changes(notebook, monkeypatch):
    monkeypatch.setattr(progress, "BAR_SECONDS", -1.0)
    with ProgressBar("replicates", keep=True) as bar:
        bar.update(1, 4, "<a>")
        bar.update(4, 4, "b")
    assert [bundle["text/html"].partition(">")[0] for bundle in notebook[::2]] == [
        '<progress value="1" max="4"',
        '<progress value="4" max="4"',
    ]
    assert "&lt;a&gt;" in notebook[0]["text/html"] and notebook[0]["text/plain"].startswith("1 of 4")


@pytest.mark.parametrize("where", ["notebook", "terminal", "file"])
def test_a_sweep_shows_its_progress_without_warnings(where, request, monkeypatch, capsys):
    if where == "notebook":
        shown = request.getfixturevalue("notebook")
    if where == "terminal":
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setattr(sys, "stderr", stream := Terminal())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pm.sweep(dims=1, sizes=50, replicates=2, observables=["unmatched"], progress=True)
    text = {
        "notebook": lambda: shown[-1]["text/plain"],
        "terminal": lambda: stream.getvalue(),
        "file": lambda: capsys.readouterr().err,
    }[where]()
    assert "2 of 2 replicates" in text and "mean_distance" in text
    assert where == "file" or capsys.readouterr().err == ""
