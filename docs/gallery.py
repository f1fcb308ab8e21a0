"""The gallery: a picture for each kind of figure, each rule, each frog game and each exact game, with the code that makes it.

What there is to show is asked of the entries of the package; tests/test_gallery.py fails where one of them has no example here.
Pictures are kept in _made/gallery, under a name that changes with their code and with the package.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from alternative_text import seen

import poissonmatch as pm
import poissonmatch_games as games
from poissonmatch.rules import catalogue
from poissonmatch.studies import study_files as studies
from poissonmatch.studies.figures import draw as figures
from poissonmatch.studies.figures.canvas import SCREEN_DPI
from poissonmatch.studies.figures.kinds import KINDS, WIDTHS
from poissonmatch.studies.figures.style import styled
from poissonmatch_games.partisan import Ruleset
from poissonmatch_games.toads.strip_games import TOADS

HERE = Path(__file__).parent
MADE = HERE / "_made" / "gallery"
STUDY = HERE / "gallery.yaml"
THUMB = 100  # pixels for an inch

# ---- what is shown of each entry ----

# The pond (a seed) and the parameters of each frog game whose moves can be drawn.
RATIOS: dict[str, tuple[int, str]] = {
    "friendly": (9, ""),
    "colored": (11, ""),
    "shy": (13, "c=1.5"),
    "shy-colored": (16, "c=1.5"),
    "confined": (43, "reach=2.0"),
    "colored-points": (4, ""),
    "fussy": (41, ""),
    "misere": (1, ""),
    "misere-colored": (1, ""),
}
# A position of each impartial game that is small enough for a picture of all that follow it.
POSITIONS: dict[str, str] = {
    "nim": "1 2 2",
    "poker-nim": "1 1 | 1 | 0",
    "northcott": "X.O .XO",
    "twenty-one": "9",
    "kayles": "5",
    "dawsons-kayles": "4 5",
    "dawsons-chess": "8",
    "treblecross": "9",
    "guiles": "7",
    "officers": "6",
    "grundys-game": "7",
    "wythoff": "2 3",
    "euclid": "8 13",
    "cole-davie": "8 13",
    "triangle": "1 2 1",
    "hackenbush": "0-1 1-2 2-0 2-3",
    "sprouts": "2",
    "subtraction(1,3,4)": "9",
    "octal(0.137)": "7",
    "ring(4)": "1 1 1 0",
    "path(3)": "2 1 1",
    "digraph(0-1,1-0,2-0)": "1 1 1",
}
# Of the games with two sides, and of the puzzle: what is drawn.
DRAWN: dict[str, str] = {
    "toads-and-frogs": 'pm.games.toads.motion("TTT..FF").to_svg()',
    "lucas": "pm.figures.puzzle(3, 3)",
    "ToadsAndFrogs": 'pm.figures.thermograph(pm.games.ToadsAndFrogs("TTT..FF"))',
    "Domineering": 'pm.games.option_graph(pm.games.partisan.Domineering("../...")).to_svg()',
    "Hackenbush": 'pm.games.option_graph(pm.games.partisan.Hackenbush("LRG")).to_svg()',
}
SUMMANDS = ("ImpartialPosition", "PositionSum", "ValuePosition")  # positions of other games
POND = """\
points = pm.processes.binomial(pm.Torus(side=4.0, dim=2), 9, rng={}).points
pond = pm.Pattern(points{}, geometry=pm.Euclidean(2))"""
# What belongs to no entry.
BESIDE: dict[str, tuple[str, str, str]] = {
    "deletion": (
        "frogs",
        "The proof of Theorem 7 (ii): a point without those that desire it, and without their partners.",
        "torus = pm.Torus(side=6.0, dim=2)\npattern = pm.processes.binomial(torus, 36, rng=5)\n"
        "pm.deletion.without_desirers(pattern, 10).plot()",
    ),
    "options": (
        "frogs",
        "What each player may do in one position of a game.",
        POND.format(8, "") + '\npm.figures.game(pm.frogs.options(pond, "colored", alice=0, bob=2))',
    ),
    "matching": (
        "landing",
        "The fussy matching of random points on a torus, without scripts.",
        "pattern = pm.processes.two_color(pm.Torus(side=10.0, dim=2), intensities=(1.0, 0.5), rng=3)\n"
        'pm.match(pattern, "fussy").plot()',
    ),
    "result": (
        "landing",
        "The unmatched fraction of the red points of the fussy matching; the lines are exact.",
        'sweep = pm.sweep(rule="fussy", process="binomial", dims=[1, 2, 3], ratios=[0.2, 0.3, 0.4, 0.5, 0.7, 1], sizes=[3750, 30000], replicates=16)\n'
        'pm.figures.fussy(sweep.estimates.query("size == 30000"), width="text")',
    ),
    "nim-sum": ("games", "The addition table of Nim.", "pm.figures.nim_table(16)"),
    "simplex": ("games", "The nim-values of the Triangle Game with 30 stones.", "pm.figures.simplex(30)"),
}


@dataclass(frozen=True)
class Entry:
    """A picture of the gallery. group: the page. words: what is shown. code: what makes it, Python or a study file."""

    group: str
    name: str
    words: str
    code: str
    language: str = "python"

    @property
    def key(self) -> str:
        """What it is called in links and files."""
        return f"gallery-{self.group}-" + re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    @property
    def stem(self) -> str:
        """The name of its files, which changes with what makes it."""
        return f"{self.key}-{hashlib.sha256(f'{self} {package()}'.encode()).hexdigest()[:12]}"

    def make(self) -> Any:
        """What its code makes: a matplotlib Figure, or the text of an SVG file."""
        return of_study(self.name) if self.language == "yaml" else run(self.code)


@cache
def package() -> str:
    """The digest of the package, its code and its style, and of this file."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(Path(pm.__file__).parent.rglob("*")):
        if path.suffix in (".py", ".mplstyle"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def entries() -> list[Entry]:
    """All of the gallery, in the order in which the package has them."""
    python = "import poissonmatch as pm\n\n"
    found = [Entry("kinds", name, _first(kind.function), cut(name), "yaml") for name, kind in KINDS.items()]
    for name in (*catalogue.RULES, *(f"{family}(3)" for family in catalogue.FAMILIES)):
        law = type(catalogue.rule_named(name).law)
        found.append(Entry("rules", name, _first(law), python + MATCHING.format(name)))
    for name, variant in pm.frogs.VARIANTS.items():
        found.append(Entry("frogs", name, _first(variant), python + _frogs(name)))
    for name in (*games.impartial.GAMES, *(family.example for family in games.impartial.FAMILIES.values())):
        words = games.game_named(name).rules
        found.append(Entry("games", name, words, python + GRAPH.format(name, POSITIONS[name])))
    for name, entry in TOADS.items():
        found.append(Entry("games", name, entry.rules, python + DRAWN[name]))
    for ruleset in rulesets():
        found.append(
            Entry("games", f"{ruleset.__name__} (partisan)", _first(ruleset), python + DRAWN[ruleset.__name__])
        )
    found += [Entry(group, name, words, python + code) for name, (group, words, code) in BESIDE.items()]
    return found


MATCHING = """\
torus = pm.Torus(side=8.0, dim=2)
pattern = pm.processes.two_color(torus, intensities=(1.0, 0.7), rng=7)
pm.match(pattern, "{}").plot()"""
GRAPH = """\
named = pm.games.game_named("{}")
pm.games.option_graph(named.game, named.read("{}")).to_svg()"""
PONDS = {
    "stones": """\
pond = pm.processes.binomial(pm.Torus(side=5.0, dim=2), 24, rng=3)
game = pm.frogs.solve(pond, "stones", k=1)
pm.match(pond, "multi(2)").plot()  # two partners: one is blocked, the other a reply""",
    "ponds": """\
ponds = [pm.processes.binomial(pm.Torus(side=4.0, dim=2), 9, rng=rng) for rng in (1, 2)]
game = pm.frogs.solve(ponds, "ponds")
pm.match(ponds[0], "labels(3)").plot()  # the labels whose XOR says who wins""",
    "fussy-stones": """\
torus = pm.Torus(side=5.0, dim=2)
pond = pm.processes.binomial(torus, (14, 10), rng=3)
game = pm.frogs.solve(pond, "fussy-stones", k=1)
game.matching.plot()  # two partners, but no pair of red points""",
    "fussy-ponds": """\
torus = pm.Torus(side=4.0, dim=2)
ponds = [pm.processes.binomial(torus, (6, 4), rng=rng) for rng in (1, 2)]
game = pm.frogs.solve(ponds, "fussy-ponds")
pm.match(ponds[0], "custom(11/10; labels 3)").plot()  # labels of the pairs that are not both red""",
    "shy-ponds": """\
ponds = [pm.processes.binomial(pm.Torus(side=4.0, dim=2), 9, rng=rng) for rng in (1, 2)]
game = pm.frogs.solve(ponds, "shy-ponds", c=1.0)  # Bob's one reply must be farther than c
pm.match(ponds[0], "labels(3)").plot()""",
    "misere-ponds": """\
ponds = [pm.processes.binomial(pm.Torus(side=4.0, dim=2), 4, rng=rng) for rng in (1, 2)]
game = pm.frogs.solve(ponds, "misere-ponds")  # from the rules alone: labels do not decide it
pm.match(ponds[0], "misere").plot()""",
}


def _frogs(name: str) -> str:
    """The lines that show a frog game: a game, or where that cannot be drawn the matching behind it."""
    if name in PONDS:
        return PONDS[name]
    colors = ", [0, 1, 0, 1, 1, 0, 0, 1, 0]" if pm.frogs.VARIANTS[name].pads else ""
    seed, more = RATIOS[name]
    more = more and f", {more}"
    return f'{POND.format(seed, colors)}\npm.figures.game(pm.frogs.record(pond, "{name}"{more}))'


def rulesets() -> list[type[Ruleset]]:
    """The partisan games of the package, without the classes of summands."""
    own = [ruleset for ruleset in Ruleset.__subclasses__() if ruleset.__module__.startswith(pm.__name__)]
    own = [ruleset for ruleset in own if ruleset.__name__ not in SUMMANDS]
    return sorted(own, key=lambda ruleset: ruleset.__name__)


def _first(documented: Any) -> str:
    """The first paragraph of a docstring, in one line, its mathematics between dollars."""
    words = " ".join((documented.__doc__ or "").split("\n\n")[0].split())
    return re.sub(r":math:`([^`]+)`", r"$\1$", words)


# ---- the study that all kinds are drawn from ----


def blocks(section: str) -> dict[str, str]:
    """The entries of a section of the study file, by name, each as its text."""
    part = re.search(rf"^{section}:\n((?:  .*\n)+)", re.sub(r"\n{2,}", "\n", STUDY.read_text(encoding="utf-8")), re.M)
    assert part is not None
    return {block[0]: block[1] for block in re.findall(r"^  ([\w-]+):\n((?:    .*\n)+)", part[1], re.M)}


def cut(kind: str) -> str:
    """What of the study file makes the figure of a kind: a study file by itself."""
    file = study()
    names = list(file.figures[kind].studies)
    laws = [name for name in file.laws if KINDS[kind].second]
    lines = [f"seed: {file.seed}", "studies:"]
    lines += [f"  {name}:\n{text.rstrip()}" for name, text in blocks("studies").items() if name in {*names, *laws}]
    lines += [f"laws: [{', '.join(laws)}]"] * bool(laws)
    return "\n".join([*lines, "figures:", f"  {kind}:", blocks("figures")[kind].rstrip()])


@cache
def study() -> Any:
    """The study file."""
    return studies.load(STUDY)


@cache
def tables() -> Any:
    """The tables of the whole study file, made once for all kinds."""
    return pm.sweep(STUDY)


def of_study(kind: str) -> Any:
    """The figure of a kind."""
    spec, frames = study().figures[kind], tables().frames
    second = frames.get(KINDS[kind].second)
    drawing = figures.draw(kind, frames[KINDS[kind].table], spec.studies, second=second, **spec.options)
    drawing.figure.poissonmatch_caption = drawing.caption
    return drawing.figure


def run(code: str) -> Any:
    """Run lines of Python, and give the value of the last."""
    tree, space = ast.parse(code), {"__name__": "__main__"}
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    exec(compile(tree, "<gallery>", "exec"), space)
    return eval(compile(ast.Expression(last.value), "<gallery>", "eval"), space)


# ---- pictures and pages ----


def draw(entry: Entry) -> tuple[str, str]:
    """The files of a picture and of its thumbnail, drawn if they are not there; and a file of what is seen and its caption."""
    names = [f"{entry.stem}{suffix}" for suffix in (".svg", ".png", "-small.png")]
    if not (MADE / f"{entry.stem}.txt").exists():
        made = entry.make()
        if isinstance(made, str):
            (MADE / names[0]).write_text(made, encoding="utf-8")
        else:
            with styled():
                made.savefig(MADE / names[1], dpi=SCREEN_DPI)
                part = _first_panel(made)
                for legend in made.legends if part else ():
                    legend.set_visible(False)  # it is of all panels, and would be cut
                made.savefig(MADE / names[2], dpi=THUMB, bbox_inches=part)
        said = getattr(made, "poissonmatch_caption", "")
        (MADE / f"{entry.stem}.txt").write_text(f"{entry.name}: {seen(made)}\n{said}", encoding="utf-8")
    return (names[0], names[0]) if (MADE / names[0]).exists() else (names[1], names[2])


def _first_panel(figure: Any) -> Any:
    """The part of a wide figure that a thumbnail shows, in inches; None: all of it."""
    if figure.get_figwidth() <= WIDTHS["column"]:
        return None
    box = figure.axes[0].get_tightbbox().transformed(figure.dpi_scale_trans.inverted())
    return box.padded(0.05)


def said_of(entry: Entry) -> tuple[str, str]:
    """What is seen in a picture, and its caption."""
    first, _, caption = (MADE / f"{entry.stem}.txt").read_text(encoding="utf-8").partition("\n")
    return first, caption


def card(entry: Entry, thumb: str) -> str:
    """A thumbnail that leads to the section of its picture."""
    return (
        f":::{{grid-item-card}} {entry.name}\n:link: {entry.key}\n:link-type: ref\n"
        f":img-top: /_made/gallery/{thumb}\n:img-alt: {said_of(entry)[0]}\n:class-card: gallery\n:::\n"
    )


def section(entry: Entry, picture: str) -> str:
    """The section of a picture: words, the whole picture, its caption, its code."""
    alternative, caption = said_of(entry)
    parts = [
        f"({entry.key})=\n## {entry.name}",
        _markdown(entry.words),
        f"![{_markdown(alternative)}](/_made/gallery/{picture})",
    ]
    return "\n\n".join([*parts, *[_markdown(caption)] * bool(caption), f"```{entry.language}\n{entry.code}\n```\n"])


def _markdown(words: str) -> str:
    """Words with mathematics between dollar signs; in the text, nothing is left that Markdown would interpret."""
    parts = words.split("$")
    parts[::2] = [re.sub(r"([\\*_\[\]|`#])", r"\\\1", escape(part, quote=False)) for part in parts[::2]]
    return "$".join(parts)


def make(_app: Any = None, wanted: Callable[[Entry], bool] = lambda entry: True) -> None:
    """Draw what is not there, write the parts of the pages, and forget what is out of date."""
    MADE.mkdir(parents=True, exist_ok=True)
    shown = [(entry, *draw(entry)) for entry in entries() if wanted(entry)]
    for group in dict.fromkeys(entry.group for entry, *_ in shown):
        mine = [row for row in shown if row[0].group == group]
        cards = "\n".join(card(entry, thumb) for entry, _, thumb in mine)
        _write(f"{group}-cards.md", f"::::{{grid}} 2 3 4 4\n:gutter: 2\n\n{cards}\n::::\n")
        _write(f"{group}.md", "\n".join(section(entry, picture) for entry, picture, _ in mine))
    for entry, picture, _ in shown:  # under a name that does not change
        if entry.group == "landing":
            (MADE.parent / f"{entry.name}.png").write_bytes((MADE / picture).read_bytes())
    stems = tuple(entry.stem for entry, *_ in shown)
    for path in MADE.iterdir():
        if path.suffix != ".md" and not path.name.startswith(stems):
            path.unlink()


def _write(name: str, text: str) -> None:
    """Write a part of a page if it is another: pages are made again from parts that are."""
    path = MADE / name
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", make)
    return {"parallel_read_safe": True}
