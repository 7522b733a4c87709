"""Cards for a printer, by numbers: true sizes, all of them there, nothing beyond the marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from kbrules.library.boards.positions import parse_position
from kbrules.library.box import usual_boxes
from kbrules.library.load import load
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.tools.pictures.board import Picture, hexes_svg
from kbrules.tools.pictures.cards import (
    EDGE,
    HEIGHT,
    PAPERS,
    WIDTH,
    CardFace,
    card_svg,
    face_svg,
    faces_in,
    faces_named,
    sheets,
    wording_size,
)
from kbrules.tools.pictures.drawings import OPEN, pdf_of
from tests.tools.pictures.with_cairo import needs_cairo

SVG = "{http://www.w3.org/2000/svg}"
RULES = load(*usual_boxes())
FACES = faces_in(RULES, usual_boxes(), [])
PLAIN = CardFace("plain", "card", "Plain", "One gold.", "The Dale", True)
HARD = [
    PLAIN,
    replace(PLAIN, title='Ümläute & <script>alert(1)</script> "]]>'),
    replace(PLAIN, title="The keeper of all the heath between the two old mills " * 2),
    replace(PLAIN, wording="One gold for each of your pieces next to water. " * 9),
    replace(PLAIN, wording=""),
    replace(PLAIN, title="Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"),
    *FACES[::9],
]


def words_of(root: ElementTree.Element) -> str:
    return "".join("".join(each.text or "" for each in root.iter(f"{SVG}text")).split())


def test_each_card_task_and_tile_has_a_face() -> None:
    kinds = CARD_KINDS | TILE_KINDS
    assert {face.id for face in FACES} == {rule.id for rule in RULES.rules if rule.kind in kinds}
    assert len(FACES) == 80
    assert not any(face.is_own for face in FACES)


@pytest.mark.parametrize("face", HARD, ids=range(len(HARD)))
def test_a_card_has_its_size_and_all_its_words(face: CardFace) -> None:
    root = ElementTree.fromstring(card_svg(face))
    assert (root.get("width"), root.get("height")) == ("63mm", "88mm")
    assert root.get("viewBox") == "0 0 63 88"
    text = words_of(root)
    for part in (face.title, face.wording, face.box, face.caption):
        assert "".join(part.split()) in text
    assert ("houserule" in text) is face.is_own
    assert "Notanofficialcard" in text
    assert not list(root.iter(f"{SVG}script"))


@pytest.mark.parametrize("face", HARD, ids=range(len(HARD)))
def test_lines_of_text_do_not_touch_each_other(face: CardFace) -> None:
    root = ElementTree.fromstring(card_svg(face))
    group = root.find(f"{SVG}g")
    assert group is not None
    texts = group.findall(f"{SVG}text")
    lines = [(float(text.get("y", 0)), float(text.get("font-size", 0))) for text in texts]
    spans = sorted((y - size * 0.95, y + size * 0.25) for y, size in lines)
    assert all(one[1] <= two[0] + 0.01 for one, two in pairwise(spans))
    assert spans[0][0] > EDGE and spans[-1][1] < HEIGHT - EDGE


def test_a_long_wording_is_still_readable_and_its_picture_gives_way() -> None:
    long = replace(FACES[-1], wording="One gold for each of yours. " * 15)
    assert len(long.wording) > 400
    assert wording_size(long) > 6.9 * 25.4 / 72
    assert wording_size(PLAIN) == wording_size(replace(PLAIN, picture=FACES[-1].picture))


def test_what_a_card_shows_is_its_first_example() -> None:
    (face,) = faces_named(RULES, ["fishermen"])
    assert face.picture is not None and face.caption == "gives 3"
    root = ElementTree.fromstring(card_svg(face))
    drawn = {each.get("data-hex") for each in root.iter(f"{SVG}g")} - {None}
    assert len(drawn) == face.picture.board.grid.size


def placed(sheet: str) -> Iterator[tuple[str, float, float]]:
    """The cards on a sheet with their top left corners in millimetres."""
    root = ElementTree.fromstring(sheet)
    for outer in root.findall(f"{SVG}g"):
        found = re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\)", str(outer.get("transform")))
        inner = outer.find(f"{SVG}g")
        assert found is not None and inner is not None
        yield str(inner.get("data-card")), float(found[1]), float(found[2])


@pytest.mark.parametrize("paper", PAPERS)
def test_every_card_is_on_a_sheet_once_between_the_marks(paper: str) -> None:
    width, height = PAPERS[paper]
    made = list(sheets(FACES, paper))
    assert len(made) == -(-len(FACES) // 9)
    found = [each for sheet in made for each in placed(sheet)]
    assert [id for id, _, _ in found] == [face.id for face in FACES]
    for sheet in made:
        spots = [(x, y) for _, x, y in placed(sheet)]
        assert len(set(spots)) == len(spots)
        ends = re.search(r'<path d="([^"]+)" stroke="#000" stroke-width="0.15"/></svg>$', sheet)
        assert ends is not None
        marks = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)", ends[1])]
        cuts_x = sorted({x for x, y in marks if not height * 0.1 < y < height * 0.9})
        left, right = min(x for x, _ in spots), max(x for x, _ in marks)
        assert left == pytest.approx((width - 3 * WIDTH) / 2, abs=0.01)
        assert right < width and len(marks) == 16
        for x, y in spots:
            assert any(abs(x - cut) < 0.02 for cut in cuts_x)
            assert any(abs(x + WIDTH - cut) < 0.02 for cut in cuts_x)
            assert y >= 0 and y + HEIGHT <= height


@needs_cairo
@pytest.mark.parametrize("paper", PAPERS)
def test_the_pages_of_the_document_are_as_large_as_the_paper(paper: str) -> None:
    document = pdf_of(sheets(FACES[:10], paper))
    assert document.startswith(b"%PDF")
    boxes = re.findall(rb"/MediaBox \[ ?([\d. ]+?) ?\]", document)
    points = [side * 72 / 25.4 for side in PAPERS[paper]]
    assert len(boxes) == 2
    for box in boxes:
        assert [float(n) for n in box.split()] == pytest.approx([0, 0, *points], abs=0.01)


def test_a_hex_of_any_terrain_is_neutral_and_says_so() -> None:
    position, found = parse_position(RULES.catalog, ".  Ga\n  W")
    assert position is not None and found == []
    drawn, _ = hexes_svg(Picture(position.board, position.pieces, open=position.open))
    first, second, _ = drawn.split("<g role=")[1:]
    assert OPEN in first and "any terrain" in first and "url(#" not in first
    assert OPEN not in second and "grass" in second


def test_a_long_caption_has_two_lines_that_can_be_read() -> None:
    face = CardFace("x", "card", "X", "Gold.", "Box", True, None, "a caption " * 6)
    lines = re.findall(r'font-size="([\d.]+)"[^>]*>[^<]*caption', face_svg(face))
    sizes = [float(size) for size in lines]
    assert len(sizes) == 2 and min(sizes) >= 1.76
