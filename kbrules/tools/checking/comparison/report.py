"""The report of a comparison: for people, in full or in a few lines, and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

from kbrules.engine.matches.match import Bot
from kbrules.scenario.setup.resolver import PLAYERS
from kbrules.tools.checking.comparison.differences import EFFECT, OFFERED
from kbrules.tools.checking.comparison.gold_changes import GoldChange, gold_changes
from kbrules.tools.checking.comparison.minimal_examples import MinimalExample, minimal_examples
from kbrules.tools.checking.comparison.rule_changes import RuleChanges, rule_changes
from kbrules.tools.checking.comparison.search import DifferenceSearch, find_differences
from kbrules.tools.checking.comparison.versions import RulesVersion

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Everything that was found out about two sets of rules."""

    old: str
    new: str
    seed: int
    what: RuleChanges
    found: DifferenceSearch
    boards: tuple[MinimalExample, ...]
    games: int
    gold: tuple[GoldChange, ...]

    @property
    def differs(self) -> bool:
        """Whether any difference was seen: in what the two contain, or in what they do.

        A declaration that only says the same otherwise is none.
        """
        what = self.what
        contain = what.added or what.removed or what.things
        paid = any(each.before != each.after for each in self.gold)
        return bool(contain or self.found.counts or paid)

    def lines(self) -> Iterator[str]:
        """All of it for people, without the boards."""
        yield from self._declared()
        yield from self._counted()
        yield from self._paid()

    def _declared(self) -> Iterator[str]:
        what = self.what
        if what.is_empty:
            yield "the rules mean the same (exact): only text differs, if anything"
            return
        yield from (f"changed: {name}" for name in what.changed)
        yield from (f"only in {self.new}: {name}" for name in what.added)
        yield from (f"only in {self.old}: {name}" for name in what.removed)
        if what.things:
            yield "what the boxes contain differs, too"

    def _counted(self) -> Iterator[str]:
        found = self.found
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

    def _paid(self) -> Iterator[str]:
        for each in self.gold:
            before, after = each.spread
            sure = f"95 % within {each.margin:.2f} " if each.margin < inf else ""
            games = f"{self.games} {'games' if self.games != 1 else 'game'} under each"
            yield f"gold, {each.about}: {each.change:+.2f} a player on average, {sure}({games})"
            yield f"    before {_spread(before)}    now {_spread(after)}"

    def text(self) -> str:
        """All of it for people."""
        parts = ["\n".join(self.lines())]
        parts += [_board(number, shown) for number, shown in enumerate(self.boards, 1)]
        return "\n\n".join(parts)

    def json(self) -> str:
        """All of it for programs."""
        what, found = self.what, self.found
        data = {
            "old": self.old,
            "new": self.new,
            "seed": self.seed,
            "changed": list(what.changed),
            "added": list(what.added),
            "removed": list(what.removed),
            "things_differ": what.things,
            "is_exact": what.is_empty,
            "positions": found.looked - found.skipped,
            "skipped": found.skipped,
            "differences": [_counted(*key, count) for key, count in found.counts.most_common()],
            "boards": [_shown(each) for each in self.boards],
            "games": self.games,
            "gold": [_gold(each) for each in self.gold],
        }
        return json.dumps(data, indent=2)


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


def _board(number: int, shown: MinimalExample) -> str:
    difference = shown.difference
    who = f" for {PLAYERS[difference.player]}" if difference.player >= 0 else ""
    of = f"`{difference.about}: {difference.verb}`" if difference.verb else f"`{difference.about}`"
    head = f"{number}. {of}{who}: before {difference.before}, now {difference.after}"
    moves = [f"after {', '.join(f'`{move}`' for move in shown.moves)}"] if shown.moves else []
    return "\n".join([head, *moves, shown.picture])


def compare(
    old: RulesVersion, new: RulesVersion, positions: int, games: int, seed: int, bot: Bot
) -> Comparison:
    """Two sets of rules compared on so many positions and games."""
    what = rule_changes(old.ruleset, new.ruleset)
    if what.is_empty:
        return Comparison(old.name, new.name, seed, what, DifferenceSearch(), (), 0, ())
    found = find_differences(old, new, what, positions, seed)
    boards = tuple(minimal_examples(found, old, new))
    played, paid = gold_changes(old, new, what, games, seed, bot) if games else (0, [])
    return Comparison(old.name, new.name, seed, what, found, boards, played, tuple(paid))
