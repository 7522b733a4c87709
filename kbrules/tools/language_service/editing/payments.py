"""The game in which a card paid most, as `kbrules balance` found, made into a scenario."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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
from kbrules.scenario.setup import RulesetCache
from kbrules.tools.balance.report import replay
from kbrules.tools.language_service.answers import CodeAction, Edits, Refused, edited
from kbrules.tools.language_service.editing.survivors import new_scenario
from kbrules.tools.language_service.showing.balances import StoredBalance, balances_in
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.shrinking import (
    PositionData,
    position_data,
    prepare_position,
    scenario_text,
    shrink,
)

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
