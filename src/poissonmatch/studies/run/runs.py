"""Runs of a study with Snakemake: one at a time in a results folder, resumed after a crash."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...utils import permissions
from ...utils.atomic_writer import write_atomically
from ...utils.errors import BadInput, Busy, nearest
from ...utils.files import read_regular
from ...utils.manifests import to_json
from ...utils.memory import size_words
from ..results import STATE

if TYPE_CHECKING:
    from filelock import FileLock

VERSIONS = ">=9.16.3,<10"  # of Snakemake, as in pyproject.toml
DEFAULT = "default"  # profile: one machine
MAX_PROFILE = 1_000_000  # bytes
PATIENCE = 10.0  # seconds for a cluster to answer
LOCK = ".lock"
SOURCES = ("Snakefile", "workflow", "profiles")  # what Snakemake executes
RECORDS = ".snakemake"  # where it remembers what it did; it imports modules from there, and reads pickles
DATA = ("metadata", "incomplete", "log", "locks", "auxiliary")  # parts of that, of many files: text
_held: list[FileLock] = []  # for the life of the process


def lock(folder: str | Path) -> FileLock:
    """Take the lock of a results folder until the process ends, however it ends.

    Raises Busy if another process has it, OSError if the file system has no locks.
    """
    from filelock import FileLock, SoftFileLock, Timeout

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    held = FileLock(folder / LOCK, mode=0o644)
    try:
        with warnings.catch_warnings(action="ignore"):  # that it becomes a soft lock
            held.acquire(timeout=0)
    except Timeout:
        raise Busy(f"{folder}: another run is at work there; wait until it ends, or stop it first") from None
    if isinstance(held, SoftFileLock):  # a file that a crash leaves behind, and that another machine may not see
        held.release()
        reason = "this file system has no locks, which keep two runs apart; choose --results on one that has them"
        raise OSError(errno.ENOLCK, reason, str(folder))
    _held.append(held)
    return held


@contextmanager
def locked(folder: str | Path) -> Iterator[None]:
    """Hold the lock of a results folder within the context."""
    held = lock(folder)
    try:
        yield
    finally:
        held.release()


def refuse_if_busy(folder: Path) -> None:
    """Raise Busy if another run uses a results folder. Nothing is written there."""
    if (folder / LOCK).exists():
        with locked(folder):
            pass


def workflow_files() -> Path:
    """Return the folder of Snakefile, rules and profiles: in an installed package, else its checkout."""
    package = Path(__file__).parents[2]
    installed = package / "workflow_files"
    return installed if installed.is_dir() else package.parents[1]


def find_profile(name: str, study_file: Path, own: Path) -> Path:
    """Return the folder of a profile: next to the study file, in the user's folder `own`, or in the package.

    The default profile, which is not requested by name, is not looked for next to a study file: a
    profile can start programs. Raises BadInput if there is none.
    """
    places = [own / "profiles", workflow_files() / "profiles"]
    if name != DEFAULT:
        places.insert(0, study_file.absolute().parent / "profiles")
    for place in places:
        if re.fullmatch(r"\w[\w.-]*", name) and (place / name / "config.yaml").is_file():
            return place / name
    there = sorted({path.parent.name for place in places for path in place.glob("*/config.yaml")})
    raise BadInput(f"--profile {name}: there is no such profile in {', '.join(map(str, places))}{nearest(name, there)}")


def require_snakemake() -> None:
    """Raise ImportError if Snakemake is not installed, or its version is not one of VERSIONS."""
    if find_spec("snakemake") is None:
        raise ModuleNotFoundError(
            "Snakemake is not installed, which `run` needs: pip install snakemake", name="snakemake"
        )
    from packaging.specifiers import SpecifierSet

    if (installed := version("snakemake")) not in SpecifierSet(VERSIONS):
        reason = f"poissonmatch needs snakemake{VERSIONS}, got {installed}: pip install 'snakemake{VERSIONS}'"
        raise ImportError(reason, name="snakemake")


def refuse_if_unsafe(folder: Path) -> None:
    """Raise OSError, with a remedy, if Snakemake would execute files of others, or cannot write its records."""
    author = os.stat(__file__).st_uid  # of this package, whose code is executed already
    home = folder.absolute() / STATE
    records = home / RECORDS
    try:
        permissions.check_owner(_sources(workflow_files().absolute()), {author, *permissions.SYSTEM})
    except PermissionError as error:
        raise PermissionError(f"{error}, and would be executed: run this in sources that belong to you") from None
    try:
        permissions.check_owner([path for path in (home.parent, home) if os.path.lexists(path)])
        for place in (records, Path.cwd() / RECORDS):  # where a plain `snakemake` has them
            permissions.check_owner(_records(place))
    except PermissionError as error:
        raise PermissionError(f"{error}, and might be executed: move it away, or work in another folder") from None
    try:
        permissions.check_writable(records, mode=0o755)  # results may be read by others
    except OSError as error:
        raise OSError(f"{error}; Snakemake keeps its records there: choose --results that you can write to") from None


def _sources(folder: Path) -> Iterator[Path]:
    for name in SOURCES:
        yield from (path for path in (folder / name, *(folder / name).rglob("*")) if os.path.lexists(path))


def _records(records: Path) -> Iterator[Path]:
    if os.path.lexists(records):
        yield records
        for part in records.glob("*"):
            yield part
            yield from part.glob("*") if part.name not in DATA else ()


def _environment(folder: Path) -> dict[str, str]:
    """Return the environment of Snakemake, with its cache among its records if there is no home folder."""
    try:
        permissions.check_writable(permissions.cache_home() / "snakemake")
        return permissions.environment()
    except (OSError, RuntimeError):
        return {**permissions.environment(), "XDG_CACHE_HOME": str(folder.absolute() / RECORDS / "cache")}


def setting_of(profile: Path, key: str) -> str:
    """Return a setting of a profile as text, "" if it has none.

    Raises BadInput if the profile is not a YAML mapping.
    """
    import yaml

    path = profile / "config.yaml"
    try:
        settings = yaml.safe_load(read_regular(path, MAX_PROFILE))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{path}: not valid YAML: {' '.join(str(error).split())}") from None
    if not isinstance(settings, dict):
        raise BadInput(f"{path}: a profile must be a YAML mapping of Snakemake options")
    return str(settings.get(key) or "")


def is_stored(profile: Path) -> bool:
    """Return whether results are in the storage that a profile names, and not in a folder that all jobs share."""
    return setting_of(profile, "default-storage-provider") not in ("", "none")


def refuse_if_silent(profile: Path) -> None:
    """Raise OSError within seconds if a profile needs Slurm and no controller answers; Snakemake would wait."""
    if setting_of(profile, "executor") != "slurm":
        return
    where = f"--profile {profile.name}"
    if not shutil.which("sbatch"):
        raise OSError(errno.EHOSTUNREACH, "no sbatch here: run this on the login node", where)  # ENOENT: a missing file
    try:
        answer = subprocess.run(["scontrol", "ping"], capture_output=True, text=True, timeout=PATIENCE)
        why = "" if answer.returncode == 0 else (answer.stdout + answer.stderr).strip().splitlines()[-1:]
    except (OSError, subprocess.TimeoutExpired) as error:
        why = [str(error)]
    if why:
        raise OSError(errno.EHOSTUNREACH, f"the Slurm controller does not answer ({why[0]})", where)


def refuse_if_full(folder: Path, needed: float) -> None:
    """Raise OSError if the disk of a results folder lacks space for what a study needs and does not have (bytes)."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        needed -= sum(path.lstat().st_size for path in folder.rglob("*"))
    if needed > free:
        reason = f"the study takes about {size_words(needed)} more, and {size_words(free)} are free; use --allow-large to run it anyway"
        raise OSError(errno.ENOSPC, reason, str(folder))


