"""What a scenario expects of the decision that is due: what is offered, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.game.moves import Group, Move
from kbrules.hex.masks import Mask, lowest
from kbrules.library.document import Loc
from kbrules.scenario.moment import Failure, Moment, listed
from kbrules.scenario.moving import labels, read
from kbrules.scenario.pictures import named

if TYPE_CHECKING:
    from kbrules.scenario.expected import HoldsModel, RefusedModel

__all__ = ["choices", "offered", "refused"]


def _groups(moment: Moment, asked: str) -> list[Group]:
    """The groups of moves of a rule, perhaps of one verb only."""
    rule, _, verb = asked.partition(" ")
    groups = moment.setting.game.legal_moves(moment.state).groups
    return [g for g in groups if g.rule == rule and verb in ("", g.verb)]


def offered(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """The hexes each rule offers."""
    for asked, offer in expect.offered.items():
        groups = _groups(moment, asked)
        loc: Loc = ("offered", asked)
        if isinstance(offer, str) and offer != "marked":
            yield from _some_or_none(moment, groups, asked, offer)
        elif isinstance(offer, str):
            yield from _exactly(moment, groups, loc, asked, moment.setting.marked)
        elif isinstance(offer, tuple):
            board = moment.setting.game.board
            yield from _exactly(moment, groups, loc, asked, board.mask(offer))
        else:
            yield from _in_part(moment, groups, loc, asked, offer.includes, offer.excludes)


def _union(groups: list[Group]) -> Mask:
    found = 0
    for group in groups:
        found |= group.hexes
    return found


def _some_or_none(moment: Moment, groups: list[Group], asked: str, offer: str) -> Iterator[Failure]:
    if bool(groups) == (offer == "some"):
        return
    found = _union(groups)
    drawn = moment.drawn(0, found)
    if groups:
        what = named(moment.setting.game.board, found) or "a move without a hex"
        message = f"{quoted(asked)} offers {what}, not nothing"
    else:
        message = f"{quoted(asked)} offers nothing"
    yield moment.failure(("offered", asked), message, drawn, _against(moment, asked, -1))


def _exactly(
    moment: Moment, groups: list[Group], loc: Loc, asked: str, wanted: Mask
) -> Iterator[Failure]:
    found = _union(groups)
    if found == wanted:
        return
    yield _differs(moment, loc, asked, wanted & ~found, found & ~wanted, (wanted, found))


def _in_part(
    moment: Moment, groups: list[Group], loc: Loc, asked: str,
    includes: tuple[str, ...], excludes: tuple[str, ...],
) -> Iterator[Failure]:  # fmt: skip
    board, found = moment.setting.game.board, _union(groups)
    there, not_there = board.mask(includes), board.mask(excludes)
    if there & ~found:
        drawn = there, found & there
        yield _differs(moment, (*loc, "includes"), asked, there & ~found, 0, drawn)
    if not_there & found:
        drawn = 0, found & not_there
        yield _differs(moment, (*loc, "excludes"), asked, 0, found & not_there, drawn)


def _differs(
    moment: Moment, loc: Loc, asked: str, missing: Mask, surplus: Mask, drawn: tuple[Mask, Mask]
) -> Failure:
    board = moment.setting.game.board
    parts = [f"does not offer {named(board, missing)}"] if missing else []
    parts += [f"also offers {named(board, surplus)}"] if surplus else []
    picture = moment.drawn(*drawn)
    against = _against(moment, asked, lowest(missing)) if missing else ()
    message = f"{quoted(asked)} {' and '.join(parts)}"
    return moment.failure(loc, message, picture, against)


def _against(moment: Moment, asked: str, hex: int) -> tuple[Label, ...]:
    """The sentences of the rules that stand against a hex."""
    rule, _, verb = asked.partition(" ")
    groups = _groups(moment, asked)
    move = Move(verb or (groups[0].verb if groups else "build"), rule, hex)
    if hex < 0 and groups:
        return ()
    return moment.against(move)


def choices(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """The rules that offer anything, and the terrains to choose from."""
    if expect.choices is None:
        return
    groups = moment.setting.game.legal_moves(moment.state).groups
    found = {group.rule for group in groups if group.rule}
    if found != set(expect.choices):
        message = f"{listed(sorted(found))} can be chosen, not {listed(expect.choices)}"
        yield moment.failure(("choices",), message)


def refused(moment: Moment, expect: HoldsModel) -> Iterator[Failure]:
    """Moves that are against the rules, for the reason given."""
    for index, entry in enumerate(expect.refused):
        if isinstance(entry, str):
            yield from _refused(moment, entry, None, ("refused", index))
        else:
            yield from _refused(moment, entry.move, entry, ("refused", index))


def _refused(moment: Moment, text: str, wanted: RefusedModel | None, loc: Loc) -> Iterator[Failure]:
    at = loc if wanted is None else (*loc, "move")
    move = read(moment.setting, moment.state, text, moment.span(*at))
    if isinstance(move, Diagnostic):
        yield move, ""
        return
    game = moment.setting.game
    if game.legal_moves(moment.state).group_of(move) is not None:
        drawn = moment.drawn(0, 1 << move.hex if move.hex >= 0 else 0)
        yield moment.failure(at, f"{quoted(text)} is not refused", drawn)
    elif wanted is not None:
        yield from _because(moment, move, wanted, loc)


def _because(moment: Moment, move: Move, wanted: RefusedModel, loc: Loc) -> Iterator[Failure]:
    because, says = wanted.because, wanted.says
    refusal = moment.setting.game.explain(moment.state, move)
    reasons = refusal.reasons
    if because:
        reasons = tuple(reason for reason in reasons if reason.rule == because)
    if any(says in reason.text for reason in reasons):
        return
    said = "; ".join(f"{reason.rule}: {reason.text}" for reason in refusal.reasons)
    at = (*loc, "says" if reasons else "because")
    yield moment.failure(at, f"it is refused for another reason; {said}", "", labels(refusal))
