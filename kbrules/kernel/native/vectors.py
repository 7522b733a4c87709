"""The intrinsics as instructions of LLVM: a set of hexes is one vector of 64-bit numbers.

One instruction each for `&`, `|` and `^`, three for a shift, where the processor has registers
of that size; LLVM cuts the vector up where it has not. Each word is a function of the builder of
a block and of values to a value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import llvmlite
from llvmlite import binding, ir

I1, I32, I64, I128 = (ir.IntType(bits) for bits in (1, 32, 64, 128))
MEMORY = I64.as_pointer()
FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
FEATURE = "+bmi2"
Emitter = Callable[..., Any]


def target() -> tuple[str, ...]:
    """The version of LLVM's binding, the processor and what it can do."""
    features = binding.get_host_cpu_features().flatten()
    return llvmlite.__version__, binding.get_host_cpu_name(), features


def number(value: int) -> Any:
    """A number that is known."""
    return ir.Constant(I64, value)


def vector(width: int) -> Any:
    """The type of a set of hexes."""
    return ir.VectorType(I64, width)


def same(values: Sequence[int], bits: Any = I64) -> Any:
    """A vector of numbers that are known."""
    kind = ir.VectorType(bits, len(values))
    return ir.Constant(kind, [ir.Constant(bits, value) for value in values])


