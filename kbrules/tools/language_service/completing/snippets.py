"""Texts with places to fill in: declarations, examples and scenarios to begin with."""

from __future__ import annotations

from collections.abc import Mapping

from kbrules.primitives.vocabulary import CARD_KINDS, KINDS, TILE_KINDS

_EXAMPLE = """    example:
        | .a .a .
        |  .  .  .
        {claim}
"""
_CARD = """{kind} ${{1:name}} "${{2:Title}}":
    "${{3:What it pays, in your own words.}}"
    gold ${{4:1}} per hex in ${{5:mine}}
""" + _EXAMPLE.format(claim="gives ${{6:2}}")
_TILE = """{kind} ${{1:name}} "${{2:Title}}":
    "${{3:What it lets a player do, in your own words.}}"
    action:
        build 1 on ${{4:empty & buildable & adjacent(mine)}}
    example:
        | .a .+ .
        |  .+ .  .
        offers
"""
_RULE = """rule ${1:name} "${2:Title}":
    "${3:What holds, in your own words.}"
    permit build on ${4:empty}
"""

DECLARATIONS: Mapping[str, str] = {
    **{kind: _CARD.format(kind=kind) for kind in sorted(CARD_KINDS)},
    **{kind: _TILE.format(kind=kind) for kind in sorted(TILE_KINDS)},
    **dict.fromkeys(sorted(KINDS - CARD_KINDS - TILE_KINDS), _RULE),
    "define": 'define ${1:name} "${2:What it means.}":\n    ${3:mine}\n',
    "steps": 'steps ${1:name} "${2:What is done.}":\n    ${3:build 1}\n',
    "option": 'option ${1:name} = ${2:yes} "${3:What holds then.}"\n',
    "memory": 'memory ${1:name}: ${2:hexes} of ${3:player} "${4:What is remembered.}"\n',
}
"""What begins a declaration, by its first word."""
BELOW_DECLARATION: Mapping[str, str] = {
    "example": 'example "${1:what it shows}":\n    | .a .a .\n    |  .  .  .\n    ${2:gives 2}\n',
    "action": "action:\n    ${1:build 1}\n",
    "when": "when ${1:build}:\n    ${2:gain 1}\n",
    "for": "for ${1:row} in ${2:rows}:\n    ${3:gold 1}\n",
    "if": "if ${1:any(mine)}:\n    ${2:gain 1}\n",
    "repeat": "repeat ${1:2} times:\n    ${2:build 1}\n",
    "up to": "up to ${1:2} times:\n    ${2:build 1}\n",
    "either": "either:\n    ${1:build 1}\nor:\n    ${2:gain 1}\n",
    "may": "may:\n    ${1:build 1}\n",
}
"""What begins a block inside of a declaration, by its first word."""
SCENARIO = """title: ${1:what it shows}
board:
  drawing: |
    . . .
     . . .
expect:
  ${2:offers}: ${3:all}
"""


def indented(text: str, blanks: int) -> str:
    """A text whose lines but the first stand further right, without its last line end."""
    return text.rstrip("\n").replace("\n", "\n" + " " * blanks)
