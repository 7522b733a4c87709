"""The report of a comparison: what differs, the smallest boards that show it, and the gold."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from kbrules.scenario.names import PLAYERS
from kbrules.tools.checking.comparison.comparison import Comparison
from kbrules.tools.checking.comparison.differences import EFFECT, OFFERED
from kbrules.tools.checking.comparison.gold_changes import GoldChange
from kbrules.tools.checking.comparison.minimal_examples import MinimalExample
from kbrules.tools.reports.report import Lines, Report, Style


def comparison_report(comparison: Comparison) -> Report:
    """The report for people and programs."""
    lines = (*_change_lines(comparison), *_offer_lines(comparison), *_gold_lines(comparison))
    boards = [_board(number, example) for number, example in enumerate(comparison.boards, 1)]
    title = f"{comparison.old} and {comparison.new}: what differs"
    return Report(title, (Lines(lines), *boards), _data(comparison), lines)


def _change_lines(comparison: Comparison) -> Iterator[str]:
    changes = comparison.changes
    if changes.is_empty:
        yield "the rules mean the same (exact): only text differs, if anything"
        return
    yield from (f"changed: {name}" for name in changes.changed)
    yield from (f"only in {comparison.new}: {name}" for name in changes.added)
    yield from (f"only in {comparison.old}: {name}" for name in changes.removed)
    if changes.contents_differ:
        yield "what the boxes contain differs, too"


def _offer_lines(comparison: Comparison) -> Iterator[str]:
    search = comparison.search
    if not search.positions:
        return
    compared = search.positions - search.skipped
    for (kind, about, verb), count in search.counts.most_common():
        effect = {OFFERED: "what is offered", EFFECT: "what comes of it"}.get(kind, "gold")
        offer = f"`{about}: {verb}`" if verb else f"`{about}`"
        yield f"{offer}: {effect} differs on {count} of {compared} positions"
    if not compared:
        yield "no position can be laid out by both: nothing was compared"
    elif not search.counts:
        yield f"no difference in what is offered, done or paid (sampled {compared})"
    if search.skipped:
        yield f"{search.skipped} positions cannot be laid out by both and were left out"


def _gold_lines(comparison: Comparison) -> Iterator[str]:
    for each in comparison.gold:
        before, after = each.spread
        interval = f"95 % within {each.margin:.2f} " if each.margin < inf else ""
        games = f"{comparison.games} {'games' if comparison.games != 1 else 'game'} under each"
        yield f"gold, {each.about}: {each.change:+.2f} a player on average, {interval}({games})"
        yield f"    before {_spread_text(before)}    now {_spread_text(after)}"


def _data(comparison: Comparison) -> dict[str, Any]:
    changes, search = comparison.changes, comparison.search
    return {
        "old": comparison.old,
        "new": comparison.new,
        "seed": comparison.seed,
        "changed": list(changes.changed),
        "added": list(changes.added),
        "removed": list(changes.removed),
        "things_differ": changes.contents_differ,
        "is_exact": changes.is_empty,
        "positions": search.positions - search.skipped,
        "skipped": search.skipped,
        "differences": [
            _difference_record(*key, count) for key, count in search.counts.most_common()
        ],
        "boards": [_example_record(each) for each in comparison.boards],
        "games": comparison.games,
        "gold": [_gold_record(each) for each in comparison.gold],
    }


def _difference_record(kind: str, about: str, verb: str, count: int) -> dict[str, str | int]:
    return {"kind": kind, "about": about, "verb": verb, "positions": count}


def _example_record(example: MinimalExample) -> dict[str, Any]:
    difference = example.difference
    return {
        "kind": difference.kind,
        "about": difference.about,
        "before": difference.before,
        "after": difference.after,
        "moves": list(example.moves),
        "picture": example.picture,
        "scenario": example.scenario,
    }


def _gold_record(gold: GoldChange) -> dict[str, Any]:
    return {
        "about": gold.about,
        "change": round(gold.change, 4),
        "margin": round(gold.margin, 4) if gold.margin < inf else None,
        "before": list(gold.before),
        "after": list(gold.after),
    }


def _spread_text(numbers: tuple[int, ...]) -> str:
    least, *inner, most = numbers
    return f"{least} .. [{' '.join(map(str, inner))}] .. {most}"


def _board(number: int, example: MinimalExample) -> Lines:
    difference = example.difference
    who = f" for {PLAYERS[difference.player]}" if difference.player >= 0 else ""
    offer = (
        f"`{difference.about}: {difference.verb}`" if difference.verb else f"`{difference.about}`"
    )
    head = f"{number}. {offer}{who}: before {difference.before}, now {difference.after}"
    moves = [f"after {', '.join(f'`{move}`' for move in example.moves)}"] if example.moves else []
    return Lines((head, *moves, *example.picture.split("\n")), (Style.strong,))
