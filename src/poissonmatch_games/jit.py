"""Compiler of the kernels of the games: with the options and the cache of the engine."""

# mypy: ignore-errors

from pathlib import Path

import numba
from numba.extending import intrinsic

from poissonmatch.engine.jit import compiler

HERE = Path(__file__).parent
# passing arrays costs more than the inlined functions do
jit, inlined = compiler([*HERE.rglob("*kernels.py"), HERE / "jit.py"], nogil=True)

if numba.config.DISABLE_JIT:

    def borrowed(array):
        """Return the array itself."""
        return array

else:

    @intrinsic
    def borrowed(typingctx, array):
        """Return an array that the Python caller holds, without its count of references.

        Counting them takes a third of the time.
        """

        def codegen(context, builder, signature, args):
            view = context.make_array(signature.args[0])(context, builder, args[0])
            view.meminfo = view.meminfo.type(None)
            return view._getvalue()

        return array(array), codegen
