"""Eight points at once: the only place where the code is not what one would write on paper.

A value of type `Lanes` holds eight numbers, one for each of eight points that follow each other. A search that keeps
the nearest point of every lane, and compares the lanes at its end only, has no branch that depends on a distance: it
takes half the time of one that looks at the points within reach one by one. Without a compiler (NUMBA_DISABLE_JIT)
lanes are NumPy arrays.
"""

# mypy: ignore-errors

import numpy as np
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from .jit import jit

LANES = 8  # points compared at once; rows of coordinates are padded by as many

if config.DISABLE_JIT:

    def bits_of(value):
        return np.float64(value).view(np.int64)

    def lanes(value):
        return np.full(LANES, value)

    def distances(X, k, count, x, sides, dims):
        near = [lane < count and k + lane != x for lane in range(LANES)]
        return np.array(
            [squared_distance(X, x, k + lane, sides, dims) if near[lane] else np.inf for lane in range(LANES)]
        )

    def where_less(a, b, then, otherwise):
        return np.where(a < b, then, otherwise)

    def where_equal(a, b, then, otherwise):
        return np.where(a == b, then, otherwise)

    def where_shared(room, k, bits, then, otherwise):
        return np.where(room[k : k + LANES] & bits != 0, then, otherwise)

    def lowest(values):
        return values.min()

    def lanes_at_most(values, bound):
        return sum(1 << lane for lane in range(LANES) if values[lane] <= bound)

    def lane_of(values, lane):
        return values[lane]

    def lowest_lane(mask):
        return (int(mask) & -int(mask)).bit_length() - 1

    def fetch_row(table, i):
        pass

