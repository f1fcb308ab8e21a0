"""Reading of files that others may have put in place."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

NOT_REGULAR = (errno.EINVAL, errno.EISDIR, errno.ELOOP)  # error numbers of a path that is no file


def open_regular(path: str | Path, max_bytes: int | None = None) -> BufferedReader:
    """Open a regular file for reading, and neither wait for a pipe nor read a device.

    Raises OSError, without waiting, if the path is no regular file (EINVAL, or IsADirectoryError)
    or has more than `max_bytes` bytes (EFBIG), and as `open` does.
    """
    name = os.fspath(path)
    try:
        about = os.stat(name)
    except ValueError:  # a NUL in the path
        raise OSError(errno.EINVAL, "not the name of a file", name) from None
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, "not a regular file but a folder", name)
    if not stat.S_ISREG(about.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", name)
    if max_bytes is not None and about.st_size > max_bytes:
        raise OSError(errno.EFBIG, f"{about.st_size} bytes is too large; at most {max_bytes}", name)
    return open(name, "rb")


def read_regular(path: str | Path, max_bytes: int | None = None) -> bytes:
    """Return the bytes of a regular file. Raises OSError as `open_regular` does."""
    with open_regular(path, max_bytes) as file:
        return file.read()