def _called(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    code = builder.module.globals.get(name)
    if code is None:
        code = ir.Function(builder.module, kind, name)
    return builder.call(code, arguments)


# the memory


def load(builder: Any, width: int, memory: Any, at: Any) -> Any:
    """The set that is stored from an index on."""
    place = builder.gep(memory, [at])
    return builder.load(builder.bitcast(place, vector(width).as_pointer()), align=8)


def store(builder: Any, width: int, memory: Any, at: Any, hexes: Any) -> None:
    """Store a set from an index on."""
    place = builder.gep(memory, [at])
    builder.store(hexes, builder.bitcast(place, hexes.type.as_pointer()), align=8)


def nothing(builder: Any, width: int) -> Any:
    """The empty set."""
    return same([0] * width)


def single(builder: Any, width: int, hex: Any) -> Any:
    """The set of one hex; empty if the index is negative."""
    place = _spread(builder, builder.ashr(hex, number(6)), width)
    bit = builder.shl(number(1), builder.and_(hex, number(63)))
    is_there = builder.icmp_signed("==", place, same(range(width)))
    return builder.select(is_there, _spread(builder, bit, width), same([0] * width))


def _spread(builder: Any, value: Any, width: int) -> Any:
    """The same number in each place."""
    one = builder.insert_element(same([0] * width), value, ir.Constant(I32, 0))
    return builder.shuffle_vector(one, one, same([0] * width, I32))


# shifts


def _shift_words(builder: Any, value: Any, places: int) -> Any:
    """Each number so many places up, or down if that is negative; zero from outside."""
    width = value.type.count
    if not places:
        return value
    taken = [i - places if 0 <= i - places < width else width for i in range(width)]
    return builder.shuffle_vector(value, same([0] * width), same(taken, I32))


def _shift_bits(builder: Any, value: Any, by: int) -> Any:
    """A set shifted towards larger indexes, or smaller ones if that is negative."""
    width = value.type.count
    places, bits = divmod(abs(by), 64)
    direction = 1 if by > 0 else -1
    here = _shift_words(builder, value, direction * places)
    if not bits:
        return here
    over = _shift_words(builder, value, direction * (places + 1))
    ahead, behind = (builder.shl, builder.lshr) if by > 0 else (builder.lshr, builder.shl)
    one, other = same([bits] * width), same([64 - bits] * width)
    return builder.or_(ahead(here, one), behind(over, other))


def shl(builder: Any, width: int, hexes: Any, by: Any) -> Any:
    """The set with every index that much larger, by a number that is known."""
    return _shift_bits(builder, hexes, by.constant)


def shr(builder: Any, width: int, hexes: Any, by: Any) -> Any:
    """The same, smaller."""
    return _shift_bits(builder, hexes, -by.constant)


# counting


def _counted(builder: Any, value: Any) -> Any:
    """How many bits each number has."""
    return _called(builder, f"llvm.ctpop.v{value.type.count}i64", value.type, value)


def count(builder: Any, width: int, hexes: Any) -> Any:
    """How many hexes are in the set."""
    each = _counted(builder, hexes)
    return _called(builder, f"llvm.vector.reduce.add.v{width}i64", I64, each)


def some(builder: Any, width: int, hexes: Any) -> Any:
    """Whether there is a hex in the set."""
    found = _called(builder, f"llvm.vector.reduce.or.v{width}i64", I64, hexes)
    return builder.icmp_unsigned("!=", found, number(0))


def has(builder: Any, width: int, hexes: Any, hex: Any) -> Any:
    """Whether a hex is in the set."""
    place = builder.trunc(builder.lshr(hex, number(6)), I32)
    return _bit(builder, builder.extract_element(hexes, place), hex)


def bit_at(builder: Any, width: int, memory: Any, at: Any, hex: Any) -> Any:
    """Whether a hex is in a set in the memory."""
    at = builder.add(at, builder.lshr(hex, number(6)))
    return _bit(builder, builder.load(builder.gep(memory, [at])), hex)


def _bit(builder: Any, word: Any, hex: Any) -> Any:
    return builder.trunc(builder.lshr(word, builder.and_(hex, number(63))), I1)


def lowest(builder: Any, width: int, hexes: Any) -> Any:
    """The smallest index; -1 of the empty set."""
    return _last_found(builder, hexes, range(width - 1, -1, -1), "llvm.cttz.i64")


def top(builder: Any, width: int, hexes: Any) -> Any:
    """The largest index; -1 of the empty set."""
    return _last_found(builder, hexes, range(width), "llvm.ctlz.i64")


def _last_found(builder: Any, hexes: Any, places: Sequence[int], counter: str) -> Any:
    """An index in the last of some words that has any bit: the first bit from one of its ends."""
    found = number(-1)
    for i in places:
        word = builder.extract_element(hexes, ir.Constant(I32, i))
        zeros = _called(builder, counter, I64, word, ir.Constant(I1, 0))
        bit = zeros if counter == "llvm.cttz.i64" else builder.sub(number(63), zeros)
        is_there = builder.icmp_unsigned("!=", word, number(0))
        found = builder.select(is_there, builder.add(bit, number(64 * i)), found)
    return found


def nth(builder: Any, width: int, hexes: Any, k: Any) -> Any:
    """The k-th index from below: first the number that holds it, then by halves."""
    return _nth(builder, width, hexes, k, _in_word)


def nth_at_once(builder: Any, width: int, hexes: Any, k: Any) -> Any:
    """The same by an instruction that not every processor has: `FEATURE`."""
    return _nth(builder, width, hexes, k, _deposited)


def _nth(builder: Any, width: int, hexes: Any, k: Any, in_word: Emitter) -> Any:
    counts = _counted(builder, hexes)
    word = builder.extract_element(hexes, ir.Constant(I32, 0))
    start = base = before = number(0)
    for i in range(width - 1):
        here = builder.extract_element(counts, ir.Constant(I32, i))
        before = builder.add(before, here)
        is_past = builder.icmp_signed(">=", k, before)
        following = builder.extract_element(hexes, ir.Constant(I32, i + 1))
        word = builder.select(is_past, following, word)
        base = builder.select(is_past, before, base)
        start = builder.select(is_past, number(64 * (i + 1)), start)
    return builder.add(start, in_word(builder, word, builder.sub(k, base)))


def _deposited(builder: Any, word: Any, k: Any) -> Any:
    """The k-th bit that is set of one number: a single bit, moved there."""
    bit = builder.shl(number(1), k)
    found = _called(builder, "llvm.x86.bmi.pdep.64", I64, bit, word)
    return _called(builder, "llvm.cttz.i64", I64, found, ir.Constant(I1, 0))


def _in_word(builder: Any, word: Any, k: Any) -> Any:
    """The k-th bit that is set of one number."""
    at = number(0)
    for width in (32, 16, 8, 4, 2, 1):
        low = builder.and_(word, number((1 << width) - 1))
        here = _called(builder, "llvm.ctpop.i64", I64, low)
        is_past = builder.icmp_signed(">=", k, here)
        word = builder.select(is_past, builder.lshr(word, number(width)), low)
        k = builder.select(is_past, builder.sub(k, here), k)
        at = builder.select(is_past, builder.add(at, number(width)), at)
    return at


# chance


def mixed(builder: Any, width: int, state: Any) -> Any:
    """The raw number that SplitMix64 makes of a state."""
    z = state
    for shift, factor in zip((30, 27), FACTORS, strict=True):
        z = builder.xor(z, builder.lshr(z, number(shift)))
        z = builder.mul(z, number(factor))
    return builder.xor(z, builder.lshr(z, number(31)))


def times_high(builder: Any, width: int, x: Any, n: Any) -> Any:
    """The upper half of the product of two unsigned numbers."""
    product = builder.mul(builder.zext(x, I128), builder.zext(n, I128))
    return builder.trunc(builder.lshr(product, ir.Constant(I128, 64)), I64)


def is_below(builder: Any, width: int, a: Any, b: Any) -> Any:
    """Whether one unsigned number is less than another."""
    return builder.icmp_unsigned("<", a, b)


def remainder(builder: Any, width: int, n: Any) -> Any:
    """2**64 modulo n."""
    return builder.urem(builder.neg(n), n)


_IV = (
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
)  # fmt: skip
_SIGMA = (
    "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8",
    "905724afe1bc683d", "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a",
    "6fe9b308c2d714a5", "a2847615fb9e3cd0", "0123456789abcdef", "ea489fd61c02b753",
)  # fmt: skip
_WHERE = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip
_HEAD = 0x01010008  # no key, 8 bytes of digest


def digest(builder: Any, width: int, memory: Any, at: Any, length: Any) -> Any:
    """The first 8 bytes of an unkeyed BLAKE2b digest of 8 bytes, of up to 128 bytes there."""
    places = [builder.gep(memory, [builder.add(at, number(i))]) for i in range(16)]
    message = [builder.load(place) for place in places]
    first = _IV[0] ^ _HEAD
    v = [number(each) for each in (first, *_IV[1:], *_IV)]
    v[12] = builder.xor(v[12], length)
    v[14] = builder.not_(v[14])
    for order in _SIGMA:
        for place, columns in enumerate(_WHERE):
            x, y = (message[int(digit, 16)] for digit in order[2 * place : 2 * place + 2])
            _mix_columns(builder, v, columns, x, y)
    return builder.xor(builder.xor(number(first), v[0]), v[8])


def _mix_columns(builder: Any, v: list[Any], columns: tuple[int, ...], x: Any, y: Any) -> None:
    """One mixing of four numbers of the state with two of the message."""
    a, b, c, d = columns
    for numbers, one, other in ((x, 32, 24), (y, 16, 63)):
        v[a] = builder.add(builder.add(v[a], v[b]), numbers)
        v[d] = _rotate_right(builder, builder.xor(v[d], v[a]), one)
        v[c] = builder.add(v[c], v[d])
        v[b] = _rotate_right(builder, builder.xor(v[b], v[c]), other)


def _rotate_right(builder: Any, value: Any, by: int) -> Any:
    """A number rotated to the right."""
    down = builder.lshr(value, number(by))
    return builder.or_(down, builder.shl(value, number(64 - by)))


EMITTERS: Mapping[str, Emitter] = {
    code.__name__: code
    for code in (
        load, store, nothing, single, shl, shr, count, some, has, bit_at, lowest, top, nth, mixed,
        times_high, is_below, remainder, digest,
    )
}  # fmt: skip


def emitters(features: str) -> Mapping[str, Emitter]:
    """The words for a processor, of which LLVM says what it has: `+sse,+bmi2 ...`."""
    return {**EMITTERS, "nth": nth_at_once} if FEATURE in features.split(",") else EMITTERS
