"""Scenarios written from reports: of faults that no test notices, and of games of a balance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Edit
from kbrules.engine.game import Game
from kbrules.engine.setup import SetupError
from kbrules.game.state import State
from kbrules.lang.syntax import tree
from kbrules.library.boxes.box import shipped_boxes
from kbrules.library.discovery import kind_of
from kbrules.library.load import check_all
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.vocabulary import CARD_KINDS
from kbrules.scenario.names import PLAYERS
from kbrules.scenario.reader import SUFFIX
from kbrules.scenario.setup import RulesetCache
from kbrules.text import Source, Span
from kbrules.tools.balance.report import replay
from kbrules.tools.language_service.answers import CodeAction, Edits, Refused, edited
from kbrules.tools.language_service.showing import StoredBalance, balances_in
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.mutation.faults import name_of
from kbrules.tools.shrinking import (
    PositionData,
    position_data,
    prepare_position,
    scenario_text,
    shrink,
)

# Faults that no test notices, from a report of `kbrules test --mutate`, made into scenarios.


_MOST_FILES, _MOST_BYTES = 20, 4_000_000
_LONGEST = 60  # characters of a fault in a title
_FACTS = ("in", "file", "was", "now", "reason", "scenario")


@dataclass(frozen=True, slots=True)
class _Survivor:
    """A fault: what a sentence of a declaration was and became, and a scenario that notices it."""

    declaration: str
    file: str
    was: str
    now: str
    scenario: str


def noticing_scenarios(
    workspace: Workspace, path: Path, start: int, end: int
) -> Iterator[CodeAction]:
    """For each fault in the sentences from `start` to `end`, the scenario that was found for it.

    Reports are JSON files beside the data file of the box. A fault counts as long as the sentence
    stands there, and no scenario of the box is the one that was found.
    """
    home = workspace.group(path).home
    reported = [] if home is None else _reported(home)
    survivors = [each for each in reported if each.file == path.name]
    declarations = workspace.rules(path).declarations if survivors else ()
    spans = {name_of(each): each.span for each in declarations}
    for each in (each for each in survivors if each.declaration in spans):
        place = _sentence(workspace.source(path), spans[each.declaration], each.was)
        is_here = place is not None and place.start <= end and start <= place.end
        if home is not None and is_here and not _is_written(workspace, path, each.scenario):
            yield _written(workspace, home, each)


def _sentence(source: Source, declaration: Span, text: str) -> Span | None:
    """Where a sentence stands in a declaration; None if it is not there any more."""
    start, end = declaration.source.written(declaration.start, declaration.end)
    at = source.text.find(text, start, end)
    return None if at < 0 else source.span(at, at + len(text))


def _is_written(workspace: Workspace, path: Path, scenario: str) -> bool:
    files = (each for each in workspace.related(path) if kind_of(each) == "scenario")
    return any(scenario.strip() in workspace.text(each) for each in files)


def _written(workspace: Workspace, home: Path, survivor: _Survivor) -> CodeAction:
    name = survivor.declaration.rpartition(" ")[2]
    now = survivor.now.partition("\n")[0] or "the sentence left out"
    now = now if len(now) <= _LONGEST else f"{now[: _LONGEST - 3]}..."
    title = f"Write a scenario that would notice `{now}`"
    return CodeAction(title, new_scenario(workspace, home, name, survivor.scenario))


def new_scenario(workspace: Workspace, home: Path, name: str, text: str) -> Edits:
    """The edit that makes a file of a scenario, under a name that no file has."""
    folder = home.absolute() / "scenarios"
    folder = folder if folder.is_dir() else home.absolute()
    files = (folder / f"{name}_{number}{SUFFIX}" for number in count(1))
    file = next(each for each in files if not workspace.files.is_there(each))
    return {file: (Edit(Source(str(file), "").span(0, 0), text),)}


# Reports


def _reported(home: Path) -> list[_Survivor]:
    """The survivors without a reason in the newest report of a folder that has any."""
    files = sorted(home.glob("*.json"), key=_changed, reverse=True)[:_MOST_FILES]
    read = (_read(file.absolute(), _changed(file)) for file in files)
    return [*next((found for found in read if found), ())]


def _changed(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=_MOST_FILES)
def _read(file: Path, changed: int) -> tuple[_Survivor, ...]:
    """What a file tells as it was changed last; nothing if it is no report."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            return ()
        data = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return ()
    entries = data.get("survivors") if isinstance(data, dict) else None
    return tuple(_survivors(entries)) if isinstance(entries, list) else ()


