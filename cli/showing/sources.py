"""`kbrules show --source`: the code that a configuration becomes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from ..boxes import load_words
from ..games.table_options import parse_cards, player_count, setup_errors
from ..terminal.colours import wants_colour
from ..terminal.findings import exit_with

if TYPE_CHECKING:
    from kbrules.engine.setup import TableSetup
    from kbrules.lang.typed import Rule
    from kbrules.library.ruleset import Ruleset

_SEED = 1


def show_sources(
    named: Sequence[str], words: Sequence[str], players: int | None, cards: Sequence[str]
) -> None:
    """Print what is generated for a table, or what of it comes from a rule.

    named: the rule, its kind before it or not; nothing for all. words: as `--with` takes them.
    """
    from kbrules.tools.show import source_texts

    ruleset = load_words(words)
    rule = _rule(ruleset, named) if named else None
    table_cards = [*cards, *([rule.id] if rule and rule.id in ruleset.catalog.cards else ())]
    is_first = True
    for text in source_texts(
        ruleset, _table(ruleset, players, table_cards), rule
    ):  # takes some seconds
        if not is_first:
            typer.echo()
        is_first = False
        _print(text.rstrip())
    if is_first:
        _print("# nothing of it becomes code")


def _print(text: str) -> None:
    """Print Python, with colours on a terminal."""
    in_colour = wants_colour(False)
    if in_colour:
        from kbrules.tools.editors.highlight import highlighted_python

        text = highlighted_python(text)
    typer.echo(text, color=in_colour or None)


def _rule(ruleset: Ruleset, named: Sequence[str]) -> Rule:
    """The rule, card or tile of a name; ends the command if there is none."""
    from kbrules.diagnostics import quoted, suggest

    *kind, name = named
    for rule in ruleset.rules:
        if rule.id == name and rule.kind in (kind or [rule.kind]):
            return rule
    kinds = {rule.id: rule.kind for rule in ruleset.rules}
    near = suggest(name, sorted(kinds))
    help = f"did you mean {quoted(near)}?" if near else "`kbrules show rule` lists the rules"
    if name in kinds:
        help = f"it is a {kinds[name]}: `kbrules show --source {name}`"
    exit_with("KB413", f"there is no {(kind or ['rule'])[0]} {quoted(name)}", help)


def _table(ruleset: Ruleset, players: int | None, cards: Sequence[str]) -> TableSetup:
    from kbrules.engine.setup import choose_table, with_cards

    count = player_count(ruleset, players)
    with setup_errors(ruleset, count):
        table = choose_table(ruleset, count, _SEED)
        return with_cards(ruleset, table, parse_cards(ruleset, cards))
