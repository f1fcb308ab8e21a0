"""The gallery of the site: an entry for each kind, rule and game of the package, whose code runs and makes a picture."""

import re

import pytest
import yaml
from matplotlib.figure import Figure

import poissonmatch as pm
from helpers.sources import ROOT, docs_module, text_of
from poissonmatch.rules import catalogue
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.figures.kinds import KINDS
from poissonmatch.studies.study_files import parameter_grid
from poissonmatch_games.toads.strip_games import TOADS

DOCS = ROOT / "docs"
gallery = docs_module("gallery")
ENTRIES = {entry.key: entry for entry in gallery.entries()}


def names(group):
    return {entry.name for entry in ENTRIES.values() if entry.group == group} - {*gallery.BESIDE}


GAMES = {*pm.games.impartial.GAMES, *(family.example for family in pm.games.impartial.FAMILIES.values()), *TOADS}
PARTISAN = {f"{ruleset.__name__} (partisan)" for ruleset in gallery.rulesets()}


@pytest.mark.parametrize(
    "group, wanted",
    [
        ("kinds", {*KINDS}),
        ("rules", {*catalogue.RULES, *(f"{family}(3)" for family in catalogue.FAMILIES)}),
        ("frogs", {*pm.frogs.VARIANTS}),
        ("games", GAMES | PARTISAN),
    ],
)
def test_each_entry_of_the_package_is_in_the_gallery(group, wanted):
    assert names(group) == wanted


def test_no_two_have_one_section():
    assert len(ENTRIES) == len(gallery.entries()) > 60


@pytest.mark.parametrize(
    "table, name, entry",
    [
        (KINDS, "new-kind", KINDS["tail"]),
        (pm.frogs.VARIANTS, "new-variant", pm.frogs.VARIANTS["misere"]),
        (pm.games.impartial.GAMES, "new-game", pm.games.impartial.GAMES["nim"]),
        (TOADS, "new-puzzle", TOADS["lucas"]),
    ],
)
def test_what_has_no_example_is_missed(table, name, entry, monkeypatch):
    monkeypatch.setitem(table, name, entry)
    with pytest.raises(KeyError, match=name):
        gallery.entries()


def test_a_new_rule_is_in_it_by_itself(monkeypatch):
    monkeypatch.setitem(catalogue.RULES, "new-rule", catalogue.Rule(capacity=(2,)))
    entry = next(entry for entry in gallery.entries() if entry.name == "new-rule")
    assert isinstance(entry.make(), Figure)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_shown_of_a_kind_is_a_study_whose_points_are_those_of_the_figure(kind, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(ENTRIES[f"gallery-kinds-{kind}"].code, encoding="utf-8")
    alone, whole = studies.load(path), gallery.study()
    assert [spec.kind for spec in alone.figures.values()] == [kind]
    assert alone.figures[kind] == whole.figures[kind]
    shown = [cell for cell in parameter_grid.cells(whole) if cell.study in alone.studies]
    assert [repr(cell) for cell in parameter_grid.cells(alone)] == [repr(cell) for cell in shown]
    assert not KINDS[kind].second or alone.laws == whole.laws


@pytest.mark.parametrize("key", [key for key, entry in ENTRIES.items() if entry.language == "python"])
def test_its_code_makes_a_picture(key):
    made = ENTRIES[key].make()
    if isinstance(made, str):
        assert made.startswith("<svg") and 4 < made.count("<rect") < 50
    else:
        assert isinstance(made, Figure) and any(ax.has_data() for ax in made.axes)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_its_study_makes_a_figure(kind):
    made = gallery.of_study(kind)
    assert any(ax.has_data() for ax in made.axes) and pm.figures.caption(made)


def test_the_study_is_a_study_file():
    assert [*yaml.safe_load(text_of(gallery.STUDY))["figures"]] == [*KINDS]


def test_pages_and_pictures_are_made_and_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "MADE", tmp_path)
    chosen = ["gallery-rules-fussy", "gallery-games-euclid", "gallery-frogs-deletion"]
    gallery.make(wanted=lambda entry: entry.key in chosen)
    first = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert {re.sub(r"-[0-9a-f]{12}", "", name) for name in first} == {
        *(f"{key}{end}" for key in (chosen[0], chosen[2]) for end in (".png", "-small.png", ".txt")),
        *(f"{chosen[1]}{end}" for end in (".svg", ".txt")),
        *(f"{group}{end}.md" for group in ("rules", "games", "frogs") for end in ("", "-cards")),
    }
    page = text_of(tmp_path / "rules.md")
    assert ENTRIES[chosen[0]].code in page and "(gallery-rules-fussy)=\n## fussy" in page
    seen = "fussy: a panel with 118 points in a square and lines between them; legend: green, red, without a partner"
    assert f"![{seen}]" in page and f":img-alt: {seen}\n" in text_of(tmp_path / "rules-cards.md")
    assert ":link: gallery-rules-fussy\n" in text_of(tmp_path / "rules-cards.md")
    (tmp_path / "gallery-rules-fussy-000000000000.png").write_bytes(b"of last week")
    gallery.make(wanted=lambda entry: entry.key in chosen)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == first
