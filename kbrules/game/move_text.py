"""What is wrong with the text of a move, as far as it can be known without a game under way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kbrules.diagnostics import quoted, suggest
from kbrules.game.catalog import Catalog, card_among
from kbrules.hex.grid import Grid

DRAW = "draw "
ENDS = ("end", "end turn")
OWN_VERBS = frozenset({"choose", "draw", "end", "stop", "use"})
"""The verbs of moves that are no step of a rule."""
USAGE = "write `rule: verb hex`, such as `build d7`"

_HEAD = re.compile(r"\s*([^\s:]+)\s*:")
_NAME = re.compile(r"(?![a-z]{1,2}\d+$)[a-z][a-z0-9_]*")  # and not like a hex
_LIKE_A_HEX = re.compile(r"([^\s:]+:)?[A-Za-z]{1,2}\d{1,6}")
_FILLERS = ("by", "with", "to", "from")
_LISTED = 12
MAX_WORDS = 20  # of a move


@dataclass(frozen=True, slots=True)
class MoveNames:
    """The names that moves may use: terrain cards, verbs, and rules and terrains.

    Where verbs and rules are not known, any name may be one.
    """

    cards: tuple[str, ...]
    verbs: frozenset[str] | None = None
    rules: frozenset[str] | None = None

    @classmethod
    def of(cls, catalog: Catalog) -> MoveNames:
        """The cards of a catalog; of verbs and rules nothing is known."""
        return cls(tuple(catalog.card_name(card) for card in range(len(catalog.deck))))

    def has_verb(self, name: str) -> bool:
        """Whether a name is a verb."""
        return bool(_NAME.fullmatch(name)) if self.verbs is None else name in self.verbs

    def has_rule(self, name: str) -> bool:
        """Whether a name is a rule or a terrain."""
        return bool(_NAME.fullmatch(name)) if self.rules is None else name in self.rules


@dataclass(frozen=True, slots=True)
class MoveWord:
    """A word of a text and where in it the word begins."""

    start: int
    text: str


@dataclass(frozen=True, slots=True)
class MoveWords:
    """A text taken apart: the rule in front of a colon, hexes, and other words."""

    rule: tuple[MoveWord, ...]
    hexes: tuple[MoveWord, ...]
    names: tuple[MoveWord, ...]


@dataclass(frozen=True, slots=True)
class MoveTextError:
    """A piece of a text, from `start` up to, not including, `end`, that is wrong in a move."""

    start: int
    end: int
    code: str
    message: str
    help: str = ""

    @property
    def sentence(self) -> str:
        """What is wrong and what may help, in one line."""
        return f"{self.message}; {self.help}" if self.help else self.message


def move_words(text: str, grid: Grid | None) -> MoveWords:
    """A text taken apart; the name of a part of the board and a colon begin a hex, not a rule."""
    head = _HEAD.match(text)
    if head is not None and grid is not None and head[1] in {part.name for part in grid.parts}:
        head = None
    rule = () if head is None else (MoveWord(head.start(1), head[1]),)
    rest = re.compile(r"\S+").finditer(text, 0 if head is None else head.end())
    words = [MoveWord(match.start(), match[0]) for match in rest if match[0] not in _FILLERS]
    hexes = tuple(word for word in words if _is_hex(word.text, grid))
    return MoveWords(rule, hexes, tuple(word for word in words if word not in hexes))


def _is_hex(word: str, grid: Grid | None) -> bool:
    if grid is None:
        return bool(_LIKE_A_HEX.fullmatch(word))
    try:
        grid.index(word)
    except ValueError:
        return False
    return True


def move_text_errors(text: str, grid: Grid | None, words: MoveNames) -> Iterator[MoveTextError]:
    """All that is wrong with the text of a move, from left to right; hexes only with a grid."""
    count = len(text.split())
    if count > MAX_WORDS:
        message = f"a move has at most {MAX_WORDS} words, not {count}"
        yield MoveTextError(0, len(text), "KB501", message, USAGE)
        return
    if " ".join(text.split()) in ENDS:
        return
    if text.lstrip().startswith(DRAW):
        yield from _card(text, words)
        return
    parts = move_words(text, grid)
    if not any((parts.rule, parts.hexes, parts.names)):
        yield MoveTextError(0, len(text), "KB501", f"{quoted(text)} is not a move", USAGE)
    for part in parts.rule:
        if not words.has_rule(part.text):
            yield _error(part, "KB413", f"there is no rule {quoted(part.text)}", words.rules)
    wrong = [error for part in parts.names for error in _name(part, bool(parts.rule), grid, words)]
    for part in parts.hexes[1:]:
        message = f"{quoted(text)} names two hexes"
        wrong.append(_error(part, "KB501", message, None, "a move has one, write two moves"))
    yield from sorted(wrong, key=lambda error: error.start)


def _card(text: str, words: MoveNames) -> Iterator[MoveTextError]:
    start = text.index(DRAW) + len(DRAW)
    name = " ".join(text[start:].split())
    if card_among(words.cards, name) is None:
        message = f"there is no terrain card {quoted(name)}"
        yield _error(MoveWord(start, text[start:]), "KB413", message, words.cards)


def _name(
    part: MoveWord, is_told: bool, grid: Grid | None, words: MoveNames
) -> Iterator[MoveTextError]:
    """What is wrong with a word that is no hex; where the rule is given, it is to be a verb."""
    word = part.text
    if words.has_verb(word) or words.has_rule(word):
        return
    if grid is not None and _LIKE_A_HEX.fullmatch(word):
        yield _error(part, "KB506", _why_no_hex(word, grid))
        return
    if is_told:
        yield _error(part, "KB501", f"there is no verb {quoted(word)}", words.verbs)
        return
    known = [*(words.verbs or ()), *(words.rules or ())]
    message = f"{quoted(word)} is no hex, no verb and no rule"
    yield _error(part, "KB501", message, known, USAGE)


def _why_no_hex(word: str, grid: Grid) -> str:
    try:
        grid.index(word)
    except ValueError as error:
        return str(error)
    return ""


def _error(
    part: MoveWord, code: str, message: str, known: Iterable[str] | None = None, help: str = ""
) -> MoveTextError:
    names = sorted(known or ())
    near = suggest(part.text, names)
    if near:
        help = f"did you mean {quoted(near)}?"
    elif not help and 0 < len(names) <= _LISTED:
        help = "there is " + ", ".join(quoted(name) for name in names)
    return MoveTextError(part.start, part.start + len(part.text), code, message, help)
