"""KB700 to KB729: warnings, what is correct and yet hardly meant, told from what is written."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

_LONELY = 'define lonely "Yours without a neighbour of yours.": mine - adjacent(mine)\n'
_LONELY_CARD = """\
rule loneliness "Loneliness":
    "One gold for each lonely piece."
    gold 1 per hex in lonely
"""
_IGNORED = "# kb: ignore[{}]{}\n"

ENTRIES = (
    Code(
        "KB700",
        "unused-suppression",
        "a suppression has nothing to suppress",
        "A comment says that a warning is to be ignored here, but there is no such warning. "
        "Perhaps what it was about has been mended. Take the code out of the comment, so that it "
        "cannot hide a mistake made later.",
        wrong=Example(
            "rules", _IGNORED.format("KB703", " kept for later") + _LONELY + _LONELY_CARD
        ),
        right=Example("rules", _IGNORED.format("KB703", " kept for later") + _LONELY),
        severity="warning",
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
