"""Reading of files that others may have put in place."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

from .errors import shorten

MAX_PATH = 300  # characters of a name in a message
NOT_REGULAR = (errno.EINVAL, errno.EISDIR, errno.ELOOP)  # error numbers of a path that is no file


def open_regular(path: str | Path, max_bytes: int | None = None) -> BufferedReader:
    """Open a regular file for reading, and neither wait for a pipe nor read a device.

    Raises OSError, without waiting, if the path is no regular file (EINVAL, or IsADirectoryError)
    or has more than `max_bytes` bytes (EFBIG), and as `open` does.
    """
    name = os.fspath(path)
    about = status(name) or os.stat(name)  # raises the error
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, "not a regular file but a folder", name)
    if not stat.S_ISREG(about.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", name)
    if max_bytes is not None and about.st_size > max_bytes:
        raise OSError(errno.EFBIG, f"{about.st_size} bytes is too large; at most {max_bytes}", name)
    return open(name, "rb")


def status(path: str | Path) -> os.stat_result | None:
    """Return what the system knows of a file or folder, or None if there is none of this name or it is a link to itself.

    `Path.exists` and others take what may not be read as absent, in some versions of Python. Here
    it is an OSError, as is a name that no file can have; a long name is shortened in its message.
    """
    try:
        return os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:  # a NUL or a surrogate in the path
        raise OSError(errno.EINVAL, "not the name of a file", shorten(os.fspath(path))) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise OSError(error.errno, error.strerror, shorten(os.fspath(path), MAX_PATH)) from None


def exists(path: str | Path) -> bool:
    """Return whether there is a file or folder of this name. Raises OSError as `status` does."""
    return status(path) is not None


def is_file(path: str | Path) -> bool:
    """Return whether there is a regular file of this name. Raises OSError as `status` does."""
    return (about := status(path)) is not None and stat.S_ISREG(about.st_mode)


def is_folder(path: str | Path) -> bool:
    """Return whether there is a folder of this name. Raises OSError as `status` does."""
    return (about := status(path)) is not None and stat.S_ISDIR(about.st_mode)


def read_regular(path: str | Path, max_bytes: int | None = None) -> bytes:
    """Return the bytes of a regular file. Raises OSError as `open_regular` does."""
    with open_regular(path, max_bytes) as file:
        return file.read()
