"""Boxes with many cards, written for the purpose: does checking take as long again for each?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

from kbrules.game.catalog import HexKind
from kbrules.library.load import load
from kbrules.tools.authoring.check import FileChecker
from kbrules.tools.authoring.lint.selection import LintSelection, warnings
from kbrules.tools.measuring.bench.rows import Goal, Row
from kbrules.tools.measuring.bench.tables import BASE
from kbrules.tools.measuring.bench.timing import seconds

FEWEST, MORE = 50, (100, 200)
FORMS = (
    ("adjacent({0}) & within({1}, 2)", "beside {0} and within two of {1}", "{0} .a {1}"),
    ("adjacent({0}) - adjacent({1})", "beside {0} and not beside {1}", "{0} .a"),
    ("adjacent({0} & adjacent({1}))", "beside {0} that touches {1}", ".a {0} {1}"),
    ("adjacent(within({0}, 2) & {1})", "beside {1} within two of {0}", ".a {1} {0}"),
    ("adjacent({0} - adjacent({1}))", "beside {0} that does not touch {1}", "{0} .a"),
)
"""Hexes near two kinds of ground, how one says it, and a drawing with one such piece."""


def rows() -> Iterator[Row]:
    """How long a box of cards is checked, by how many there are."""
    _seconds_to_check(1)  # what is loaded and worked out once
    seconds_of = {number: _seconds_to_check(number) for number in (FEWEST, *MORE)}
    yield Row(f"check of a box with {FEWEST} cards", seconds_of[FEWEST], "s")
    for number in MORE:
        what, taken = f"the same with {number}", seconds_of[number]
        goal = Goal(1.25 * number / FEWEST, is_most=True)
        yield Row(what, taken, "s", goal, taken / seconds_of[FEWEST], f"{FEWEST} cards")


def _seconds_to_check(number: int) -> float:
    """Seconds to check a box with so many cards by all lints, sampled ones too."""
    with TemporaryDirectory() as folder:
        write_box(Path(folder), number)
        lints = LintSelection(frozenset(warnings()))
        return seconds(partial(FileChecker().check, [Path(folder)], lints=lints))


def write_box(folder: Path, number: int) -> None:
    """A box with so many cards about which there is nothing to say."""
    kinds = load(*BASE).catalog.hexes
    cards = [_card(kinds, each) for each in range(number)]
    names = ", ".join(_name(each) for each in range(number))
    head = f"format: 1\nid: many\ntitle: Many\nneeds: [{', '.join(BASE)}]\n"
    (folder / "expansion.yaml").write_text(f"{head}cards: [{names}]\n", encoding="utf-8")
    (folder / "many.kb").write_text("\n".join(cards), encoding="utf-8")


def _name(number: int) -> str:
    return "card_" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _card(kinds: Sequence[HexKind], number: int) -> str:
    """A card that pays for pieces somewhere near two kinds of ground."""
    pairs = list(permutations([kind for kind in kinds if not kind.is_place], 2))
    one, other = pairs[number % len(pairs)]
    place, text, drawing = FORMS[number // len(pairs) % len(FORMS)]
    return (
        f'card {_name(number)} "Card {number}":\n'
        f'    "One gold for each piece {text.format(one.title, other.title)}."\n'
        f"    gold 1 per hex in mine & {place.format(one.id, other.id)}\n"
        f"    example:\n"
        f"        | {drawing.format(one.letter, other.letter)}\n"
        f"        gives 1\n"
    )