def _survivors(entries: list[Any]) -> Iterator[_Survivor]:
    for each in entries:
        facts = [each.get(name) if isinstance(each, dict) else None for name in _FACTS]
        words = [fact for fact in facts if isinstance(fact, str)]
        if len(words) == len(_FACTS):
            declaration, file, was, now, reason, scenario = words
            if was and scenario and not reason:
                yield _Survivor(declaration, Path(file).name, was, now, scenario)


# The game in which a card paid most, as `kbrules balance` found, made into a scenario.


SECONDS = 3.0
"""How long the position is made smaller."""


def payment_actions(workspace: Workspace, path: Path, start: int, end: int) -> Iterator[CodeAction]:
    """For each measured card from `start` to `end` the scenario that can be made of its games.

    The action has no edits: `payment_scenario` works them out, which takes seconds.
    """
    home = workspace.group(path).home
    if home is None or kind_of(path) != "rules":
        return
    balances = balances_in(home)
    for each in workspace.rules(path).declarations if balances else ():
        first, last = each.span.source.written(each.span.start, each.span.end)
        is_card = isinstance(each, tree.Rule) and each.kind.text in CARD_KINDS
        balance = balances.get(each.name.text) if is_card else None
        if balance is not None and balance.highest.gold > 0 and first <= end and start <= last:
            card, gold = each.name.text, balance.highest.gold
            title = f"Write a scenario in which `{card}` pays {gold}"
            yield CodeAction(title, {}, payment_of=card)


def payment_scenario(workspace: Workspace, path: Path, card: str) -> Edits:
    """The edit that makes a scenario of the final position in which a card paid most.

    The game is played again, and of its end only what the payment needs is left. Raises Refused
    if there is no such game, or no scenario that holds.
    """
    home = workspace.group(path).home
    balance = balances_in(home).get(card) if home is not None else None
    if home is None or balance is None:
        raise Refused(f"`{card}` was not measured; `kbrules balance` does so")
    ruleset = _measured_rules(workspace, balance)
    try:
        game, state = replay(ruleset, balance.question, balance.highest)
    except SetupError as error:
        raise Refused(str(error)) from None
    own = {box.id for box in workspace.loaded(path).boxes}
    boxes = [box for box in ruleset.boxes if box in shipped_boxes() and box not in own]
    text = _scenario(ruleset, game, state, balance, boxes)
    edits = new_scenario(workspace, home, card, text)
    if not _holds(workspace, edits):
        raise Refused("the end of the game cannot be laid out as a scenario")
    return edits


def _measured_rules(workspace: Workspace, balance: StoredBalance) -> Ruleset:
    question = balance.question
    folders = [Path(folder) for folder in question.folders]
    ruleset, _ = check_all(question.boxes, folders, files=workspace.files)
    if ruleset is None or ruleset.digest != balance.digest:
        raise Refused("the rules have changed since the card was measured; measure it again")
    return ruleset


def _scenario(
    ruleset: Ruleset, game: Game, state: State, balance: StoredBalance, boxes: list[str]
) -> str:
    card, player, cache = balance.question.card, balance.highest.player, RulesetCache(ruleset)
    gold = _gold(game, state, player, card)
    if gold <= 0:
        raise Refused(f"`{card}` paid while the game went on, which no final position shows")

    def pays_as_much(position: PositionData) -> bool:
        laid = prepare_position(position, cache)
        return laid is not None and _gold(laid.game, laid.state, player, card) == gold

    position = position_data(game, state, ruleset.parts.section_size)
    if pays_as_much(position):
        position = shrink(position, pays_as_much, SECONDS)
    title = f"`{card}` pays {gold}, as in the game of seed {balance.highest.seed}"
    return scenario_text(position, cache, title, {"gold": {PLAYERS[player]: {card: gold}}}, boxes)


def _gold(game: Game, state: State, player: int, card: str) -> int:
    """What a card pays a player at the end."""
    lines = game.score(state).lines[player]
    return next((line.gold for line in lines if line.rule == card), 0)


def _holds(workspace: Workspace, edits: Edits) -> bool:
    """Whether the scenarios of files that are to be made hold."""
    trial = workspace.trial()
    for path, of in edits.items():
        trial.open_text(path, edited(trial.source(path), of))
    results = [result for path in edits for result in trial.examples(path)]
    return bool(results) and all(result.holds for result in results)
