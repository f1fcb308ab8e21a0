"""Figures of studies with several rules: every pair of rules in every kind, with their own names, laws and citations."""

import itertools

import numpy as np
import pytest
import yaml

import poissonmatch as pm
from helpers import sweeps
from helpers.drawn import dotted, labels, marked
from helpers.refusals import refusal, rows
from helpers.runs import write_study
from poissonmatch.rules.catalogue import rule_named
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.figures.draw import draw
from poissonmatch.studies.figures.kinds import KINDS
from poissonmatch.studies.statistics.observables import OBSERVABLES
from poissonmatch.studies.study_files.figure_checks import figure_problems
from poissonmatch.utils.errors import BadInput

RULES = ("one-color", "two-color", "fussy", "misere", "multi(2)", "labels(2)", "custom(01/10; 1,2)")
LARGE = {"window", "octaves", "realization"}


def name_of(rule):
    return "".join(letter for letter in rule if letter.isalnum())


@pytest.fixture(scope="module")
def swept():
    """A study of each rule on the same points, with all observables that it may have."""
    torus, entries = pm.Torus(1.0, 1), {}
    for rule in RULES:
        names = [
            n for n, entry in OBSERVABLES.items() if n not in LARGE and not entry.incompatible(rule_named(rule), torus)
        ]
        study = yaml.safe_load("{process: two_color, dims: 1, sizes: [50, 400], ratios: [0.5, 1], replicates: 6}")
        entries[name_of(rule)] = {**study, "rule": rule, "observables": names}
    return pm.sweep({"studies": entries, "laws": ["fussy"]})


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "realization"])
def test_every_pair_of_rules_is_drawn_or_rejected_by_validate(swept, kind):
    drawn = 0
    for pair in itertools.combinations_with_replacement(RULES, 2):
        names = list(dict.fromkeys(map(name_of, pair)))
        figure = studies.schema.FigureSpec(kind=kind, studies=names)
        if list(figure_problems(figure, swept.file.studies, swept.file.laws)):
            continue
        second = swept.frames.get(KINDS[kind].second)
        try:
            drawing = draw(kind, swept.frames[KINDS[kind].table], names, second=second)
        except BadInput as error:  # too few points for a row of the table
            assert "there is nothing to draw" in str(error)
            continue
        drawn += 1
        assert drawing.caption
    assert drawn or kind == "window"


def test_each_rule_names_its_colors_and_has_its_own_exact_curves(swept):
    rows = swept.estimates.query("size == 400")
    both = pm.figures.transition(rows[rows["rule"].isin(["two-color", "fussy"])])
    assert set(labels(both)) == {"two-color, amber", "two-color, blue", "fussy, green", "fussy, red", "infinite volume"}
    ax, deviations = both.axes
    exact = [np.array(line.get_data()) for line in dotted(ax)]
    assert len(exact) == 4
    rho = exact[0][0]
    for curve in (np.maximum(1 - rho, 0), np.maximum(rho - 1, 0), 0 * rho):
        assert any(np.allclose(y, curve) for _, y in exact)
    red = [y for _, y in exact if not np.allclose(y, np.abs(1 - rho)) and 0.05 < y[0] < 0.15]
    assert len(red) == 1 and red[0][0] == pytest.approx(rho[0] * pm.theory.fussy_line(float(rho[0])).u, rel=1e-6)
    colors = {line.get_color() for line in ax.get_lines() if line.get_label() != "_nolegend_"}  # not the caps of bars
    assert len(colors) == 5  # two of each rule, and that of exact curves


# A kind of figure, a citation, rules for which it holds, and rules for which it does not.
CITED = """
transition → Thm 8 → two-color, fussy → custom(01/10; 1,2), fussy
shy → Thm 7 → one-color, fussy → fussy
labels → Prop. 14 → labels(2) → one-color
components → sec. 4.2 → multi(2) → one-color
incomplete → Thm 12 → multi(2), one-color → two-color
n-unmatched → Cor. 10 → misere → one-color
"""


@pytest.mark.parametrize("kind, words, rules, others", rows(CITED))
def test_a_theorem_is_cited_only_where_it_holds(swept, kind, words, rules, others):
    for names, is_cited in ((rules, True), (others, False)):
        drawing = draw(kind, swept.estimates, list(map(name_of, names.split(", "))))
        assert (words in drawing.caption) == is_cited


BAD = """
{kind: winner-ratio, studies: [two, fussy]} → a figure winner-ratio shows other quantities of fussy
{kind: tail, studies: two, xlim: [1.0e-300, 1.0e+300]} → the limit of an axis must be 0 or at least 1e-15
{kind: tail, studies: two, ylim: [1.0, 1.0000000001]} → the limits of an axis must differ by more than rounding
{kind: laws, studies: fussy} → list one of its studies under laws
{kind: transition, studies: some} → must list unmatched_density in quantities
"""


@pytest.mark.parametrize("figure, message", rows(BAD))
def test_what_cannot_be_drawn_is_named_before_anything_is_simulated(tmp_path, figure, message):
    study = "process: two_color, dims: 1, sizes: 50, replicates: 2, observables: [unmatched, distances, winner]"
    text = (
        f"studies:\n  two: {{rule: two-color, {study}}}\n  fussy: {{rule: fussy, {study}}}\n"
        f"  some: {{rule: two-color, {study}, quantities: [mean_distance]}}\nfigures:\n  f: {figure}\n"
    )
    assert message in refusal(studies.load, write_study(tmp_path, text, "s"))


def test_the_second_panel_of_a_transition_has_the_deviations_from_the_exact_values():
    """Of two sizes, the marks of the smaller one are moved to the left on the page, not in the data."""
    found = sweeps.swept(
        "rule: two-color, process: two_color, dims: 1, sizes: [60, 480], ratios: [0.5, 1, 1.5], replicates: 4"
    )
    rows = found.estimates[found.estimates["quantity"] == "unmatched_density"]
    figure = pm.figures.transition(rows)
    known, deviations = figure.axes
    exact = rows["exact_torus"].fillna(rows["exact"])
    expected = sorted((row["ratio"], row["value"] - e) for (_, row), e in zip(rows.iterrows(), exact, strict=True))
    marks = marked(deviations, "o", "s")
    drawn = sorted(point for line in marks for point in map(tuple, line.get_xydata()))
    assert np.allclose(drawn, expected)
    figure.canvas.draw()
    for ax in (known, deviations):
        places = {}
        for line in ax.get_lines():
            places.setdefault(line.get_marker(), []).append(line.get_transform().transform(line.get_xydata())[0, 0])
        small, large = (min(places[mark]) for mark in "os")
        assert large - small == pytest.approx(4 / 72 * figure.dpi)
