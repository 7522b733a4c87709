"""KB713 to KB728, KB756, KB758 to KB760: warnings, what has no effect, or could be said shorter."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example
from kbrules.codes.small_game import BOX

_GOLD = 'rule riches "Riches":\n    "Gold for what you have."\n    gold {}\n'
_BUILD = 'rule near "Near":\n    "Build close."\n    prefer build on {}\n'
_TWO = 'rule near "Near":\n    "Some hexes are closed."\n    {}\n    {}\n'
_SHUT = "forbid build on edge"
_REDRAW = """\
rule cards "Cards":
    "A card lies face up; one without a free hex leaves the game."
    setup:
        draw 1 card
        play cards
    whenever dead(build) > 0:
        remove card at dead(build)
        draw 1 card
        play cards
"""
_SKIP = """\
rule night "Night":
    "Who has two pieces builds nothing for a turn."
    {} build on board if count(mine) = 2
"""
_DECK = (("expansion.yaml", BOX + "deck:\n  - {terrains: [heath], count: 4}\n"),)
_TERRAIN_CARD = """\
rule flood "Flood":
    "A card leaves the game."
    when turn_end: remove card at {}
"""
_ACTING = """\
rule toll "Toll":
    "Whoever builds beside one of your pieces pays you a gold."
    when build{0} if any(here & adjacent(mine)):
        gain -1 to actor
        gain 1
"""
_AGAIN = 'rule again "Again":\n    "Build once more."\n    when build{}: build 1 on edge\n'
_HOARD = 'rule hoard "Hoard":\n    "Double your pieces."\n    action:\n        {}\n'
_CARD = """\
card {} "{}":
    "One gold for each of your pieces."
    gold 1 per hex in mine
    example:
        | .a . .
        |  . .a .
        gives 2
