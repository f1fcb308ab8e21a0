"""The commands report, cite and paper-figures (the figures of Deijfen, Holroyd and Martin 2016).

Plotting libraries are imported in the commands, because jobs that simulate do not need them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from .. import frogs, studies
from ..matching.lazy import LazyMatching
from ..pipeline.results import results_folder
from ..points import processes
from ..points.infinite import DecreasingGaps, Intervals
from ..points.pattern import Pattern
from ..points.spaces import Euclidean, Torus
from ..utils.libraries import pd
from . import terminal
from .options import QUICK, RESULTS, Results, StudyFile, keep_others, remedies
from .output_files import Force, check_output

app = typer.Typer()
SEED = 4
APART = 116  # a seed of Figure 3 whose points are far from each other
POND = [[0.78, 0.6], [2.44, 0.18], [1.8, 1.46], [0.56, 0.11], [0.82, 1.31]]
REACH = 50.0  # at which points are examined for Figure 3
LINES = {
    "an infinite descending chain, on which play never ends": DecreasingGaps(),
    "two points in each $[3i, 3i+1]$: Bob wins": Intervals(seed=APART),
    "one point in $[0, 1]$, two in the others: Alice wins": Intervals(alone=[0], seed=APART),
}
GAME = [(None, 1), (None, 2), (1, 4), (2, 0), (4, 3)]  # Alice wins after move 5
BIBTEX = """\
@misc{{poissonmatch,
  title = {{{{poissonmatch}}: stable matchings of random points, and the games that they solve}},
  author = {{The poissonmatch developers}},
  version = {{{version}}},
{note}}}

@misc{{DeijfenHolroydMartin,
  title = {{Friendly frogs, stable marriage, and the magic of invariance}},
  author = {{Deijfen, Maria and Holroyd, Alexander E. and Martin, James B.}},
  year = {{2016}},
  eprint = {{1604.03161}},
  archiveprefix = {{arXiv}},
}}"""


@app.command(epilog="Example: poissonmatch report mine.yaml")
def report(
    study_file: StudyFile = QUICK,
    results: Results = RESULTS,
) -> None:
    """Write the report of a study: RESULTS/STUDY/report.html, one file that needs no network."""
    from ..pipeline import reports

    file, folder = studies.load(study_file), results_folder(study_file, results)
    with remedies(study_file, results):
        keep_others(file, folder)
        terminal.echo(reports.report(study_file.name, file, folder))


@app.command(epilog="Example: poissonmatch cite")
def cite() -> None:
    """Print BibTeX entries: of this version of the program, and of the paper of Deijfen, Holroyd and Martin (2016)."""
    from ..pipeline import provenance

    commit = provenance.commit()
    note = f"  note = {{commit {commit[:12]}}},\n" if commit else ""
    typer.echo(BIBTEX.format(version=provenance.package_version("poissonmatch"), note=note))


@app.command("paper-figures", epilog="Example: poissonmatch paper-figures --output figures")
def paper_figures(
    output: Annotated[Path, typer.Option(help="folder for the figures and their page")] = Path("paper-figures"),
    force: Force = False,
) -> None:
    """Draw Figures 1 to 6 of Deijfen, Holroyd and Martin (2016) as PDF and SVG, and a page index.html."""
    from ..figures import canvas, pages
    from ..pipeline import reports, up_to_date

    names = [f"figure-{number}{ending}" for number in range(1, 7) for ending in (".txt", ".pdf", ".svg")]
    for name in ("index.html", up_to_date.PAGES, *names):
        check_output(output / name, Path(name).suffix, force=force)
    drawn: list[pages.ReportFigure] = []
    written: dict[str, bytes] = {}
    for number, drawing in figures():
        files = canvas.render(drawing, ("pdf", "svg"))
        written |= {f"figure-{number}{suffix}": data for suffix, data in files.items()}
        drawn.append(pages.ReportFigure(f"Figure {number}", files, drawing.caption, drawing.options.width or "column"))
    title = "The figures of “Friendly frogs, stable marriage, and the magic of invariance”"
    written["index.html"] = pages.gallery(title, drawn).encode()
    terminal.echo(reports.write_page(output, "index.html", written, {}))


def figures() -> Iterator[tuple[int, Any]]:
    """Yield the number and the Drawing of each figure."""
    from ..figures.draw import draw
    from ..figures.infinite_patterns import infinite
    from ..figures.pattern_figures import picture
    from ..figures.recorded_games import boards

    rng = np.random.default_rng(SEED)
    pond = Pattern(POND, geometry=Euclidean(2))
    yield 1, boards({"": frogs.record(pond, "friendly", GAME)}, width="column")
    yield 2, draw("realization", picture(pond, name="the pond of Figure 1"), width="column")
    lines = {title: LazyMatching(points, max_distance=REACH) for title, points in LINES.items()}
    yield 3, infinite(lines, [-6.0], [10.0], width="column")
    torus = Torus(np.sqrt(300.0), 2)
    points = processes.poisson(torus, 1.0, rng=rng)
    yield 4, draw("realization", picture(points), width="column")
    colored = Pattern(POND, [0, 0, 1, 0, 1], geometry=Euclidean(2))
    variants = {"colored": "colored frogs", "colored-points": "on colored points", "fussy": "fussy frogs"}
    yield 5, boards({title: frogs.options(colored, name, 3, 2) for name, title in variants.items()}, width="text")
    few = processes.poisson(Torus(np.sqrt(150.0), 2), 1.0, rng=rng)
    both = pd.concat([picture(few, rule) for rule in ("multi(3)", "labels(3)")], ignore_index=True)
    yield 6, draw("realization", both, width="text")
