"""The grid: a board's geometry, with all that is constant worked out once; boards as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from kbrules.diagnostics import quoted
from kbrules.hex import sets
from kbrules.hex.sets import ANYTHING, Address, Mask, Part, bits, lay_out, lowest, mask_of

# What a hex is called: column letters and row number, `a1` at the top left.
#
# After `z` comes `aa`. A hex of a part that has a name carries it in front: `part:a1`.

_NAME = re.compile(r"(?:([^:\s]+):)?([a-z]{1,4})([1-9][0-9]{0,5})")


def column_letters(column: int) -> str:
    """The letters of a column, counted from 0: `a` ... `z`, `aa`, `ab` ..."""
    letters = ""
    rest = column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def hex_name(address: Address) -> str:
    """The name of a hex."""
    name = f"{column_letters(address.column)}{address.row + 1}"
    return f"{address.part}:{name}" if address.part else name


def read_hex_name(text: str) -> Address:
    """The address a name stands for, on whatever board; `ValueError` if it is no name at all."""
    match = _NAME.fullmatch(text)
    if match is None:
        raise ValueError(
            f"{quoted(text)} is not the name of a hex: "
            "write column letter and row number, as in `a1`"
        )
    part, letters, row = match.groups()
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("a") + 1
    return Address(part or "", int(row) - 1, column - 1)


def is_hex_name(text: str) -> bool:
    """Return whether a text has the form of the name of a hex."""
    return _NAME.fullmatch(text) is not None


def why_unknown(text: str, parts: Sequence[Part]) -> str:
    """The reason why a text names no hex of these parts, for the person who wrote it."""
    try:
        address = read_hex_name(text)
    except ValueError as error:
        return str(error)
    part = next((part for part in parts if part.name == address.part), None)
    if part is None:
        return f"{quoted(text)} lies on no part of this board: it has {_listed(parts)}"
    if address.row < part.height and address.column < part.width:
        return f"{quoted(text)} is a hole in the board"
    last = column_letters(part.width - 1)
    return f"{quoted(text)} is off the board: columns are `a` to `{last}`, rows 1 to {part.height}"


def _listed(parts: Sequence[Part]) -> str:
    named = [f"`{part.name}:`" for part in parts if part.name]
    return ", ".join(["hexes without a prefix", *named])


# Symmetries of sets: mirrored, flipped and turned by rows and columns, each part on its own.


class Symmetry(IntEnum):
    """Which of rows and columns count backwards."""

    MIRRORED = 0
    FLIPPED = 1
    TURNED = 2


def symmetry_tables(
    parts: Sequence[Part], addresses: Mapping[int, Address]
) -> tuple[Mapping[int, int], ...]:
    """For each symmetry the index to which it takes an index; an index may have none."""
    index_of = {address: index for index, address in addresses.items()}
    last = {part.name: (part.height - 1, part.width - 1) for part in parts}

    def table(which: Symmetry) -> dict[int, int]:
        found = {}
        for index, (part, row, column) in addresses.items():
            rows, columns = last[part]
            to = Address(
                part,
                row if which is Symmetry.MIRRORED else rows - row,
                column if which is Symmetry.FLIPPED else columns - column,
            )
            if to in index_of:
                found[index] = index_of[to]
        return found

    return tuple(map(table, Symmetry))


# Lines and ways straight on.
#
# An axis is the constant shift from a hex to the next along it; there are three. A direction is a
# signed shift. Every walk is over the board: a hole or the edge ends it.

Lines = tuple[Mask, ...]


class Jump(NamedTuple):
    """A jump of so many steps along one axis: the shift, and where it may land going either way."""

    shift: int
    forward: Mask
    backward: Mask


# Whatever takes a set of hexes expects a mask of hexes that are on the board, and answers with
# one. `through` alone may hold other bits too, as `~occupied` does.


@dataclass(frozen=True, repr=False)
class Grid:
    """One or more parts side by side in one int; two grids are equal if their parts are.

    `full` is the set of all hexes, `size` their number; `filled` has the holes as well.
    Directions are numbered clockwise from the right: 0 right, 1 down right, 2 down left, 3 left,
    4 up left, 5 up right. Axes are the directions 0, 1 and 2.
    """

    parts: tuple[Part, ...]
    full: Mask = field(init=False, compare=False)
    size: int = field(init=False, compare=False)
    filled: Mask = field(init=False, compare=False)
    stride: int = field(init=False, compare=False)
    _stride_less: int = field(init=False, compare=False)
    _axes: tuple[int, int, int] = field(init=False, compare=False)
    _directions: tuple[int, ...] = field(init=False, compare=False)
    _addresses: dict[int, Address] = field(init=False, compare=False)
    _names: dict[int, str] = field(init=False, compare=False)
    _by_name: dict[str, int] = field(init=False, compare=False)
    _by_address: dict[Address, int] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        parts = tuple(self.parts)
        stride, addresses = lay_out(parts)
        names = {index: hex_name(address) for index, address in addresses.items()}
        axes = (1, stride, stride - 1)
        _, filled = lay_out([Part.rectangle(p.height, p.width, p.name) for p in parts])
        derived = {
            "parts": parts,
            "full": mask_of(addresses),
            "size": len(addresses),
            "filled": mask_of(filled),
            "stride": stride,
            "_stride_less": stride - 1,
            "_axes": axes,
            "_directions": (*axes, *(-axis for axis in axes)),
            "_addresses": addresses,
            "_names": names,
            "_by_name": {name: index for index, name in names.items()},
            "_by_address": {address: index for index, address in addresses.items()},
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        sizes = (f"{part.name} {part.height} x {part.width}".lstrip() for part in self.parts)
        return f"<Grid {', '.join(sizes)}>"

    # One hex

    def index_at(self, row: int, column: int, part: str = "") -> int:
        """The index of a hex, rows and columns counted from 0; `ValueError` if there is none."""
        index = self._by_address.get(Address(part, row, column))
        if index is None:
            raise ValueError(f"no hex in row {row}, column {column} of part `{part}`")
        return index

    def address(self, index: int) -> Address:
        """Part, row and column of a hex; `ValueError` if the index is no hex."""
        address = self._addresses.get(index)
        if address is None:
            raise ValueError(f"no hex has the index {index}")
        return address

    def name(self, index: int) -> str:
        """The name of a hex, as in `a1` or `part:a1`; `ValueError` if the index is no hex."""
        name = self._names.get(index)
        if name is None:
            raise ValueError(f"no hex has the index {index}")
        return name

    def index(self, name: str) -> int:
        """The index of a hex by its name; `ValueError` says what is wrong with the name."""
        index = self._by_name.get(name)
        if index is None:
            raise ValueError(why_unknown(name, self.parts))
        return index

    def distance(self, i: int, j: int) -> int | None:
        """The number of plain steps between two hexes, holes included; None between parts."""
        one, other = self.address(i), self.address(j)
        return sets.extent(map(sets.axial, (one, other))) if one.part == other.part else None

    # Nearness

    def neighbours(self, m: Mask) -> Mask:
        """The hexes that touch a hex of the set, be they in the set or not."""
        t = m | m << 1
        return (m << 1 | m >> 1 | t << self._stride_less | t >> self.stride) & self.full

    def shift(self, m: Mask, direction: int) -> Mask:
        """The set moved by one step; what leaves the board is gone."""
        return _moved(m, self._directions[direction]) & self.full

    def within(self, m: Mask, n: int) -> Mask:
        """The hexes at distance `n` or less of a hex of the set, the set included."""
        for _ in range(n):
            t = m | m << 1
            wider = (t | m >> 1 | t << self._stride_less | t >> self.stride) & self.filled
            if wider == m:
                break
            m = wider
        return m & self.full

    def circles(self, index: int) -> tuple[Mask, ...]:
        """The hexes at distance 0, 1, 2 and so on of a hex, holes counted as steps."""
        if index not in self._circles:  # kept: refusals ask for the same hexes again and again
            steps = [0, 1 << index]
            while (m := steps[-1]) != steps[-2]:
                t = m | m << 1
                wider = t | m >> 1 | t << self._stride_less | t >> self.stride
                steps.append(wider & self.filled)
            self._circles[index] = tuple(m & ~less & self.full for less, m in pairwise(steps))
        return self._circles[index]

    @cached_property
    def _circles(self) -> dict[int, tuple[Mask, ...]]:
        return {}

    def transformed(self, m: Mask, which: Symmetry) -> Mask:
        """The set mirrored, flipped or turned in each part; what falls on no hex is left out."""
        table = self.symmetry_tables[which]
        return mask_of(table[index] for index in bits(m) if index in table)

    @cached_property
    def symmetry_tables(self) -> Sequence[Mapping[int, int]]:
        """For each symmetry the index to which it takes an index."""
        return symmetry_tables(self.parts, self._addresses)

    def triangles(self, m: Mask) -> tuple[Mask, ...]:
        """Each three hexes of a set that touch one another: those that point down, then up."""
        down = m & m >> 1 & m >> self.stride
        up = m & m >> self._stride_less & m >> self.stride
        return (
            *(1 << i | 1 << i + 1 | 1 << i + self.stride for i in bits(down)),
            *(1 << i | 1 << i + self._stride_less | 1 << i + self.stride for i in bits(up)),
        )

    def separation(self, m: Mask, other: Mask) -> int:
        """The fewest steps from a hex of a set to one of another; 0 if no steps lead there."""
        steps = 0
        while not m & other:
            t = m | m << 1
            wider = (t | m >> 1 | t << self._stride_less | t >> self.stride) & self.filled
            if wider == m:
                return 0
            m, steps = wider, steps + 1
        return steps

    def rings(self, m: Mask) -> tuple[Mask, ...]:
        """Each six hexes of a set around one hex, in the order of the hexes in the middle."""
        return tuple([self.neighbours(1 << i) for i in bits(self.exactly(m, 6))])

    def diameter(self, m: Mask) -> int:
        """The largest distance between two hexes of the set in one part; 0 if there are no two."""
        here = ((m & members, points) for members, points in self._coordinates)
        extents = (sets.extent([points[i] for i in bits(mask)]) for mask, points in here if mask)
        return max(extents, default=0)

    @cached_property
    def _coordinates(self) -> list[sets.AxialCoordinates]:
        return sets.axial_coordinates(self._addresses)

    def longest_way(self, group: Mask) -> tuple[int, int]:
        """How many hexes of a connected group a way visits at most, none twice; and the work."""
        points = next(points for members, points in self._coordinates if members & group)
        return sets.longest_way(frozenset([points[index] for index in bits(group)]))

    def at_least(self, m: Mask, k: int) -> Mask:
        """The hexes of the board with `k` or more neighbours in the set."""
        return sets.at_least(sets.tally(m, self.stride), k, self.full)

    def at_most(self, m: Mask, k: int) -> Mask:
        """The hexes of the board with no more than `k` neighbours in the set."""
        return self.full & ~self.at_least(m, k + 1)

    def exactly(self, m: Mask, k: int) -> Mask:
        """The hexes of the board with `k` neighbours in the set."""
        return sets.exactly(sets.tally(m, self.stride), k, self.full)

    # Movement

    def straight(self, m: Mask, n: int) -> Mask:
        """The hexes exactly `n` steps from a hex of the set in a straight line over the board.

        A number below 1 reaches no hex.
        """
        found, jumps = 0, self._jumps
        for shift, forward, backward in jumps[n - 1] if 1 <= n <= len(jumps) else ():
            found |= (m << shift) & forward | (m >> shift) & backward
        return found

    @cached_property
    def _jumps(self) -> list[list[Jump]]:
        """The jumps of 1, 2, 3 ... steps along all axes, as far as the board goes."""
        table: list[list[Jump]] = []
        jumps = [Jump(0, self.full, self.full)] * len(self._axes)
        while True:
            jumps = [
                Jump(shift + axis, on << axis & self.full, back >> axis & self.full)
                for (shift, on, back), axis in zip(jumps, self._axes, strict=True)
            ]
            if not any(jump.forward for jump in jumps):
                return table
            table.append(jumps)

    def straight_over(self, m: Mask, n: int, over: Mask) -> Mask:
        """The same, with every hex between in `over`."""
        found = 0
        for direction in self._directions if n >= 1 else ():
            front = _moved(m, direction) & self.full
            for _ in range(n - 1):
                front = _moved(front & over, direction) & self.full
                if not front:
                    break
            found |= front
        return found

    def slide(self, m: Mask, through: Mask, over: Mask = ANYTHING) -> Mask:
        """The last hex each way, one step at least, going while the next hex is in `through`.

        It goes on from hexes of `over` only, and from the first.
        """
        stops, through = 0, through & self.full
        for direction in self._directions:
            blocked = through & ~(_moved(through, -direction) & over)
            front = _moved(m, direction) & through
            while front:
                stops |= front & blocked
                front = _moved(front & over, direction) & through
        return stops

    def next_free(self, m: Mask, among: Mask, over: Mask = ANYTHING) -> Mask:
        """The first hex in `among` each way, jumping over hexes of `over` before it."""
        found = 0
        for direction in self._directions:
            front = _moved(m, direction) & self.full
            while front:
                found |= front & among
                front = _moved(front & over & ~among, direction) & self.full
        return found

    def reach(self, m: Mask, n: int, through: Mask, over: Mask = ANYTHING) -> Mask:
        """The hexes that a walk of 1 to `n` steps can end on, every step into `through`.

        It goes on from hexes of `over` only, and from the first. A walk may return: a hex of the
        set is reached as well if it is in `through`.
        """
        reached = 0
        front = m
        for _ in range(n):
            front = self.neighbours(front) & through & ~reached
            if not front:
                break
            reached |= front
            front &= over
        return reached

    # Groups

    def group_of(self, m: Mask, seed: Mask) -> Mask:
        """The hexes of `m` connected within `m` to a hex of `seed`, those in `seed` included."""
        stride, less = self.stride, self._stride_less
        group, before = m & seed, 0
        while group != before:
            before = group
            t = group | group << 1
            group = (t | group >> 1 | t << less | t >> stride) & m
        return group

    def groups(self, m: Mask) -> tuple[Mask, ...]:
        """The connected groups of a set, in order of their lowest hex."""
        return tuple(sets.groups(m, self.stride))

    def linked(self, ends: Mask, by: Mask) -> Mask:
        """Hexes of the first set joined to another one of it by a connected group of the second."""
        found, near = 0, by & self.neighbours(ends)
        while near:
            group = self.group_of(by, near & -near)
            touched = self.neighbours(group) & ends
            if touched & (touched - 1):
                found |= touched
            near &= ~group
        return found

    # Lines

    def rows(self) -> Lines:
        """Each row of each part, from the top."""
        return self._lines[0]

    def diagonals(self) -> tuple[Lines, Lines]:
        """The lines falling to the right and those falling to the left, part by part."""
        return self._lines[1:]

    @cached_property
    def _lines(self) -> tuple[Lines, Lines, Lines]:
        """The rows and the lines in the other two directions, part by part.

        A hole does not end a line. Rows come from the top, other lines from the left.
        """
        numbers = {part.name: number for number, part in enumerate(self.parts)}
        axes: tuple[dict[tuple[int, int], Mask], ...] = ({}, {}, {})
        for index, address in self._addresses.items():
            for axis, line in zip(axes, sets.axial(address), strict=True):
                key = numbers[address.part], line
                axis[key] = axis.get(key, 0) | 1 << index
        rows, right, left = (tuple(axis[key] for key in sorted(axis)) for axis in axes)
        return rows, right, left

    def runs_of(self, m: Mask, at_least: int) -> tuple[Mask, ...]:
        """Each longest possible run of at least so many hexes of the set, axis by axis."""
        if m.bit_count() < at_least:
            return ()
        found = [run for axis in self._axes for run in _runs_along(m, at_least, axis)]
        # A lonely hex is a run of one along every axis.
        return tuple(dict.fromkeys(found))

    # Regions

    def part(self, name: str = "") -> Mask:
        """All hexes of a part."""
        return mask_of(i for i, address in self._addresses.items() if address.part == name)

    def edges(self, part: str = "") -> tuple[Mask, Mask, Mask, Mask]:
        """Top, bottom, left and right: the first and last row, each row's first and last hex."""
        members = self.part(part)
        rows = [row for row in self.rows() if row & members]
        left = sum(row & -row for row in rows)
        right = mask_of(row.bit_length() - 1 for row in rows)
        return (rows[0], rows[-1], left, right) if rows else (0, 0, 0, 0)

    def edge(self, part: str = "") -> Mask:
        """The rim of a part."""
        top, bottom, left, right = self.edges(part)
        return top | bottom | left | right


