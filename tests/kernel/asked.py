"""A kernel that answers one word at a time, to be run natively and as plain Python."""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence
from functools import lru_cache

from kbrules.hex.grid import Grid, Symmetry
from kbrules.kernel.layout import WAYS_ROOM
from kbrules.kernel.lowering.kernel_text import shared_text
from kbrules.kernel.python import PythonKernel
from kbrules.kernel.runtime import decisions, geometry, paths
from kbrules.kernel.runtime.names import FIXED

ROOM = 1 << 13
A, B, R, N = "load(M, A)", "load(M, B)", "store(M, R, {})", "M[R] = {}"
WORDS = {
    "neighbours": R.format(f"neighbours(M, {A})"),
    "within": R.format(f"within(M, {A}, M[K])"),
    "at_least": R.format(f"at_least(M, {A}, M[K])"),
    "touching": R.format(f"touching(M, {A}, (M[K], M[K + 1]))"),
    "inside": R.format(f"inside(M, {A})"),
    "narrowed": R.format(f"narrowed({A}, {B})"),
    "foremost": R.format(f"foremost({A})"),
    "straight": R.format(f"straight_over(M, {A}, M[K], {B})"),
    "slide": R.format(f"slide_over(M, {A}, {B}, ~{A})"),
    "next_in": R.format(f"next_over(M, {A}, {B}, ~{A})"),
    "reach": R.format(f"reach_over(M, {A}, M[K], {B}, ~{A})"),
    "connected": R.format(f"connected(M, {A}, {B})"),
    "mirrored": R.format(f"transformed(M, {A}, MIRRORED)"),
    "flipped": R.format(f"transformed(M, {A}, FLIPPED)"),
    "turned": R.format(f"transformed(M, {A}, TURNED)"),
    "triangles": f"at, number = triangles(M, {A})",
    "rings": f"at, number = rings(M, {A})",
    "distance": N.format(f"distance(M, {A}, {B})"),
    "longest_way": N.format(f"longest_way(M, {A})"),
    "span": N.format(f"span(M, {A})"),
    "lowest": N.format(f"lowest({A})"),
    "top": N.format(f"top({A})"),
    "count": N.format(f"count({A})"),
    "nth": N.format(f"nth({A}, M[K])"),
    "has": N.format(f"has({A}, M[K])"),
    "bit_at": N.format("bit_at(M, A, M[K])"),
    "invert": R.format(f"~{A} & load(M, FULL)"),
    "single": R.format("single(M[K])"),
    "groups": f"at, number = groups(M, {A})",
    "lines": f"at, number = lines(M, {A}, (M[K], M[K + 1]))",
    "ends": R.format(f"ends(M, lines(M, {A}, (M[K], M[K + 1])))"),
    "largest": R.format(f"largest(M, groups(M, {A}))"),
    "smallest": R.format(f"smallest(M, groups(M, {A}))"),
    "linked_hexes": R.format(f"linked_hexes(M, {A}, {B})"),
    "linked_groups": f"at, number = linked_groups(M, groups(M, {A}), {B})",
    "star_of": R.format(f"star_of(M, {A}, M[K])"),
    "streams": "seed_streams(M, M[K])",
    "below": "below_each(M)",
    "weighted": N.format("weighted(M, STREAMS, K, 5)"),
    "divided": "M[R], M[R + 1] = M[K] // M[K + 1], M[K] % M[K + 1]",
}
GROUPED = ("groups", "lines", "linked_groups", "triangles", "rings")
BELOW = """
@native
def below_each(M: Memory) -> int:
    for i in range(16):
        M[R + i] = below(M, STREAMS, M[K])
    return 0
"""


def text_of(grid: Grid, width: int) -> str:
    """The text of the kernel for a grid, a set of it being so many numbers."""
    names = _numbers_of(grid, width)
    shared = "\n".join(map(shared_text, (geometry, paths, decisions)))
    lines = [f"{name} = {number}" for name, number in names.items()]
    body = ["def kernel(M: Memory, what: int, n: int, seeds: Memory, out: Memory) -> int:"]
    body += ["    M[SCRATCH] = SCRATCH_START", "    at = number = 0"]
    for number, (word, line) in enumerate(WORDS.items()):
        body += [f"    if what == {number}:", f"        {line}"]
        if word in GROUPED:
            body += ["        M[R], M[R + 1] = at, number"]
    return "\n".join([*lines, shared, BELOW, *body, "    return 0", ""])


def width_of(grid: Grid) -> int:
    """How many numbers hold a set of a grid."""
    width = 1
    while 64 * width <= grid.full.bit_length():
        width *= 2
    return width


