"""KB700 to KB729: warnings about text that is correct and probably not meant."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example
from kbrules.codes.small_game import BOX

_LONELY = 'define lonely "Yours without a neighbour of yours.": mine - adjacent(mine)\n'
_LONELY_CARD = """\
rule loneliness "Loneliness":
    "One gold for each lonely piece."
    gold 1 per hex in lonely
"""
_STRICT = 'option strict = no "Whether the edge is to be kept free."\n'
_KEEPING = 'rule keeping "Keeping off":\n    "Some hexes stay free."\n    forbid build on {}\n'
_SEEN = 'memory seen: hexes of table "Where anything was built."\n'
_SEEING = 'rule seeing "Seeing":\n    "It is remembered."\n    when build: add here to seen\n'
_EMPTY = "# nothing here\n"
_STEPS = 'rule haste "Haste":\n    "Gold for haste."\n    gold steps\n'
_GOLD = 'rule rows_pay "Rows":\n    "Gold for your best row."\n    gold {}\n'
_MILL = """\
location mill "{}":
    "Build one piece next to a mill."
    action:
        build 1 on adjacent(pond)
    example:
        | P .+
        |  .+ .a
        offers
"""
_PLACES = BOX + "places: {pond: {letter: P}}\n"
_TILES = "tiles: {mill: {kind: location, place: pond, copies: 1, title: Mill}}\n"
_MILL_BOX = (("expansion.yaml", _PLACES + _TILES),)
_PAIRS = """\
rule trios "Trios":
    "One gold for every {} of your pieces."
    gold 1 per {} hexes in mine
"""
_LAKE_BOX = (("expansion.yaml", BOX.replace("letter: H}", "letter: H}\n  lake: {letter: L}")),)
_SHORE = """\
rule shore "The shore":
    "One gold for each of your pieces next to a {}."
    gold 1 per hex in mine & adjacent(heath)
"""
_ENDING = """\
rule hurry "Hurry":
    "One gold for whoever fills the edge, and the game is over."
    when build if none(edge - occupied):
        {}
        {}
