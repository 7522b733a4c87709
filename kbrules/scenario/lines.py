"""The lines of an example in a rule file: what they set, and what they claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from kbrules.diagnostics import Diagnostic, quoted, suggest
from kbrules.game.things import Catalog
from kbrules.lang import tree
from kbrules.text import Span

__all__ = [
    "LINES", "PLAYERS", "Counts", "Gives", "Lines", "Offers", "Wins", "own_tile", "read_lines",
]  # fmt: skip

PLAYERS = "abcdef"
OWN_TILE = "1"
_LARGEST = 60  # hexes of a sector one way


NO_DRAWING = "draw the hexes first, as in `| . .a .`, every second row set in by a blank"
"""What an example without hexes is told, whatever it claims."""


@dataclass(frozen=True, slots=True)
class Gives:
    """The claim that the rule pays a player so much gold."""

    player: int
    gold: int
    span: Span


@dataclass(frozen=True, slots=True)
class Counts:
    """The claim that a number of the boxes is so much for the player in turn."""

    name: str
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Offers:
    """The claim that the rule offers the marked hexes, or `none`."""

    none: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Wins:
    """The claim that a player wins; all that are so named, and nobody else."""

    player: int
    span: Span


@dataclass(slots=True)
class Lines:
    """What all lines of an example say together."""

    sectors: tuple[int, int] | None = None
    played: tuple[int, ...] = ()
    draws: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    gives: list[Gives] = field(default_factory=list)
    gains: list[Gives] = field(default_factory=list)
    counts: list[Counts] = field(default_factory=list)
    offers: list[Offers] = field(default_factory=list)
    wins: list[Wins] = field(default_factory=list)


def own_tile(id: str, catalog: Catalog) -> dict[str, str]:
    """The legend of an example: `1` is a place with the tile that the example is about."""
    lying = [tile.id for tile in catalog.tiles if tile.place]
    return {OWN_TILE: id} if id in lying else {}


class _Wrong(Exception):
    """Carries the finding about a line that cannot be read."""


def read_lines(example: tree.Example, catalog: Catalog) -> tuple[Lines, list[Diagnostic]]:
    """What the lines of an example say, and what is wrong with them."""
    said = Lines()
    found = []
    for line in example.lines:
        try:
            _read(line, said, catalog)
        except _Wrong as wrong:
            found.append(wrong.args[0])
    claims = (said.gives, said.gains, said.counts, said.offers, said.wins)
    if not found and not any(claims):
        help = "add `offers`, `offers none`, `gives 4`, `gains 4` or `wins a`"
        found.append(Diagnostic("KB102", _head(example), "this example claims nothing", help))
    return said, found


def _head(example: tree.Example) -> Span:
    return example.span.source.at(example.span.line, example.span.column, len("example"))


def _read(line: tree.Step, said: Lines, catalog: Catalog) -> None:
    verb = line.verb
    if verb.text in catalog.numbers:
        _count(line, said)
        return
    if verb.text not in _VERBS:
        near = suggest(verb.text, _VERBS)
        help = f"did you mean {quoted(near)}?" if near else "lines are " + ", ".join(_USAGE)
        message = f"{quoted(verb.text)} is not a line of an example"
        raise _Wrong(Diagnostic("KB201", verb.span, message, help))
    if line.guard is not None:
        raise _wrong_form(line)
    _VERBS[verb.text](line, said, catalog)


def _wrong_form(line: tree.Step) -> _Wrong:
    usage = next(usage for usage in _USAGE if usage.split()[0].strip("`") == line.verb.text)
    message = f"{quoted(line.verb.text)} is not written like this"
    return _Wrong(Diagnostic("KB205", line.span, message, f"write {usage}"))


def _count(line: tree.Step, said: Lines) -> None:
    value = _number(line.operand)
    if value is None or line.phrases or line.guard is not None:
        name = line.verb.text
        message = f"{quoted(name)} is not written like this"
        raise _Wrong(Diagnostic("KB205", line.span, message, f"write `{name} 3`"))
    said.counts.append(Counts(line.verb.text, value, line.span))


def _sectors(line: tree.Step, said: Lines, catalog: Catalog) -> None:
    match line:
        case tree.Step(
            operand=tree.Number(value=height),
            phrases=(tree.Phrase(preposition=tree.Word("by"), value=tree.Number(value=width)),),
        ) if 0 < height <= _LARGEST and 0 < width <= _LARGEST:
            said.sectors = (height, width)
        case _:
            raise _wrong_form(line)


def _played(line: tree.Step, said: Lines, catalog: Catalog) -> None:
    said.played = (*said.played, _card(line, catalog))


def _draws(line: tree.Step, said: Lines, catalog: Catalog) -> None:
    said.draws = (*said.draws, _card(line, catalog))


def _card(line: tree.Step, catalog: Catalog) -> int:
    names = list(_joined(line.operand))
    if not names or None in names or line.phrases:
        raise _wrong_form(line)
    name = "+".join(name for name in names if name is not None)
    card = catalog.card_named(name)
    if card is None:
        assert line.operand is not None
        known = [catalog.card_name(index) for index in range(len(catalog.deck))]
        near = suggest(name, known)
        help = f"did you mean {quoted(near)}?" if near else "cards are " + ", ".join(known)
        message = f"there is no card {quoted(name)}"
        raise _Wrong(Diagnostic("KB413", line.operand.span, message, help))
    return card


def _cards(line: tree.Step, said: Lines, catalog: Catalog) -> None:
    """A scoring card or task that is in play, beside the one that the example is about."""
    if not isinstance(line.operand, tree.Name) or line.phrases:
        raise _wrong_form(line)
    name = line.operand
    if name.text not in catalog.cards:
        near = suggest(name.text, catalog.cards)
        help = f"did you mean {quoted(near)}?" if near else "load the box that has it"
        message = f"there is no card {quoted(name.text)}"
        raise _Wrong(Diagnostic("KB413", name.span, message, help))
    said.cards = (*said.cards, name.text)


def _joined(operand: tree.Expression | None) -> Iterator[str | None]:
    """The names that `+` joins; None for anything else."""
    match operand:
        case tree.Name(text=text):
            yield text
        case tree.Operator(symbol="+", operands=operands):
            for each in operands:
                yield from _joined(each)
        case _:
            yield None


def _gives(line: tree.Step, said: Lines, catalog: Catalog) -> None:
    gold = _number(line.operand)
    if gold is None:
        raise _wrong_form(line)
    said.gives.append(Gives(_player(line), gold, line.span))


def _gains(line: tree.Step, said: Lines, catalog: Catalog) -> None:
    gold = _number(line.operand)
    if gold is None:
        raise _wrong_form(line)
    said.gains.append(Gives(_player(line), gold, line.span))


def _number(operand: tree.Expression | None) -> int | None:
    match operand:
        case tree.Number(value=value):
            return value
        case tree.Operator(symbol="-", operands=(tree.Number(value=value),)):
            return -value
        case _:
            return None


def _player(line: tree.Step) -> int:
    match line.phrases:
        case ():
            return 0
        case (tree.Phrase(preposition=tree.Word("to"), value=tree.Name() as name),):
            return _letter(name)
        case _:
            raise _wrong_form(line)


def _letter(name: tree.Name) -> int:
    """The player of a letter."""
    if name.text not in PLAYERS or len(name.text) != 1:
        message = f"there is no player {quoted(name.text)}"
        help = f"players are `{PLAYERS[0]}` to `{PLAYERS[-1]}`, as in the drawing"
        raise _Wrong(Diagnostic("KB413", name.span, message, help))
    return PLAYERS.index(name.text)


def _offers(line: tree.Step, said: Lines, catalog: Catalog) -> None:
    match line:
        case tree.Step(operand=None, phrases=()):
            said.offers.append(Offers(False, line.span))
        case tree.Step(operand=tree.Name(text="none"), phrases=()):
            said.offers.append(Offers(True, line.span))
        case _:
            raise _wrong_form(line)


def _wins(line: tree.Step, said: Lines, catalog: Catalog) -> None:
    if not isinstance(line.operand, tree.Name) or line.phrases:
        raise _wrong_form(line)
    said.wins.append(Wins(_letter(line.operand), line.span))


_VERBS: dict[str, Callable[[tree.Step, Lines, Catalog], None]] = {
    "sectors": _sectors, "played": _played, "draws": _draws, "cards": _cards, "gives": _gives,
    "gains": _gains, "offers": _offers, "wins": _wins,
}  # fmt: skip
LINES = frozenset(_VERBS)
"""What a line of an example begins with, unless it is a number of the boxes."""
_USAGE = (
    "`sectors 2 by 3`", "`played` and a terrain", "`draws` and a terrain", "`cards` and a card",
    "`gives 5`", "`gives 5 to b`", "`gains 5`", "`offers`", "`offers none`", "`wins b`",
)  # fmt: skip
