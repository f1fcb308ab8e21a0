"""The report in a real browser without a network: figures by study, captions, tables, provenance."""

import re
import subprocess
import sys
import time
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

    def show(*labels: str) -> str:
        """What the page says after a click on each of these."""
        browser.get((tmp_path / "r" / "s" / "report.html").as_uri())
        for label in labels:
            place = f"//a[@iconname='{label}']" if label in ("eye", "information-circle") else f"//a[.='{label}']"
            for _ in range(50):
                found = [e for e in browser.find_elements("xpath", place) if e.is_displayed()]
                if found:
                    break
                time.sleep(0.2)
            browser.execute_script("arguments[0].click()", found[0])
        time.sleep(1)
        return browser.find_element("tag name", "body").text

    assert "Stable matchings of random points" in show()
    shelves = show("Figures")
    assert "red" in shelves and "one, two, three, and 1 more" in shelves
    caption = show("Figures", "red", "information-circle")
    assert "Fussy matching: rho red points for each green one" in caption and "8 replicates" in caption
    assert not re.search(r"\\[*_|`]|{{|}}", caption)
    show("Figures", "red", "eye")
    picture = max(browser.find_elements("tag name", "img"), key=lambda image: image.size["width"])
    assert browser.execute_script("return arguments[0].naturalWidth", picture) > 500
    for label, word in (("estimates", "unmatched_fraction"), ("provenance", "SHA-256")):
        assert "DESCRIPTION" in show("Tables", "information-circle")
        assert label in show("Tables")
        assert word in (tmp_path / "r" / "s" / "report" / f"{label}.html").read_text()
    show("Tables", "eye")
    browser.switch_to.frame(browser.find_element("tag name", "iframe"))
    assert "Standard errors are over replicates" in browser.find_element("tag name", "body").text
    complaints = [line["message"] for line in browser.get_log("browser") if line["level"] == "SEVERE"]
    assert complaints == []
