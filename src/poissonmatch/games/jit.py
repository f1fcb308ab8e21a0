"""Compiler of the kernels of the games, with the settings and the cache of the engine."""

# mypy: ignore-errors

from pathlib import Path

import numba
from numba.extending import intrinsic

from ..engine.jit import compiler

HERE = Path(__file__).parent
# inlined, because passing arrays costs more than these functions
jit, inlined = compiler([*HERE.rglob("*kernels.py"), HERE / "jit.py"], nogil=True)

if numba.config.DISABLE_JIT:

    def borrowed(array):
        return array

else:

    @intrinsic
    def borrowed(typingctx, array):
        """Return the array without its reference count, for arguments held by the Python caller.

        Atomic reference counting in every inner function would take a third of the time.
        """

        def codegen(context, builder, signature, args):
            view = context.make_array(signature.args[0])(context, builder, args[0])
            view.meminfo = view.meminfo.type(None)
            return view._getvalue()

        return array(array), codegen