else:
    from llvmlite import ir

    DOUBLE, I64, I32, I8 = ir.DoubleType(), ir.IntType(64), ir.IntType(32), ir.IntType(8)

    class Lanes(types.Type):
        """Eight numbers of one type, float64 or int64."""

        def __init__(self, item):
            self.item = item
            super().__init__(f"Lanes({item})")

    @register_model(Lanes)
    class _LanesModel(models.PrimitiveModel):
        def __init__(self, manager, lanes_type):
            item = manager.lookup(lanes_type.item).get_value_type()
            super().__init__(manager, lanes_type, ir.VectorType(item, LANES))

    def _splat(builder, value):
        vector = ir.VectorType(value.type, LANES)
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(I32, 0))
        everywhere = ir.Constant(ir.VectorType(I32, LANES), [0] * LANES)
        return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), everywhere)

    def _load(builder, row, k, item):
        """The eight items from row[k] on; row is an address."""
        address = builder.gep(builder.bitcast(row, item.as_pointer()), [k])
        return builder.load(builder.bitcast(address, ir.VectorType(item, LANES).as_pointer()), align=8)

    @intrinsic
    def bits_of(typingctx, value):
        """The bits of a float, as an integer."""
        return types.int64(types.float64), lambda context, builder, signature, args: builder.bitcast(args[0], I64)

    @intrinsic
    def lanes(typingctx, value):
        """The same number in each lane."""
        return Lanes(value)(value), lambda context, builder, signature, args: _splat(builder, args[0])

    @intrinsic
    def distances(typingctx, X, k, count, x, sides, dims):
        """Squared distances of the points k, k + 1, ... to x; inf for x itself and from the point k + count on."""

        def codegen(context, builder, signature, args):
            data, k, count, x, sides, _ = args
            array = context.make_array(signature.args[0])(context, builder, data)
            stride = cgutils.unpack_tuple(builder, array.strides)[0]
            row = builder.bitcast(array.data, I8.as_pointer())
            sides = context.make_array(signature.args[4])(context, builder, sides).data
            vector = ir.VectorType(DOUBLE, LANES)
            absolute = builder.module.declare_intrinsic(f"llvm.fabs.v{LANES}f64", (), ir.FunctionType(vector, [vector]))
            total = None
            for axis in range(signature.args[5].count):
                own = builder.load(builder.gep(builder.bitcast(row, DOUBLE.as_pointer()), [x]))
                gap = builder.call(absolute, [builder.fsub(_load(builder, row, k, DOUBLE), _splat(builder, own))])
                side = builder.load(builder.gep(sides, [ir.Constant(I64, axis)]))
                round_the_back = builder.fsub(_splat(builder, side), gap)
                gap = builder.select(builder.fcmp_ordered("<", round_the_back, gap), round_the_back, gap)
                square = builder.fmul(gap, gap)
                total = square if total is None else builder.fadd(total, square)
                row = builder.gep(row, [stride])
            lane = ir.Constant(ir.VectorType(I64, LANES), list(range(LANES)))
            near = builder.icmp_signed("<", lane, _splat(builder, count))
            near = builder.and_(near, builder.icmp_signed("!=", lane, _splat(builder, builder.sub(x, k))))
            return builder.select(near, total, _splat(builder, ir.Constant(DOUBLE, float("inf"))))

        return Lanes(types.float64)(X, types.int64, types.int64, types.int64, sides, dims), codegen

    def _where(relation):
        @intrinsic
        def where(typingctx, a, b, then, otherwise):
            def codegen(context, builder, signature, args):
                return builder.select(builder.fcmp_ordered(relation, args[0], args[1]), args[2], args[3])

            return then(a, b, then, otherwise), codegen

        return where

    where_less = _where("<")  # (a, b, then, otherwise), lane by lane: `then` where a < b, else `otherwise`
    where_equal = _where("==")

    @intrinsic
    def where_shared(typingctx, room, k, bits, then, otherwise):
        """Lane by lane: `then` where room[k + lane] has a bit of `bits`, else `otherwise`."""

        def codegen(context, builder, signature, args):
            array = context.make_array(signature.args[0])(context, builder, args[0])
            both = builder.and_(_load(builder, array.data, args[1], I64), _splat(builder, args[2]))
            shared = builder.icmp_unsigned("!=", both, ir.Constant(both.type, [0] * LANES))
            return builder.select(shared, args[3], args[4])

        return then(room, types.int64, types.uint64, then, otherwise), codegen

    @intrinsic
    def lowest(typingctx, values):
        """The least of the lanes."""

        def codegen(context, builder, signature, args):
            (low,) = args
            for width in (4, 2, 1):
                turned = ir.Constant(ir.VectorType(I32, LANES), [(lane + width) % LANES for lane in range(LANES)])
                other = builder.shuffle_vector(low, ir.Constant(low.type, ir.Undefined), turned)
                low = builder.select(builder.fcmp_ordered("<", other, low), other, low)
            return builder.extract_element(low, ir.Constant(I32, 0))

        return types.float64(values), codegen

    @intrinsic
    def lanes_at_most(typingctx, values, bound):
        """Bit mask of the lanes with a value <= bound."""

        def codegen(context, builder, signature, args):
            within = builder.fcmp_ordered("<=", args[0], _splat(builder, args[1]))
            return builder.zext(builder.bitcast(within, ir.IntType(LANES)), I64)

        return types.int64(values, types.float64), codegen

    @intrinsic
    def lane_of(typingctx, values, lane):
        """The value of one lane."""

        def codegen(context, builder, signature, args):
            return builder.extract_element(args[0], builder.trunc(args[1], I32))

        return values.item(values, types.int64), codegen

    @intrinsic
    def lowest_lane(typingctx, mask):
        """Index of the lowest set bit of a mask that is not 0."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

    @intrinsic
    def fetch_row(typingctx, table, i):
        """Have the memory of table[i] brought in, for writing: it is needed soon, and the processor cannot know it."""

        def codegen(context, builder, signature, args):
            array = context.make_array(signature.args[0])(context, builder, args[0])
            stride = cgutils.unpack_tuple(builder, array.strides)[0]
            row = builder.gep(builder.bitcast(array.data, I8.as_pointer()), [builder.mul(stride, args[1])])
            kind = ir.FunctionType(ir.VoidType(), [row.type, I32, I32, I32])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [row.type], kind)
            builder.call(prefetch, [row, *(ir.Constant(I32, k) for k in (1, 3, 1))])  # write, keep, data
            return context.get_dummy_value()

        return types.void(table, types.int64), codegen


@jit
def squared_distance(X, x, y, sides, dims):
    """Squared distance of points x and y, the sum over coordinates in order; sides are inf where there is no seam."""
    total = 0.0
    for axis in range(len(dims)):
        gap = abs(X[axis, y] - X[axis, x])
        gap = min(gap, sides[axis] - gap)
        total += gap * gap
    return total
