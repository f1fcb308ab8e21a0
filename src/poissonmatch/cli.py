"""The command line: words and paths in, stages called, one clear message and an exit code out."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from . import integrity, runs, stages, studies
from .tables import IntegrityError
from .yamlfile import BadInput

BAD_INPUT, ENVIRONMENT, INTEGRITY = 2, 3, 4  # exit codes

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Stable matchings of random points: sweeps, tables, figures. A study is a YAML file; see config/quick.yaml.",
    epilog="Exit codes: 0 done, 2 bad input, 3 environment (disk, memory, permissions), 4 integrity (damaged or missing results).",
)

Study = Annotated[Path, typer.Argument(help="study file (YAML)", show_default=False)]
Results = Annotated[Path, typer.Option(help="folder of all results; a study's own is below it, named after its file")]


@app.command()
def validate(study: Study) -> None:
    """Check a study file, and say what it asks for."""
    file = studies.load(study)
    cells = studies.cells(file)
    blocks = sum(len(list(cell.blocks())) for cell in cells)
    typer.echo(
        f"{study}: {len(file.studies)} studies, {len(cells)} cells, {blocks} blocks, "
        f"{sum(c.replicates for c in cells)} replicates, {len(file.figures)} figures"
    )


@app.command()
def run(
    study: Study = Path("config/quick.yaml"),
    cores: Annotated[int | None, typer.Option(help="cores to use; all by default", min=1)] = None,
) -> None:
    """Make everything that a study file asks for, with Snakemake; what is done already is kept."""
    studies.load(study)
    if not Path("Snakefile").is_file():
        raise BadInput(f"{Path.cwd()}: there is no Snakefile here; run this in the folder of the poissonmatch sources")
    command = [sys.executable, "-m", "snakemake", "--config", f"study={study}"]
    if cores:
        command += ["--cores", str(cores)]
    raise typer.Exit(subprocess.run(command).returncode)


@app.command()
def simulate(
    study: Study,
    manifest: Annotated[Path, typer.Argument(help="the block to make: RESULTS/shards/STUDY/CELL/FIRST-END.json")],
    threads: Annotated[int, typer.Option(help="threads within one torus", min=1)] = 1,
) -> None:
    """Simulate one block of replicates."""
    cell, first, end, folder = stages.find_block(studies.load(study), manifest)
    with _progress(f"{cell.study} {cell.id}", end - first) as step:
        stages.simulate(cell, first, end, folder, threads=threads, progress=step)


@app.command()
def aggregate(study: Study, results: Results = Path("results")) -> None:
    """Put the shards of a study file together into its tables, with estimates."""
    stages.aggregate(studies.load(study), stages.results_folder(study, results))


@app.command()
def draw(
    study: Study,
    figures: Annotated[list[str] | None, typer.Argument(help="names of figures; all by default")] = None,
    results: Results = Path("results"),
) -> None:
    """Draw figures from the tables."""
    for path in stages.draw(studies.load(study), stages.results_folder(study, results), figures or None):
        typer.echo(path)


@app.command()
def verify(
    results: Annotated[Path, typer.Argument(help="a results folder, such as results/quick", show_default=False)],
    study: Annotated[Path | None, typer.Option(help="study file: also name the blocks of it that are missing")] = None,
) -> None:
    """Check every shard and table of a results folder against checksums; name each one that is not right."""
    if not results.is_dir():
        raise BadInput(f"{results}: there is no such folder")
    report = integrity.verify(results, studies.load(study) if study else None)
    for remark in report.remarks:
        typer.echo(f"note: {remark}", err=True)
    if report.problems:
        raise IntegrityError("\n".join(report.problems))
    typer.echo(f"{results}: {report.right} files verified")


@app.command()
def repair(study: Study, results: Results = Path("results")) -> None:
    """Make damaged and missing shards of a study again; files that do not belong there are moved aside, never deleted."""
    file, folder = studies.load(study), stages.results_folder(study, results)
    if not folder.is_dir():
        raise BadInput(f"{folder}: there are no results")
    with runs.hold(folder):
        made, moved = integrity.repair(file, folder, progress=typer.echo)
    typer.echo(f"{folder}: {made} blocks made again, {moved} files moved to {folder / integrity.QUARANTINE}")


@app.command()
def reproduce(
    shard: Annotated[
        Path, typer.Argument(help="a shard: RESULTS/shards/STUDY/CELL/FIRST-END.json", show_default=False)
    ],
) -> None:
    """Make a shard again from its own metadata and compare the bytes; nothing is written."""
    for path in integrity.reproduce(shard):
        typer.echo(f"{path}: the same bytes")


@contextmanager
def _progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Shows how far a job is: a bar in a terminal, a line every half minute elsewhere."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=total)
            yield lambda replicate: bar.advance(task)
        return
    done, last = 0, time.monotonic()

    def step(replicate: int) -> None:
        nonlocal done, last
        done += 1
        if time.monotonic() - last > 30:
            last = time.monotonic()
            print(f"{what}: {done} of {total} replicates", file=sys.stderr, flush=True)

    yield step


def main() -> None:
    """Run the command line; every failure ends with one message and its exit code, never a traceback."""
    os.umask(os.umask(0o022) | 0o022)  # nothing is writable for others, whatever the user's umask
    try:
        app()
    except BadInput as error:
        _stop(str(error), BAD_INPUT)
    except MemoryError as error:
        _stop(str(error) or "out of memory", BAD_INPUT)
    except IntegrityError as error:
        _stop(str(error), INTEGRITY)
    except runs.Busy as error:
        _stop(str(error), ENVIRONMENT)
    except FileNotFoundError as error:
        _stop(f"{error.filename}: there is no such file", INTEGRITY)
    except OSError as error:
        _stop(f"{error.filename or 'poissonmatch'}: {error.strerror or error}", ENVIRONMENT)


def _stop(message: str, code: int) -> None:
    print(message, file=sys.stderr, flush=True)
    sys.exit(code)
