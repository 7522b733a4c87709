"""The whole program: the course of the game around the blocks, and what follows events."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from kbrules.compile.places import Places
from kbrules.compile.running import NAME
from kbrules.compile.whole.around import Around, placed, rule_of, usual
from kbrules.compile.whole.blocks import Writer
from kbrules.compile.whole.following import told_by
from kbrules.compile.whole.manners import CALL, Manner
from kbrules.compile.whole.plan import Begin, Plan
from kbrules.compile.whole.scribe import Names, Scribe
from kbrules.compile.whole.unread import unread
from kbrules.lang.core import Step, walk_blocks


@dataclass(frozen=True, slots=True)
class Written:
    """A program: its text, the values it names, and the nodes whose values a board decides.

    places: where in the rules its lines come from.
    It is one function, which takes what is fixed at a table by the names of `takes` and makes the
    function that plays, and by the word for an event what follows it. What is fixed stands in
    cells: they are read as fast at the next table, which names of a module are not.
    """

    text: str
    takes: tuple[str, ...]
    known: Mapping[str, Any]
    of_board: Mapping[str, Any]
    places: Places


def written(plan: Plan, manner: Manner, usual: Collection[str]) -> Written:
    """The program of a plan, in one of the manners of deciding.

    usual: the names by which it may call what is the same for all programs.
    """
    names = Names()
    writer = Writer(plan, names, manner)
    blocks = [b for begin in _begins(plan) for b in walk_blocks(begin.block)]
    steps = [step for block in blocks for step in block.steps if isinstance(step, Step)]
    follows = [f for each in plan.follows.values() for f in each]
    inner = [b for f in follows for b in walk_blocks(f.block)]
    steps += [step for block in inner for step in block.steps if isinstance(step, Step)]
    plan.kept["ends"] = any(step.name == "end_game" for step in steps)
    plan.kept["reuses"] = any(plan.asked(step).word.is_reuse for step in steps)
    for event in plan.follows:
        told_by(writer, event)
    main = _main(writer)
    lists = [f"{name} = {{{_pairs(texts)}}}\n" for name, texts in writer.lists.items()]
    last = f"{''.join(lists)}return play, {{{_pairs(writer.told)}}}\n"
    texts = unread([*writer.texts, main])
    texts = manner.settled(texts, writer.begun)
    body = indent("\n".join([*texts, last]), "    ")
    all_names = {*usual, *names.known, *names.of_board}
    takes = tuple(sorted(all_names & set(_NAMED.findall(body))))
    text, places = names.marks.taken_out([f"def {NAME}({', '.join(takes)}):\n{body}"])
    return Written(text, takes, names.known, names.of_board, places)


_NAMED = re.compile(r"(?<![.\w])[A-Za-z]\w*")


def _pairs(texts: Mapping[Any, str]) -> str:
    return ", ".join(f"{key!r}: {text}" for key, text in texts.items())


def _begins(plan: Plan) -> list[Begin]:
    phases = [begin for begin, _ in (*plan.setup, *plan.finish)]
    tiles = [offer for offers in plan.tile_offers.values() for offer in offers]
    return [*phases, *plan.turn, *plan.offers, *tiles, *plan.standings, *plan.draws]


def _main(writer: Writer) -> str:
    """The course of the game."""
    scribe, plan = Scribe(writer.plan, writer.names, writer.manner), writer.plan
    _list(writer, scribe, "setup", plan.setup)
    scribe.line("turn = 0")
    with scribe.under("while True:"):
        _turn(writer, scribe)
        with scribe.under(f"if player == {plan.players - 1}:"):
            scribe.line(f"if t.ending or turn >= {plan.most_turns}: break")
        scribe.line("turn += 1")
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


def _turn(writer: Writer, scribe: Scribe) -> None:
    plan = writer.plan
    scribe.line(f"player = turn % {plan.players}")
    scribe.line("t.stage = ('turn', turn)")
    scribe.line("t.firings = 0")
    scribe.line("t.turns = turn + 1")
    guards = [begin for begin in plan.turn if begin.guard is not None]
    for index, begin in enumerate(guards):
        scribe.line(f"g{index} = {_guard(writer, begin)}(t, player)")
    scribe.line("t.active, t.used = player, ()")
    scribe.line("t.revealed = -1")
    if plan.forgotten:
        with scribe.under("for seat in t.seats:"):
            scribe.line("memory = seat.memory")
            scribe.line(f"{' = '.join(f'memory[{slot}]' for slot in plan.forgotten)} = 0")
    _event(writer, scribe, "turn_start")
    if len(plan.turn) == 1 and not guards:
        _here(writer, scribe, plan.turn[0])
    else:
        _one_by_one(writer, scribe, guards)
    if told_by(writer, "turn_end"):
        scribe.line("t.stage = ('turn over', turn)")
    _event(writer, scribe, "turn_end")


def _here(writer: Writer, scribe: Scribe, begin: Begin) -> None:
    """The only thing that a turn is made of."""
    scribe.line("me = player")
    start = len(scribe.lines)
    writer.block(scribe, begin.block, Around(rule_of(begin.block), active=True))
    indent = "    " * scribe._depth
    scribe.lines[start:start] = usual(scribe.lines[start:], scribe.repeating, indent)


def _one_by_one(writer: Writer, scribe: Scribe, guards: list[Begin]) -> None:
    """What a turn is made of; the local `g0` and so on say whether those with guards are."""
    for begin in writer.plan.turn:
        name = writer.of_block(begin.block, Around(rule_of(begin.block), active=True))
        test = f"if g{guards.index(begin)}: " if begin in guards else ""
        scribe.line(f"{test}{CALL}{name}(t, player)")


def _event(writer: Writer, scribe: Scribe, event: str) -> None:
    told = told_by(writer, event)
    if told:
        scribe.line(f"{told}(t, player, 0, 0, False)")
        writer.tell(scribe, Around(""))
