"""The commands report, cite and paper-figures (the figures of Deijfen, Holroyd and Martin 2016).

Plotting libraries are imported in the commands, because jobs that simulate do not need them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .. import studies
from . import terminal
from .options import QUICK, RESULTS, Force, Results, StudyFile, check_output, remedies, set_unlisted_aside

app = typer.Typer()
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
    file, folder = studies.load(study_file), studies.results_folder(study_file, results)
    with remedies(study_file, results):
        set_unlisted_aside(file, folder)
        terminal.echo(studies.reports.report(study_file, file, folder))


@app.command(epilog="Example: poissonmatch cite")
def cite() -> None:
    """Print BibTeX entries: of this version of the program, and of the paper of Deijfen, Holroyd and Martin (2016)."""
    commit = studies.provenance.commit()
    note = f"  note = {{commit {commit[:12]}}},\n" if commit else ""
    typer.echo(BIBTEX.format(version=studies.provenance.package_version("poissonmatch"), note=note))


@app.command("paper-figures", epilog="Example: poissonmatch paper-figures --output figures")
def paper_figures(
    output: Annotated[Path, typer.Option(help="folder for the figures and their page")] = Path("paper-figures"),
    force: Force = False,
) -> None:
    """Draw Figures 1 to 6 of Deijfen, Holroyd and Martin (2016) as PDF and SVG, and a page index.html."""
    from ..studies.figures import canvas
    from ..studies.report import pages
    from .paper_drawings import drawings

    names = [f"figure-{number}{ending}" for number in range(1, 7) for ending in (".txt", ".pdf", ".svg")]
    for name in ("index.html", studies.up_to_date.PAGES, *names):
        check_output(output / name, Path(name).suffix, force=force)
    drawn: list[pages.ReportFigure] = []
    written: dict[str, bytes] = {}
    for number, drawing in drawings():
        files = canvas.render(drawing, ("pdf", "svg"))
        written |= {f"figure-{number}{suffix}": data for suffix, data in files.items()}
        drawn.append(pages.ReportFigure(f"Figure {number}", files, drawing.caption, drawing.options.width or "column"))
    title = "The figures of “Friendly frogs, stable marriage, and the magic of invariance”"
    written["index.html"] = pages.gallery(title, drawn).encode()
    terminal.echo(studies.reports.write_page(output, "index.html", written, {}))