def _moved(m: Mask, direction: int) -> Mask:
    """A set shifted by one step, bits that are no hexes included."""
    return m << direction if direction > 0 else m >> -direction


def _runs_along(m: Mask, at_least: int, axis: int) -> Iterator[Mask]:
    # `starts` holds the hexes from which a run of the length tried so far goes forward.
    starts = m
    for _ in range(1, at_least):
        starts &= starts >> axis
    firsts = starts & ~(starts << axis)
    while firsts:
        tip = firsts & -firsts
        firsts ^= tip
        run = 0
        while tip & m:
            run |= tip
            tip <<= axis
        yield run


# Stars: a hex and the six around it, which is what a piece of seven hexes covers.

SIZE = 7
_DOWN_RIGHT = 1


def disks(grid: Grid, m: Mask) -> tuple[tuple[int, ...], Mask]:
    """The centres of the stars that a set is made of, and the hexes that belong to none.

    No two stars share a hex. There is one way at most to cut a set into stars, because its first
    hex can only be the upper left one of a star.
    """
    centres: list[int] = []
    rest = 0
    while m:
        first = m & -m
        centre = grid.shift(first, _DOWN_RIGHT)
        star = centre | grid.neighbours(centre)
        if star.bit_count() == SIZE and not star & ~m:
            centres.append(lowest(centre))
        else:
            star = first
            rest |= first
        m &= ~star
    return tuple(centres), rest


