"""Rules of all files joined: replacements carried out, entries and rules matched by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kbrules.diagnostics import Diagnostic, Label, suggest
from kbrules.game.things import Catalog
from kbrules.lang.core import Rule
from kbrules.library.tables import Parts
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.text import Span


def compose(
    rules: Sequence[Rule], catalog: Catalog, parts: Parts
) -> tuple[tuple[Rule, ...], list[Diagnostic]]:
    """The rules in force, ordered by kind and name, and what does not fit together."""
    findings: list[Diagnostic] = []
    replaced = _replacements(rules, findings)
    kept = [rule for rule in rules if rule.replaces is not None or _key(rule) not in replaced]
    findings += _unmatched(kept, catalog, parts)
    return tuple(sorted(kept, key=_key)), findings


def _key(rule: Rule) -> tuple[str, str]:
    return rule.kind, rule.id


def _replacements(
    rules: Sequence[Rule], findings: list[Diagnostic]
) -> dict[tuple[str, str], Rule]:
    """What each replacing rule replaces; two that replace the same are a conflict."""
    plain = {_key(rule) for rule in rules if rule.replaces is None}
    found: dict[tuple[str, str], Rule] = {}
    for rule in rules:
        if rule.replaces is None:
            continue
        target = (rule.kind, rule.replaces)
        if target not in plain:
            names = [name for kind, name in plain if kind == rule.kind]
            near = suggest(rule.replaces, sorted(names))
            help_ = f"did you mean `{near}`?" if near else "there is nothing to replace"
            message = f"there is no {rule.kind} `{rule.replaces}` to replace"
            findings.append(Diagnostic("KB302", rule.span, message, help_))
        elif target in found:
            labels = (Label(found[target].span, "replaced here first"),)
            message = f"two rules replace the {rule.kind} `{rule.replaces}`"
            findings.append(Diagnostic("KB301", rule.span, message, "keep one of them", labels))
        found.setdefault(target, rule)
    return found


def _unmatched(
    rules: Sequence[Rule], catalog: Catalog, parts: Parts
) -> Iterator[Diagnostic]:
    tiles = {tile.id: tile.kind for tile in catalog.tiles}
    declared = {rule.id: rule for rule in rules if rule.kind in TILE_KINDS | CARD_KINDS}
    for rule in declared.values():
        known = rule.id in (tiles if rule.kind in TILE_KINDS else catalog.cards)
        if not known:
            table = "tiles" if rule.kind in TILE_KINDS else "cards"
            help_ = f"enter `{rule.id}` under `{table}:` in the box's YAML file"
            message = f"the {rule.kind} `{rule.id}` is in no box"
            yield Diagnostic("KB410", rule.span, message, help_)
        elif rule.kind in TILE_KINDS and tiles[rule.id] != rule.kind:
            message = f"`{rule.id}` is a {tiles[rule.id]} in its box, but a {rule.kind} here"
            yield Diagnostic("KB410", rule.span, message, "use the same word in both places")
    yield from _without_rule("tiles", tiles, declared, parts)
    yield from _without_rule("cards", catalog.cards, declared, parts)


def _without_rule(
    table: str, ids: Sequence[str] | dict[str, str], declared: dict[str, Rule], parts: Parts
) -> Iterator[Diagnostic]:
    for id in ids:
        if id not in declared:
            span = parts.spans.get((table, id), Span.none("the boxes"))
            kind = "location" if table == "tiles" else "card"
            help_ = f"declare it in a rule file: `{kind} {id}:`"
            yield Diagnostic("KB409", span, f"`{id}` has no rule", help_)
