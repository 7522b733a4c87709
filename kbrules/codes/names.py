"""KB2xx: names, sorts, and what may stand where."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example
from kbrules.codes.small_game import BOX

_NEAR = 'define near "Hexes next to yours.": adjacent(mine)\n'
_PLACING = 'rule placing:\n    "Build next to your own."\n    permit build on adjacent(mine)\n'

_ROWERS = 'card rowers "Rowers":\n    "One gold for each of your pieces."\n    gold count(mine)\n'
_ROWING = "    example:\n        | .a . .\n        |  . .a .\n        gives 2\n"
_BOX = (("expansion.yaml", BOX + "cards: [rowers]\n"),)
_STRICT = (("rules/strict.kb", 'option strict = no "Whether rows count twice."\n'),)
_PASSING = """\
format: 1
title: A hex is free
options: {{strict: {value}}}
board:
  drawing: |
    H H
     H H
expect:
  offered: {{building: {{includes: [a1]}}}}
"""
_PAID = 'memory paid: number of table "Whether it was paid."\n'
_PAYING = "        count 1 into paid\n"
_WINDING = (
    'rule winding:\n    "Nobody builds at the rim beside a long way."\n'
    "    forbid build on edge if longest_way({}) > 20\n"
)
_WHENEVER = """\
rule rush "Rush":
    "One gold when a supply is used up."
    whenever supply(hut) = 0{}:
        gain 1
