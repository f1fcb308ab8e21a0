"""Provenance of results: the git commit, and the versions of packages."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from ...utils.code_digests import PACKAGE

GIT_SECONDS = 10.0  # for git to answer on a slow disk


def commit() -> str:
    """Return the git commit of the checkout that contains the package, "" if there is none or git is missing."""
    root = PACKAGE.parents[1]
    if not (root / ".git").exists():  # an installed package, perhaps within another repository
        return ""
    try:
        command = ["git", "-C", str(root), "rev-parse", "--verify", "--quiet", "HEAD"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def package_version(name: str) -> str:
    """Return the installed version of a distribution, "" if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


@cache
def environment() -> dict[str, str]:
    """Return the versions of the packages that results depend on."""
    names = ("poissonmatch", "numpy", "numba", "scipy", "pandas", "pyarrow")
    return {"python": platform.python_version(), **{n: package_version(n) for n in names}}
