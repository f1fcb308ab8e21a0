"""The report in a real browser without a network: figures, captions, tables, provenance, on one page."""

import subprocess
import sys
from pathlib import Path

import pytest

from helpers.runs import write_study

ROOT = Path(__file__).parents[2]
STUDY = """
studies:
  red: {process: two_color, rule: fussy, dims: 2, sizes: 60, ratios: [0.5, 1], replicates: 8}
  one: {dims: 2, sizes: 60, replicates: 8}
  two: {dims: 1, sizes: 60, replicates: 8}
  three: {dims: 3, sizes: 60, replicates: 8}
figures:
  open-problem: {kind: fussy, studies: red}
  tails: {kind: tail, studies: [one, two, three, red]}
"""


@pytest.mark.xdist_group("snakemake here")
@pytest.mark.slow
def test_report(browser, tmp_path):
    path = write_study(tmp_path, STUDY, "s")
    for command in ("run", "report"):
        words = [sys.executable, "-m", "poissonmatch", command, path, "--results", tmp_path / "r"]
        done = subprocess.run([str(word) for word in words], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    browser.set_network_conditions(offline=True, latency=0, throughput=0)
    browser.get_log("browser")
    browser.get((tmp_path / "r" / "s" / "report.html").as_uri())
    said = browser.find_element("tag name", "body").text
    assert said.startswith("Stable matchings of random points: s.yaml")
    assert "Fussy matching: rho red points for each green one" in said and "8 replicates" in said
    assert "Standard errors and intervals are over replicates" in said
    assert "unmatched_fraction" in said and "SHA-256" in said and '"numpy"' in said
    pictures = browser.find_elements("tag name", "img")
    assert [picture.get_attribute("alt") for picture in pictures] == ["open-problem", "tails"]
    assert all(browser.execute_script("return arguments[0].naturalWidth", picture) > 500 for picture in pictures)
    assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    assert [line["message"] for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []
