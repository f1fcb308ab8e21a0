"""Results in the default storage of Snakemake, such as S3, and their copies on this machine.

A job finds its inputs in a folder of local copies, and Snakemake stores its outputs from there. The
process that plans reads manifests, tables and figures through this module into the same folder.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Container, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ...utils.atomic_writer import write_atomically
from ...utils.errors import IntegrityError
from ...utils.files import exists, status
from ...utils.manifests import read_json, wrong_files
from ..tables.tables import BLOCK_TABLES
from .batch_files import BLOCKS

TIME_ROUNDING = 1e-3  # seconds


class Store:
    """Results in a folder that all jobs share.

    The rules list, read, write and remove results through it. Paths are those of the rules.
    """

    is_elsewhere = False  # whether jobs find results in the storage of Snakemake only
    prefix = ""  # before the paths of the rules, in a module with `prefix:`

    def local(self, path: str | Path) -> Path:
        """Return where a file or folder, or its copy, is on this machine."""
        return Path(self.prefix, path)

    def list(self, folder: str | Path) -> Iterable[str]:
        """Return the files below a folder, as paths relative to it.

        Raises OSError if the storage cannot be reached.
        """
        start = self.local(folder)
        return [str(path.relative_to(start)) for path in start.rglob("*") if path.is_file()]

    def read(self, path: str | Path) -> bool:
        """Copy a file to this machine; return whether it exists."""
        return exists(self.local(path))

    def write(self, path: str | Path, data: bytes) -> None:
        """Write a file, completely or not at all."""
        write_atomically(self.local(path), data)

    def remove(self, path: str | Path) -> None:
        """Remove a file."""
        self.local(path).unlink()

    def mirror(self, folder: str | Path, *, whole: bool) -> dict[str, set[str]] | None:
        """Copy the results in a folder to this machine, without logs.

        whole: also the tables of the batches, whose manifests are copied in any case. Returns the
        names of the files of each table of the batches, None if all are on this machine.
        """
        return None


class SnakemakeStore(Store):
    """The default storage provider of a Snakemake workflow.

    Paths are those of the rules, relative to the prefix of the storage.

    Parameters
    ----------
    provider : StorageProviderBase
        Plugin of Snakemake.
    prefix : str
        Value of `--default-storage-prefix`.
    """

    is_elsewhere = True

    def __init__(self, provider: Any, prefix: str) -> None:
        self.provider = provider
        self.prefix = prefix if not prefix or prefix.endswith("/") else f"{prefix}/"

    def _object(self, path: str | Path) -> Any:
        return self.provider.object(f"{self.prefix}{os.path.normpath(path)}")

    def local(self, path: str | Path) -> Path:
        """Return where the copy of a file or folder is on this machine."""
        return Path(self._object(path).local_path())

    def list(self, folder: str | Path) -> dict[str, tuple[float, int | None]]:
        """Return the files below a folder as `Store.list` does, each with the time of its last change, and its size if known."""
        if hasattr(self.provider, "list_objects"):
            start = self._object(folder).query
            objects = {str(query): self.provider.object(str(query)) for query in self.provider.list_objects(start)}
            files = {os.path.relpath(q, start): one for q, one in objects.items() if not Path(q).is_dir()}
            return {path: (one.mtime(), one.size()) for path, one in files.items()}
        probe = self._object(Path(folder, "any"))
        inventory = SimpleNamespace(exists_local={}, exists_in_storage={}, mtime={}, size={}, checksum={})
        asyncio.run(probe.inventory(inventory))  # which fills it as Snakemake's IOCacheStorageInterface
        if not inventory.exists_in_storage.get(probe.get_inventory_parent()):
            reason = "this storage cannot be reached, or there is no such bucket"
            raise OSError(errno.EHOSTUNREACH, reason, probe.print_query.removesuffix("/any"))
        start = f"{self.local(folder)}{os.sep}"
        return {
            key.removeprefix(start): (time.storage(), inventory.size.get(key))
            for key, time in inventory.mtime.items()
            if key.startswith(start)
        }

    def read(self, path: str | Path, known: tuple[float, int | None] | None = None) -> bool:
        """Copy a file to this machine unless its copy has the same time and size; return whether it exists in the storage.

        known: both, as in `list`.
        """
        stored = self._object(path)
        if known is None:
            if not stored.exists():
                return False
            known = stored.mtime(), stored.size()
        time, size = known
        copy = Path(stored.local_path())
        about = status(copy)
        if about is None or abs(about.st_mtime - time) > TIME_ROUNDING or size not in (about.st_size, None):
            copy.parent.mkdir(parents=True, exist_ok=True)
            stored.retrieve_object()
            os.utime(copy, (time, time))
        return True

    def write(self, path: str | Path, data: bytes) -> None:
        """Write the copy of a file on this machine, and store it."""
        super().write(path, data)
        self._object(path).store_object()

    def remove(self, path: str | Path) -> None:
        """Remove a file from the storage."""
        self._object(path).remove()

    def mirror(self, folder: str | Path, *, whole: bool) -> dict[str, set[str]]:
        """Make the copy of a results folder like it, as `Store.mirror` does."""
        stored = self.list(folder)
        copied = {path: known for path, known in stored.items() if _is_copied(path, whole)}
        local = self.local(folder)
        for path, known in copied.items():
            if path.endswith(".json") and not path.startswith(f"{BLOCKS}/"):  # it may be replaced within a second
                (local / path).unlink(missing_ok=True)
            self.read(Path(folder, path), known)
        for manifest in (path for path in copied if path.endswith(".json")):
            for path in _wrong_copies(local, manifest, copied):
                (local / path).unlink(missing_ok=True)
                self.read(Path(folder, path), copied[path])
        for copy in local.rglob("*") if local.exists() else ():
            path = str(copy.relative_to(local))
            if path not in copied and _is_copied(path, True) and copy.is_file():
                copy.unlink()
        folders = {table: Path(BLOCKS, table) for table in BLOCK_TABLES}
        return {table: {Path(path).name for path in stored if Path(path).parent == of} for table, of in folders.items()}


def _wrong_copies(folder: Path, manifest: str, copied: Container[str]) -> list[str]:
    """Return the copies of files whose SHA-256 is not that in a manifest."""
    path = folder / manifest
    try:
        listed = read_json(path)["sha256"]
        here = {name: listed[name] for name in listed if str(Path(manifest).parent / name) in copied}
        return [str(problem.path.relative_to(folder)) for problem in wrong_files(path, here)]
    except (IntegrityError, LookupError, TypeError):  # reported when it is used
        return []


def _is_copied(path: str, whole: bool) -> bool:
    """Return whether a mirror has a file of a results folder: a result, or the plan of a round."""
    if path.startswith(f"{BLOCKS}/"):
        return whole or path.endswith(".json")
    return path.endswith(".jsonl") or not path.startswith(".")
