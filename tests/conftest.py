"""Shared by the tests: runs of a tiny study and of a study of frog games; a browser."""

import shutil
from pathlib import Path

import pytest

from helpers.runs import FROGS, run_study, write_study

BROWSER = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --window-size=1240,1100""".split()


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
    path = write_study(folder, FROGS, "frogs")
    return path, run_study(path, folder / "results")


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
