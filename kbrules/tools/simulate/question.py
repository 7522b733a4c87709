"""The question that many games answer, as values and as text, and the command that repeats it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from shlex import join
from typing import Any, NamedTuple

from kbrules.engine.setup import RANDOM
from kbrules.library.boards.positions import OWNERS
from kbrules.text import visible

# The question that many games answer: by what rules, on which tables, by whom, from which seed.


@dataclass(frozen=True, slots=True)
class Side:
    """Rules and cards that the games are played with.

    boxes: ids of shipped ones. folders: an author's own. cards: those that lie on every table.
    options: rulings that differ from their defaults.
    """

    boxes: tuple[str, ...]
    folders: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    options: Mapping[str, bool | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where: the bots asked for together, turned on by so many seats."""

    party: str
    turned: int
    bots: tuple[str, ...]


class Deal(NamedTuple):
    """One draw of chance: its number from 0, the seed of its games, and that of its table."""

    number: int
    seed: int
    table: int


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that decides what the games of a simulation are; how many are played does not.

    sides: one, or two that are compared on the same tables, with the same cards beside their own
    and the same luck. parties: the bots that play each other, one for each seat; every deal is
    played by every party on every side, once for each way to turn them round the table. seed: of
    the first deal. per_table: how many deals in a row have the same table.
    """

    sides: tuple[Side, ...]
    players: int
    parties: tuple[tuple[str, ...], ...]
    seed: int = 0
    setup: str = RANDOM
    grids: Mapping[str, str] = field(default_factory=dict)
    per_table: int = 1

    def deal(self, number: int) -> Deal:
        """The deal of a number. That of seed 7 is the game of `kbrules play --seed 7`."""
        first = number - number % self.per_table
        return Deal(number, self.seed + number, self.seed + first)

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """All ways in which a deal is played: each party, turned until it would repeat itself."""
        return tuple(
            Seating(party_name(bots), turned, bots[turned:] + bots[:turned])
            for bots in self.parties
            for turned in range(_ways(bots))
        )

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @property
    def is_possible(self) -> bool:
        """Whether tables can be laid for it: of one read in a file, nobody knows."""
        seats = {len(bots) for bots in self.parties}
        is_even = seats == {self.players} and 0 < self.players <= len(OWNERS)
        return is_even and 0 < len(self.sides) <= 2 and self.per_table > 0


def party_name(bots: tuple[str, ...]) -> str:
    """What a party is called: the bot, or the bots one by one if they differ."""
    return bots[0] if len({*bots}) == 1 else ",".join(bots)


def _ways(bots: tuple[str, ...]) -> int:
    """How many turns round the table seat a party in different ways."""
    return len({bots[turned:] + bots[:turned] for turned in range(len(bots))})


# A question as text, and the command that repeats it.


def simulate_command(question: Question, deals: int, until: float = 0.0) -> str:
    """The command that gives the same figures again.

    until: how well the run had to know; it looks where the first one did, with the same intervals.
    """
    words = ["kbrules", "simulate", *_side(question.sides[-1])]
    if len(question.sides) > 1:
        words += _comparison(*question.sides)
    words += ["--players", str(question.players)]
    for party in question.parties:
        words += ["--bots", party[0] if len({*party}) == 1 else ",".join(party)]
    words += _deals(question, deals)
    return visible(join([*words, *(["--until", repr(until)] if until else [])]))


def ladder_command(question: Question, deals: int, bots: Sequence[str]) -> str:
    """The command that has these bots play each other again."""
    words = ["kbrules", "ladder", ",".join(bots), *_side(question.sides[-1])]
    return visible(join([*words, *_deals(question, deals)]))


def _deals(question: Question, deals: int) -> list[str]:
    """Where, and from which seed how many."""
    words = ["--setup", question.setup] if question.setup != RANDOM else []
    words += [w for g, s in question.grids.items() for w in ("--grid", f"{g}={s}")]
    words += ["--games-per-table", str(question.per_table)] if question.per_table > 1 else []
    return [*words, "--seed", str(question.seed), "--games", str(deals)]


def _side(side: Side) -> Iterator[str]:
    yield from _with("--with", side)
    for card in side.cards:
        yield from ("--card", card)
    for name, value in side.options.items():
        yield from ("--option", ruling_text(name, value))


def _with(option: str, side: Side) -> Iterator[str]:
    if side.boxes:
        yield from (option, ",".join(side.boxes))
    for folder in side.folders:
        yield from (option, folder)


def _comparison(before: Side, after: Side) -> Iterator[str]:
    """What is asked for beside the second side, so that the first is what it was."""
    if (before.boxes, before.folders) != (after.boxes, after.folders):
        yield from _with("--against", before)
    if before.cards != after.cards:
        yield from ("--without",) if not before.cards else ()
        yield from (word for card in before.cards for word in ("--against-card", card))
    for name, value in _other_rulings(before, after):
        yield from ("--against-option", ruling_text(name, value))


def _other_rulings(before: Side, after: Side) -> list[tuple[str, bool | int]]:
    """The rulings of the first side that are not those of the second."""
    return [each for each in before.options.items() if each not in after.options.items()]


def ruling_text(name: str, value: bool | int) -> str:
    """A ruling as it is asked for."""
    value_text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    return f"{name}={value_text}"


def side_names(question: Question, titles: Mapping[str, str]) -> tuple[str, ...]:
    """What each side is called where they are compared; nothing if there is only one."""
    if len(question.sides) == 1:
        return ("",)
    before, after = question.sides
    if before.cards != after.cards:
        return _names_by_cards(before, after, titles)
    if (before.boxes, before.folders) != (after.boxes, after.folders):
        names = [" + ".join([*side.boxes, *side.folders]) for side in question.sides]
        return tuple(names)
    rulings = ", ".join(ruling_text(*each) for each in _other_rulings(before, after))
    return (rulings or "the one", "as asked" if rulings else "the other")


def _names_by_cards(before: Side, after: Side, titles: Mapping[str, str]) -> tuple[str, ...]:
    removed, added = (
        " and ".join(titles.get(card, card) for card in one.cards if card not in other.cards)
        for one, other in ((before, after), (after, before))
    )
    if removed and added:
        return removed, added
    card = added or removed
    names = f"without {card}", f"with {card}"
    return names if added else names[::-1]