def set_times(folder: Path) -> None:
    """Give all files of a results folder the current time if one is of the future.

    Snakemake stops at an output that is older than its input.
    """
    files, now = [*folder.rglob("*")], time.time()
    if any(path.lstat().st_mtime > now for path in files):
        for path in files:
            os.utime(path, (now, now), follow_symlinks=False)


def snakemake(config: dict[str, object], folder: Path, profile: Path, options: list[str]) -> int:
    """Call Snakemake with a config for a results folder; return its exit code, of the first failed job or a signal.

    Plain `snakemake --config study=...` does the same work; here the values travel as JSON, so that
    every name is taken for what it is. A signal to this process reaches everything that it started.
    If results are stored elsewhere, the rules are copied to the folder of the run, from which
    Snakemake sends them to the jobs.
    """
    home, files = folder.absolute() / STATE, workflow_files()
    write_atomically(home / "config.json", to_json(config))
    if is_stored(profile):
        shutil.copy(files / "Snakefile", home)
        shutil.copytree(files / "workflow", home / "workflow", dirs_exist_ok=True)
        places = ["--snakefile", "Snakefile"]
    else:
        places = ["--snakefile", str(files / "Snakefile"), "--directory", str(home)]
    places += ["--profile", "none", "--workflow-profile", str(profile.absolute())]
    code_of_run = f"import sys; from {__package__} import snakemake; sys.exit(snakemake.main(sys.argv[1:]))"
    command = permissions.python("-c", code_of_run, *places, *options, "--configfile", str(home / "config.json"))

    def forward(number: int, frame: object) -> None:
        """Send all processes the signal of Ctrl-C; at the second signal, kill them."""
        if before[number] is not signal.SIG_IGN:  # with nohup, or in the background of a script
            stopped.append(number)
            if process:
                os.killpg(process.pid, signal.SIGKILL if len(stopped) > 1 else signal.SIGINT)

    stopped: list[int] = []
    process: subprocess.Popen | None = None
    before: dict[int, Any] = {
        number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    }
    for number in before:
        signal.signal(
            number, forward
        )  # before Snakemake starts, which would not end if it inherited that SIGINT is ignored
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # there, until all modules are imported
    try:
        process = subprocess.Popen(
            command,
            process_group=0,
            stdin=subprocess.PIPE,
            env=_environment(home),
            cwd=home if is_stored(profile) else None,
        )
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
        if stopped:
            os.killpg(process.pid, signal.SIGINT)
        code: int | None = None
        while code is None:  # not without limit: a signal just before the wait begins would be handled only after it
            with suppress(subprocess.TimeoutExpired):
                code = process.wait(timeout=1)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if code < 0:  # its jobs are still at work if it was killed alone
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
    if code == -signal.SIGKILL and sys.__stderr__ and sys.__stderr__.isatty():
        sys.__stderr__.write("\x1b[?25h")  # the cursor, which the progress bar hid
    return 128 + stopped[0] if stopped and code else code
