"""What may be there in place of a file: pipes, devices, folders, edited manifests, bombs. Each changes the folder that it is given."""

import os
from collections.abc import Callable
from pathlib import Path

from helpers.bad_files import GOOD
from poissonmatch.utils.manifests import read_json, to_json


def text(name: str, content: str | bytes) -> Callable[[Path], object]:
    """Write a file."""

    def write(home: Path) -> None:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


def pipe(name: str) -> Callable[[Path], object]:
    """Put a FIFO in the place of a file."""
    return instead(name, os.mkfifo)


def folder(name: str) -> Callable[[Path], object]:
    """Put a folder in the place of a file."""
    return instead(name, os.mkdir)


def device(name: str) -> Callable[[Path], object]:
    """Put a link to a device without end in the place of a file."""
    return instead(name, lambda path: os.symlink("/dev/zero", path))


def instead(name: str, make: Callable[[Path], object]) -> Callable[[Path], object]:
    def put(home: Path) -> None:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).unlink(missing_ok=True)
        make(home / name)

    return put


def edit(name: str, old: str, new: str) -> Callable[[Path], object]:
    """Replace text in a file of results, once."""

    def write(home: Path) -> None:
        found = (home / name).read_text(encoding="utf-8")
        assert old in found
        (home / name).write_text(found.replace(old, new, 1), encoding="utf-8")

    return write


def cut(name: str) -> Callable[[Path], object]:
    """Cut the end of a file off."""
    return lambda home: os.truncate(home / name, 1500)


def listing(manifest: str, *keys: str, name: str) -> Callable[[Path], object]:
    """Add a file to what a manifest lists."""

    def write(home: Path) -> None:
        (path,) = home.glob(manifest)
        about = read_json(path)
        inner = about
        for key in keys:
            inner = inner[key]
        inner[name] = "0" * 64
        path.write_bytes(to_json(about))

    return write


def with_points(content: str, more: str = "") -> Callable[[Path], object]:
    """Write a study whose points are in a CSV file."""
    process = "{name: points, files: p.csv, coords: [x, y]" + more + "}"
    study = "studies: {a: {process: " + process + ", dims: 2, sizes: 20, replicates: 1}}\n"
    return lambda home: (text("p.csv", content)(home), text("s.yaml", study)(home))


def with_title(title: str) -> Callable[[Path], object]:
    return text("s.yaml", GOOD + "figures:\n  f: {kind: tail, studies: a, title: '" + title + "'}\n")


def nothing(home: Path) -> None:
    """There is a good study file, and nothing else."""