"""

ENTRIES = (
    Code(
        "KB201",
        "unknown-word",
        "a word is not known",
        "The word is neither a word of the language nor a name that a rule file or an expansion "
        "gives. If a known word is spelt nearly so, the help names it. Otherwise declare it with "
        "`define`, or name the expansion that brings it.",
        wrong=Example("rules", 'define near "Hexes next to yours.": adjcent(mine)\n'),
        right=Example("rules", _NEAR),
    ),
    Code(
        "KB202",
        "name-taken",
        "a name is given twice",
        "Every name means one thing, whatever order the files are loaded in. The marked name is "
        "already given elsewhere; the label shows where. Choose another name, or say `replaces` "
        "if the new rule is to stand in for the old one.",
        wrong=Example("rules", _NEAR + 'define near "Hexes next to no one.": empty\n'),
        right=Example("rules", _NEAR + 'define far "Hexes not next to yours.": empty - near\n'),
    ),
    Code(
        "KB203",
        "wrong-sort",
        "a thing of one sort stands where another sort is needed",
        "Every expression has a sort: hexes, a group of hexes, a number, a truth, a player and so "
        "on. The marked part is of a sort its place cannot take. The message names both sorts; "
        "the help shows a form that fits, if there is one.",
        wrong=Example("rules", 'define near "Hexes next to yours.": adjacent(count(mine))\n'),
        right=Example("rules", _NEAR),
    ),
    Code(
        "KB204",
        "wrong-arguments",
        "a word is given too few or too many things",
        "The word takes a certain number of things in its brackets. More or fewer were given. "
        "The help shows how the word is used.",
        wrong=Example("rules", 'define near "Hexes next to yours.": adjacent(mine, 2, 3)\n'),
        right=Example("rules", _NEAR),
    ),
    Code(
        "KB205",
        "wrong-phrase",
        "an `on`, `from` or `to` is missing, doubled or out of place",
        "Each verb takes certain phrases: `move` wants `from` and `to`, `build` wants `on`. One "
        "is missing here, stands twice, or does not belong to this verb. The help shows the verb "
        "with all its phrases.",
        wrong=Example(
            "rules",
            'rule march:\n    "Move one of your own."\n    action:\n        move 1 from mine\n',
        ),
        right=Example(
            "rules",
            'rule march:\n    "Move one of your own."\n    action:\n'
            "        move 1 from mine to empty\n",
        ),
    ),
    Code(
        "KB206",
        "misplaced-statement",
        "a sentence stands in a block that cannot hold it",
        "Some sentences only make sense in some places: gold is given when scoring, steps are "
        "done in an action or a trigger, norms stand directly in a rule. The marked one is in the "
        "wrong block. Move it to where it belongs; the help says where that is.",
        wrong=Example(
            "rules",
            'rule march:\n    "Build one."\n    action:\n        permit build on empty\n',
        ),
        right=Example(
            "rules", 'rule march:\n    "Build one."\n    action:\n        build 1 on empty\n'
        ),
    ),
    Code(
        "KB207",
        "circular-define",
        "a definition needs itself",
        "The meaning of a defined word is found by putting its definition in its place. Here "
        "that comes back to the word itself, directly or through others, and would never end. "
        "Say it without the circle.",
        wrong=Example(
            "rules",
            'define near "Hexes next to far ones.": adjacent(far)\n'
            'define far "Hexes next to near ones.": adjacent(near)\n',
        ),
        right=Example(
            "rules",
            'define near "Hexes next to far ones.": adjacent(far)\n'
            'define far "Hexes with nothing on them.": empty\n',
        ),
    ),
    Code(
        "KB208",
        "unknown-verb",
        "a norm or trigger speaks of something that never happens",
        "`permit`, `forbid`, `prefer` and `when` speak of things that are done, such as `build` "
        "or `move`. The marked word is not one of these verbs. The help lists those there are.",
        wrong=Example("rules", _PLACING.replace("permit build", "permit bild")),
        right=Example("rules", _PLACING),
    ),
    Code(
        "KB209",
        "bad-option",
        "an option or a memory is declared or set wrongly",
        "An option has a name and a default that is `yes`, `no` or a number, and it can only be "
        "set to a value of the same kind. Below it stand its question and its source, each at "
        "most once and with a text; below a memory of a number its title. The marked value or "
        "line is not so. The help shows what can be done.",
        wrong=Example("scenario", _PASSING.format(value="3"), _STRICT),
        right=Example("scenario", _PASSING.format(value="yes"), _STRICT),
    ),
    Code(
        "KB210",
        "number-out-of-range",
        "a number is too large or too small for its place",
        "Numbers in rules are small: they count hexes, pieces, players and gold. The marked "
        "number is outside of what its place can take. The message names the limits.",
        wrong=Example(
            "rules", _PLACING + 'option far_reach = 99999999999 "How far a march may go."\n'
        ),
        right=Example("rules", _PLACING + 'option far_reach = 9 "How far a march may go."\n'),
    ),
    Code(
        "KB211",
        "no-wording",
        "a declaration does not say in words what it means",
        "Every declaration carries its wording, a quoted sentence for people. Explanations, the "
        "printed documentation and error messages to players are made of it. Write the sentence "
        "as the first line of the declaration.",
        wrong=Example("rules", "rule placing:\n    permit build on empty\n"),
        right=Example("rules", 'rule placing:\n    "Build anywhere."\n    permit build on empty\n'),
    ),
    Code(
        "KB212",
        "no-example",
        "a declaration has no example",
        "Every rule shows at least one example, which is run as a test. It proves that the rule "
        "means what its wording says, and shows readers what it does. Add an `example:` block "
        "with a drawing and what is expected.",
        wrong=Example("rules", _ROWERS, _BOX),
        right=Example("rules", _ROWERS + _ROWING, _BOX),
    ),
    Code(
        "KB213",
        "never-rests",
        "what is done `whenever` a condition holds cannot make it false",
        "While the condition holds the steps are done before every decision, and nothing that is "
        "done `whenever` can make it false: they would be done again and again, until the engine "
        "stops them. Remember in a memory that it was done and ask for that, or use `when`, which "
        "acts once for each event.",
        wrong=Example("rules", _WHENEVER.format("")),
        right=Example("rules", _PAID + _WHENEVER.format(" and paid = 0") + _PAYING),
    ),
    Code(
        "KB216",
        "set-too-large",
        "a word is asked of a set that may be too large for it",
        "`longest_way` is always exact, which would take too long in a connected group of more "
        "than 40 hexes. So it is asked of sets that have no more: the pieces of one player, parts "
        "of them, or what is near one hex. The marked set can be larger.",
        wrong=Example("rules", _WINDING.format("heath")),
        right=Example("rules", _WINDING.format("mine & heath")),
    ),
)
