"""KB3xx, KB423: rules of several expansions in one rule set."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

_PLACING = 'rule placing:\n    "Build anywhere."\n    permit build on empty\n'
_NEARBY = 'rule nearby replaces placing:\n    "Build close."\n    permit build on adjacent(mine)\n'
_DISTANT = 'rule distant replaces placing:\n    "Build."\n    permit build on empty - mine\n'
_RICHEST = 'rule richest:\n    "Most gold wins."\n    win by total\n'
_CROWD = 'rule crowd:\n    "Most pieces win."\n    win by count(mine)\n'
_BUSY = 'define busy "Rows of rows of rows.":\n    {} > 9\n'
_FENCES = 'rule fences "Fences":\n    "Some hexes are fenced off."\n    {}\n'

ENTRIES = (
    Code(
        "KB301",
        "replace-conflict",
        "two rules replace the same rule",
        "A rule may say that it replaces another. Here two do so for the same rule, and since the "
        "order of loading must not matter, neither can win. Use only one of them, or let one "
        "replace the other instead.",
        wrong=Example("rules", _PLACING + _NEARBY + _DISTANT),
        right=Example("rules", _PLACING + _NEARBY + _DISTANT.replace("replaces placing", "")),
    ),
    Code(
        "KB302",
        "replaces-unknown",
        "a rule replaces one that is not there",
        "A rule says that it replaces another, but no loaded file has a rule of that name and "
        "kind. Perhaps it is spelt otherwise, or the expansion that holds it was not named. "
        "Correct the name or delete `replaces`.",
        wrong=Example("rules", _NEARBY.replace("placing", "placng")),
        right=Example("rules", _PLACING + _NEARBY),
    ),
    Code(
        "KB303",
        "too-costly",
        "a rule could take too long",
        "The time a rule can take at most is known before it runs, from the loops in it. This one "
        "lies above the limit. Loop over fewer things, or say it once about all hexes instead of "
        "hex by hex.",
        wrong=Example(
            "rules",
            _BUSY.format(
                "sum(sum(sum(count(a & b & c) for a in rows) for b in rows) for c in rows)"
            ),
        ),
        right=Example("rules", _BUSY.format("sum(count(mine & a) for a in rows)")),
    ),
    Code(
        "KB304",
        "win-conflict",
        "two rules say who wins",
        "What follows `win by` decides the game, so it may stand only once in all files that are "
        "loaded together. Here it stands twice, and since the order of loading must not matter, "
        "neither can be preferred. Keep one, or let the rule of one replace that of the other.",
        wrong=Example("rules", _RICHEST + _CROWD),
        right=Example("rules", _RICHEST + _CROWD.replace("crowd", "crowd replaces richest")),
    ),
    Code(
        "KB423",
        "depends-on-itself",
        "a norm or a quantity depends on itself",
        "`open(build)`, `stuck(build)` and `dead(build)` ask what `permit build` and "
        "`forbid build` say, `forbidden(build)` asks the second alone, and a quantity asks what "
        "changes it. None of these may ask itself, alone or through others: the message follows "
        "the circle, which counts even if its parts never apply together. Name the hexes "
        "themselves; `prefer`, `waive` and `deny` may ask what is open, which does not depend on "
        "them.",
        wrong=Example("rules", _FENCES.format("forbid build on adjacent(open(build))")),
        right=Example("rules", _FENCES.format("deny build on adjacent(open(build))")),
    ),
)
