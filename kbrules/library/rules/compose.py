"""Rules of all files joined: replacements carried out, entries and rules matched by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from kbrules.diagnostics import Diagnostic, Label, did_you_mean, suggest
from kbrules.game.catalog import Catalog
from kbrules.lang.typed.core import Norm, Rule, Win
from kbrules.library.boards.tables import BoardParts
from kbrules.primitives.vocabulary import CARD_KINDS, KINDS, TILE_KINDS
from kbrules.text import Span

MAX_NORMS = 100
"""Norms of all rules that are loaded together; those of all boxes have 16."""


def compose(
    rules: Sequence[Rule],
    catalog: Catalog,
    parts: BoardParts,
    silent: Set[str] | None = frozenset(),
) -> tuple[tuple[Rule, ...], list[Diagnostic]]:
    """The rules in force, ordered by kind and name, and what does not fit together.

    `silent` names may have an entry or a rule that could not be read; None if any may.
    """
    findings: list[Diagnostic] = []
    replaced = _replacements(rules, findings)
    remaining = [rule for rule in rules if rule.replaces is not None or _key(rule) not in replaced]
    findings += _too_many([norm for rule in remaining for norm in rule.norms])
    findings += _contested([win for rule in remaining for win in rule.wins])
    if silent is not None:
        findings += _Matching(remaining, catalog, parts, silent).findings()
    return tuple(sorted(remaining, key=_key)), findings


def _too_many(norms: Sequence[Norm]) -> list[Diagnostic]:
    """The first norm above the limit: each step is judged by all norms about its verb."""
    if len(norms) <= MAX_NORMS:
        return []
    help_ = f"all rules together have at most {MAX_NORMS} norms; join sets by `|` or `&`"
    span = norms[MAX_NORMS].span
    return [Diagnostic("KB303", span, "this could take too long", help_)]


def _key(rule: Rule) -> tuple[str, str]:
    return rule.kind, rule.id


def _replacements(rules: Sequence[Rule], findings: list[Diagnostic]) -> dict[tuple[str, str], Rule]:
    """What each replacing rule replaces; two that replace the same are a conflict."""
    plain = {_key(rule) for rule in rules if rule.replaces is None}
    found: dict[tuple[str, str], Rule] = {}
    for rule in rules:
        if rule.replaces is None:
            continue
        target = (rule.kind, rule.replaces)
        if target not in plain:
            names = [name for kind, name in plain if kind == rule.kind]
            help_ = did_you_mean(rule.replaces, names, "there is nothing to replace")
            message = f"there is no {rule.kind} `{rule.replaces}` to replace"
            findings.append(Diagnostic("KB302", _replaced(rule), message, help_))
        elif target in found:
            labels = (Label(_replaced(found[target]), "replaced here first"),)
            message = f"two rules replace the {rule.kind} `{rule.replaces}`"
            findings.append(Diagnostic("KB301", _replaced(rule), message, "keep one", labels))
        found.setdefault(target, rule)
    return found


def _replaced(rule: Rule) -> Span:
    """The name behind `replaces` in the heading of a rule."""
    source, end, name = rule.span.source, rule.span.end, str(rule.replaces)
    at = source.whole_text.rfind(name, end, source.whole_text.find("\n", end))
    return source.span(at, at + len(name)) if at >= 0 else rule.span


def _contested(wins: Sequence[Win]) -> Iterator[Diagnostic]:
    """More than one answer to who wins: none can be preferred."""
    for win in wins[1:]:
        labels = (Label(wins[0].span, "said here too"),)
        help_ = "keep one, or let its rule replace the other's"
        yield Diagnostic("KB304", win.span, "two rules say who wins", help_, labels)


def _table_of(kind: str) -> str:
    """The key of a box under which things of a kind of rule are listed."""
    return "tiles" if kind not in CARD_KINDS else f"{kind}s"


class _Matching:
    """Things that a box lists, and the rules that say what they do."""

    def __init__(
        self, rules: Sequence[Rule], catalog: Catalog, parts: BoardParts, silent: Set[str]
    ) -> None:
        self._parts = parts
        self._silent = silent
        self._tiles = {tile.id: tile.kind for tile in catalog.tiles}
        self._cards = {id: "task" if id in catalog.tasks else "card" for id in catalog.cards}
        self._declared = [rule for rule in rules if rule.kind in TILE_KINDS | CARD_KINDS]
        # A rule of no known kind has been reported; it may be the one that is missing.
        self._known = {rule.id for rule in self._declared} | silent
        self._known |= {rule.id for rule in rules if rule.kind not in KINDS}

    def findings(self) -> Iterator[Diagnostic]:
        """Rules without an entry, then entries without a rule; a slip in a name is one mistake."""
        meant: dict[str, Rule] = {}
        for rule in self._declared:
            if rule.id in self._silent or rule.id in self._entries(rule):
                yield from self._of_other_kind(rule)
                continue
            near = suggest(rule.id, self._without_rule(self._entries(rule)))
            if near is None or meant.setdefault(near, rule) is not rule:
                yield self._no_entry(rule)
        for id, kind in {**self._tiles, **self._cards}.items():
            if id in meant:
                yield self._misspelt(id, kind, meant[id])
            elif id not in self._known:
                yield self._no_rule(id, kind)

    def _entries(self, rule: Rule) -> Mapping[str, str]:
        """The things a rule of such a kind may belong to, and the kind each has in its box."""
        return self._tiles if rule.kind in TILE_KINDS else self._cards

    def _without_rule(self, ids: Iterable[str]) -> list[str]:
        return [id for id in ids if id not in self._known]

    def _of_other_kind(self, rule: Rule) -> Iterator[Diagnostic]:
        kind = self._entries(rule).get(rule.id, rule.kind)
        if kind != rule.kind:
            message = f"`{rule.id}` is a {kind} in its box, but a {rule.kind} here"
            yield Diagnostic("KB410", rule.span, message, "use the same word in both places")

    def _no_entry(self, rule: Rule) -> Diagnostic:
        help_ = f"enter `{rule.id}` under `{_table_of(rule.kind)}:` in the box's YAML file"
        message = f"the {rule.kind} `{rule.id}` is in no box"
        return Diagnostic("KB410", rule.span, message, help_)

    def _misspelt(self, id: str, kind: str, rule: Rule) -> Diagnostic:
        """The finding about an entry without a rule, where the rule of a like name has no entry."""
        labels = (Label(rule.span, "this one is in no box"),)
        help_ = f"did you mean `{rule.id}`?"
        return Diagnostic("KB409", self._entry(id, kind), f"`{id}` has no rule", help_, labels)

    def _entry(self, id: str, kind: str) -> Span:
        return self._parts.spans.get((_table_of(kind), id), Span.none("the boxes"))

    def _no_rule(self, id: str, kind: str) -> Diagnostic:
        span = self._entry(id, kind)
        renamed = next((rule for rule in self._declared if rule.replaces == id), None)
        if renamed is not None:
            message = f"`{id}` has no rule: the one that replaces it has another name"
            labels = (Label(span, "listed here"),)
            help_ = f"say `{kind} {id} ... replaces {id}:`"
            return Diagnostic("KB409", _replaced(renamed), message, help_, labels)
        help_ = f"declare it in a rule file: `{kind} {id}:`"
        return Diagnostic("KB409", span, f"`{id}` has no rule", help_)
