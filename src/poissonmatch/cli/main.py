"""The command line of studies: commands, messages of errors and exit codes."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import tempfile
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from .. import studies
from ..studies.run import runs
from ..utils.display import counted
from ..utils.errors import BadInput, Busy, IntegrityError, lines, printable
from ..utils.libraries import entry_points, pa
from ..utils.memory import size_words, total_memory
from ..utils.validation import MAX_THREADS
from . import (
    BAD_INPUT,
    BUG,
    ENVIRONMENT,
    INTEGRITY,
    INTERRUPTED,
    SHORT_OF_MEMORY,
    block_commands,
    certify,
    new_study,
    not_loaded,
    paper,
    status,
    terminal,
)
from .options import (
    QUICK,
    RESULTS,
    HiddenThreads,
    Import,
    Large,
    Plans,
    Results,
    StudyFile,
    load_allowed,
    load_counted,
    load_with_notes,
    misuse,
    misuse_text,
    read_points,
    remedies,
    repairs,
    sectioned,
    set_unlisted_aside,
)

SECTIONS = {
    "Studies": ("new", "validate", "plan", "run", "status"),
    "Results": ("report", "verify", "repair", "reproduce", "certify", "cite"),
    "Single stages of a run": ("simulate", "aggregate", "draw"),
    "Batches for another scheduler": ("plan-round", "batch"),
    "Games, and the figures of the paper": ("play", "games", "paper-figures"),
}
app = typer.Typer(
    cls=sectioned(SECTIONS),
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # no colors
    epilog="Exit codes: 0 done, 1 internal error, 2 bad input, 3 environment (disk, permissions), 4 integrity (damaged or missing results), "
    "5 unchecked boxes of a certificate, 130 interrupted. Example: poissonmatch run mine.yaml",
)

for _part in (new_study, status, paper, block_commands, certify):
    app.add_typer(_part.app)
for _name, _entry in entry_points("commands").items():
    if isinstance(_command := _entry.load(), typer.Typer):
        app.add_typer(_command, name=_name)
    else:
        app.command(_name, epilog="Example: poissonmatch play fussy --points 12")(_command)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"poissonmatch {studies.provenance.package_version('poissonmatch')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="print the version", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Stable matchings of random points: sweeps, tables and figures. `poissonmatch new NAME` writes a study file (YAML)."""


@app.command(epilog="Example: poissonmatch validate mine.yaml")
def validate(study_file: StudyFile, allow_large: Large = False, allow_import: Import = False) -> None:
    """Check a study file and print its numbers of cells, jobs, replicates and figures, and what it would import."""
    file = load_with_notes(study_file, allow_import)
    for line in () if allow_import else studies.imports(file):
        terminal.note(f"{study_file}: {line}")
    read_points(study_file, file)
    plan = studies.plan.count(file)
    if not allow_large:
        plan.refuse_if_large(study_file)
    counts = {what: getattr(plan, what) for what in ("cells", "jobs", "replicates", "figures")}
    typer.echo(f"{study_file}: {counted({'studies': len(file.studies), **counts})}")


