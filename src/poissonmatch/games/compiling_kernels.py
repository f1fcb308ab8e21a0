"""How the kernels of the games are compiled: one place, so that a change of any of them compiles all of them anew."""

# mypy: ignore-errors

from pathlib import Path

import numba
from numba.extending import intrinsic

_SOURCES = sorted(Path(__file__).parent.glob("*kernels.py"))
_STAMP = tuple((path.stat().st_mtime, path.stat().st_size) for path in _SOURCES)


def jit(function):
    """Compile on first call, and keep the result for other processes for as long as no kernel's source changes.

    numba looks at the function's own file only, but kernels of one file are inlined into those of another.
    """
    compiled = numba.njit(cache=True, nogil=True)(function)
    if not numba.config.DISABLE_JIT:
        compiled._cache._cache_file._source_stamp = _STAMP
    return compiled


inlined = numba.njit(nogil=True, forceinline=True)  # passing arrays costs more than these functions do

if numba.config.DISABLE_JIT:

    def borrowed(array):
        return array

else:

    @intrinsic
    def borrowed(typingctx, array):
        """The same array without its count of references: counting them, atomically, in every inner function takes a
        third of the time. For arguments that the Python caller holds."""

        def codegen(context, builder, signature, args):
            view = context.make_array(signature.args[0])(context, builder, args[0])
            view.meminfo = view.meminfo.type(None)
            return view._getvalue()

        return array(array), codegen
