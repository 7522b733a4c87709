"""What steps about scoring cards should change, in sets of cards."""

from __future__ import annotations

from typing import Any

from tests.primitives.ledger import Try

Arguments = dict[str, Any]


def some_card(t: Try) -> int:
    return t.random.choice(t.w.game.card_indexes or (0,))


def retire(t: Try) -> Arguments:
    which = some_card(t)
    t.now.beside.discard(which)
    t.now.retired.add(which)
    return {"which": which}


def bring(t: Try) -> Arguments:
    which = some_card(t)
    t.now.beside.discard(which)
    return {"which": which}


def substitute(t: Try) -> Arguments:
    which, other = some_card(t), some_card(t)
    in_play = {*t.w.game.card_indexes} - t.now.beside - t.now.retired
    if which in in_play and other in t.now.beside:
        t.now.beside = t.now.beside - {other} | {which}
    return {"which": which, "other": other}
