"""How the kernels are compiled, and where they are kept between processes (games/ has its own way).

Kernels of one file are inlined into those of another, so the folder of the cache is named by all of them.
"""

# mypy: ignore-errors

from pathlib import Path

import llvmlite
import numba
from numba import config, njit

from .jitcache import Forgiving, private_folder

SOURCES = sorted(Path(__file__).parent.glob("*kernels.py"))
FOLDER = None if config.DISABLE_JIT else private_folder(SOURCES, numba.__version__, llvmlite.__version__)

# _nrt=False: the kernels allocate nothing, and references to arrays are not counted. Counting them, atomically, in
# every function that is inlined took up to half of the time.
OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}

inlined = njit(**OPTIONS, forceinline=True)  # a part of the kernels that call it


def jit(function):
    """Compile on first call, and keep the result for other processes where there is a place for it."""
    if FOLDER is None:
        return njit(**OPTIONS)(function)
    before, config.CACHE_DIR = config.CACHE_DIR, str(FOLDER)  # for this function, not for the user's own
    try:
        compiled = njit(**OPTIONS, cache=True)(function)
    finally:
        config.CACHE_DIR = before
    compiled._cache = Forgiving(compiled._cache)
    return compiled
