"""What norms change: the hexes that an example offers without those of its rule, and with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.sax.saxutils import escape, quoteattr

from kbrules.hex.sets import Mask
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.examples import EXPECTED, RuleExample, offered_hexes
from kbrules.tools.publishing.pictures.board import hexes_svg, with_id_prefix
from kbrules.tools.publishing.pictures.picture import CLOSED, Picture
from kbrules.tools.publishing.pictures.scenes import example_picture
from kbrules.tools.publishing.pictures.styles import FRAME, INK, text_svg

_GAP, _ABOVE, _BELOW = 16.0, 30.0, 26.0
_SCALE = 1.5
_TITLES = "without the norm", "with the norm"


def norms_svg(ruleset: Ruleset, example: RuleExample, title: str) -> str | None:
    """Two boards side by side as one SVG element; None if the example offers nothing by norms."""
    picture = example_picture(ruleset.catalog, example.rule.id, example.example, title)
    before = offered_hexes(_without_norms(ruleset, example), example)
    after = offered_hexes(ruleset, example)
    if picture is None or before is None or after is None or not example.rule.norms:
        return None
    pictures = _marked(picture, before, 0), _marked(picture, after, before & ~after)
    return _side_by_side(pictures, title)


def _without_norms(ruleset: Ruleset, example: RuleExample) -> Ruleset:
    bare = replace(example.rule, norms=())
    rules = tuple(bare if rule is example.rule else rule for rule in ruleset.rules)
    return replace(ruleset, rules=rules)


def _marked(picture: Picture, offered: Mask, closed: Mask) -> Picture:
    others = {sign: hexes for sign, hexes in picture.marks.items() if sign != EXPECTED}
    return replace(picture, marks=others | {EXPECTED: offered, CLOSED: closed})


def _side_by_side(pictures: tuple[Picture, Picture], title: str) -> str:
    boards = [hexes_svg(picture) for picture in pictures]
    left, top, width, height = boards[0][1]
    size = 2 * width + 3 * _GAP, height + _ABOVE + _BELOW
    return "\n".join(
        [
            _head(*size, title),
            f"<title>{escape(title)}</title>",
            f'<rect width="{size[0]:.1f}" height="{size[1]:.1f}" rx="9" fill="{FRAME}"/>',
            *_panels([hexes for hexes, _ in boards], left, top, width),
            *_key(size[1] - 9),
            "</svg>",
        ]
    )


def _head(width: float, height: float, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" '
        f'width="{_SCALE * width:.0f}" height="{_SCALE * height:.0f}" role="group" '
        f'aria-label={quoteattr(title)} font-family="system-ui, sans-serif">'
    )


def _panels(boards: list[str], left: float, top: float, width: float) -> Iterator[str]:
    for number, (name, hexes) in enumerate(zip(_TITLES, boards, strict=True)):
        x = _GAP + number * (width + _GAP)
        yield text_svg((x + width / 2, _ABOVE - 11), name, 12)
        yield f'<g role="group" aria-label="{name}" '
        yield f'transform="translate({x - left:.1f} {_ABOVE - top:.1f})">'
        yield with_id_prefix(hexes, f"p{number}")
        yield "</g>"


def _key(y: float) -> Iterator[str]:
    words = f"{EXPECTED} offered    {CLOSED} no longer offered"
    yield f'<text x="{_GAP:g}" y="{y:g}" font-size="11" fill="{INK}" xml:space="preserve">'
    yield f"{words}</text>"