"""
_DRAWN = (
    'rule coins "Coins":\n    "A gold for each piece at the end."\n    gold 1 per hex in mine\n'
    "    example:\n        | .  .  .\n        |  {}\n        gives 2\n"
)
_ROWERS = _CARD.format("rowers", "Rowers")
_CARDS = (("expansion.yaml", BOX + "cards: [rowers, oars]\n"),)

ENTRIES = (
    Code(
        "KB713",
        "constant-condition",
        "a condition never changes",
        "Whatever the board and the position, this is always true or always false: a number can "
        "never be so large or so small, or it is the same on both sides. What hangs on it always "
        "happens, or never. Say what is meant.",
        wrong=Example("rules", _GOLD.format("1 if count(mine) >= 0")),
        right=Example("rules", _GOLD.format("1 if count(mine) >= 2")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB714",
        "empty-set",
        "a set is empty on every board",
        "No hex can be in this set, by the meaning of its words alone: all of it is taken away "
        "again, no hex is of two terrains, and none touches more than six. Perhaps `|` is meant "
        "in place of `&`.",
        wrong=Example("rules", _BUILD.format("touching(mine, at least 7)")),
        right=Example("rules", _BUILD.format("touching(mine, at least 2)")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB715",
        "award-of-nothing",
        "an award can never pay",
        "The amount of this award is nothing, or less than nothing, in every position. If it is "
        "meant as a penalty, suppress the warning and say so; else correct the amount.",
        wrong=Example("rules", _GOLD.format("0 - count(mine)")),
        right=Example("rules", _GOLD.format("6 - count(mine)")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB716",
        "said-twice",
        "the same part stands twice in a chain",
        "In a chain of `&`, `|`, `and` or `or` the same part stands twice, and the second time "
        "it changes nothing. Leave it out, or write what should stand in its place.",
        wrong=Example("rules", _BUILD.format("edge & adjacent(mine) & edge")),
        right=Example("rules", _BUILD.format("edge & adjacent(mine)")),
        severity="warning",
        claim="exact",
        fix="the second one is left out.",
    ),
    Code(
        "KB717",
        "with-itself",
        "something is compared with itself, or taken away from itself",
        "On both sides stands the same, so that what comes out is known before. One of the two "
        "should be something else.",
        wrong=Example("rules", _GOLD.format("count(edge) - count(edge) + count(mine)")),
        right=Example("rules", _GOLD.format("count(edge) - count(mine)")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB718",
        "double-negation",
        "a negation could be left out",
        "`not not a` is `a`, and of sets of hexes `not any(a)` is `none(a)` and the other way "
        "round. Say it without the negation.",
        wrong=Example("rules", _GOLD.format("1 if not none(mine & edge)")),
        right=Example("rules", _GOLD.format("1 if any(mine & edge)")),
        severity="warning",
        claim="exact",
        fix="the negation goes, and `any` or `none` becomes the other one.",
    ),
    Code(
        "KB719",
        "absorbed",
        "a part of a chain changes nothing beside another part",
        "Whatever is in `a` is in `a | b`, so that `a & (a | b)` is `a` alone, and so is "
        "`a | a & b`. Leave the longer part out, or write what should stand in its place.",
        wrong=Example("rules", _BUILD.format("edge & (edge | adjacent(mine))")),
        right=Example("rules", _BUILD.format("edge | adjacent(mine)")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB720",
        "long-way",
        "something could be said shorter",
        "The language has a shorter form of the same meaning: `any(a)` for `count(a) > 0`, "
        "`adjacent(a)` for `touching(a, at least 1)`; and what is multiplied by 1 or done once "
        "needs no word about it. Use the shorter form.",
        wrong=Example("rules", _GOLD.format("1 if count(mine & edge) > 0")),
        right=Example("rules", _GOLD.format("1 if any(mine & edge)")),
        severity="warning",
        claim="exact",
        fix="the shorter form is written.",
    ),
    Code(
        "KB721",
        "same-branches",
        "two ways to go on are the same",
        "Whatever the condition says, or the player chooses, the same happens. Either one of the "
        "two should be something else, or nothing is there to be decided.",
        wrong=Example("rules", _GOLD.format("(2 if any(mine & edge) otherwise 2)")),
        right=Example("rules", _GOLD.format("(2 if any(mine & edge) otherwise 1)")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB722",
        "norm-twice",
        "a norm is given twice",
        "Two norms say the same of the same verbs under the same conditions. The second changes "
        "nothing. Keep one of them.",
        wrong=Example("rules", _TWO.format(_SHUT, _SHUT)),
        right=Example("rules", _TWO.format(_SHUT, "forbid build on adjacent(edge)")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB723",
        "norm-covered",
        "a norm says nothing beyond another one",
        "Another norm of the same kind holds wherever this one does and speaks of all its hexes, "
        "so that this one changes nothing. Leave it out, or narrow the other one.",
        wrong=Example("rules", _TWO.format(_SHUT, "forbid build on edge & adjacent(mine)")),
        right=Example("rules", _TWO.format(_SHUT, "forbid build on touching(mine, at least 3)")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB724",
        "idle-waive",
        "a waive sets nothing aside",
        "`waive` sets preferences aside, and no rule that is loaded has a preference for this "
        "verb. What is forbidden cannot be waived. Leave it out, or write the `prefer` it is "
        "about.",
        wrong=Example("rules", 'rule free "Free":\n    "Build anywhere."\n    waive build\n'),
        right=Example("rules", _BUILD.format("adjacent(mine)") + "    waive build if none(mine)\n"),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB726",
        "endless-trigger",
        "a trigger brings itself about",
        "What is done after an event brings about the same event, by itself or through others, "
        "and no condition stands in between. It goes on until nothing more can be done, or the "
        "engine stops it. Give it a condition.",
        wrong=Example("rules", _AGAIN.format("")),
        right=Example("rules", _AGAIN.format(" if required")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB759",
        "own-events",
        "a trigger speaks of who acted, but follows one's own events only",
        "`when build:` follows what the player builds, and `actor` is that player. `by others` "
        "follows the events of all others, `by anyone` those of all. Where an own piece was just "
        "built, placed or moved to, `here & theirs` is empty.",
        wrong=Example("rules", _ACTING.format("")),
        right=Example("rules", _ACTING.format(" by others")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB760",
        "short-row",
        "a row of a drawing has fewer hexes than another",
        "A board may have any shape, but a row that is shorter than the others is mostly one in "
        "which a hex was forgotten, and then all hexes to the right of it stand elsewhere. Draw "
        "the hex, or write `-` where there is none.",
        wrong=Example("rules", _DRAWN.format(".a .a")),
        right=Example("rules", _DRAWN.format(".a .a .")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB727",
        "counted-anew",
        "a step changes how often it is done",
        "How often a step is done is counted anew before each time, and here the step changes "
        "what is counted: `draw 3 - in_hand cards` ends half-way. `repeat ... times:` counts once "
        "and then does it.",
        wrong=Example("rules", _HOARD.format("build count(mine) on edge")),
        right=Example("rules", _HOARD.format("repeat count(mine) times: build 1 on edge")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB728",
        "same-title",
        "two cards or tiles have one title",
        "Players know cards and tiles by their titles, and these two have the same. Give one of "
        "them another.",
        wrong=Example("rules", _ROWERS + _CARD.format("oars", "Rowers"), _CARDS),
        right=Example("rules", _ROWERS + _CARD.format("oars", "Oars"), _CARDS),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB756",
        "all-cards-dead",
        "a norm can leave every terrain card without a hex",
        "A card with no hex open to build on leaves the game, and another is drawn. This `forbid` "
        "closes every hex that any card opens, so that while it holds all cards are dead. To keep "
        "a player from building, write `deny`: what is denied is still open for the cards, and the "
        "player builds nothing.",
        wrong=Example("rules", _REDRAW + _SKIP.format("forbid"), _DECK),
        right=Example("rules", _REDRAW + _SKIP.format("deny"), _DECK),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB758",
        "terrain-card-by-number",
        "a terrain card leaves the game by its number",
        "`remove card at 1` takes the first terrain card that lies face up out of the game, "
        "whatever it shows. It is not about scoring cards, which have names. Say which terrain "
        "card is meant, such as the first that is dead, `dead(build)`; `remove cards` takes all "
        "that lie face up.",
        wrong=Example("rules", _TERRAIN_CARD.format("1"), _DECK),
        right=Example("rules", _TERRAIN_CARD.format("dead(build)"), _DECK),
        severity="warning",
        claim="exact",
    ),
)
