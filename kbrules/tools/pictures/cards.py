"""Cards as they are printed, whose they are, and sheets of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from xml.sax.saxutils import escape, quoteattr

from kbrules.diagnostics import CodedError, Diagnostic, quoted, suggest
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule
from kbrules.library.box import box_file, shipped_box, shipped_boxes, shipped_in
from kbrules.library.reading import MANIFEST, author_folder, real_path
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.text import Span
from kbrules.tools.pictures import board, replay
from kbrules.tools.pictures.drawings import LEADING, FittedText, corners, fit_text
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Lines, Report

# A card as it is printed: title, picture, wording, box; an SVG of 63 by 88 millimetres.
#
# What is drawn lies at least `EDGE` inside of the card, so that a knife may slip a little.


WIDTH, HEIGHT = 63, 88
"""The size of a card in millimetres."""
EDGE = 3.0
_LEFT, _ROOM = 5.5, 52.0
_INK, _SOFT = "#1c1b19", "#6b665e"
_HOUSE_RULE = "house rule"
_DISCLAIMER = "Made with kbrules. Not an official card, and not for sale."


@dataclass(frozen=True, slots=True)
class CardFace:
    """What stands on a card; a caption belongs to the picture. An own card is a house rule."""

    id: str
    kind: str
    title: str
    wording: str
    box: str
    is_own: bool
    picture: board.Picture | None = None
    caption: str = ""


@dataclass(frozen=True, slots=True)
class _TextBox:
    """Where words may stand: from the top, so high, and how large they are at most."""

    top: float
    height: float
    largest: float
    bold: bool = False
    colour: str = _INK

    def fit(self, text: str) -> FittedText:
        return fit_text(text, _ROOM, self.height, self.largest, self.bold)

    def write(self, text: str) -> Iterator[str]:
        """Lines of text in the middle of the box."""
        fitted = self.fit(text)
        baseline = self.top + (self.height - fitted.height) / 2 + fitted.size * 0.95
        weight = ' font-weight="bold"' if self.bold else ""
        for number, line in enumerate(fitted.lines):
            y = baseline + number * fitted.size * LEADING
            yield (
                f'<text x="{WIDTH / 2}" y="{y:.2f}" font-size="{fitted.size:.3f}"{weight} '
                f'text-anchor="middle" fill="{self.colour}">{escape(line)}</text>'
            )


_TITLE = _TextBox(4.5, 9.5, 5.6, bold=True)
_KIND = _TextBox(14.0, 3.0, 2.2, colour=_SOFT)
_FOOT = _TextBox(77.0, 3.4, 2.4, bold=True)
_SMALL = _TextBox(80.6, 2.2, 1.5, colour=_SOFT)
_TOP, _END = 18.0, 74.5  # where the picture begins, the last line
_CAPTIONS = (3.2, 5.4)  # how high a caption is: one line, or two
_CAPTION_SIZE, _LEGIBLE = 2.1, 1.76  # its letters in millimetres, 5 points at least
_PICTURES = (25.0, 20.0, 14.0)  # how high a picture is; a long wording makes it smaller
_EASY = 2.6  # the size of letters that are read with ease


def card_svg(face: CardFace) -> str:
    """A card as a picture of its own, in true millimetres."""
    label = quoteattr(f"{face.title} ({face.kind})")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{HEIGHT}mm" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label={label}>{face_svg(face)}</svg>\n'
    )


def face_svg(face: CardFace) -> str:
    """What is on a card, as a group that begins at its top left corner; units are millimetres."""
    inner = WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE
    height, wording = _wording_box(face)
    caption = _TextBox(_TOP + height + 0.5, _caption_height(face), _CAPTION_SIZE, colour=_SOFT)
    parts = [
        f'<g data-card={quoteattr(face.id)} font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf8"/>',
        f'<rect x="{EDGE}" y="{EDGE}" width="{inner[0]}" height="{inner[1]}" rx="2.5" '
        f'fill="none" stroke="{_SOFT}" stroke-width="0.4"/>',
        *_TITLE.write(face.title),
        *_KIND.write(face.kind),
        _drawing(face.picture, height) if face.picture else _ornament(height),
        *caption.write(face.caption),
        *wording.write(face.wording),
        *_FOOT.write(f"{face.box} · {_HOUSE_RULE}" if face.is_own else face.box),
        *_SMALL.write(_DISCLAIMER),
        "</g>",
    ]
    return "".join(parts)


def wording_size(face: CardFace) -> float:
    """How large the letters of the wording are, in millimetres."""
    return _wording_box(face)[1].fit(face.wording).size


def _wording_box(face: CardFace) -> tuple[float, _TextBox]:
    """How high the picture of a card is, and where its wording stands."""
    for height in _PICTURES:
        top = _TOP + height + _caption_height(face) + 0.8
        box = _TextBox(top, _END - top, 3.7)
        if box.fit(face.wording).size >= _EASY:
            break
    return height, box


def _caption_height(face: CardFace) -> float:
    """How high the caption is: two lines if the letters of one could hardly be read."""
    one_line = _TextBox(0, _CAPTIONS[0], _CAPTION_SIZE).fit(face.caption)
    return _CAPTIONS[0] if one_line.size >= _LEGIBLE else _CAPTIONS[1]


def _drawing(picture: board.Picture, height: float) -> str:
    """The hexes of a picture, as large as there is room."""
    hexes, (left, top, width, hexes_height) = board.hexes_svg(picture)
    scale = min(_ROOM / width, height / hexes_height, 0.28)
    x = WIDTH / 2 - (left + width / 2) * scale
    y = _TOP + height / 2 - (top + hexes_height / 2) * scale
    return f'<g transform="translate({x:.2f} {y:.2f}) scale({scale:.4f})">{hexes}</g>'


def _ornament(height: float) -> str:
    """Seven hexes, for a card that has no example."""
    middles = [(0, 0), (1, 0), (-1, 0), (0.5, 1), (-0.5, 1), (0.5, -1), (-0.5, -1)]
    hexes = "".join(f'<polygon points="{corners((x * 36, y * 31.2), 0.9)}"/>' for x, y in middles)
    at = f"translate({WIDTH / 2} {_TOP + height / 2}) scale({height * 0.0088:.3f})"
    return f'<g transform="{at}" fill="#eee8da" stroke="{_SOFT}" stroke-width="1.5">{hexes}</g>'


# Which cards are whose: the faces of the cards, tasks and tiles of some boxes.


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
    files = Files(language)
    shown = [_example(rule, examples.get(rule.id, "1")) for rule in rules]
    faces = [_face(ruleset, files, *each) for each in zip(rules, shown, strict=True)]
    return [replace(face, caption="") for face in faces] if language else faces


def _example(rule: Rule, number_or_title: str) -> tree.Example | None:
    """The example of a number or title; the first need not be there."""
    examples: tuple[tree.Example, ...] = rule.examples
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


def _face(ruleset: Ruleset, files: Files, rule: Rule, example: tree.Example | None) -> CardFace:
    home = _folder_of(rule)
    box, _ = files.box(shipped_box(_box_of(rule)) if home is None else home / MANIFEST)
    picture = replay.example_picture(ruleset.catalog, rule.id, example) if example else None
    return CardFace(
        rule.id,
        rule.kind,
        rule.title or rule.id,
        rule.wording,
        "" if box is None else box.model.title,
        home is not None,
        picture,
        _caption(example) if example and picture else "",
    )


def _caption(example: tree.Example) -> str:
    """What an example is called, and what it claims."""
    claims = [line.span.text for line in example.lines if line.verb.text in _CLAIMS]
    return ": ".join(filter(None, (example.title, ", ".join(claims))))


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


# The report of cards: which there are, and the files that were written.


class CardData(Part):
    """A card or tile that can be printed."""

    id: str
    title: str
    kind: str
    """As in its rule: `card`, `task`, `location` ..."""


class CardsData(Data):
    """The cards of `kbrules cards`, and the files that were written."""

    cards: tuple[CardData, ...]
    files: tuple[str, ...]


def cards_report(faces: Sequence[CardFace], files: Sequence[Path]) -> Report:
    """Return the report of cards and of their files."""
    lines = (f"{face.id}  {face.title} ({face.kind})" for face in faces)
    cards = (CardData(id=face.id, title=face.title, kind=face.kind) for face in faces)
    data = CardsData(cards=tuple(cards), files=tuple(file.as_posix() for file in files))
    return Report("Cards", [Lines(tuple(lines))], data)


# Cards on sheets of paper, three by three, edge to edge, with marks where to cut.


COLUMNS, ROWS = 3, 3
PAPERS: Mapping[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Papers by name, with width and height in millimetres."""
_GAP, _MARK = 1.0, 5.0  # between the cards and a mark, and how long a mark is


