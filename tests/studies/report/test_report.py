"""The report: one page that is read from top to bottom, in a real browser without a network."""

import json

import numpy as np
import pytest

from helpers.drawn import ONE, table
from helpers.refusals import rows
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.report import pages, reports
from poissonmatch.studies.run import stages
from poissonmatch.utils.errors import IntegrityError
from poissonmatch.utils.manifests import to_json

STUDY = """
studies:
  red: {process: two_color, rule: fussy, dims: [1, 2], sizes: [60, 240], ratios: [0.2, 1], replicates: 8, target_rel_se: 0.0001, max_replicates: 8}
  one: {dims: 2, sizes: 60, replicates: 8, observables: [distances]}
  few: {dims: 3, sizes: 60, replicates: 2, observables: [distances]}
figures:
  open-problem: {kind: fussy, studies: red, width: column, format: [pdf]}
  my_tails: {kind: tail, studies: [one, few], format: svg, labels: {one: "50% of $\\\\rho$ & a_b"}}
"""


@pytest.fixture(scope="module")
def page(made):
    path, folder = made
    stages.draw(studies.load(path), folder)
    return reports.report(path, studies.load(path), folder)


# What the page has, and its words.
SAID = """
results in words → 10 cells and 74 replicates, 2 to 8 in each cell → the unmatched fraction of red points is from → <summary>Reliability</summary>
a table of ratio by dimension → Unmatched fraction u (fussy, 240 points) → <th>ratio</th><th>color</th><th>d = 1</th><th>d = 2</th><th>n</th>
what was asked → 3 studies with 10 cells, seed 1 → <td>fussy</td><td>two_color</td><td>1, 2</td><td>60, 240</td><td>1 and 0.2, 1</td>
captions in the text → (open-problem). Fussy matching: ρ red points for each green one → Dotted: exact, in d = 1 (numerical solution).
studies → <th>study</th><th>rule</th><th>process</th>
values with errors → 2.07(4) is 2.07 with a standard error of 0.04 → <th>unmatched_<wbr>fraction, red</th> → <th>n</th>
cutoffs → L/5 in d = 1 and L/8 in d &ge; 2, where L is the side
cells short of their target → target_rel_se → 0.01% asked
signs of finite size → Studies with a single size → <li>one</li>
few replicates → Cells with fewer than 8 replicates → few, d = 3, 60 points: 2
the command → poissonmatch run s.yaml → poissonmatch verify results/s --study s.yaml
the study → target_rel_se: 0.0001
where it comes from → numpy → SHA-256 → estimates.parquet
"""


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("row", rows(SAID), ids=lambda row: row[0])
def test_the_page_says(page, row):
    text = page.read_text(encoding="utf-8")
    assert [words for words in row[1:] if words not in text] == []


@pytest.mark.long
def test_the_page_needs_nothing_else(page):
    """No script, no address but those that hold their pictures; a figure that was asked for as PDF is there as a picture."""
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text and "http" not in text.replace("http://www.w3.org", "")
    assert text.count('src="data:image/png;base64,') == 1 and text.count('src="data:image/svg+xml;base64,') == 1
    for head in ("Studies", "Results", "Reliability", "Provenance"):
        assert text.count(f">{head}<") == 2  # above, and in its place


@pytest.mark.slow
@pytest.mark.parametrize("width", [1400, 375])
def test_the_page_in_a_browser(browser, page, width):
    """Without a network nothing is missing, and nothing but tables and pictures is wider than the window."""
    browser.set_window_size(width, 1000)
    browser.set_network_conditions(offline=True, latency=0, throughput=0)
    browser.get_log("browser")
    browser.get(page.as_uri())
    said = browser.find_element("tag name", "body").text
    assert said.startswith("Stable matchings of random points: s.yaml")
    pictures = browser.find_elements("tag name", "img")
    assert [picture.get_attribute("alt") for picture in pictures] == [
        "Fussy matching: ρ red points for each green one, no red-red pair",
        "Probability that the partner of a typical point is farther than r (unmatched: infinitely far)",
    ]
    assert all(browser.execute_script("return arguments[0].naturalWidth", picture) > 100 for picture in pictures)
    assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    assert [line["message"] for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


def test_a_table_of_many_cells_shows_the_first_ones():
    one = {**ONE, "n_replicates": 2, "note": None, "exact": np.nan, "exact_torus": np.nan, "value": 0.5}
    ratios = np.arange(1, 1001) / 1000
    rows = table(*({**one, "intensity_1": r, "ratio": r, "quantity": q} for r in ratios for q in ("a", "b")))
    shown = pages.table("many", rows, ("quantity",), ("size", "ratio"))
    assert [row["first"][1] for row in shown["rows"]] == [f"{ratio:g}" for ratio in ratios[:500]]
    assert shown["caption"] == "many, the first 500 of 1000 rows"
    assert {len(row["values"]) for row in shown["rows"]} == {2}


@pytest.mark.parametrize("key", ["seed", "versions", "commit"])
def test_a_manifest_with_another_type_is_named(page, made, copy, key):
    _, folder = copy
    manifest = folder / "manifest.json"
    manifest.write_bytes(to_json({**json.loads(manifest.read_bytes()), key: None}))
    with pytest.raises(IntegrityError, match=rf"manifest.json: damaged: {key}: Input should be a valid"):
        reports.report(made[0], studies.load(made[0]), folder)
