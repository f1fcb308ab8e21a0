"""Without a private interface of numba the kernels give the same results, though they may be compiled again or be slower."""

import os
import subprocess
import sys

import pytest

from helpers.tables import tables

WITHOUT = tables(__file__)
SCRIPT = """
import builtins, os, sys, llvmlite.binding, numba.core.options
library = llvmlite.binding.ffi.lib
def hide(module):
    real = builtins.__import__
    def fewer(name, space=None, *rest):
        if name == module and (space or {}).get("__name__") == "poissonmatch.engine.jit":
            raise ImportError(name)
        return real(name, space, *rest)
    builtins.__import__ = fewer
class Unlocked:
    def __getattr__(self, name):
        return None if name == "_lock" else getattr(library, name)
exec(sys.argv[1])
import numpy as np
from poissonmatch.engine.jit import UNCOUNTED, compiler
jit, inlined = compiler([], nogil=True, **UNCOUNTED)
@inlined
def first(values):
    return values[0]
@jit
def twice(values):
    return 2 * first(values)
print(twice(np.ones(3)), twice(np.arange(21, 23)), flush=True)
if os.fork() == 0:
    os._exit(twice(np.zeros(1)) > 0)
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""


@pytest.mark.parametrize("what", WITHOUT)
def test_without_a_private_interface(tmp_path, what):
    removed, said = WITHOUT[what]
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, script, removed], capture_output=True, text=True, env=environment)
    assert done.stdout == "2.0 42\n0\n" and (said in done.stderr if said else not done.stderr)