def sheets(faces: Sequence[CardFace], paper: str) -> Iterator[str]:
    """An SVG of the size of the paper for every nine cards; the last sheet may have fewer."""
    many = COLUMNS * ROWS
    for first in range(0, len(faces), many):
        yield _sheet(faces[first : first + many], *PAPERS[paper])


def _sheet(faces: Sequence[CardFace], width: float, height: float) -> str:
    left, top = (width - COLUMNS * WIDTH) / 2, (height - ROWS * HEIGHT) / 2
    cards = [
        f'<g transform="translate({left + n % COLUMNS * WIDTH:.2f} '
        f'{top + n // COLUMNS * HEIGHT:.2f})">{face_svg(face)}</g>'
        for n, face in enumerate(faces)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}">{"".join(cards)}'
        f'<path d="{"".join(_marks(left, top))}" stroke="#000" stroke-width="0.15"/></svg>'
    )


def _marks(left: float, top: float) -> Iterator[str]:
    """Short lines outside of the cards that go on where their edges end."""
    right, bottom = left + COLUMNS * WIDTH, top + ROWS * HEIGHT
    for x in (left + n * WIDTH for n in range(COLUMNS + 1)):
        yield f"M{x:.2f} {top - _GAP:.2f}v{-_MARK}M{x:.2f} {bottom + _GAP:.2f}v{_MARK}"
    for y in (top + n * HEIGHT for n in range(ROWS + 1)):
        yield f"M{left - _GAP:.2f} {y:.2f}h{-_MARK}M{right + _GAP:.2f} {y:.2f}h{_MARK}"
