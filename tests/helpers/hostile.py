"""Cases of hostile and clumsy input, and what may be there in place of a file: pipes, devices, folders, edited manifests, bombs."""

import os
import shlex
import signal
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from helpers.bad_files import GOOD
from helpers.command_line import call
from poissonmatch.cli.main import BAD_INPUT, ENVIRONMENT, INTEGRITY
from poissonmatch.utils.manifests import read_json, to_json

STUDY = "studies: {a: {dims: 1, sizes: 20, replicates: 2}}\nfigures: {tail: {kind: tail, studies: a}}\n"
PATIENCE = 120  # seconds on a slow machine; what waits for a pipe waits for ever
Change = Callable[[Path], object]  # of the folder that it is given
VERIFY = "verify ../results/s"
CODES = {"accepted": 0, "refused": BAD_INPUT, "environment": ENVIRONMENT, "damaged": INTEGRITY}
REPEATED = {"DIGITS": "9" * 400, "LETTERS": "x" * 5000}  # too long to write out


def nothing(home: Path) -> None:
    """There is a study file with its finished results, and nothing else."""


class Case(NamedTuple):
    """What is there, the command, its exit code and words of its answer."""

    given: Change
    command: str
    code: int
    said: tuple[str, ...]


def refused(command: str, *said: str, given: Change = nothing) -> Case:
    """A command that is bad input."""
    return Case(given, command, BAD_INPUT, said)


def damaged(given: Change, *said: str, command: str = VERIFY) -> Case:
    """Files that are damaged or missing, and a command that names them."""
    return Case(given, command, INTEGRITY, said)


def contents(folder: Path) -> dict[Path, bytes | None]:
    """Return the bytes of small files; None for large ones, and for all else."""
    small = {path: path.is_file() and path.stat().st_size < 10**6 for path in folder.rglob("*")}
    return {path: path.read_bytes() if is_small else None for path, is_small in small.items()}


def check_case(home: Path, case: Case) -> None:
    """Run the command of a case: it answers in few printable lines; one that fails leaves all files as they are."""
    given, command, code, said = case
    given(home)
    before = contents(home)
    signal.alarm(PATIENCE)
    try:
        status, answer = call(*shlex.split(command))
    finally:
        signal.alarm(0)
    assert (status, [words for words in said if words not in answer]) == (code, []), answer[-2000:]
    assert "Traceback" not in answer and len(answer.splitlines()) <= 30 and answer.replace("\n", "").isprintable()
    assert not code or 0 < len(answer) < 3000
    now = contents(home)
    if code and not command.startswith("simulate"):  # which locks the folder first
        assert now == before
    elif not command.startswith("repair"):
        assert now.items() >= before.items()


def changes(given: list[list[Any]], *functions: Callable[..., object]) -> Change:
    """Make the changes of a list: each is the name of a function of this module, or of one of the others, with its arguments."""
    known = {function.__name__: function for function in (*CHANGES, *functions)}
    return each(*(known[name](*words) if words else known[name] for name, *words in given))


def cases(file: str, *functions: Callable[..., object]) -> dict[str, Case]:
    """Return the cases in the TOML file beside a file, by name: a table for each way in which a command ends.

    `given` lists what is there, as in `changes`. A row that is a list is what is said; its name is the command.
    """
    content = Path(file).with_suffix(".toml").read_text(encoding="utf-8")
    for word, letters in REPEATED.items():
        content = content.replace(word, letters)
    found = {}
    for end, rows in tomllib.loads(content).items():
        for name, row in rows.items():
            about = {"command": name, "says": row} if isinstance(row, list) else row
            given = changes(about.get("given", []), *functions)
            found[name] = Case(given, about.get("command", VERIFY), CODES[end], tuple(about["says"]))
    return found


def each(*changes: Change) -> Change:
    """Make several changes."""
    return lambda home: [change(home) for change in changes]


def text(name: str, content: str | bytes) -> Change:
    """Write a file."""

    def write(home: Path) -> None:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


def binary(name: str, digits: str) -> Change:
    """Write a file of bytes, which are given by hexadecimal digits."""
    return text(name, bytes.fromhex(digits))


def gone(name: str) -> Change:
    """Remove a file."""
    return lambda home: (home / name).unlink()


def pipe(name: str) -> Change:
    """Put a FIFO in the place of a file."""
    return instead(name, os.mkfifo)


def folder(name: str) -> Change:
    """Put a folder in the place of a file."""
    return instead(name, os.mkdir)


def device(name: str) -> Change:
    """Put a link to a device without end in the place of a file."""
    return link(name, "/dev/zero")


def large(name: str, size: int = 10**9) -> Change:
    """Put a file without content in the place of a file."""
    return instead(name, lambda path: os.truncate(os.open(path, os.O_CREAT | os.O_RDWR), size))


def link(name: str, target: str) -> Change:
    """Put a link in the place of a file."""
    return instead(name, lambda path: path.symlink_to(target))


def instead(name: str, make: Change) -> Change:
    def put(home: Path) -> None:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).unlink(missing_ok=True)
        make(home / name)

    return put


def edit(name: str, old: str, new: str) -> Change:
    """Replace text in a file of results, once."""

    def write(home: Path) -> None:
        found = (home / name).read_text(encoding="utf-8")
        assert old in found
        (home / name).write_text(found.replace(old, new, 1), encoding="utf-8")

    return write


def cut(name: str) -> Change:
    """Cut the end of a file off."""
    return lambda home: os.truncate(home / name, 1500)


def listing(manifest: str, name: str) -> Change:
    """Add a file to what a manifest lists."""

    def write(home: Path) -> None:
        (path,) = home.glob(manifest)
        about = read_json(path)
        about["sha256"][name] = "0" * 64
        path.write_bytes(to_json(about))

    return write


def with_points(content: str) -> Change:
    """Write a study whose points are in a CSV file."""
    study = "studies: {a: {process: {name: points, files: p.csv, coords: [x, y]}, dims: 2, sizes: 20, replicates: 1}}\n"
    return each(text("p.csv", content), text("s.yaml", study))


def with_title(title: str) -> Change:
    return text("s.yaml", GOOD + "figures:\n  f: {kind: tail, studies: a, title: '" + title + "'}\n")


CHANGES = (text, binary, gone, pipe, folder, device, large, link, edit, cut, listing, with_points, with_title)