def _numbers_of(grid: Grid, width: int) -> dict[str, int]:
    hexes = 64 * width_of(grid)
    sizes = {
        "SELF": width, "FAULT": width, "SCRATCH": width, "PART_COUNT": width, "PLAYERS": width,
        "FULL": width, "WITH_HOLES": width, "KINDS": width, "AXIAL": 4 * hexes, "STATE": width,
        "MIRRORED": hexes, "FLIPPED": hexes, "TURNED": hexes,
        "A": width, "B": width, "R": 2 * width + 16, "K": 16, "STREAMS": 16, "MESSAGE": 16,
        "SCRATCH_START": ROOM + WAYS_ROOM,
    }  # fmt: skip
    found, end = {**FIXED, "W": width, "STRIDE": grid.stride, "LESS": grid.stride - 1}, 0
    for name, size in sizes.items():
        found[name] = end
        end += -(-size // width) * width
    return {**found, "SCRATCH_END": end, "HEX_KINDS": 0}


class Asked:
    """Asks the words of a kernel on a grid, one by one."""

    def __init__(self, grid: Grid, is_native: bool) -> None:
        self.grid = grid
        self.bits = 64 * width_of(grid)
        self.width = width_of(grid) if is_native else 1
        self.names = _numbers_of(grid, self.width)
        size = self.names["SCRATCH_END"]
        self._memory: MutableSequence[int] = array("q", bytes(8 * size + 64))
        self._first = 0
        self._run = self._native() if is_native else self._plain()
        self._fill()

    def _native(self) -> object:
        from kbrules.kernel.native.jit import compile_kernel

        native = compile_kernel(text_of(self.grid, self.width))
        assert isinstance(self._memory, array)
        start = self._memory.buffer_info()[0]
        self._first = -(start // 8) % 8
        address = start + 8 * self._first
        return lambda what: native(address, what, 0, address, address)

    def _plain(self) -> object:
        program = PythonKernel(text_of(self.grid, self.width))
        self._memory = memory = [*self._memory]
        return lambda what: program["kernel"](memory, what, 0, memory, memory)

    def _fill(self) -> None:
        self.set("FULL", self.grid.full)
        self.set("WITH_HOLES", self.grid.filled)
        self.put("PART_COUNT", len(self.grid.parts))
        names = [part.name for part in self.grid.parts]
        for hex in range(self.bits):
            spot = (-1, 0, 0, 0)
            if self.grid.full >> hex & 1:
                part, row, column = self.grid.address(hex)
                slant = column - row // 2
                spot = (names.index(part), row, slant, row + slant)
            for i, value in enumerate(spot):
                self.put("AXIAL", value, 4 * hex + i)

        for which, table in zip(Symmetry, self.grid.symmetry_tables, strict=True):
            for hex in range(self.bits):
                self.put(which.name, table.get(hex, -1), hex)

    def put(self, name: str, value: int, at: int = 0) -> None:
        """Put a number into the memory."""
        self._memory[self._first + self.names[name] + at] = value

    def get(self, name: str, at: int = 0) -> int:
        """A number of the memory."""
        return self._memory[self._first + self.names[name] + at]

    def set(self, name: str, mask: int) -> None:
        """Put a set into the memory."""
        start = self._first + self.names[name]
        if self.width == 1:
            self._memory[start] = mask
            return
        data = array("q", mask.to_bytes(8 * self.width, "little"))
        for at, number in enumerate(data, start):
            self._memory[at] = number

    def mask(self, at: int) -> int:
        """A set of the memory."""
        start = self._first + at
        if self.width == 1:
            return self._memory[start]
        data = array("q", (self._memory[i] for i in range(start, start + self.width)))
        return int.from_bytes(data.tobytes(), "little")

    def do(self, word: str, a: int = 0, b: int = 0, *numbers: int) -> None:
        """Let a word answer."""
        self.put("FAULT", 0)
        self.set("A", a)
        self.set("B", b)
        for at, number in enumerate(numbers):
            self.put("K", number, at)
        self._run(list(WORDS).index(word))  # type: ignore[operator]
        assert self.get("FAULT") == 0

    def hexes(self, word: str, a: int = 0, b: int = 0, *numbers: int) -> int:
        """The set that a word answers."""
        self.do(word, a, b, *numbers)
        return self.mask(self.names["R"])

    def number(self, word: str, a: int = 0, b: int = 0, *numbers: int) -> int:
        """The number that it answers."""
        self.do(word, a, b, *numbers)
        return self.get("R")

    def groups(self, word: str, a: int = 0, b: int = 0, *numbers: int) -> tuple[int, ...]:
        """The groups that it answers."""
        self.do(word, a, b, *numbers)
        at, number = self.get("R"), self.get("R", 1)
        return tuple(self.mask(at + i * self.width) for i in range(number))


@lru_cache
def asked(grid: Grid, is_native: bool) -> Asked:
    """One for each grid, so that each is compiled once."""
    return Asked(grid, is_native)
