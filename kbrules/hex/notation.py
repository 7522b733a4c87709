"""What a hex is called: column letters and row number, `a1` at the top left.

After `z` comes `aa`. A hex of a part that has a name carries it in front: `part:a1`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbrules.diagnostics import quoted
from kbrules.hex.layout import Address, Part

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
