"""Cards on sheets of paper, three by three, edge to edge, with marks where to cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kbrules.tools.publishing.pictures.cards import HEIGHT, WIDTH, CardFace, face_svg

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
