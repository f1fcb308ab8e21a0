"""Eight points at once: vectors of eight numbers in a register, by LLVM.

A value of type `SimdVector` holds one number for each of eight consecutive points: squared
distances as float32, or keys, integers that hold a squared distance and a point. A search that
keeps the nearest point of each of the eight lanes, and compares the lanes at its end only, has no
branch that depends on a distance: it takes half the time of one that looks at points one by one.
Without a compiler (NUMBA_DISABLE_JIT) vectors are NumPy arrays.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import intrinsic, models, register_model

from .coarse import INACTIVE
from .jit import Int, config, inlined

SIMD_WIDTH = 8  # points compared at once; rows of coordinates are padded by as many
MAX_CHUNKS = 512  # of SIMD_WIDTH points each, that the keys of a search distinguish
KEY_IDS = MAX_CHUNKS * SIMD_WIDTH  # a key ends in chunk * SIMD_WIDTH + lane
NO_KEY = 0x7F800000  # the bits of the float32 inf

if config.DISABLE_JIT:

    def splat(value):
        """Return a vector with the same square in each lane."""
        return np.full(SIMD_WIDTH, value, np.float32)

    def keys(squares, chunk):
        """Return integers in the order of these squares that end in chunk * SIMD_WIDTH + lane."""
        return (squares.view(np.int32) & -KEY_IDS) | (chunk * SIMD_WIDTH + np.arange(SIMD_WIDTH, dtype=np.int32))

    def no_keys():
        """Return a vector of NO_KEY."""
        return np.full(SIMD_WIDTH, NO_KEY, np.int32)

    minimum, maximum = np.minimum, np.maximum

    def lowest_key(values):
        """Return the smallest key of a vector."""
        return int(values.min())

    def coarse_squares(Z, k, count, x, step, dims):
        """Return squared coarse distances of x to points k, k + 1, ...; inf for x, inactive ones and from k + count on."""
        difference = (Z[:, k : k + SIMD_WIDTH].view(np.uint32) - Z[:, x : x + 1].view(np.uint32)).view(np.int32)
        total = np.square(difference.astype(np.float32) * step[:, None]).sum(axis=0)
        lane = np.arange(SIMD_WIDTH)
        return np.where(
            (lane < count) & (lane != x - k) & (Z[0, k : k + SIMD_WIDTH] != INACTIVE), total, np.float32(np.inf)
        )

    def where_less(a, b, then, otherwise):
        """Return, lane by lane, `then` where a < b, else `otherwise`."""
        return np.where(a < b, then, otherwise)

    def where_shared(remaining, k, bits, then, otherwise):
        """Return, by lane, `then` if remaining[k + lane] has a bit of `bits`, else `otherwise`."""
        return np.where(remaining[k : k + SIMD_WIDTH] & bits != 0, then, otherwise)

    def mask_at_most(values, bound):
        """Return the bit mask of the lanes with a value <= bound."""
        return sum(1 << lane for lane in range(SIMD_WIDTH) if values[lane] <= bound)

    def lowest_bit(mask):
        """Return the index of the lowest set bit of a mask."""
        return (int(mask) & -int(mask)).bit_length() - 1

    def prefetch_row(table, i):
        """Do nothing."""

else:
    from llvmlite import ir

    FLOAT = ir.FloatType()
    I64, I32, I8 = ir.IntType(64), ir.IntType(32), ir.IntType(8)

    class SimdVector(types.Type):
        """Vectors of eight numbers of one type."""

        def __init__(self, item):
            self.item = item
            super().__init__(f"SimdVector({item})")

    @register_model(SimdVector)
    class _SimdVectorModel(models.PrimitiveModel):
        def __init__(self, manager, vector_type):
            item = manager.lookup(vector_type.item).get_value_type()
            super().__init__(manager, vector_type, ir.VectorType(item, SIMD_WIDTH))

    def _splat(builder, value):
        vector = ir.VectorType(value.type, SIMD_WIDTH)
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(I32, 0))
        everywhere = ir.Constant(ir.VectorType(I32, SIMD_WIDTH), [0] * SIMD_WIDTH)
        return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), everywhere)

    def _load(builder, row, k, item):
        """Return the eight items from row[k] on; row is an address."""
        address = builder.gep(builder.bitcast(row, item.as_pointer()), [k])
        return builder.load(
            builder.bitcast(address, ir.VectorType(item, SIMD_WIDTH).as_pointer()), align=item.width // 8
        )

    def _clipped(builder, number, maximum):
        maximum = ir.Constant(I64, maximum)
        return builder.trunc(builder.select(builder.icmp_unsigned("<", number, maximum), number, maximum), I32)

    @intrinsic
    def splat(typingctx, value):
        """Return a vector with the same square in each lane."""

        def codegen(context, builder, signature, args):
            return _splat(builder, builder.fptrunc(args[0], FLOAT))

        return SimdVector(types.float32)(types.float64), codegen

    @intrinsic
    def coarse_squares(typingctx, Z, k, count, x, step, dims):
        """Return squared coarse distances of x to points k, k + 1, ...; inf for x, inactive ones and from k + count on."""

        def codegen(context, builder, signature, args):
            data, k, count, x, step, _ = args
            array = context.make_array(signature.args[0])(context, builder, data)
            stride = builder.extract_value(array.strides, 0)
            row = builder.bitcast(array.data, I8.as_pointer())
            step = context.make_array(signature.args[4])(context, builder, step).data
            floats, integers = ir.VectorType(FLOAT, SIMD_WIDTH), ir.VectorType(I32, SIMD_WIDTH)
            lane = ir.Constant(integers, list(range(SIMD_WIDTH)))
            itself, count = (_clipped(builder, number, SIMD_WIDTH) for number in (builder.sub(x, k), count))
            finite = builder.icmp_signed("<", lane, _splat(builder, count))
            finite = builder.and_(finite, builder.icmp_signed("!=", lane, _splat(builder, itself)))
            total = None
            for axis in range(signature.args[5].count):
                own = builder.load(builder.gep(builder.bitcast(row, I32.as_pointer()), [x]))
                eight = _load(builder, row, k, I32)
                if axis == 0:
                    finite = builder.and_(
                        finite, builder.icmp_signed("!=", eight, ir.Constant(integers, [INACTIVE] * SIMD_WIDTH))
                    )
                length = builder.load(builder.gep(step, [ir.Constant(I64, axis)]))
                gap = builder.sitofp(builder.sub(eight, _splat(builder, own)), floats)
                gap = builder.fmul(gap, _splat(builder, length))
                square = builder.fmul(gap, gap)
                total = square if total is None else builder.fadd(total, square)
                row = builder.gep(row, [stride])
            return builder.select(finite, total, ir.Constant(floats, [float("inf")] * SIMD_WIDTH))

        return SimdVector(types.float32)(Z, types.int64, types.int64, types.int64, step, dims), codegen

    @intrinsic
    def where_less(typingctx, a, b, then, otherwise):
        """Return, lane by lane, `then` where a < b, else `otherwise`."""

        def codegen(context, builder, signature, args):
            return builder.select(builder.fcmp_ordered("<", args[0], args[1]), args[2], args[3])

        return then(a, b, then, otherwise), codegen

    @intrinsic
    def where_shared(typingctx, remaining, k, bits, then, otherwise):
        """Return, by lane, `then` if remaining[k + lane] has a bit of `bits`, else `otherwise`."""

        def codegen(context, builder, signature, args):
            array = context.make_array(signature.args[0])(context, builder, args[0])
            both = builder.and_(_load(builder, array.data, args[1], I64), _splat(builder, args[2]))
            shared = builder.icmp_unsigned("!=", both, ir.Constant(both.type, [0] * SIMD_WIDTH))
            return builder.select(shared, args[3], args[4])

        return then(remaining, types.int64, types.uint64, then, otherwise), codegen

    @intrinsic
    def keys(typingctx, squares, chunk):
        """Return integers in the order of these squares, whose last bits, below KEY_IDS, are chunk * SIMD_WIDTH + lane."""

        def codegen(context, builder, signature, args):
            integers = ir.VectorType(I32, SIMD_WIDTH)
            first = _splat(builder, builder.trunc(builder.mul(args[1], ir.Constant(I64, SIMD_WIDTH)), I32))
            ids = builder.or_(first, ir.Constant(integers, list(range(SIMD_WIDTH))))
            bits = builder.and_(builder.bitcast(args[0], integers), ir.Constant(integers, [-KEY_IDS] * SIMD_WIDTH))
            return builder.or_(bits, ids)

        return SimdVector(types.int32)(squares, types.int64), codegen

    @intrinsic
    def no_keys(typingctx):
        """Return a vector of NO_KEY."""

        def codegen(context, builder, signature, args):
            return ir.Constant(ir.VectorType(I32, SIMD_WIDTH), [NO_KEY] * SIMD_WIDTH)

        return SimdVector(types.int32)(), codegen

    def _either(relation):
        @intrinsic
        def either(typingctx, a, b):
            def codegen(context, builder, signature, args):
                return builder.select(builder.icmp_signed(relation, *args), *args)

            return a(a, b), codegen

        return either

    minimum, maximum = _either("<"), _either(">")  # of two keys, lane by lane

    @intrinsic
    def lowest_key(typingctx, values):
        """Return the smallest key of a vector."""

        def codegen(context, builder, signature, args):
            (low,) = args
            for width in (4, 2, 1):
                turned = ir.Constant(
                    ir.VectorType(I32, SIMD_WIDTH), [(lane + width) % SIMD_WIDTH for lane in range(SIMD_WIDTH)]
                )
                other = builder.shuffle_vector(low, ir.Constant(low.type, ir.Undefined), turned)
                low = builder.select(builder.icmp_signed("<", other, low), other, low)
            return builder.sext(builder.extract_element(low, ir.Constant(I32, 0)), I64)

        return types.int64(values), codegen

    @intrinsic
    def mask_at_most(typingctx, values, bound):
        """Return the bit mask of the lanes with a value <= bound."""

        def codegen(context, builder, signature, args):
            if values.item == types.float32:
                within = builder.fcmp_ordered("<=", args[0], _splat(builder, builder.fptrunc(args[1], FLOAT)))
            else:
                within = builder.icmp_signed("<=", args[0], _splat(builder, builder.trunc(args[1], I32)))
            return builder.zext(builder.bitcast(within, ir.IntType(SIMD_WIDTH)), I64)

        return types.int64(values, types.float64 if values.item == types.float32 else types.int64), codegen

    @intrinsic
    def lowest_bit(typingctx, mask):
        """Return the index of the lowest set bit of a mask, which must not be 0."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

    @intrinsic
    def prefetch_row(typingctx, table, i):
        """Prefetch the memory of table[i] for writing."""

        def codegen(context, builder, signature, args):
            array = context.make_array(signature.args[0])(context, builder, args[0])
            stride = builder.extract_value(array.strides, 0)
            row = builder.gep(builder.bitcast(array.data, I8.as_pointer()), [builder.mul(stride, args[1])])
            kind = ir.FunctionType(ir.VoidType(), [row.type, I32, I32, I32])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [row.type], kind)
            builder.call(prefetch, [row, *(ir.Constant(I32, k) for k in (1, 3, 1))])  # write, keep, data
            return context.get_dummy_value()

        return types.void(table, types.int64), codegen


@inlined
def bits_of(value: float) -> Int:
    """Return the bits of a float as an integer."""
    return np.float64(value).view(np.int64)


@inlined
def square_of_key(key: int) -> float:
    """Return the square in a key, rounded down."""
    return np.float64(np.int32(key & -KEY_IDS).view(np.float32))


@inlined
def last_key_of(square: float) -> Int:
    """Return the largest key of a square."""
    return np.int64(np.float32(square).view(np.int32) | np.int32(KEY_IDS - 1))
