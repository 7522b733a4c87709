"""Finds the card of a question: by name or title, by its file, or by its folder."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from kbrules.diagnostics import CodedError, quoted, suggest
from kbrules.library.boxes.box import read_box, shipped_box, shipped_boxes
from kbrules.library.reading import RULES, author_folder, real_path, shown_name
from kbrules.library.ruleset import Ruleset


class CardNotFound(CodedError):
    """No card is meant, or more than one; `help` says what could be."""

    def __init__(self, code: str, message: str, help: str) -> None:
        super().__init__(message, help)
        self.code = code


def folder_of(name: str) -> Path | None:
    """The author's folder in which a card lies that is named by a path; None if it is no path.

    Raises CardNotFound for a path at which no card can lie.
    """
    path = Path(name)
    if not path.is_dir() and path.suffix != RULES:
        return None
    if not path.exists():
        raise CardNotFound("KB001", f"{quoted(name)} does not exist", "look for a slip in the path")
    folder = author_folder(path / "rules" if path.is_dir() else path)
    if folder is None:
        help = "it must lie in the folder of an expansion: `kbrules new expansion NAME` makes one"
        raise CardNotFound("KB006", f"{quoted(shown_name(path))} belongs to no expansion", help)
    return folder


def boxes_with(name: str) -> list[str]:
    """The shipped boxes in which a card of that id or title may lie."""
    plain_name = _plain(name)
    boxes = ((id, read_box(shipped_box(id))[0]) for id in shipped_boxes())
    return [
        id
        for id, box in boxes
        if box is not None and plain_name in map(_plain, (*box.model.cards, *box.model.tasks))
    ]


def card_in(ruleset: Ruleset, name: str) -> str:
    """The id of the card that is meant by id, title or path. Raises CardNotFound."""
    catalog = ruleset.catalog
    titles = {card: rule.title for card in catalog.cards if (rule := ruleset.rule(card))}
    path = Path(name)
    if path.is_dir() or path.suffix == RULES:
        return _single_card(path, [card for card in titles if _lies_in(ruleset, card, path)])
    plain_name = _plain(name)
    for card, title in titles.items():
        if plain_name in (_plain(card), _plain(title)):
            return card
    help = _elsewhere(name, ruleset) or _card_hint(plain_name, catalog.cards)
    raise CardNotFound("KB413", f"there is no card {quoted(name)}", help)


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_")


def _lies_in(ruleset: Ruleset, card: str, path: Path) -> bool:
    rule = ruleset.rule(card)
    assert rule is not None, "a card of the catalog has a rule"
    file, folder_or_file = real_path(Path(rule.span.source.name)), real_path(path)
    return file == folder_or_file or folder_or_file in file.parents


def _single_card(path: Path, cards: list[str]) -> str:
    if len(cards) == 1:
        return cards[0]
    if not cards:
        raise CardNotFound("KB413", f"there is no card in {quoted(shown_name(path))}", "")
    folder = author_folder(path / "rules" if path.is_dir() else path)
    named = f"`kbrules balance {cards[0]} --with {folder}`"
    message = f"there are several cards in {quoted(shown_name(path))}: {_joined(cards)}"
    raise CardNotFound("KB009", message, f"name one of them: {named}")


def _elsewhere(name: str, ruleset: Ruleset) -> str:
    """The box in which it is, if only that is missing."""
    is_shipped = {*ruleset.boxes} & {*shipped_boxes()}
    boxes = boxes_with(name) if is_shipped else []
    return f"it is in {quoted(boxes[0])}: add `--with {boxes[0]}`" if boxes else ""


def _card_hint(name: str, known: Collection[str]) -> str:
    near = suggest(name, known)
    if not known:
        return "no box that is in play has any card; name others with `--with`"
    return f"did you mean {quoted(near)}?" if near else f"the cards are {_joined(sorted(known))}"


def _joined(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))
