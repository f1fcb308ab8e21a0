"""The figure of the site that can be moved: its matchings and flips are those of the package, and it works in a browser."""

import importlib
import os
import re

import numpy as np
import pytest

import poissonmatch as pm
from helpers.page_script import run_node
from helpers.sources import ROOT, docs_module, text_of

DOCS = ROOT / "docs"
made = docs_module("made")
FLIPPED = [0, 57, 120, 199, 200, 204]  # the last two are red
SAMPLES = [(seed, ratio, r) for seed, ratio in ((2, 0.5), (5, 0.3), (9, 0.03)) for r in (0.4, 1.5, 5.0, 1000.0)]


def evaluate(code):
    """Return the value of an expression of JavaScript in the scope of the script."""
    return run_node(made.movable().removesuffix("})();\n") + f"process.stdout.write(JSON.stringify({code}));\n}})();")


@pytest.fixture(scope="module")
def samples():
    """Samples with their partners, their flips and the fraction that the figure states."""
    return evaluate(
        f"""{[list(one) for one in SAMPLES]}.map(([seed, ratio, r]) => {{
        const pond = sample(seed, ratio), partner = partnersWithin(pond, r), path = {FLIPPED}.map(point => flip(pond, r, point));
        return {{points: pond.points, colors: pond.colors, partner, path, ...aboutSample(pond, partner, ratio, Math.min(r, 5))}}; }})"""
    )


def pairs(points, colors, r):
    pattern = pm.Pattern(points, colors, pm.Torus(np.sqrt(200), 2))
    return pm.match(pattern, "fussy", max_distance=r)


@pytest.mark.parametrize("index", range(len(SAMPLES)))
def test_matchings_and_survivors_are_those_of_the_package(samples, index):
    found, r = samples[index], SAMPLES[index][2]
    matching = pairs(found["points"], found["colors"], r)
    assert found["partner"] == matching.partner.tolist()
    colors = np.array(found["colors"])
    assert colors.sum() == round(200 * SAMPLES[index][1]) and (colors == 0).sum() == 200
    assert found["fraction"] == pytest.approx(np.mean(matching.partner[colors == 1] < 0))


@pytest.mark.parametrize("index", range(len(SAMPLES)))
def test_a_flip_is_the_path_of_pairs_that_change_if_a_point_is_removed(samples, index):
    found, r = samples[index], SAMPLES[index][2]
    whole = {tuple(pair) for pair in pairs(found["points"], found["colors"], r).pairs.tolist()}
    for point, path in zip(FLIPPED, found["path"], strict=True):
        kept = np.delete(np.arange(len(found["points"])), point)
        rest = pairs(np.array(found["points"])[kept], np.array(found["colors"])[kept], r)
        left = {tuple(pair) for pair in kept[rest.pairs].tolist()}
        edges = [tuple(sorted(edge)) for edge in zip(path, path[1:], strict=False)]
        assert path[0] == point and len(set(path)) == len(path)
        assert ({*edges[::2]}, {*edges[1::2]}) == (whole - left, left - whole)


def test_the_flips_have_several_lengths_and_both_ends(samples):
    lengths = {len(path) for found in samples for path in found["path"]}
    assert 1 in lengths and max(lengths) > 4 and {length % 2 for length in lengths} == {0, 1}


def test_the_measured_curve_ends_at_the_unmatched_fraction():
    u = docs_module("measured_tables").unmatched().loc[2]["value"]
    ends, starts = evaluate("[5, 0].map(r => DATA.ratios.map(ratio => measuredFraction(ratio, r)))")
    assert np.allclose(ends, u, atol=0.02) and (np.array(ends) >= u).all() and starts == [1] * len(u)
    assert evaluate("measuredFraction(.5, 1)") == pytest.approx(0.3243, abs=1e-3)


