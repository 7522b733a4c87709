"""Moves, the sets of them that a decision offers, and moves as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import index as as_index
from typing import Any, NamedTuple

from kbrules.diagnostics import check_kind, quoted, suggest
from kbrules.game.board import Board, Catalog, card_among
from kbrules.game.random import Random
from kbrules.hex.grid import Grid
from kbrules.hex.sets import Mask, bits, nth_unchecked
from kbrules.hooks import html_of

CHANCE = -1


class Move(NamedTuple):
    """What somebody chose: a verb, the rule it belongs to, and a hex (bit index) or -1.

    For a draw by chance `rule` is empty and `hex` is the card's index.
    """

    verb: str
    rule: str
    hex: int = -1


class MoveGroup(NamedTuple):
    """All moves that differ only in their hex; `hexes` is 0 for one move without a hex.

    `path` is the address of the action or alternative that the move begins, or "".
    """

    verb: str
    rule: str
    hexes: Mask = 0
    path: str = ""

    def moves(self) -> list[Move]:
        """The moves, in board order."""
        if not self.hexes:
            return [Move(self.verb, self.rule)]
        return [Move(self.verb, self.rule, hex) for hex in bits(self.hexes)]


class Offered(NamedTuple):
    """A group of moves in names: the rule, the verb and the hexes as `c4`, in board order.

    A move without a hex has none; for a draw by chance the rule is empty as well.
    """

    rule: str
    verb: str
    hexes: tuple[str, ...] = ()


# Made at every decision; this is twice as fast as calling the classes.
new_move: Callable[[tuple[Any, ...]], Move] = partial(tuple.__new__, Move)
new_group: Callable[[tuple[Any, ...]], MoveGroup] = partial(tuple.__new__, MoveGroup)


@dataclass(slots=True, unsafe_hash=True)
class MoveSet:
    """The legal moves of a decision: counting and membership are bit operations.

    `player` is who decides, `CHANCE` for what is drawn; of cards `weights` counts each kind.
    """

    player: int
    groups: tuple[MoveGroup, ...]
    weights: tuple[int, ...] = ()

    def _repr_html_(self) -> str | None:
        """The groups of moves as a notebook shows it."""
        return html_of(self)

    def __bool__(self) -> bool:
        return bool(self.groups)

    def __len__(self) -> int:
        if self.weights:
            return sum(1 for weight in self.weights if weight)
        size = 0
        for group in self.groups:
            size += group.hexes.bit_count() or 1
        return size

    def __iter__(self) -> Iterator[Move]:
        if self.weights:
            return iter([Move("draw", "", i) for i, w in enumerate(self.weights) if w])
        return (move for group in self.groups for move in group.moves())

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self.group_of(move) is not None

    def group_of(self, move: Move) -> MoveGroup | None:
        """The group a move belongs to, or None if the move is not legal; TypeError for no move."""
        verb, rule, hex = move
        if type(hex) is not int:
            hex = as_index(hex)
        if self.weights:
            legal = verb == "draw" and 0 <= hex < len(self.weights)
            return self.groups[0] if legal and self.weights[hex] else None
        for group in self.groups:
            its_verb, its_rule, hexes, _ = group
            fits = hexes >> hex & 1 if hex >= 0 else hex == -1 and not hexes
            if fits and its_rule == rule and its_verb == verb:
                return group
        return None

    def __getitem__(self, index: int) -> Move:
        """The move with an index, 0 for the first; IndexError if there are not so many."""
        if type(index) is not int:
            index = as_index(index)
        if not 0 <= index < len(self):
            raise IndexError(index)
        if self.weights:
            return list(self)[index]
        at = index
        for verb, rule, hexes, _ in self.groups:
            size = hexes.bit_count() or 1
            if at < size:
                return new_move((verb, rule, nth_unchecked(hexes, at) if hexes else -1))
            at -= size
        raise IndexError(index)

    def index_of(self, move: Move) -> int | None:
        """The index of a move; None if it is not legal."""
        if self.weights:
            return next((index for index, each in enumerate(self) if each == move), None)
        verb, rule, hex = move
        if type(hex) is not int:
            hex = as_index(hex)
        before = 0
        for its_verb, its_rule, hexes, _ in self.groups:
            fits = hexes >> hex & 1 if hex >= 0 else hex == -1 and not hexes
            if fits and its_rule == rule and its_verb == verb:
                return before + (hexes & (1 << hex) - 1 if hexes else 0).bit_count()
            before += hexes.bit_count() or 1
        return None

    def sample(self, random: Random) -> Move:
        """A move chosen evenly; a draw is weighted by the cards left."""
        if not hasattr(random, "below"):
            raise TypeError("a move is drawn by a `Random`")
        if self.weights:
            return new_move(("draw", "", random.weighted(self.weights)))
        if not self.groups:
            raise IndexError("there is no legal move to choose from")
        return self[random.below(len(self))]  # a choice of one uses up a number as well


# What is wrong with the text of a move, as far as it can be known without a game under way.

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
    return bool(_LIKE_A_HEX.fullmatch(word)) if grid is None else not _why_no_hex(word, grid)


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
        start = text.index(DRAW) + len(DRAW)
        name = " ".join(text[start:].split())
        if card_among(words.cards, name) is None:
            message = f"there is no terrain card {quoted(name)}"
            yield _error(MoveWord(start, text[start:]), "KB413", message, words.cards)
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


# Moves as text, and back: `rule: verb hex`, with anything left out that is plain without it.


class InvalidMove(Exception):
    """A text that is no move at all. Code KB501, or that of the name it gets wrong."""

    def __init__(self, message: str, code: str = "KB501") -> None:
        self.code = code
        super().__init__(message)


class AmbiguousMove(Exception):
    """A text that could be several moves; its message lists them. Code KB503."""

    code = "KB503"


def write_move(move: Move, board: Board) -> str:
    """The full text of a move: `mill: build a5`, `end turn`, `draw x`, `choose x`."""
    check_kind(board, Board, "a board is wanted, as `game.board` is one")
    verb, rule, hex = move
    move = Move(verb, rule, as_index(hex))
    if move.verb == "draw":
        known = 0 <= move.hex < len(board.catalog.deck)
        return f"draw {board.catalog.card_name(move.hex) if known else '?'}"
    if move.verb == "end":
        return "end turn"
    if move.verb == "choose":
        return f"choose {move.rule}"
    hex_part = f" {_hex(move.hex, board)}" if move.hex >= 0 else ""
    return f"{move.rule}: {move.verb}{hex_part}" if move.rule else f"{move.verb}{hex_part}"


def _hex(index: int, board: Board) -> str:
    return board.grid.name(index) if board.grid.full >> index & 1 else "?"


def read_full_move(text: str, board: Board, words: MoveNames) -> Move:
    """Return the move that `write_move` wrote, legal or not. InvalidMove if it is none."""
    if (found := _read_end_or_draw(text, board, words)) is not None:
        return found
    first, *rest = text.split()
    if first == "choose":
        return Move("choose", rest[0])
    rule, verb, *hex = (first[:-1], *rest) if first.endswith(":") else ("", first, *rest)
    return Move(verb, rule, board.grid.index(hex[0]) if hex else -1)


def read_move(text: str, board: Board, moves: MoveSet, words: MoveNames | None = None) -> Move:
    """The move a text stands for among (or beside) the legal ones.

    Any of rule, verb and hex may be left out if the rest says enough: `d7`, `build d7`,
    `mill d7`, `end`. `words` are the names there are; without them any may be a verb or a rule.
    Raises InvalidMove if the text cannot be read, AmbiguousMove if more than one legal move
    fits. A readable move that is not legal is returned as it is.
    """
    check_kind(text, str, "a move is read from a text")
    check_kind(board, Board, "a board is wanted, as `game.board` is one")
    check_kind(moves, MoveSet, "moves are wanted, as `game.legal_moves` returns them")
    words = words or MoveNames.of(board.catalog)
    found = _read_end_or_draw(text, board, words)
    return _read(text, board, moves, words) if found is None else found


def _read_end_or_draw(text: str, board: Board, words: MoveNames) -> Move | None:
    """Return the move of a text that ends a turn or draws a card; InvalidMove if it is no move."""
    for error in move_text_errors(text, board.grid, words):
        raise InvalidMove(error.sentence, error.code)
    plain = " ".join(text.split())
    if plain in ENDS:
        return Move("end", "turn")
    if not plain.startswith(DRAW):
        return None
    card = board.catalog.card_named(plain.removeprefix(DRAW))
    assert card is not None, "it is one of the words"
    return Move("draw", "", card)


def _read(text: str, board: Board, moves: MoveSet, words: MoveNames) -> Move:
    parts = move_words(text, board.grid)
    hex = board.grid.index(parts.hexes[0].text) if parts.hexes else -1
    names = [part.text for part in (*parts.names, *parts.rule)]
    fitting = [m for m in _candidates(moves, hex) if _fits(m, names)]
    if len({(m.verb, m.rule) for m in fitting}) > 1:
        listed = ", ".join(f"`{write_move(m, board)}`" for m in fitting)
        raise AmbiguousMove(f"{quoted(text)} could be {listed}")
    return fitting[0] if fitting else _illegal(names, hex, moves, words)


def _candidates(moves: MoveSet, hex: int) -> list[Move]:
    if moves.weights:
        return []
    found = []
    for group in moves.groups:
        if hex < 0 and not group.hexes:
            found.append(Move(group.verb, group.rule))
        elif hex >= 0 and group.hexes >> hex & 1:
            found.append(Move(group.verb, group.rule, hex))
    return found


def _fits(move: Move, names: list[str]) -> bool:
    return all(name in (move.verb, move.rule) for name in names)


def _illegal(names: list[str], hex: int, moves: MoveSet, words: MoveNames) -> Move:
    """The readable move that nobody offers: the best guess of what was meant."""
    for group in moves.groups:
        if _fits(Move(group.verb, group.rule), names) and (hex < 0 or group.hexes):
            return Move(group.verb, group.rule, hex)
    verbs = [name for name in names if words.has_verb(name)]
    rules = [name for name in names if words.has_rule(name) and name not in verbs[:1]]
    return Move(verbs[0] if verbs else "build", rules[-1] if rules else "", hex)
