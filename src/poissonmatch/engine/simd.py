"""Eight points at once: the only place where the code is not what one would write on paper.

A value of type `Lanes` holds eight numbers, one for each of eight points that follow each other: squares as float32, or keys, which are integers
that tell a square and whose it is. A search that keeps
the nearest point of every lane, and compares the lanes at its end only, has no branch that depends on a distance: it
takes half the time of one that looks at the points within reach one by one. Without a compiler (NUMBA_DISABLE_JIT)
lanes are NumPy arrays.
"""

# mypy: ignore-errors

import numpy as np
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from .coarse import DEAD
from .jit import jit

LANES = 8  # points compared at once; rows of coordinates are padded by as many
PIECES = 512  # times as many points are told apart in a search
IDS = PIECES * LANES
NO_KEY = 0x7F800000  # the bits of the float32 inf

if config.DISABLE_JIT:

    def bits_of(value):
        return np.float64(value).view(np.int64)

    def squares(value):
        return np.full(LANES, value, np.float32)

    def keys(found, piece):
        return (found.view(np.int32) & -IDS) | (piece * LANES + np.arange(LANES, dtype=np.int32))

    def square_of_key(key):
        return float(np.int32(int(key) & -IDS).view(np.float32))

    def key_beyond(square):
        return int(np.float32(square).view(np.int32)) | (IDS - 1)

    def no_keys():
        return np.full(LANES, NO_KEY, np.int32)

    def lesser(a, b):
        return np.minimum(a, b)

    def greater(a, b):
        return np.maximum(a, b)

    def lowest_key(values):
        return int(values.min())

    def keys_at_most(values, bound):
        return sum(1 << lane for lane in range(LANES) if values[lane] <= bound)

    def coarse_squares(Z, k, count, x, step, dims):
        difference = (Z[:, k : k + LANES].view(np.uint32) - Z[:, x : x + 1].view(np.uint32)).view(np.int32)
        total = np.square(difference.astype(np.float32) * step[:, None]).sum(axis=0)
        lane = np.arange(LANES)
        return np.where((lane < count) & (lane != x - k) & (Z[0, k : k + LANES] != DEAD), total, np.float32(np.inf))

    def where_less(a, b, then, otherwise):
        return np.where(a < b, then, otherwise)

    def where_shared(room, k, bits, then, otherwise):
        return np.where(room[k : k + LANES] & bits != 0, then, otherwise)

    def lanes_at_most(values, bound):
        return sum(1 << lane for lane in range(LANES) if values[lane] <= bound)

    def lowest_lane(mask):
        return (int(mask) & -int(mask)).bit_length() - 1

    def fetch_row(table, i):
        pass

