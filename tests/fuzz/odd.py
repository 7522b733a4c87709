"""Mutations that know no grammar: of characters, of lines ends, of bytes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

SIGNS = (
    "\x00", "\x07", "\x1a", "\x1b", "\x1c", "\x7f", "\x85", "\u00a0", "\u00ad", "\u200b", "\u200d",
    "\u202e", "\u2066", "\u2028", "\ufeff", "\ufffd", "\uffff", "\U000e0041", "\U0001f600",
    "e\u0301", "\u0130", "\u00df", "\u0660", "\u00b2", "\u2460", "\uff11", "\t", "\r", "\n", "\r\n",
    "\x0b", "\x0c", "{", "}", "{}", "{x}", "%s", "\\", "\\n", "`", '"', "'", "|", "#", "&a",
    "*a", "!!x ", "<<: ", "---\n", "...\n", "? ", "- ", ": ", "\u0430", "\u3042", "[31m",
)  # fmt: skip
"""Invisible, ambiguous and telling ones, digits that are none, and signs of the formats."""

NUMBERS = (
    "0", "-1", "1", "00", "007", "999999", "1000000", "2147483648", "-9223372036854775809",
    "9" * 30, "9" * 5000, "1e9", "1e400", "0x10", "0o7", "0b1", "1_0", "1.5", ".5", ".inf", ".nan",
    "NaN", "Infinity", "+3", "1:30", "2001-01-01", "true", "null", "~", "yes", "-0",
)  # fmt: skip

BYTES = (
    b"\x00", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
    b"\x80", b"\xe2\x82", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n\r", b"\x1b[2J",
)  # fmt: skip
"""No UTF-8 at all, half characters, lone surrogates, marks of byte order, ends of lines."""


def place(random: Random, text: str | bytes) -> int:
    """Somewhere in a text, its end among them."""
    return random.randrange(len(text) + 1)


def with_sign(random: Random, text: str) -> str:
    """With an odd sign put somewhere."""
    at = place(random, text)
    return text[:at] + random.choice(SIGNS) + text[at:]


def without_stretch(random: Random, text: str) -> str:
    """With some characters left out."""
    at = place(random, text)
    return text[:at] + text[at + random.choice((1, 1, 2, 5, 40)) :]


def cut_off(random: Random, text: str) -> str:
    """Only its beginning."""
    return text[: place(random, text)]


def other_line_ends(random: Random, text: str) -> str:
    """With other ends of lines, of all or of one."""
    end = random.choice(("\r\n", "\r", "\n\n", "\u2028", " \n", "\\\n", ""))
    return text.replace("\n", end, random.choice((-1, 1, 3)))


def with_tabs(random: Random, text: str) -> str:
    """With tabs for some blanks."""
    return text.replace(" " * random.choice((1, 2, 4)), "\t", random.choice((-1, 1, 3)))


def with_mark(random: Random, text: str) -> str:
    """With a mark of byte order in front."""
    return "\ufeff" * random.choice((1, 1, 2)) + text


def many_times(random: Random, text: str) -> str:
    """A short stretch said over and over."""
    at = place(random, text)
    stretch = text[at : at + random.choice((1, 3, 12, 60))]
    return text[:at] + stretch * random.choice((2, 10, 100, 500)) + text[at:]


def in_capitals(random: Random, text: str) -> str:
    """A stretch in the other case."""
    at = place(random, text)
    end = at + random.choice((1, 5, 30))
    return text[:at] + text[at:end].swapcase() + text[end:]


ODD: tuple[Callable[[Random, str], str], ...] = (
    with_sign, with_sign, with_sign, without_stretch, without_stretch, cut_off, other_line_ends,
    with_tabs, with_mark, many_times, in_capitals,
)  # fmt: skip


def odd_bytes(random: Random, data: bytes) -> bytes:
    """With a byte changed, bytes left out, or bytes put in that are no text."""
    at = place(random, data)
    kind = random.randrange(3)
    if kind == 0 and at < len(data):
        return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + data[at + random.choice((1, 2, 3)) :]
    return data[:at] + random.choice(BYTES) + data[at:]
