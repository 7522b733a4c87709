"""The report of a comparison: what differs, the smallest boards that show it, and the gold."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from kbrules.scenario.setup.resolver import PLAYERS
from kbrules.tools.checking.comparison.comparison import Comparison
from kbrules.tools.checking.comparison.differences import EFFECT, OFFERED
from kbrules.tools.checking.comparison.gold_changes import GoldChange
from kbrules.tools.checking.comparison.minimal_examples import MinimalExample
from kbrules.tools.reports.report import Lines, Report, Style

__all__ = ["comparison_report"]


def comparison_report(comparison: Comparison) -> Report:
    """The report for people and programs."""
    lines = (*_declared(comparison), *_offered(comparison), *_paid(comparison))
    boards = [_board(number, shown) for number, shown in enumerate(comparison.boards, 1)]
    title = f"{comparison.old} and {comparison.new}: what differs"
    return Report(title, (Lines(lines), *boards), _data(comparison), lines)


def _declared(comparison: Comparison) -> Iterator[str]:
    what = comparison.what
    if what.is_empty:
        yield "the rules mean the same (exact): only text differs, if anything"
        return
    yield from (f"changed: {name}" for name in what.changed)
    yield from (f"only in {comparison.new}: {name}" for name in what.added)
    yield from (f"only in {comparison.old}: {name}" for name in what.removed)
    if what.things:
        yield "what the boxes contain differs, too"


def _offered(comparison: Comparison) -> Iterator[str]:
    found = comparison.found
    if not found.looked:
        return
    looked = found.looked - found.skipped
    for (kind, about, verb), count in found.counts.most_common():
        what = {OFFERED: "what is offered", EFFECT: "what comes of it"}.get(kind, "gold")
        of = f"`{about}: {verb}`" if verb else f"`{about}`"
        yield f"{of}: {what} differs on {count} of {looked} positions"
    if not looked:
        yield "no position can be laid out by both: nothing was compared"
    elif not found.counts:
        yield f"no difference in what is offered, done or paid (sampled {looked})"
    if found.skipped:
        yield f"{found.skipped} positions cannot be laid out by both and were left out"


def _paid(comparison: Comparison) -> Iterator[str]:
    for each in comparison.gold:
        before, after = each.spread
        sure = f"95 % within {each.margin:.2f} " if each.margin < inf else ""
        games = f"{comparison.games} {'games' if comparison.games != 1 else 'game'} under each"
        yield f"gold, {each.about}: {each.change:+.2f} a player on average, {sure}({games})"
        yield f"    before {_spread(before)}    now {_spread(after)}"


def _data(comparison: Comparison) -> dict[str, Any]:
    what, found = comparison.what, comparison.found
    return {
        "old": comparison.old,
        "new": comparison.new,
        "seed": comparison.seed,
        "changed": list(what.changed),
        "added": list(what.added),
        "removed": list(what.removed),
        "things_differ": what.things,
        "is_exact": what.is_empty,
        "positions": found.looked - found.skipped,
        "skipped": found.skipped,
        "differences": [_counted(*key, count) for key, count in found.counts.most_common()],
        "boards": [_shown(each) for each in comparison.boards],
        "games": comparison.games,
        "gold": [_gold(each) for each in comparison.gold],
    }


def _counted(kind: str, about: str, verb: str, count: int) -> dict[str, str | int]:
    return {"kind": kind, "about": about, "verb": verb, "positions": count}


def _shown(shown: MinimalExample) -> dict[str, Any]:
    difference = shown.difference
    return {
        "kind": difference.kind,
        "about": difference.about,
        "before": difference.before,
        "after": difference.after,
        "moves": list(shown.moves),
        "picture": shown.picture,
        "scenario": shown.scenario,
    }


def _gold(gold: GoldChange) -> dict[str, Any]:
    return {
        "about": gold.about,
        "change": round(gold.change, 4),
        "margin": round(gold.margin, 4) if gold.margin < inf else None,
        "before": list(gold.before),
        "after": list(gold.after),
    }


def _spread(five: tuple[int, ...]) -> str:
    least, *inner, most = five
    return f"{least} .. [{' '.join(map(str, inner))}] .. {most}"


def _board(number: int, shown: MinimalExample) -> Lines:
    difference = shown.difference
    who = f" for {PLAYERS[difference.player]}" if difference.player >= 0 else ""
    of = f"`{difference.about}: {difference.verb}`" if difference.verb else f"`{difference.about}`"
    head = f"{number}. {of}{who}: before {difference.before}, now {difference.after}"
    moves = [f"after {', '.join(f'`{move}`' for move in shown.moves)}"] if shown.moves else []
    return Lines((head, *moves, *shown.picture.split("\n")), (Style.strong,))
