"""Which cards are whose: the faces of the cards, tasks and tiles of some boxes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from kbrules.diagnostics import CodedError, Diagnostic, quoted, suggest
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule
from kbrules.library.boxes.box import box_file, shipped_box, shipped_boxes, shipped_in
from kbrules.library.file_cache import FileCache
from kbrules.library.reading import MANIFEST, author_folder, real_path
from kbrules.library.ruleset import Ruleset
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.text import Span
from kbrules.tools.publishing.pictures.cards import CardFace, wording_size
from kbrules.tools.publishing.pictures.scenes import example_picture

_POINT = 25.4 / 72  # millimetres
_READABLE = 5.0  # points
Examples = Mapping[str, str]
_CLAIMS = ("gives", "gains", "wins")


class NoSuchCard(CodedError):
    """There is no card of that name; `help` says what there is."""

    code = "KB413"

    def __init__(self, name: str, known: Collection[str]) -> None:
        near = suggest(name, known)
        listed = ", ".join(sorted(known)) or "none"
        help = f"did you mean {quoted(near)}?" if near else f"there are: {listed}"
        super().__init__(f"there is no card {quoted(name)}", help)


class NoSuchExample(CodedError):
    """A card has no such example; `help` says which it has."""

    code = "KB413"

    def __init__(self, rule: Rule, example: str) -> None:
        titles = [each.title or str(n) for n, each in enumerate(rule.examples, 1)]
        help = f"there are: {', '.join(titles) or 'none'}"
        super().__init__(f"{quoted(rule.id)} has no example {quoted(example)}", help)


def faces_in(
    ruleset: Ruleset,
    boxes: Collection[str],
    folders: Collection[Path],
    examples: Examples = MappingProxyType({}),
    language: str = "",
) -> list[CardFace]:
    """The faces of all cards of some boxes and of authors' folders, by kind and name.

    `examples` has the number or title of the example that a card shows, by its id; where it has
    none, the first. `language` is that of the rule set: pictures have no caption in another than
    that of the box. Raises `NoSuchCard` and `NoSuchExample`.
    """
    homes = {real_path(folder) for folder in folders}
    homes |= {real_path(box_file(id).parent) for id in boxes if id not in shipped_boxes()}
    cards = _cards(ruleset)
    chosen = [c for c in cards if _box_of(c) in boxes or _folder_of(c) in homes]
    return _faces(ruleset, chosen, examples, language)


def faces_named(
    ruleset: Ruleset,
    names: Collection[str],
    examples: Examples = MappingProxyType({}),
    language: str = "",
) -> list[CardFace]:
    """The faces of some cards, whoever's; otherwise as `faces_in`."""
    cards = {rule.id: rule for rule in _cards(ruleset)}
    for name in names:
        if name not in cards:
            raise NoSuchCard(name, cards)
    return _faces(ruleset, [cards[name] for name in names], examples, language)


def _faces(
    ruleset: Ruleset, rules: Collection[Rule], examples: Examples, language: str
) -> list[CardFace]:
    for name in examples.keys() - {rule.id for rule in rules}:
        raise NoSuchCard(name, [rule.id for rule in rules])
    files = FileCache(language)
    shown = [_example(rule, examples.get(rule.id, "1")) for rule in rules]
    boxes = [_box_title(files, _manifest(rule)) for rule in rules]
    faces = [_face(ruleset, *each) for each in zip(rules, boxes, shown, strict=True)]
    return [replace(face, caption="") for face in faces] if language else faces


def _example(rule: Rule, number_or_title: str) -> tree.Example | None:
    """The example of a number or title; the first need not be there."""
    examples: tuple[tree.Example, ...] = tuple(rule.examples)
    for number, example in enumerate(examples, 1):
        if number_or_title in (str(number), example.title):
            return example
    if number_or_title != "1":
        raise NoSuchExample(rule, number_or_title)
    return None


def _cards(ruleset: Ruleset) -> list[Rule]:
    rules = [rule for rule in ruleset.rules if rule.kind in CARD_KINDS | TILE_KINDS]
    return sorted(rules, key=lambda rule: (rule.kind, rule.id))


def _box_of(rule: Rule) -> str:
    """The shipped box of a rule; empty if it is an author's."""
    return "" if _folder_of(rule) else shipped_in(Path(rule.span.source.name))


def _folder_of(rule: Rule) -> Path | None:
    """The author's folder of a rule; None if it came in a box."""
    home = author_folder(Path(rule.span.source.name))
    return None if home is None else real_path(home)


def _manifest(rule: Rule) -> Path:
    """The data file of the box that a rule came in."""
    home = _folder_of(rule)
    return home / MANIFEST if home is not None else shipped_box(_box_of(rule))


def _face(ruleset: Ruleset, rule: Rule, box: str, example: tree.Example | None) -> CardFace:
    picture = example_picture(ruleset.catalog, rule.id, example) if example else None
    caption = _caption(example) if example and picture else ""
    title, is_own = rule.title or rule.id, _folder_of(rule) is not None
    return CardFace(rule.id, rule.kind, title, rule.wording, box, is_own, picture, caption)


def _caption(example: tree.Example) -> str:
    """What an example is called, and what it claims."""
    claims = [line.span.text for line in example.lines if line.verb.text in _CLAIMS]
    return ": ".join(filter(None, (example.title, ", ".join(claims))))


def _box_title(files: FileCache, manifest: Path) -> str:
    """What players call the box of a data file."""
    box, _ = files.box(manifest)
    return "" if box is None else box.model.title


def small_wordings(faces: Sequence[CardFace]) -> list[Diagnostic]:
    """A finding for each card whose wording only fits in letters that can hardly be read."""
    findings = []
    for face in faces:
        points = wording_size(face) / _POINT
        if points < _READABLE:
            subject = f"the wording of {quoted(face.id)}"
            message = f"{subject} only fits in letters of {points:.1f} points"
            help = f"say it in fewer words; {_READABLE:.0f} points can just be read"
            findings.append(Diagnostic("KB046", Span.none(face.id), message, help))
    return findings
