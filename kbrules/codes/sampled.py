"""KB740 and later: warnings about what rules do at sampled positions."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example
from kbrules.codes.tile_game import MILL, ROWERS


def _card(says: str, example: str) -> str:
    lines = "".join(f"        {line}\n" for line in example.split(";"))
    return f'card rowers "Rowers":\n    "Gold."\n    {says}\n    example:\n{lines}'


def _action(says: str, example: str, head: str = "action") -> str:
    lines = "".join(f"        {line}\n" for line in example.split(";"))
    steps = "".join(f"        {line}\n" for line in says.split(";"))
    return f'location mill "Mill":\n    "A use."\n    {head}:\n{steps}    example:\n{lines}'


_FILES = {"rowers": ("rules/rowers.kb", ROWERS), "mill": ("rules/mill.kb", MILL)}
_NEAR = """\
rule bounty "Bounty":
    "A gold for a piece that is built beside a lake."
    when build if any(here & adjacent(lake)): gain 1
"""


def _entry(
    code: str, slug: str, title: str, explanation: str, of: str, text: str, right: str = ""
) -> Code:
    """An entry of which the examples are another text of one file of the game, or one more file."""
    if of == "near":
        wrong, good = (Example("rules", each, (), "moor") for each in (text, right or _NEAR))
    else:
        name, usual = _FILES[of]
        texts = (text, right or usual)
        wrong, good = (Example("rules", "", ((name, each),), "moor") for each in texts)
    return Code(code, slug, title, explanation, wrong, good, severity="warning", claim="sampled")


_COUNTED = 'memory gained: number of turn "How often so far."\n\n'
_REST = """\
rule harvest "Harvest":
    "A gold once a turn, if you have a piece."
    whenever gained = 0 and any(mine):
        gain 1
        count {} into gained
"""
_OFTEN = """\
rule harvest "Harvest":
    "Gold, again and again."
    when build:
        repeat count(board) * {} times: gain 1
