"""Files mutated by their grammar: by tokens, blocks, brackets, nodes and members."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

from kbrules.engine.logs.writing import checksum
from tests.fuzz.odd import NUMBERS, ODD, odd_bytes
from tests.fuzz.seeds import Seed, seeds_of
from tests.fuzz.tokens import (
    Piece,
    Token,
    blocks_of,
    brackets_of,
    joined,
    nodes_of,
    shifted,
    tokens_of,
)

Change = Callable[[Random, str, str], str]
MOST_CHANGES = 4
BLANK = ("WS", "COMMENT", "_NL", "NL")
DEEP = (2, 5, 20, 70, 120, 1200)
NESTS = (
    ("(", ")"), ("[", "]"), ("{a: ", "}"), ("not ", ""), ("-", ""), ("at least ", ""),
    ("count(", ")"), ("adjacent(", ")"), ("- ", ""), ('{"a": ', "}"), ("{a = ", "}"), ("a.", "a"),
    ("1 + ", "1"), ("if any(mine): ", ""), ("may:\n    ", ""),
)  # fmt: skip


@cache
def tokens_by_type(kind: str) -> dict[str, list[str]]:
    """Every token of all files of a kind, once, by its type."""
    found: dict[str, dict[str, None]] = {}
    for seed in seeds_of(kind):
        for token in tokens_of(kind, seed.text):
            found.setdefault(token.type, {})[token.text] = None
    return {name: [*texts] for name, texts in found.items()}


def _any_token(random: Random, kind: str) -> Token:
    by_type = tokens_by_type(kind)
    name = random.choice([*by_type])
    return Token(name, random.choice(by_type[name]))


def change_tokens(random: Random, kind: str, text: str) -> str:
    """A token left out, said twice, swapped, replaced or put in."""
    tokens = tokens_of(kind, text)
    if not tokens:
        return _any_token(random, kind).text
    at, other = random.randrange(len(tokens)), random.randrange(len(tokens))
    match random.randrange(6):
        case 0:
            del tokens[at]
        case 1:
            tokens.insert(at, tokens[at])
        case 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 3 | 4:
            alike = tokens_by_type(kind).get(tokens[at].type, [tokens[at].text])
            tokens[at] = Token(tokens[at].type, random.choice(alike))
        case _:
            tokens[at] = _any_token(random, kind)
    return joined(tokens)


def change_number(random: Random, kind: str, text: str) -> str:
    """A number, or for want of one any token, becomes another or something like one."""
    tokens = tokens_of(kind, text)
    numbers = [at for at, token in enumerate(tokens) if token.type == "NUMBER"]
    if tokens:
        at = random.choice(numbers or range(len(tokens)))
        tokens[at] = Token("NUMBER", random.choice(NUMBERS))
    return joined(tokens)


class Cut(NamedTuple):
    """A piece cut out of a text, and how far it was indented there."""

    text: str
    indent: int


def _cut(text: str, piece: Piece) -> Cut:
    return Cut(text[piece.start : piece.end], piece.indent)


@cache
def nodes_by_name(kind: str) -> dict[str, list[Cut]]:
    """Every node of all files of a kind, by its name."""
    found: dict[str, list[Cut]] = {}
    for seed in seeds_of(kind):
        for piece in nodes_of(kind, seed.text):
            found.setdefault(piece.name, []).append(_cut(seed.text, piece))
    return found


def _put(text: str, piece: Piece, new: Cut, end: int) -> str:
    """Something from elsewhere in the place of a piece, or before it."""
    moved = shifted(new.text, piece.indent - new.indent)
    return text[: piece.start] + moved + text[end:]


def _change_piece(random: Random, text: str, own: Sequence[Piece], others: Sequence[Cut]) -> str:
    """A piece left out, said twice, replaced by another, or another put before it."""
    if not own or not others:
        return text
    piece, new = random.choice(own), random.choice(others)
    kind = random.randrange(5)
    if kind == 0:
        return text[: piece.start] + text[piece.end :]
    if kind == 1:
        return text[: piece.end] + text[piece.start :]
    return _put(text, piece, new, piece.end if kind > 2 else piece.start)


def _other(random: Random, kind: str, text: str) -> str:
    return random.choice([text, random.choice(seeds_of(kind)).text])


def change_block(random: Random, kind: str, text: str) -> str:
    """A line with all that is indented below it: left out, doubled, or one from elsewhere."""
    other = _other(random, kind, text)
    cuts = [_cut(other, piece) for piece in blocks_of(other)]
    return _change_piece(random, text, blocks_of(text), cuts)


def change_brackets(random: Random, kind: str, text: str) -> str:
    """Brackets with all within them: left out, doubled, or some from elsewhere."""
    other = _other(random, kind, text)
    cuts = [_cut(other, piece) for piece in brackets_of(other)]
    return _change_piece(random, text, brackets_of(text), cuts)


def change_node(random: Random, kind: str, text: str) -> str:
    """A node: left out, doubled, or any one from elsewhere."""
    other = _other(random, kind, text)
    cuts = [_cut(other, piece) for piece in nodes_of(kind, other)]
    return _change_piece(random, text, nodes_of(kind, text), cuts)


def like_node(random: Random, kind: str, text: str) -> str:
    """A node replaced by one that may stand there as well."""
    own = nodes_of(kind, text)
    if not own:
        return text
    piece = random.choice(own)
    alike = nodes_by_name(kind).get(piece.name)
    return _put(text, piece, random.choice(alike), piece.end) if alike else text


def like_token(random: Random, kind: str, text: str) -> str:
    """A token replaced by one of the same type, of this text or any other."""
    tokens = tokens_of(kind, text)
    plain = [at for at, token in enumerate(tokens) if token.type not in BLANK]
    if plain:
        at = random.choice(plain)
        of_type = tokens[at].type
        alike = [token.text for token in tokens if token.type == of_type]
        elsewhere = tokens_by_type(kind).get(of_type, alike)
        tokens[at] = Token(of_type, random.choice(random.choice((alike, elsewhere))))
    return joined(tokens)


def move_line(random: Random, kind: str, text: str) -> str:
    """A line moved right or left, or to another place."""
    lines = text.split("\n")
    at = random.randrange(len(lines))
    line = lines.pop(at)
    if random.randrange(2):
        at = random.randrange(len(lines) + 1)
    line = line.removeprefix(" " * random.randrange(6))
    lines.insert(at, random.choice((" ", "    ", "")) + line)
    return "\n".join(lines)


def nest(random: Random, kind: str, text: str) -> str:
    """A token wrapped into brackets or words, many times over."""
    tokens = tokens_of(kind, text) or [Token("OTHER", "1")]
    at = random.randrange(len(tokens))
    before, after = random.choice(NESTS)
    times = random.choice(DEEP)
    tokens[at] = Token("OTHER", before * times + tokens[at].text + after * times)
    return joined(tokens)


def change_drawing(random: Random, kind: str, text: str) -> str:
    """A line of a drawing: its words swapped, left out, or another row said in its place."""
    lines = text.split("\n")
    rows = [at for at, line in enumerate(lines) if _is_row(line)]
    if not rows:
        return text
    at, other = random.choice(rows), random.choice(rows)
    words = lines[at].split(" ")
    if random.randrange(3) == 0:
        lines[at] = lines[other]
    else:
        new = random.choice((*lines[other].split(" "), "?", "|", "1"))
        words[random.randrange(len(words))] = new
        lines[at] = " ".join(words)
    return "\n".join(lines)


def _is_row(line: str) -> bool:
    words = line.strip(" |").split()
    return len(words) > 2 and all(len(word) < 4 for word in words)


def change_member(random: Random, kind: str, text: str) -> str:
    """A member of a line of JSON, left out, doubled or replaced; its sum is mostly made right."""
    lines = text.splitlines(keepends=True)
    at = random.choice((0, len(lines) - 1, random.randrange(len(lines)))) if lines else 0
    try:
        data, other = json.loads(lines[at]), json.loads(random.choice(lines))
    except (ValueError, IndexError, RecursionError):
        return text
    lines[at] = json.dumps(_changed_value(random, data, other)) + "\n"
    return "".join(_summed(lines) if random.randrange(4) else lines)


def _changed_value(random: Random, value: Any, other: Any) -> Any:
    """A value with something changed at one place in it."""
    if isinstance(value, dict) and value and random.randrange(5):
        key = random.choice([*value])
        if random.randrange(6) == 0:
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: _changed_value(random, value[key], other)}
    if isinstance(value, list) and value and random.randrange(5):
        at = random.randrange(len(value))
        new = _changed_value(random, value[at], other)
        return [*value[:at], *random.choice(([], [new], [new, new])), *value[at + 1 :]]
    return _replaced_value(random, value, other)


def _replaced_value(random: Random, value: Any, other: Any) -> Any:
    if isinstance(value, str) and random.randrange(2):
        return random.choice(ODD)(random, value)
    if isinstance(value, int) and random.randrange(2):
        return value + random.choice((-1, 1, 10**6, 10**20, -(10**20)))
    inner = random.choice([*other.values()]) if isinstance(other, dict) and other else other
    return random.choice((inner, None, True, 0, -1, 1.5, "", [], {}, [[]], {"": None}, "a" * 600))


def _summed(lines: list[str]) -> list[str]:
    """With the right sum in the closing line, as somebody with skill would have it."""
    try:
        closing = json.loads(lines[-1])
    except (ValueError, RecursionError):
        return lines
    if isinstance(closing, dict) and "sum" in closing:
        lines[-1] = json.dumps({**closing, "sum": checksum(lines[:-1])}) + "\n"
    return lines


def change_oddly(random: Random, kind: str, text: str) -> str:
    """What knows no grammar."""
    return random.choice(ODD)(random, text)


ROUGH: tuple[Change, ...] = (
    change_tokens, change_tokens, change_tokens, change_number, change_block, change_block,
    change_brackets, change_node, change_node, move_line, nest, change_oddly,
)  # fmt: skip
"""Changes that mostly leave nothing that could be read."""

GENTLE: tuple[Change, ...] = (
    like_node, like_node, like_node, like_node, like_token, like_token, like_token, change_block,
    change_node, change_number, change_drawing, change_drawing,
)  # fmt: skip
"""Changes that mostly leave something that can be read, and means something else."""

OF_KIND: dict[str, tuple[Change, ...]] = {
    "logs": (change_member,) * 8,
    "moves": (change_tokens, like_token, change_oddly, change_number, nest),
}
"""What is done besides; to moves nothing else is."""


def changes_of(kind: str, gentle: bool) -> tuple[Change, ...]:
    """The changes to choose from."""
    if kind == "moves":
        return OF_KIND[kind]
    return (*OF_KIND.get(kind, ()), *(GENTLE if gentle else ROUGH))


def mutated(random: Random, seed: Seed) -> bytes:
    """The text of a seed, changed a few times: gently, or roughly and now and then by bytes."""
    gentle = random.randrange(10) < 6
    number = random.choice((1, 1, 1, 2, 3, MOST_CHANGES))
    text = seed.text
    for change in random.choices(changes_of(seed.kind, gentle), k=number):
        text = change(random, seed.kind, text)
    data = text.encode("utf-8", "surrogatepass")
    return odd_bytes(random, data) if not gentle and random.randrange(6) == 0 else data
