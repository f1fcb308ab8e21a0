"""Shared by the tests: how workers share them, runs of a tiny study and of a study of frog games, a browser."""

import atexit
import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.runs import FROG_STUDY, run_study, write_study

BROWSER = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --window-size=1240,1100""".split()
# What most tests call, in two parts that take the compiler about as long.
KERNELS = (
    """
import numpy as np, poissonmatch as pm
rng = np.random.default_rng(0)
for dim in (1, 2, 3):
    for rule in ("one-color", "two-color", "misere"):
        pm.match(pm.Pattern(rng.random((60, dim)), rng.integers(0, 2, 60), pm.Torus(1.0, dim)), rule)
pm.match(pm.Pattern(np.ones((9, 9)), None, pm.MeanField(1.0)))
""",
    """
from poissonmatch import games
games.ToadsAndFrogs("TTT...FFF").value
games.toads.OutcomeEngine(2**20).compare("TT.F")
games.TriangleGame().grundy((3, 4, 5))
""",
)


def pytest_configure(config: pytest.Config) -> None:
    """Before workers start, compile the kernels, so that not each of them does. A single process compiles as it goes."""
    if getattr(config.option, "numprocesses", None) and not config.option.collectonly:
        for child in [subprocess.Popen([sys.executable, "-c", code]) for code in KERNELS]:
            child.wait()


def pytest_sessionfinish() -> None:
    """Undo what the command line does at its end, which some tests call: DuckDB would report the frozen objects as leaked."""
    atexit.unregister(gc.freeze)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest: a worker that starts one of these last would keep the others waiting."""
    marks = {item.path: 0 for item in items}
    for item in items:
        marks[item.path] += 10 * any(item.iter_markers("workflow")) + any(item.iter_markers("long"))
    items.sort(key=lambda item: -marks[item.path])


@pytest.fixture(scope="session", autouse=True)
def coarse_pictures():
    """Figures of 50 dots per inch: no test looks at the dots, and drawing them takes most of a figure's time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("poissonmatch.studies.figures.canvas.DPI", 50)
        yield


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(study file, results folder) of the tiny study, simulated and aggregated. Do not write there."""
    folder = tmp_path_factory.mktemp("tiny")
    path = write_study(folder)
    return path, run_study(path, folder / "results")


@pytest.fixture(scope="session")
def frogs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """(study file, results folder) of studies of frog games and labels. Do not write there."""
    folder = tmp_path_factory.mktemp("frogs")
    path = write_study(folder, FROG_STUDY, "frogs")
    return path, run_study(path, folder / "results")


@pytest.fixture
def disk(tmp_path):
    """A disk of 256 kB."""
    mount = tmp_path / "disk"
    mount.mkdir()
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", mount]).returncode:
        pytest.skip("needs root to mount a small disk")
    yield mount
    subprocess.run(["umount", "--lazy", mount], check=True)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (binary and driver):
        pytest.skip("no browser: apt-get install chromium chromium-driver")
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in [*BROWSER, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(service=webdriver.ChromeService(driver), options=options)
    yield chrome
    chrome.quit()