# Boards as text: one line per row, one word per hex, odd rows indented by half a hex.
#
#     a b c
#      d e f
#     - h i
#
# Words are separated by blanks; `-` is a hole. Every line may begin with a `|`, to protect its
# indentation where the text is quoted. When read, indentation and empty lines mean nothing: which
# row is odd follows from counting. When written, all words get the same room, an even number of
# letters, so that half of it is a whole number and neighbours stand where they stand on the table.


HOLE = "-"

_MARGIN = re.compile(r"\s*\|(?=\s|$)")
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a drawing and where it starts in the text, in characters from 0."""

    text: str
    offset: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """The words of a drawing, row by row; rows need not be equally long."""

    rows: tuple[tuple[Token, ...], ...]

    @property
    def words(self) -> tuple[tuple[str, ...], ...]:
        """The bare words."""
        return tuple(tuple(token.text for token in row) for row in self.rows)

    @property
    def hexes(self) -> frozenset[tuple[int, int]]:
        """(row, column) of every word that is not a hole."""
        return frozenset(
            (r, c)
            for r, row in enumerate(self.rows)
            for c, token in enumerate(row)
            if token.text != HOLE
        )


def parse_drawing(text: str) -> Drawing:
    """The words of a text; any text is a drawing of something, so nothing is refused here."""
    rows = []
    start = 0
    for line in text.split("\n"):
        if row := _tokens(line, start):
            rows.append(row)
        start += len(line) + 1
    return Drawing(tuple(rows))


def _tokens(line: str, start: int) -> tuple[Token, ...]:
    margin = _MARGIN.match(line)
    words = _WORD.finditer(line, margin.end() if margin else 0)
    return tuple(Token(word.group(), start + word.start()) for word in words)


def render(rows: Sequence[Sequence[str]]) -> str:
    """The drawing of rows of words, without a newline at its end.

    `ValueError` if it could not be read back: a row or a word is empty, a word holds blanks, or a
    row begins with a bare `|`.
    """
    _check(rows)
    pitch = _pitch([word for row in rows for word in row])
    return "\n".join(_line(row, r, pitch) for r, row in enumerate(rows))


def render_framed(rows: Sequence[Sequence[str]]) -> str:
    """The drawing with column letters above and row numbers to its left; for people only."""
    _check(rows)
    letters = [column_letters(c) for c in range(max((len(row) for row in rows), default=0))]
    pitch = _pitch([*letters, *(word for row in rows for word in row)])
    room = len(str(len(rows)))
    head = " " * (room + 1) + _line(letters, 0, pitch)
    return "\n".join(
        [head, *(f"{r + 1:>{room}} {_line(row, r, pitch)}" for r, row in enumerate(rows))]
    )


def _check(rows: Sequence[Sequence[str]]) -> None:
    for r, row in enumerate(rows):
        if not row or row[0] == "|":
            raise ValueError(f"row {r + 1} of a drawing is empty or begins with a `|`")
        for word in row:
            if not _WORD.fullmatch(word):
                raise ValueError(f"`{word}` cannot stand for a hex: one word without blanks")


def _pitch(words: Sequence[str]) -> int:
    widest = max(map(len, words), default=1)
    return (widest // 2 + 1) * 2


def _line(row: Sequence[str], number: int, pitch: int) -> str:
    indent = " " * (pitch // 2) if number % 2 else ""
    return (indent + "".join(word.ljust(pitch) for word in row)).rstrip()
