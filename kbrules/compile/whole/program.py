"""The whole program: the course of the game around the blocks, and what follows events."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from kbrules.compile.places import Places
from kbrules.compile.running import NAME
from kbrules.compile.whole.around import Around, placed, rule_of, used_of_player
from kbrules.compile.whole.blocks import Writer
from kbrules.compile.whole.following import told_by
from kbrules.compile.whole.manners import CALL, Manner
from kbrules.compile.whole.plan import Begin, Plan
from kbrules.compile.whole.scribe import Names, Scribe
from kbrules.compile.whole.unread import read_later, unread, without
from kbrules.lang.core import Block, Step, walk_blocks


@dataclass(frozen=True, slots=True)
class Part:
    """A text of a program.

    It is one function, which takes what is fixed at a table and what other parts give, by the
    names of `takes`, and answers what the part is for and its functions, by the names of `gives`.
    What is fixed stands in cells: they are read as fast at the next table, which names of a
    module are not. places: where in the rules its lines come from.
    """

    text: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]
    places: Places


class Written:
    """A program: the part that plays, and one for what each kind of tile lets a player do.

    Those are written when a game first comes to them: no table has all.
    known: the values that it names. of_board: the nodes whose values a board decides, by name.
    """

    __slots__ = (
        "_asking",
        "_giving",
        "_manner",
        "_names",
        "_of_tiles",
        "_parted",
        "_unread",
        "_usual",
        "_writer",
        "known",
        "main",
        "of_board",
    )

    def __init__(self, plan: Plan, manner: Manner, usual: Collection[str]) -> None:
        self._names = Names()
        self._manner = manner
        self._usual = usual
        self._writer = Writer(plan, self._names, manner)
        self._of_tiles: dict[tuple[str, int], Part] = {}
        self._giving: dict[str, Part] = {}
        self._asking: set[str] = set()
        self._parted = 0
        self._unread: Sequence[str] = ()
        self.known: Mapping[str, Any] = self._names.known
        self.of_board: Mapping[str, Any] = self._names.of_board
        self.main = self._main()

    @property
    def lists(self) -> Mapping[str, Collection[int]]:
        """The names for what tiles offer that are taken, each with the kinds of tiles."""
        return self._writer.lists

    def giving(self, function: str) -> Part:
        """The part of which a function is."""
        return self._giving[function]

    def of_tile(self, name: str, kind: int) -> Part | None:
        """The part that answers what a kind of tile offers under a name, if it does anything."""
        write = self._writer.lists[name].get(kind)
        if write is None:
            return None
        found = self._of_tiles.get((name, kind))
        if found is None:
            found = self._of_tiles[name, kind] = self._part(write())
        return found

    def _main(self) -> Part:
        writer = self._writer
        doings = (doing for block in _blocks(writer.plan) for doing in block.steps)
        steps = [doing for doing in doings if isinstance(doing, Step)]
        kept = writer.plan.kept
        kept["ends"] = any(step.name == "end_game" for step in steps)
        turns = [doing for begin in writer.plan.turn for doing in begin.block.steps]
        offers = [step for step in steps if writer.plan.word(step).is_offers]
        kept["sole"] = len(offers) == 1 and any(offers[0] is doing for doing in turns)
        kept["reuses"] = any(writer.plan.word(step).is_reuse for step in steps)
        for event in writer.plan.follows:
            told_by(writer, event)
        writer.texts.append(_course(writer))
        self._unread = unread(writer.texts, read_later(writer.plan))
        return self._part(f"(play, {{{_pairs(writer.told)}}})")

    def _part(self, answer: str) -> Part:
        """What was written since the last part."""
        texts = without(self._writer.texts[self._parted :], self._unread)
        texts = self._manner.settled(texts, self._writer.begun, self._asking)
        self._parted = len(self._writer.texts)
        own = [name for text in texts for name in _DEFINED.findall(text)]
        last = f"return {answer}, [{', '.join(own)}]\n"
        body = indent("\n".join([*texts, last]), "    ")
        names = {*self._usual, *self.known, *self.of_board, *self.lists, *self._giving}
        takes = tuple(sorted(names & set(_NAMED.findall(body)) - {*own}))
        head = f"def {NAME}({', '.join(takes)}):"
        text, places = self._names.marks.taken_out([f"{head}\n{body}"])
        part = Part(text, takes, tuple(own), places)
        self._giving |= dict.fromkeys(own, part)
        return part


_NAMED = re.compile(r"(?<![.\w])[A-Za-z]\w*")
_DEFINED = re.compile(r"^def (\w+)\(", re.MULTILINE)


def _pairs(texts: Mapping[Any, str]) -> str:
    return ", ".join(f"{key!r}: {text}" for key, text in texts.items())


def _begins(plan: Plan) -> list[Begin]:
    phases = [begin for begin, _ in (*plan.setup, *plan.finish)]
    tiles = [offer for offers in plan.tile_offers.values() for offer in offers]
    return [*phases, *plan.turn, *plan.offers, *tiles, *plan.standings, *plan.draws]


def _blocks(plan: Plan) -> Iterator[Block]:
    """Every block that may be come to."""
    follows = [follow.block for each in plan.follows.values() for follow in each]
    for block in (*(begin.block for begin in _begins(plan)), *follows):
        yield from walk_blocks(block)


def _course(writer: Writer) -> str:
    """The course of the game."""
    scribe, plan = Scribe(writer.plan, writer.names, writer.manner), writer.plan
    _list(writer, scribe, "setup", plan.setup)
    scribe.line("turn = -1")
    with scribe.under("while True:"):
        _round(writer, scribe)
        scribe.line(f"if t.ending or turn >= {plan.most_turns}: break")
    scribe.line("t.stage = ('finish', 0)")
    _list(writer, scribe, "finish", plan.finish)
    scribe.line("t.stage = ('over', 0)")
    return "\n".join(["def play(t):", *scribe.lines]) + "\n"


def _list(
    writer: Writer, scribe: Scribe, stage: str, phases: tuple[tuple[Begin, int], ...]
) -> None:
    for index, (begin, player) in enumerate(phases):
        scribe.line(f"t.stage = ({stage!r}, {index + 1})")
        scribe.line(f"t.active = {player}")
        _phase(writer, scribe, begin, str(player))


def _phase(writer: Writer, scribe: Scribe, begin: Begin, player: str) -> None:
    name = writer.of_block(begin.block, Around(rule_of(begin.block), active=True))
    if begin.guard is None:
        scribe.line(f"{CALL}{name}(t, {player})  # {placed(begin.block)}")
        return
    scribe.line(f"if {_guard(writer, begin)}(t, {player}): {CALL}{name}(t, {player})")


def _guard(writer: Writer, begin: Begin) -> str:
    def write(scribe: Scribe) -> None:
        assert begin.guard is not None
        scribe.share([begin.guard])
        scribe.line(f"return {scribe.text(begin.guard)}")

    return writer.function(("guard", begin.block.path), ", me", write)


def _round(writer: Writer, scribe: Scribe) -> None:
    """A turn of each player, with what is used of their part in local names."""
    start = len(scribe.lines)
    with scribe.within(scribe.depth + 1):
        _turn(writer, scribe)
    used = used_of_player(scribe.lines[start:], scribe.repeating)
    players = str(tuple(range(writer.plan.players)))
    lists = ", ".join([players, *(value.removesuffix("[me]") for value in used.values())])
    head = f"for {', '.join(['me', *used])} in {f'zip({lists})' if used else players}:"
    scribe.lines.insert(start, "    " * scribe.depth + head)


def _turn(writer: Writer, scribe: Scribe) -> None:
    plan = writer.plan
    scribe.line("turn += 1")
    scribe.line("t.turn = turn")
    scribe.line("t.stage = ('turn', turn)")
    scribe.line("t.firings = 0")
    guards = [begin for begin in plan.turn if begin.guard is not None]
    for index, begin in enumerate(guards):
        scribe.line(f"g{index} = {_guard(writer, begin)}(t, me)")
    scribe.line("t.active = me")
    scribe.line("t.used = ()")
    scribe.line("t.revealed = -1")
    if plan.forgotten:
        with scribe.under("for each in t.seats:"):
            scribe.line("memory = each.memory")
            scribe.line(f"{' = '.join(f'memory[{slot}]' for slot in plan.forgotten)} = 0")
    _event(writer, scribe, "turn_start")
    if len(plan.turn) == 1 and not guards:
        begin = plan.turn[0]
        writer.block(scribe, begin.block, Around(rule_of(begin.block), active=True))
    else:
        _one_by_one(writer, scribe, guards)
    if told_by(writer, "turn_end"):
        scribe.line("t.stage = ('turn over', turn)")
    _event(writer, scribe, "turn_end")


def _one_by_one(writer: Writer, scribe: Scribe, guards: list[Begin]) -> None:
    """What a turn is made of; the local `g0` and so on say whether those with guards are."""
    for begin in writer.plan.turn:
        name = writer.of_block(begin.block, Around(rule_of(begin.block), active=True))
        test = f"if g{guards.index(begin)}: " if begin in guards else ""
        scribe.line(f"{test}{CALL}{name}(t, me)")


def _event(writer: Writer, scribe: Scribe, event: str) -> None:
    told = told_by(writer, event)
    if told:
        scribe.line(f"{told}(t, me, 0, 0, False)")
        writer.tell(scribe, Around(""))