else:
    from llvmlite import ir

    DOUBLE, FLOAT = ir.DoubleType(), ir.FloatType()
    I64, I32, I8 = ir.IntType(64), ir.IntType(32), ir.IntType(8)

    class Lanes(types.Type):
        """Eight numbers of one type."""

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
        return builder.load(builder.bitcast(address, ir.VectorType(item, LANES).as_pointer()), align=item.width // 8)

    def _lane_at_most(builder, number, most):
        most = ir.Constant(I64, most)
        return builder.trunc(builder.select(builder.icmp_unsigned("<", number, most), number, most), I32)

    @intrinsic
    def bits_of(typingctx, value):
        """The bits of a float, as an integer."""
        return types.int64(types.float64), lambda context, builder, signature, args: builder.bitcast(args[0], I64)

    @intrinsic
    def squares(typingctx, value):
        """The same square in each lane."""

        def codegen(context, builder, signature, args):
            return _splat(builder, builder.fptrunc(args[0], FLOAT))

        return Lanes(types.float32)(types.float64), codegen

    @intrinsic
    def coarse_squares(typingctx, Z, k, count, x, step, dims):
        """Squared coarse distances of the points k, k + 1, ... to x; inf for x itself, the dead, and from the point k + count on."""

        def codegen(context, builder, signature, args):
            data, k, count, x, step, _ = args
            array = context.make_array(signature.args[0])(context, builder, data)
            stride = cgutils.unpack_tuple(builder, array.strides)[0]
            row = builder.bitcast(array.data, I8.as_pointer())
            step = context.make_array(signature.args[4])(context, builder, step).data
            floats, integers = ir.VectorType(FLOAT, LANES), ir.VectorType(I32, LANES)
            lane = ir.Constant(integers, list(range(LANES)))
            itself, count = (_lane_at_most(builder, number, LANES) for number in (builder.sub(x, k), count))
            near = builder.icmp_signed("<", lane, _splat(builder, count))
            near = builder.and_(near, builder.icmp_signed("!=", lane, _splat(builder, itself)))
            total = None
            for axis in range(signature.args[5].count):
                own = builder.load(builder.gep(builder.bitcast(row, I32.as_pointer()), [x]))
                others = _load(builder, row, k, I32)
                if axis == 0:
                    near = builder.and_(near, builder.icmp_signed("!=", others, ir.Constant(integers, [DEAD] * LANES)))
                length = builder.load(builder.gep(step, [ir.Constant(I64, axis)]))
                gap = builder.sitofp(builder.sub(others, _splat(builder, own)), floats)
                gap = builder.fmul(gap, _splat(builder, length))
                square = builder.fmul(gap, gap)
                total = square if total is None else builder.fadd(total, square)
                row = builder.gep(row, [stride])
            return builder.select(near, total, ir.Constant(floats, [float("inf")] * LANES))

        return Lanes(types.float32)(Z, types.int64, types.int64, types.int64, step, dims), codegen

    @intrinsic
    def where_less(typingctx, a, b, then, otherwise):
        """Lane by lane: `then` where a < b, else `otherwise`."""

        def codegen(context, builder, signature, args):
            return builder.select(builder.fcmp_ordered("<", args[0], args[1]), args[2], args[3])

        return then(a, b, then, otherwise), codegen

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
    def keys(typingctx, found, piece):
        """Integers in the order of these squares, whose last bits, those below IDS, are the number of the piece and the lane."""

        def codegen(context, builder, signature, args):
            integers = ir.VectorType(I32, LANES)
            first = _splat(builder, builder.trunc(builder.mul(args[1], ir.Constant(I64, LANES)), I32))
            place = builder.or_(first, ir.Constant(integers, list(range(LANES))))
            bits = builder.and_(builder.bitcast(args[0], integers), ir.Constant(integers, [-IDS] * LANES))
            return builder.or_(bits, place)

        return Lanes(types.int32)(found, types.int64), codegen

    @intrinsic
    def square_of_key(typingctx, key):
        """The square that a key stands for, rounded down."""

        def codegen(context, builder, signature, args):
            bits = builder.and_(builder.trunc(args[0], I32), ir.Constant(I32, -IDS))
            return builder.fpext(builder.bitcast(bits, FLOAT), DOUBLE)

        return types.float64(types.int64), codegen

    @intrinsic
    def key_beyond(typingctx, square):
        """The last key of a square."""

        def codegen(context, builder, signature, args):
            bits = builder.bitcast(builder.fptrunc(args[0], FLOAT), I32)
            return builder.sext(builder.or_(bits, ir.Constant(I32, IDS - 1)), I64)

        return types.int64(types.float64), codegen

    @intrinsic
    def no_keys(typingctx):
        """Keys that are none."""

        def codegen(context, builder, signature, args):
            return ir.Constant(ir.VectorType(I32, LANES), [NO_KEY] * LANES)

        return Lanes(types.int32)(), codegen

    def _either(relation):
        @intrinsic
        def either(typingctx, a, b):
            def codegen(context, builder, signature, args):
                return builder.select(builder.icmp_signed(relation, *args), *args)

            return a(a, b), codegen

        return either

    lesser, greater = _either("<"), _either(">")  # of two keys, lane by lane

    @intrinsic
    def lowest_key(typingctx, values):
        """The least of the lanes."""

        def codegen(context, builder, signature, args):
            (low,) = args
            for width in (4, 2, 1):
                turned = ir.Constant(ir.VectorType(I32, LANES), [(lane + width) % LANES for lane in range(LANES)])
                other = builder.shuffle_vector(low, ir.Constant(low.type, ir.Undefined), turned)
                low = builder.select(builder.icmp_signed("<", other, low), other, low)
            return builder.sext(builder.extract_element(low, ir.Constant(I32, 0)), I64)

        return types.int64(values), codegen

    def _mask(builder, within):
        return builder.zext(builder.bitcast(within, ir.IntType(LANES)), I64)

    @intrinsic
    def keys_at_most(typingctx, values, bound):
        """Bit mask of the lanes with a key <= bound."""

        def codegen(context, builder, signature, args):
            most = _splat(builder, builder.trunc(args[1], I32))
            return _mask(builder, builder.icmp_signed("<=", args[0], most))

        return types.int64(values, types.int64), codegen

    @intrinsic
    def lanes_at_most(typingctx, values, bound):
        """Bit mask of the lanes with a value <= bound."""

        def codegen(context, builder, signature, args):
            within = builder.fcmp_ordered("<=", args[0], _splat(builder, builder.fptrunc(args[1], FLOAT)))
            return _mask(builder, within)

        return types.int64(values, types.float64), codegen

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
    total, x, y = 0.0, np.uintp(x), np.uintp(y)
    for axis in range(len(dims)):
        gap = abs(X[axis, y] - X[axis, x])
        gap = min(gap, sides[axis] - gap)
        total += gap * gap
    return total