"""
_IGNORED = "# kb: ignore[{}]{}\n"

ENTRIES = (
    Code(
        "KB700",
        "unused-suppression",
        "a suppression has nothing to suppress",
        "A comment says that a warning is to be ignored here, but there is no such warning. "
        "Perhaps what it was about has been mended. Take the code out of the comment, so that it "
        "cannot hide a mistake made later. Of warnings about sampled positions it is not told: "
        "they may come and go with the number of positions.",
        wrong=Example(
            "rules", _IGNORED.format("KB703", " kept for later") + _LONELY + _LONELY_CARD
        ),
        right=Example("rules", _IGNORED.format("KB703", " kept for later") + _LONELY),
        severity="warning",
        fix="the code is taken out of the comment, and a comment without a code is deleted.",
    ),
    Code(
        "KB701",
        "suppression-without-reason",
        "a suppression gives no reason",
        "Whoever reads the file later has to know why a warning is ignored. Write the reason "
        "behind the bracket, in a few words.",
        wrong=Example("rules", _IGNORED.format("KB703", "") + _LONELY),
        right=Example("rules", _IGNORED.format("KB703", " kept for later") + _LONELY),
        severity="warning",
    ),
    Code(
        "KB702",
        "bad-suppression",
        "a suppression names no warning",
        "A comment that begins with `kb:` names the warnings it is about, by code or short name, "
        "in brackets behind `ignore`. Only warnings can be ignored, and mistakes never. Correct "
        "the name, or delete the comment.",
        wrong=Example("rules", _IGNORED.format("KB201", " I like it") + _LONELY + _LONELY_CARD),
        right=Example("rules", _LONELY + _LONELY_CARD),
        severity="warning",
    ),
    Code(
        "KB703",
        "unused-define",
        "a define is never used",
        "Nothing that is loaded speaks of this word: no rule, no other define, no mark of a box. "
        "Use it, or delete it. If it is meant for files of others, suppress the warning with that "
        "reason.",
        wrong=Example("rules", _LONELY),
        right=Example("rules", _LONELY + _LONELY_CARD),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB704",
        "unused-option",
        "an option is never read",
        "A table can choose a value for this option, but no rule asks for it, so that nothing "
        "changes. Let a rule depend on it, or delete it.",
        wrong=Example("rules", _STRICT),
        right=Example("rules", _STRICT + _KEEPING.format("edge if strict")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB705",
        "memory-never-read",
        "a memory is kept and never asked for",
        "Things are put into this memory, or nothing at all, but no rule ever asks what it holds. "
        "Let a rule ask for it, or delete it with the steps that fill it.",
        wrong=Example("rules", _SEEN + _SEEING),
        right=Example("rules", _SEEN + _SEEING + _KEEPING.format("adjacent(seen)")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB706",
        "memory-never-filled",
        "a memory is asked for, but nothing is ever put into it",
        "A rule asks what this memory holds, and there is no step that puts anything into it. So "
        "it is always empty, or 0. Write the missing `add`, `mark` or `count`, or delete it.",
        wrong=Example("rules", _SEEN + _KEEPING.format("adjacent(seen)")),
        right=Example("rules", _SEEN + _SEEING + _KEEPING.format("adjacent(seen)")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB707",
        "unused-entry",
        "no rule speaks of a number or a tag of a box",
        "The data of a box gives this number, or this tag, and no rule that is loaded speaks of "
        "it. Use it in a rule, or delete it.",
        wrong=Example("rules", _EMPTY, (("expansion.yaml", BOX + "numbers: {steps: 2}\n"),)),
        right=Example("rules", _STEPS, (("expansion.yaml", BOX + "numbers: {steps: 2}\n"),)),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB708",
        "unused-variable",
        "a loop or a definition does not use its variable",
        "The word runs over some things, but what is asked is the same for each of them. Or a "
        "definition has a parameter and does without it. Most often another word was written "
        "by mistake.",
        wrong=Example("rules", _GOLD.format("most(count(mine) for row in rows)")),
        right=Example("rules", _GOLD.format("most(count(mine & row) for row in rows)")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB709",
        "title-differs",
        "a tile has two titles",
        "The rule of this tile gives it a title, and the data of its box another one. Players "
        "would see now the one and now the other. Use one title in both places.",
        wrong=Example("rules", _MILL.format("Watermill"), _MILL_BOX),
        right=Example("rules", _MILL.format("Mill"), _MILL_BOX),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB710",
        "wording-number",
        "a number in the wording is not in the rule",
        "The sentence names a number or a rank that does not occur in what the rule does. Players "
        "read the sentence, the engine reads the rule. Make them say the same.",
        wrong=Example("rules", _PAIRS.format("three", 2)),
        right=Example("rules", _PAIRS.format("three", 3)),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB711",
        "wording-thing",
        "the wording names a terrain or place of which the rule does not speak",
        "The sentence names a terrain or a kind of place, and the rule speaks of others. Players "
        "read the sentence, the engine reads the rule. Make them say the same.",
        wrong=Example("rules", _SHORE.format("lake"), _LAKE_BOX),
        right=Example("rules", _SHORE.format("heath"), _LAKE_BOX),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB712",
        "after-the-end",
        "a step stands below the end of the game or of the turn",
        "`end game` and `end turn` act at once, and there is another step below one of them in the "
        "same block. Put what is still to be done above it.",
        wrong=Example("rules", _ENDING.format("end game", "gain 1")),
        right=Example("rules", _ENDING.format("gain 1", "end game")),
        severity="warning",
        claim="exact",
    ),
    Code(
        "KB729",
        "bad-setting",
        "a setting cannot be read",
        "Settings for a folder stand in `kbrules.toml`, or in `pyproject.toml` under "
        "`[tool.kbrules]`. There is something in them that is no setting, or has a value it "
        "cannot have, so that nothing was checked. Correct it, or say `--isolated` to pass over "
        "the file.",
        wrong=Example("arguments", "check .", (("kbrules.toml", 'selct = ["KB7"]\n'),)),
        right=Example("arguments", "check .", (("kbrules.toml", 'select = ["KB7"]\n'),)),
    ),
)
