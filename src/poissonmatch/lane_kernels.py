"""Eight points at once: the only place where the code is not what one would write on paper.

With an explicit vector compare a 10^6-point matching takes about half the time of the plain loop, which LLVM does not
vectorize. Without a compiler (NUMBA_DISABLE_JIT) the plain loops are used.
"""

# mypy: ignore-errors

from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from .compiling_kernels import jit

LANES = 8  # points compared at once; rows of coordinates are padded by as many

if config.DISABLE_JIT:

    def lanes_within(X, k, x, side, low, bound, dims):
        mask = 0
        for lane in range(LANES):
            d2 = squared_distance(X, k + lane, x, side, dims)
            if d2 <= bound and (low is None or d2 >= low):
                mask |= 1 << lane
        return mask

    def lowest_lane(mask):
        return (int(mask) & -int(mask)).bit_length() - 1

else:
    from llvmlite import ir

    @intrinsic
    def lanes_within(typingctx, X, k, x, side, low, bound, dims):
        """Bit mask of the lanes l < 8 with the squared distance of points k + l and x in [low, bound]."""
        signature = types.int64(X, types.int64, types.int64, types.float64, low, types.float64, dims)

        def codegen(context, builder, signature, args):
            data, k, x, side, low, bound, _ = args
            array = context.make_array(signature.args[0])(context, builder, data)
            stride = cgutils.unpack_tuple(builder, array.strides)[0]
            double, i64, i8 = ir.DoubleType(), ir.IntType(64), ir.IntType(8)
            vector = ir.VectorType(double, LANES)
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)

            def splat(value):
                one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
                return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)

            absolute = builder.module.declare_intrinsic(f"llvm.fabs.v{LANES}f64", (), ir.FunctionType(vector, [vector]))
            sides = splat(side)
            base = builder.bitcast(array.data, i8.as_pointer())
            total = None
            for axis in range(signature.args[6].count):
                row = builder.gep(base, [builder.mul(stride, ir.Constant(i64, axis))])
                own = builder.load(builder.gep(builder.bitcast(row, double.as_pointer()), [x]))
                address = builder.gep(builder.bitcast(row, double.as_pointer()), [k])
                others = builder.load(builder.bitcast(address, vector.as_pointer()), align=8)
                gap = builder.call(absolute, [builder.fsub(others, splat(own))])
                round_the_back = builder.fsub(sides, gap)
                gap = builder.select(builder.fcmp_ordered("<", round_the_back, gap), round_the_back, gap)
                square = builder.fmul(gap, gap)
                total = square if total is None else builder.fadd(total, square)
            within = builder.fcmp_ordered("<=", total, splat(bound))
            if signature.args[4] is not types.none:
                within = builder.and_(within, builder.fcmp_ordered(">=", total, splat(low)))
            return builder.zext(builder.bitcast(within, ir.IntType(LANES)), i64)

        return signature, codegen

    @intrinsic
    def lowest_lane(typingctx, mask):
        """Index of the lowest set bit of a mask that is not 0."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen


@jit
def squared_distance(X, x, y, side, dims):
    """Squared distance of points x and y, the sum over coordinates in order; side is inf where there is no seam."""
    total = 0.0
    for axis in range(len(dims)):
        gap = abs(X[axis, y] - X[axis, x])
        gap = min(gap, side - gap)
        total += gap * gap
    return total
