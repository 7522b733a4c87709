"""Checks of the decision that is due: moves offered, rules to choose from, moves refused."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.game.moves import Move, MoveGroup
from kbrules.hex.masks import Mask, lowest
from kbrules.library.yaml import Loc
from kbrules.scenario.checks.context import CheckContext, comma_separated, move_of, refusal_labels
from kbrules.scenario.report import FindingWithBoard, hex_names

if TYPE_CHECKING:
    from kbrules.scenario.format.expectations import ExpectedStateModel, RefusedMoveModel


def check_offered(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the hexes that each rule offers."""
    board = context.game.board
    for action, offer in expect.offered.items():
        groups = _groups(context, action)
        actual = reduce(or_, (group.hexes for group in groups), 0)
        loc: Loc = ("offered", action)
        if offer in ("some", "none"):
            if bool(groups) != (offer == "some"):
                yield _presence_failure(context, loc, action, actual, is_offered=bool(groups))
        elif isinstance(offer, str):
            yield from _compare_hexes(context, loc, action, context.setup.marked, actual)
        elif isinstance(offer, tuple):
            yield from _compare_hexes(context, loc, action, board.mask(offer), actual)
        else:
            some, none = board.mask(offer.includes), board.mask(offer.excludes)
            yield from _compare_hexes(context, (*loc, "includes"), action, some, actual & some)
            yield from _compare_hexes(context, (*loc, "excludes"), action, 0, actual & none)


def _groups(context: CheckContext, action: str) -> list[MoveGroup]:
    """The groups of moves of an action: a rule, perhaps with a verb."""
    rule, _, verb = action.partition(" ")
    groups = context.game.legal_moves(context.state).groups
    return [g for g in groups if g.rule == rule and verb in ("", g.verb)]


def _presence_failure(
    context: CheckContext, loc: Loc, action: str, actual: Mask, is_offered: bool
) -> FindingWithBoard:
    if is_offered:
        moves = hex_names(context.game.board, actual) or "a move without a hex"
        message = f"{quoted(action)} offers {moves}, not nothing"
    else:
        message = f"{quoted(action)} offers nothing"
    labels = () if is_offered else _labels(context, action, -1)
    return context.failure(loc, message, context.comparison(0, actual), labels)


def _compare_hexes(
    context: CheckContext, loc: Loc, action: str, expected: Mask, actual: Mask
) -> Iterator[FindingWithBoard]:
    if expected == actual:
        return
    board, missing, surplus = context.game.board, expected & ~actual, actual & ~expected
    parts = [f"does not offer {hex_names(board, missing)}"] if missing else []
    parts += [f"also offers {hex_names(board, surplus)}"] if surplus else []
    message = f"{quoted(action)} {' and '.join(parts)}"
    labels = _labels(context, action, lowest(missing)) if missing else ()
    yield context.failure(loc, message, context.comparison(expected, actual), labels)


def _labels(context: CheckContext, action: str, hex: int) -> tuple[Label, ...]:
    """The sentences of the rules that refuse an action on a hex; without a hex, -1, at all."""
    rule, _, verb = action.partition(" ")
    groups = _groups(context, action)
    return context.refusal_labels(Move(verb or (groups[0].verb if groups else "build"), rule, hex))


def check_choices(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check the rules that offer anything, and the terrains to choose from."""
    if expect.choices is None:
        return
    groups = context.game.legal_moves(context.state).groups
    actual = {group.rule for group in groups if group.rule}
    if actual != set(expect.choices):
        offered, expected = comma_separated(sorted(actual)), comma_separated(expect.choices)
        message = f"{offered} can be chosen, not {expected}"
        yield context.failure(("choices",), message)


def check_refused(context: CheckContext, expect: ExpectedStateModel) -> Iterator[FindingWithBoard]:
    """Check that moves are illegal, for the reason given."""
    for index, entry in enumerate(expect.refused):
        if isinstance(entry, str):
            yield from _check_refused_move(context, entry, None, ("refused", index))
        else:
            yield from _check_refused_move(context, entry.move, entry, ("refused", index))


def _check_refused_move(
    context: CheckContext, text: str, expected: RefusedMoveModel | None, loc: Loc
) -> Iterator[FindingWithBoard]:
    at = loc if expected is None else (*loc, "move")
    move = move_of(context.game, context.state, text, context.where(*at))
    if isinstance(move, Diagnostic):
        yield move, ""
        return
    game = context.game
    if game.legal_moves(context.state).group_of(move) is not None:
        board = context.comparison(0, 1 << move.hex if move.hex >= 0 else 0)
        yield context.failure(at, f"{quoted(text)} is not refused", board)
    elif expected is not None:
        yield from _check_reason(context, move, expected, loc)


def _check_reason(
    context: CheckContext, move: Move, expected: RefusedMoveModel, loc: Loc
) -> Iterator[FindingWithBoard]:
    because, says = expected.because, expected.says
    refusal = context.game.explain(context.state, move)
    reasons = refusal.reasons
    if because:
        reasons = tuple(reason for reason in reasons if reason.rule == because)
    if any(says in reason.text for reason in reasons):
        return
    text = "; ".join(f"{reason.rule}: {reason.text}" for reason in refusal.reasons)
    at = (*loc, "says" if reasons else "because")
    yield context.failure(
        at, f"it is refused for another reason; {text}", "", refusal_labels(refusal)
    )