def test_words_of_a_flip():
    one, broken, gained = evaluate("[[0], [0, 1], [2, 0, 1]].map(path => aboutFlip({colors: [0, 1, 1]}, path))")
    assert one == "This green point has no partner within r. If it is removed, no pair changes."
    assert broken.endswith(
        "1 pair (dashed) will break, 0 pairs (thick) will form, and one red point loses its partner."
    )
    assert gained.startswith("If this red point is removed, 1 pair (dashed) will break, 1 pair (thick) will form")
    assert gained.endswith("one red point that had no partner gets one.")


class App:
    """As much of Sphinx as the site asks for."""

    def __init__(self):
        self.calls, self.scripts = {}, []

    def connect(self, event, call):
        self.calls[event] = call

    def add_js_file(self, name, **options):
        self.scripts.append(name)


def test_pages_with_a_still_picture_load_the_script(tmp_path, monkeypatch):
    monkeypatch.setattr(made, "MADE", tmp_path / "docs/_made")
    monkeypatch.setenv("MPLBACKEND", "agg")
    made.setup(app := App())
    assert text_of(tmp_path / "docs/_made/static/movable.js") == made.movable()
    for body, scripts in {'<img alt="" class="movable">': 1, '<img alt="A movable one">': 1, "": 1}.items():
        app.calls["html-page-context"](app, "page", "page.html", {"body": body}, None)
        assert app.scripts == ["movable.js"] * scripts
    assert "MPLBACKEND" not in os.environ  # cells show figures


@pytest.mark.parametrize("page", ["index.md", "paper/theorem-on-the-line.md"])
def test_the_page_has_a_still_picture(page):
    assert re.search(r"^:(class|    classes): movable$", text_of(DOCS / page), re.M)


STILL = """<!doctype html><html><head><meta charset="utf-8"><title>Figure</title><link rel="stylesheet" href="{css}">
<link rel="icon" href="data:,"></head><body><img class="movable" alt="A matching" src="{image}"><script>{script}</script></body></html>"""


@pytest.mark.slow
@pytest.mark.workflow
def test_the_figure_in_a_browser(browser, tmp_path):
    """It replaces the still picture; sliders, the button, a click and keys change it."""
    css, image = ((DOCS / name).as_uri() for name in ("_static/site.css", "realizations.png"))
    path = tmp_path / "figure.html"
    path.write_text(STILL.format(css=css, image=image, script=made.movable()), encoding="utf-8")
    browser.get(path.as_uri())
    keys = importlib.import_module("selenium.webdriver").Keys

    def find(selector):
        return browser.find_element("css selector", f".movable-figure {selector}")

    def texts():
        return (
            find(".summary").text,
            find(".flip").text,
            len(browser.find_elements("css selector", ".points line.pair")),
        )

    assert not browser.find_elements("css selector", "img.movable")
    assert len(browser.find_elements("css selector", ".points circle.red:not(.alone)")) == 100
    seen = [texts()]
    ratio, radius = browser.find_elements("css selector", ".movable-figure input")
    for element, key in (
        (ratio, keys.ARROW_LEFT),
        (radius, keys.HOME),
        (radius, keys.END),
        (find("button"), keys.ENTER),
    ):
        element.send_keys(key)
        seen.append(texts())
    fractions = [text.split("red points: ")[1] for text, *_ in seen]
    assert fractions[2].startswith("1.000") and seen[2][2] == 0 and fractions[3] == fractions[1]
    assert len({text for text, *_ in seen}) == 4 and "of 80 red points" in seen[1][0]
    assert ratio.get_attribute("aria-valuetext") == "0.4" and radius.get_attribute("aria-valuetext") == "5.0"
    points = find(".points")
    points.send_keys(keys.ARROW_RIGHT)
    first, ring = texts()[1], find(".chosen").get_attribute("cx")
    assert "is removed" in first and "Choose" not in first
    points.send_keys(keys.ARROW_RIGHT)
    assert float(find(".chosen").get_attribute("cx")) > float(ring)
    points.send_keys(keys.ESCAPE)
    assert texts()[1].startswith("Choose a point")
    points.click()
    assert find(".chosen").get_attribute("cx") == ring  # the point nearest to the middle
    assert browser.get_log("browser") == []