@app.command(epilog="Example: poissonmatch run mine.yaml --profile slurm")
def run(
    study_files: Annotated[
        list[Path] | None, typer.Argument(metavar="STUDY", help=f"study files (YAML)  [default: {QUICK}]")
    ] = None,
    results: Results = RESULTS,
    profile: Annotated[
        str, typer.Option(help="Snakemake profile that determines where jobs run, such as slurm")
    ] = runs.DEFAULT,
    cores: Annotated[
        int | None, typer.Option("--cores", "-j", help="cores to use, by default all", min=1, max=MAX_THREADS)
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="print what is out of date, and run nothing")
    ] = False,
    allow_large: Large = False,
    allow_import: Import = False,
) -> None:
    """Make all results of study files with Snakemake; existing results are kept."""
    paths = study_files or [QUICK]
    files = [load_allowed(path, allow_import, allow_large) for path in paths]
    folders = [studies.results_folder(path, results) for path in paths]
    profile_folder = runs.find_profile(profile, paths[0], Path(typer.get_app_dir("poissonmatch")))
    stored = runs.is_stored(profile_folder)
    config = {
        "study": [str(path.absolute()) for path in paths],
        "results": str(results if stored else results.absolute()),
        "allow_large": allow_large,
        "allow_import": allow_import,
    }
    if dry_run:
        with remedies(paths[0], results):
            for flow, folder in zip(studies.workflow.workflows(config), folders, strict=True):
                _say_out_of_date(folder, flow.out_of_date)
        return
    runs.require_snakemake()
    for folder in folders:
        runs.refuse_if_busy(folder)  # before the next line, which makes a folder there
        runs.refuse_if_unsafe(folder)
    runs.refuse_if_silent(profile_folder)
    counts = [studies.plan.count(file) for file in files]
    options = _memory_options(max(of_study.memory for of_study in counts)) if profile == runs.DEFAULT else []
    options += ["--cores", str(cores)] if cores else []

    def is_complete() -> bool:
        """Return whether nothing is to be made; of results that are stored elsewhere, Snakemake knows."""
        return not stored and studies.workflow.is_complete(config)

    def say_complete() -> None:
        for folder in folders:
            terminal.echo(f"{folder}: complete; {studies.up_to_date.REPORT} shows all figures and tables", err=True)

    with remedies(paths[0], results):
        if is_complete():
            say_complete()
            return
    if not allow_large and not stored:
        for folder, of_study in zip(folders, counts, strict=True):
            runs.refuse_if_full(folder, of_study.disk)
    for path, file, folder, of_study in zip(paths, files, folders, counts, strict=True):
        set_unlisted_aside(file, folder)
        terminal.echo(f"{path}: {counted({'cells': of_study.cells})}; results go to {folder}", err=True)
    code = runs.snakemake(config, folders[0], profile_folder, options)
    if code > 128:  # a signal; it may have come after the last job
        done, needed = map(sum, zip(*map(studies.n_replicates, files, map(studies.Results, folders)), strict=True))
        if done == needed and is_complete():
            return
        _stop(f"interrupted; {done} of {needed} replicates are kept; run again to continue", code)
    if code == INTEGRITY:
        _stop(repairs(paths, folders, files, results), code)
    if code:
        _stop("stopped before the end for the reason above; run the same command again to continue", code)
    say_complete()


def _say_out_of_date(folder: Path, stages: dict[str, dict[str, str]]) -> None:
    """Print what is out of date in a results folder, by stage, as a run would make it."""
    for stage, files in stages.items():
        for file, why in files.items():
            terminal.echo(f"{folder}: {stage} {file}: {why}")
    if not stages:
        terminal.echo(f"{folder}: complete")
    elif [*stages] != ["report"]:
        terminal.echo(f"{folder}: then all later stages")


def _memory_options(largest: float) -> list[str]:
    """Return the options of Snakemake that keep jobs in the memory of this machine. largest: of a job, in bytes."""
    memory = total_memory()
    if largest > memory:
        raise MemoryError(f"a job needs {size_words(largest)} of memory, and this machine has {size_words(memory)}")
    return ["--resources", f"mem_mb={memory // 10**6}"]


@app.command(epilog="Example: poissonmatch simulate mine.yaml --threads 2")
def simulate(
    study_file: StudyFile,
    results: Results = RESULTS,
    threads: Annotated[int, typer.Option(help="threads within one torus", min=1, max=MAX_THREADS)] = 1,
    allow_large: Large = False,
    allow_import: Import = False,
) -> None:
    """Make the missing blocks of a study here, one after another and without Snakemake."""
    file, folder = load_counted(study_file, allow_large, allow_import), studies.results_folder(study_file, results)
    with runs.locked(folder), remedies(study_file, results):
        for round in studies.batches.rounds(file, folder):
            total = sum(len(block.replicates) for blocks in round for block in blocks)
            with studies.progress.ProgressBar("replicates", sys.__stderr__) as bar:
                bar.total, bar.text = total, str(folder)
                for blocks in round:
                    studies.batches.make(blocks, folder, threads=threads, progress=bar.step)


