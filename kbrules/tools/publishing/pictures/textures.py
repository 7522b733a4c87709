"""What is drawn upon the colour of a hex: lines and surfaces around the point 0, 0.

They keep off the middle of the lowest part, where the letter stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kbrules.game.board import TEXTURES, HexKind

_PLAIN = "plain"
_DOT = "m-.9 0a.9.9 0 1 0 1.8 0a.9.9 0 1 0-1.8 0z"
_PETALS = "".join(
    f"m{x} {y}a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0z"
    for x, y in ((-3.7, 0), (4, 0), (-2, -2), (0, 4))
)


def _at(shape: str, *spots: tuple[float, float]) -> str:
    """The same shape, written from its beginning on, at some spots."""
    return "".join(f"M{x} {y}{shape}" for x, y in spots)


_FOUR = (-9, -5), (7, -8), (10, 4), (-7, 8)
_LINES = {
    "tufts": _at("l-2.2-4m2.2 4v-6m0 6l2.2-4", (-9, -4), (4, -10), (11, 2), (-1, 3), (-10, 8)),
    "strata": "M-6-14l4 1.5l5-1.5l4 1M-15-7l6-2l6 2l7-2.5l10 2M-16 0l7 2l8-3l7 3l9-2"
    "M-15 7l5-2l6 2l8-2l10 2",
    "waves": _at("q3-3.6 6 0t6 0", (-6, -11), (-15, -3), (1, -3), (-12, 6), (2, 6)),
    "furrows": "M-15-4L2-14M-16 3L12-13M-15 9L15-8M-8 12L16-1M7 10L16 5",
    "reeds": _at("v-7m-2 7l-1.6-4.5m5 4.5l1.6-5.5m-8 8h9", (-8, -2), (6, -6), (9, 6), (-8, 9)),
    "scales": _at("q4-6 8 0", (-4, -11), (-12, -5), (-4, -5), (4, -5), (-16, 2), (-8, 2), (0, 2),
                  (8, 2), (-12, 9), (4, 9)),
    "crosses": _at("m-2.2-2.2l4.4 4.4m0-4.4l-4.4 4.4", (0, -11), *_FOUR),
    "rings": _at("m-2.4 0a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0-4.8 0z", (0, -12), *_FOUR),
    "hatching": "M-16-5L-9 12M-13-11L-3 12M-8-15L3 12M-1-17L9 12M6-16L15 7",
    "stairs": _at("h4v-4h4v-4h4", (-14, -2), (0, -4), (-11, 10), (3, 8)),
    "chevrons": _at("l4-5l4 5", (-4, -10), (-14, -2), (5, -2), (-13, 8), (4, 8)),
}  # fmt: skip
_SURFACES = {
    "grains": _at(
        _DOT,
        (-3, -14),
        (6, -11),
        (-10, -8),
        (0, -6),
        (11, -4),
        (-14, 0),
        (-5, 2),
        (6, 3),
        (14, 5),
        (-11, 8),
    ),
    "blossoms": _at(_PETALS, (-8, -7), (7, -10), (11, 4), (-2, 1), (-11, 7)),
    "trees": _at("l-4.2 9h8.4z", (-8, -12), (4, -17), (10, -7), (0, -5), (-11, 0), (9, 3)),
    "peaks": "M-15 7l8-15l4.5 8l5-11l12 18zM-9 9",
}
TEXTURE_PATHS: Mapping[str, str] = {_PLAIN: "", **_LINES, **_SURFACES}
"""The path of each texture."""


def texture_svg(name: str, ink: str) -> str:
    """A texture in an ink that lets the colour below through; empty if nothing is drawn."""
    path = TEXTURE_PATHS[name]
    if not path:
        return ""
    if name in _SURFACES:
        return f'<path d="{path}" fill="{ink}" fill-opacity=".24"/>'
    return (
        f'<path d="{path}" fill="none" stroke="{ink}" stroke-opacity=".3" stroke-width="1.3" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def texture_names(kinds: Sequence[HexKind]) -> list[str]:
    """The texture of each kind: its own, that of no other for those that name none.

    Places with an icon are plain; where there are more kinds than textures, some share one.
    """
    named = {kind.texture for kind in kinds}
    unnamed = [name for name in TEXTURES if name not in (*named, _PLAIN)]
    available: list[str] = [*unnamed] or [_PLAIN]
    names, index = [], 0
    for kind in kinds:
        name = kind.texture or (_PLAIN if kind.icon else "")
        if not name:
            name, index = available[index % len(available)], index + 1
        names.append(name)
    return names