"""

ENTRIES = (
    _entry(
        "KB725",
        "endless-whenever",
        "what is done `whenever` a condition holds did not make it false",
        "In a turn of a game that was played this was done so often that the engine stopped it. "
        "What is done here is meant to make the condition false; see in which case it does not. "
        "To do something once for each event, write `when`.",
        of="near",
        text=_COUNTED + _REST.format("0"),
        right=_COUNTED + _REST.format("1"),
    ),
    _entry(
        "KB740",
        "idle-clause",
        "a clause makes no difference",
        "One side of `&`, `-`, `|`, `and` or `or` was asked many times over, and without it the "
        "whole would always have been the same. Perhaps it says what another side says already, "
        "or the case it is for needs an example. The message says what it never did. Nothing is "
        "said of kinds of tiles, of memories that only other boxes fill, and of a define that "
        "makes a difference in another place.",
        of="rowers",
        text=_card("gold 1 per hex in mine & occupied & adjacent(lake)", "| Ha L;gives 1"),
    ),
    _entry(
        "KB741",
        "never-true",
        "a condition never holds",
        "The condition was asked many times over and never held, so that what hangs on it never "
        "comes about. Compare it with the numbers of the game: a supply may be smaller, a board "
        "narrower than it asks for. An example in which it holds ends the warning.",
        of="rowers",
        text=_card("gold 3 if count(mine) > 7", "| Ha L;gives 0"),
    ),
    _entry(
        "KB742",
        "always-true",
        "a condition always holds",
        "The condition was asked many times over and always held, so that it might as well be "
        "left out. Perhaps it was meant to compare with another number, or the other way round. An "
        "example in which it does not hold ends the warning.",
        of="near",
        text='rule gift "A gift":\n    "Gold for a building."\n'
        "    when build if count(mine) > 0: gain count(mine & adjacent(lake))\n",
    ),
    _entry(
        "KB743",
        "idle-loop",
        "a loop has nothing to run over",
        "What the steps run over, or the number of times they are done, was always empty or 0 "
        "when it was asked. What stands inside is then never done. Look at what the set or the "
        "number is made of.",
        of="near",
        text='rule gift "A gift":\n    "Gold for each pond."\n'
        "    when build:\n        for pond in lines(lake & here, at least 1): gain 1\n",
    ),
    _entry(
        "KB744",
        "no-pay",
        "a card never pays",
        "At all positions that were looked at, of play and with scattered pieces, this paid nobody "
        "anything. It may ask for more than the board or the supply can give. An example in which "
        "it pays ends the warning.",
        of="rowers",
        text=_card("gold 1 per hex in mine & adjacent(yard) & yard", "| Ha Y;gives 0"),
    ),
    _entry(
        "KB745",
        "same-pay",
        "a card pays everybody the same",
        "At all positions that were looked at, every player was paid the same, so that it never "
        "decides who wins. Most often the sentence forgot to say whose pieces it means. Let it "
        "ask for `mine`.",
        of="rowers",
        text=_card("gold 1 per hex in adjacent(lake)", "| Ha L;gives 1"),
    ),
    _entry(
        "KB746",
        "same-card",
        "two cards pay alike",
        "At all positions that were looked at, one card paid what another pays, or always the "
        "same multiple of it. They may be said differently and yet be one card. This is no proof: "
        "if you know a position in which they differ, suppress the warning and name it.",
        of="rowers",
        text=_card("gold 2 per hex in mine - adjacent(mine)", "| Ha L;gives 2"),
    ),
    _entry(
        "KB747",
        "never-offered",
        "an action is never offered",
        "Players were free to use the action many times over, and it could never be begun: its "
        "condition never held, or none of its hexes was ever open. The label shows which, if one "
        "part alone is to blame. An example that offers it ends the warning.",
        of="mill",
        text=_action("build 1 on heath & lake", "| Ha L;offers none"),
    ),
    _entry(
        "KB749",
        "empty-aim",
        "a step never finds a hex",
        "The step is one of several, and the hexes it asks for were never there, so that it is "
        "passed over whenever the rule is carried out; a branch of `either` cannot be chosen. "
        "Look at what the set is made of.",
        of="mill",
        text=_action("build 1 on heath & adjacent(lake);build 1 on heath & lake", "| H+ L;offers"),
    ),
    _entry(
        "KB750",
        "unheard-event",
        "nothing brings about what a rule waits for",
        "The rule follows an event that never came about in the games that were played. Perhaps "
        "no rule that is loaded does such a thing: what is built is not placed, and what is placed "
        "is not built. Name the event that is meant.",
        of="near",
        text='rule gift "A gift":\n    "Gold for a piece that is placed."\n'
        "    when place: gain 1\n",
    ),
    _entry(
        "KB752",
        "standstill",
        "games come to a standstill",
        "Some of the games that were played had no end of their own: turn after turn nobody had a "
        "move that would bring it, although the rules require one. The engine ends such a game "
        "after thousands of turns. See that required actions stay possible, or end the game "
        "otherwise.",
        of="near",
        text='rule distance "Distance":\n    "Nobody builds beside others."\n'
        "    forbid build on within(theirs, 2)\n",
    ),
    _entry(
        "KB753",
        "idle-permit",
        "a permit permits nothing new",
        "Every hex that it opened was opened by other permits at the same time. A permit adds to "
        "the others and never takes away; to narrow what is open, write `prefer` or `forbid`.",
        of="near",
        text='rule shore "The shore":\n    "Build beside a lake."\n'
        "    permit build on heath & adjacent(lake)\n",
    ),
    _entry(
        "KB754",
        "idle-ban",
        "a ban bans nothing",
        "Whenever it was asked, none of the hexes it closes was open, because nothing permits "
        "them. It is not needed as long as no other box opens such hexes. If one may, suppress "
        "the warning with that reason.",
        of="near",
        text='rule deep "Deep":\n    "Nobody builds on a lake."\n    forbid build on lake\n',
    ),
    _entry(
        "KB755",
        "idle-preference",
        "a preference narrows nothing",
        "Whenever it was asked, it held for all the open hexes or for none of them, so that it "
        "never decided where a piece goes. Perhaps it prefers what is permitted anyway.",
        of="near",
        text='rule dry "Dry land":\n    "Build on heath if you can."\n    prefer build on heath\n',
    ),
    _entry(
        "KB757",
        "cut-off",
        "a limit cut off what a rule does",
        "In a game that was played the rule met a limit: a block was to be repeated more often "
        "than 400 times, what followed an event had led too deep, or a norm left no hex for any "
        "card there was, so that none could be drawn in place of a dead one. Or games took so "
        "many steps that no more positions were looked at. See what should bring it to an end; "
        "to keep a player from building, write `deny` in place of `forbid`.",
        of="near",
        text=_OFTEN.format("20"),
        right=_OFTEN.format("2"),
    ),
)