@app.command(epilog="Example: poissonmatch aggregate mine.yaml")
def aggregate(
    study_file: StudyFile,
    plans: Plans = None,
    results: Results = RESULTS,
    threads: HiddenThreads = 1,
    allow_large: Large = False,
) -> None:
    """Make the tables of a study file from its blocks, with estimates."""
    file, folder = load_counted(study_file, allow_large or bool(plans)), studies.results_folder(study_file, results)
    pa.set_memory_pool(pa.system_memory_pool())  # which keeps less of the freed memory
    with remedies(study_file, results):
        studies.stages.aggregate(file, folder, processes=threads, batches=studies.batches.batches_of(plans or ()))


@app.command(epilog="Example: poissonmatch draw mine.yaml my-curve")
def draw(
    study_file: StudyFile,
    figures: Annotated[
        list[str] | None, typer.Argument(metavar="FIGURE", help="names of the figures to draw  [default: all]")
    ] = None,
    results: Results = RESULTS,
) -> None:
    """Draw figures from the tables."""
    file, folder = studies.load(study_file), studies.results_folder(study_file, results)
    with remedies(study_file, results):
        set_unlisted_aside(file, folder)
        for path in studies.stages.draw(file, folder, figures or None, terminal.note):
            terminal.echo(path)


# ---- start and end ----


def main() -> None:
    """Run the command line; every failure ends with one message and its exit code, without a traceback."""
    os.umask(os.umask(0o022) | 0o022)  # no file is writable for others, whatever the user's umask
    atexit.register(gc.freeze)  # saves up to a second of garbage collection at exit
    with terminal.plain_streams():
        try:
            code = app(standalone_mode=False)
            sys.stdout.flush()
            if code == INTERRUPTED:  # typer says nothing
                raise KeyboardInterrupt
        except misuse() as error:
            _stop(misuse_text(error), BAD_INPUT)
        except (typer.Abort, KeyboardInterrupt):
            _stop("interrupted", INTERRUPTED)
        except BadInput as error:
            trace = getattr(error, "traceback", "")  # of a user's function
            _stop(f"{error}{_kept(trace)}", BAD_INPUT)
        except MemoryError as error:
            text = str(error) or "out of memory"
            expected = type(error) is MemoryError and "out of memory" not in text  # for the size of the input
            _stop(text, BAD_INPUT if expected and not SHORT_OF_MEMORY else ENVIRONMENT)
        except IntegrityError as error:
            _stop(str(error), INTEGRITY)
        except Busy as error:
            _stop(str(error), ENVIRONMENT)
        except OSError as error:
            name = printable(str(error.filename or "poissonmatch"))
            if isinstance(error, FileNotFoundError) and error.filename:
                _stop(f"{name}: there is no such file", INTEGRITY)
            _stop(f"{name}: {error.strerror or error}", ENVIRONMENT)
        except terminal.NobodyReads:
            sys.exit(ENVIRONMENT)
        except ImportError as error:
            message = not_loaded(error)
            _stop(message or _bug(error), ENVIRONMENT if message else BUG)
        except Exception as error:  # with little memory, of a library that is imported in part
            _stop(_bug(error), ENVIRONMENT if SHORT_OF_MEMORY else BUG)
    sys.exit(code or 0)


def _bug(error: Exception) -> str:
    """Return the message of an internal error, whose traceback is written to a file."""
    kind = "out of memory, or an internal error" if SHORT_OF_MEMORY else "internal error (a bug in poissonmatch)"
    what = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    return f"{kind}: {what}{_kept(''.join(traceback.format_exception(error)))}"


def _kept(text: str) -> str:
    """Write a traceback, if there is one, to a file, and return the end of a message that names it."""
    try:
        if not text:
            return ""
        with tempfile.NamedTemporaryFile("w", prefix="poissonmatch-", suffix=".log", delete=False) as file:
            file.write(text)
        return f"; the traceback is in {file.name}"
    except OSError as reason:
        return f"; the traceback could not be written ({reason})"


def _stop(message: str, code: int) -> None:
    with suppress(OSError, terminal.NobodyReads):  # the exit code remains
        print(lines(message), file=sys.stderr, flush=True)
    sys.exit(code)
