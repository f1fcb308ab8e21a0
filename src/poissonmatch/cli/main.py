"""The command line of studies: words and paths in, stages called, one clear message and an exit code out."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import psutil
import typer

from .. import studies
from ..errors import BadInput, Busy, IntegrityError
from ..pipeline import blocks, integrity, runs, stages, targets
from ..studies import plan
from . import games, play

BUG, BAD_INPUT, ENVIRONMENT, INTEGRITY = 1, 2, 3, 4  # exit codes

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Stable matchings of random points: sweeps, tables, figures. A study is a YAML file; see config/quick.yaml.",
    epilog="Exit codes: 0 done, 1 a mistake of ours, 2 bad input, 3 environment (disk, permissions), 4 integrity (damaged or missing results).",
)

app.add_typer(games.app, name="games")
app.command("play")(play.play_command)

StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="study file (YAML)", show_default=False)]
Results = Annotated[Path, typer.Option(help="folder of all results; a study's own is below it, named after its file")]
Large = Annotated[
    bool, typer.Option("--allow-large", help="do it although it is above the ceiling of jobs, memory or disk")
]


@app.command()
def validate(study_file: StudyFile) -> None:
    """Check a study file, and say what it asks for."""
    file = studies.load(study_file)
    counted = plan.count(file)
    typer.echo(
        f"{study_file}: {len(file.studies)} studies, {counted.cells} cells, {counted.jobs} jobs, "
        f"{counted.replicates} replicates, {len(file.figures)} figures"
    )


@app.command(name="plan")
def plan_(
    study_file: StudyFile,
    cores: Annotated[
        int | None, typer.Option(help="cores to say the time for; those of this machine by default", min=1)
    ] = None,
    allow_large: Large = False,
) -> None:
    """Say what a study will cost: cells, jobs, memory, core-hours, disk. Takes some seconds, to see how fast this machine is."""
    file = studies.load(study_file)
    if not allow_large:
        plan.count(file).refuse_if_large()
    found = plan.calibrated(file)
    cores = cores or os.cpu_count() or 1
    busy = min(cores, found.jobs)
    typer.echo(
        f"cells                      {found.cells}\n"
        f"jobs                       {found.jobs}\n"
        f"replicates                 {found.replicates}\n"
        f"points                     {found.points:.3g}\n"
        f"memory of the largest job  {found.memory / 1e9:.2g} GB\n"
        f"disk                       {found.disk / 1e9:.2g} GB\n"
        f"core-hours                 {found.seconds / 3600:.3g} ({found.job_seconds / found.seconds:.0%} for starting jobs)\n"
        f"time on {cores} cores          {runs.duration(max(found.seconds / busy, found.longest))}"
    )


@app.command()
def run(
    study_file: StudyFile = Path("config/quick.yaml"),
    results: Results = Path("results"),
    profile: Annotated[str, typer.Option(help="a folder below profiles/, such as slurm")] = "default",
    cores: Annotated[int | None, typer.Option(help="cores to use; all by default", min=1)] = None,
    allow_large: Large = False,
) -> None:
    """Make everything that a study file asks for, with Snakemake; what is done already is kept."""
    file, folder = studies.load(study_file), blocks.results_folder(study_file, results)
    if not Path("Snakefile").is_file():
        raise BadInput(f"{Path.cwd()}: there is no Snakefile here; run this in the folder of the poissonmatch sources")
    if not (Path("profiles") / profile / "config.yaml").is_file():
        raise BadInput(f"--profile {profile}: there is no profiles/{profile}/config.yaml")
    counted = plan.count(file)
    if not allow_large:
        counted.refuse_if_large()
    options = ["--workflow-profile", f"profiles/{profile}"]
    if profile == "default":
        memory = psutil.virtual_memory().total
        if counted.memory > memory:
            raise MemoryError(
                f"a job needs {counted.memory / 1e9:.3g} GB of memory, and this machine has {memory / 1e9:.3g} GB"
            )
        options += ["--resources", f"mem_mb={memory // 10**6}"]
    if cores:
        options += ["--cores", str(cores)]
    with runs.locked(folder):  # is another run at work?
        pass
    typer.echo(f"{study_file}: {counted.cells} cells, at most {counted.jobs} jobs; results go to {folder}", err=True)
    if runs.snakemake(study_file, results, options, large=allow_large):
        problems = [p for p in integrity.verify(folder).problems if p.kind not in integrity.UNDONE]
        if problems:
            raise IntegrityError(*problems, remedy=f"poissonmatch repair {study_file} makes them again")
        _stop("stopped before the end, for the reason above; the same command takes it up again", ENVIRONMENT)


@app.command()
def status(study_file: StudyFile, results: Results = Path("results")) -> None:
    """Say for each cell how many replicates are done, the estimate with its standard error so far, and what is still needed."""
    file, folder = studies.load(study_file), blocks.results_folder(study_file, results)
    for standing in targets.status(file, folder):
        typer.echo(targets.line(standing))


@app.command(hidden=True)
def assess(study_file: StudyFile, name: str, round: int, results: Results = Path("results")) -> None:
    """Judge the cells of one study with a target_rel_se after a round (the rules call this)."""
    file = studies.load(study_file)
    if name not in file.studies:
        raise BadInput(f"{study_file}: there is no study {name!r}")
    stages.assess(file, blocks.results_folder(study_file, results), name, round)


@app.command()
def simulate(
    study_file: StudyFile,
    manifest: Annotated[Path, typer.Argument(help="the block to make: RESULTS/shards/STUDY/CELL/FIRST-END.json")],
    threads: Annotated[int, typer.Option(help="threads within one torus", min=1)] = 1,
) -> None:
    """Simulate one block of replicates; one that is finished already is kept."""
    block, folder = blocks.find_block(studies.load(study_file), manifest)
    if blocks.take_up(block, folder):
        print(f"{manifest}: finished before", file=sys.stderr)
        return
    with _progress(f"{block.cell.study} {block.cell.id}", len(block.replicates)) as step:
        blocks.simulate(block, folder, threads=threads, progress=step)


@app.command()
def aggregate(study_file: StudyFile, results: Results = Path("results")) -> None:
    """Put the shards of a study file together into its tables, with estimates."""
    stages.aggregate(studies.load(study_file), blocks.results_folder(study_file, results))


@app.command()
def draw(
    study_file: StudyFile,
    figures: Annotated[list[str] | None, typer.Argument(help="names of figures; all by default")] = None,
    results: Results = Path("results"),
) -> None:
    """Draw figures from the tables."""
    for path in stages.draw(studies.load(study_file), blocks.results_folder(study_file, results), figures or None):
        typer.echo(path)


@app.command(hidden=True)
def summarize(study_file: StudyFile, results: Results = Path("results")) -> None:
    """Write the tables and the provenance of the report (the rules call this)."""
    studies.load(study_file)
    for path in stages.summarize(blocks.results_folder(study_file, results)):
        typer.echo(path)


@app.command()
def report(study_file: StudyFile = Path("config/quick.yaml"), results: Results = Path("results")) -> None:
    """Write RESULTS/STUDY/report.html: figures, tables and provenance of a finished study, in one file that needs no network."""
    studies.load(study_file)
    folder = blocks.results_folder(study_file, results)
    if runs.snakemake(study_file, results, ["--report", f"{folder}/report.html"], large=True):
        _stop("no report, for the reason above", ENVIRONMENT)
    typer.echo(folder / "report.html")


@app.command()
def verify(
    results: Annotated[Path, typer.Argument(help="a results folder, such as results/quick", show_default=False)],
    study_file: Annotated[
        Path | None, typer.Option("--study", help="study file: also name the blocks of it that are missing")
    ] = None,
) -> None:
    """Check every shard and table of a results folder: checksums, and whether a run can have made the numbers; name each one that is
    not right."""
    try:
        is_folder = stat.S_ISDIR(results.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        raise BadInput(f"{results}: there is no such folder") from None
    if not is_folder:
        raise BadInput(f"{results}: not a folder; give a results folder, such as results/quick")
    report = integrity.verify(results, studies.load(study_file) if study_file else None)
    for remark in report.remarks:
        typer.echo(f"note: {remark}", err=True)
    if report.problems:
        remedy = f"poissonmatch repair {study_file or 'STUDY'} makes again what is wrong"
        raise IntegrityError(*report.problems, remedy=remedy if report.found else "")
    typer.echo(f"{results}: {report.right} files verified")


@app.command()
def repair(study_file: StudyFile, results: Results = Path("results")) -> None:
    """Make damaged and missing shards of a study again; files that do not belong there are moved aside, never deleted."""
    file, folder = studies.load(study_file), blocks.results_folder(study_file, results)
    if not folder.is_dir():
        raise BadInput(f"{folder}: there are no results")
    with runs.locked(folder):
        made, moved = integrity.repair(file, folder, progress=typer.echo)
    typer.echo(f"{folder}: {made} blocks made again, {moved} files moved to {folder / integrity.QUARANTINE}")


@app.command()
def reproduce(
    shard: Annotated[
        Path, typer.Argument(help="a shard: RESULTS/shards/STUDY/CELL/FIRST-END.json", show_default=False)
    ],
) -> None:
    """Make a shard again from its own metadata and compare the bytes; nothing is written."""
    if not shard.name or shard.is_dir():
        raise BadInput(f"{shard}: not a shard, RESULTS/shards/STUDY/CELL/FIRST-END.json")
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
    except BadInput as error:  # also parameters that no process, torus or rule can have
        _stop(str(error), BAD_INPUT)
    except MemoryError as error:
        _stop(str(error) or "out of memory", BAD_INPUT)
    except IntegrityError as error:
        _stop(str(error), INTEGRITY)
    except Busy as error:
        _stop(str(error), ENVIRONMENT)
    except FileNotFoundError as error:
        _stop(f"{error.filename}: there is no such file", INTEGRITY)
    except OSError as error:
        _stop(f"{error.filename or 'poissonmatch'}: {error.strerror or error}", ENVIRONMENT)
    except Exception as error:
        _stop(_bug(error), BUG)


def _bug(error: Exception) -> str:
    """One line about a mistake of ours, whose traceback is written to a file."""
    what = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    try:
        with tempfile.NamedTemporaryFile("w", prefix="poissonmatch-", suffix=".log", delete=False) as file:
            traceback.print_exception(error, file=file)
        return f"a mistake in poissonmatch, not in your input: {what}; the traceback is in {file.name}"
    except OSError as reason:
        return f"a mistake in poissonmatch, not in your input: {what}; its traceback could not be written ({reason})"


def _stop(message: str, code: int) -> None:
    print(message, file=sys.stderr, flush=True)
    sys.exit(code)
