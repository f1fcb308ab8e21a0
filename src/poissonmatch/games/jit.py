"""How the kernels of the games are compiled: as those of the engine are, and kept beside them."""

# mypy: ignore-errors

from pathlib import Path

import numba
from numba.extending import intrinsic

from ..engine.jit import compiler

HERE = Path(__file__).parent
# passing arrays costs more than the inlined functions do
jit, inlined = compiler([*HERE.rglob("*kernels.py"), HERE / "jit.py"], nogil=True)

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
