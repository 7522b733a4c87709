"""Words of other languages and of English, and what this language has in their place.

A message that only names the wrong word leaves its author to guess; these lines do not. Only the
words of the grammar are spoken of, and those that every vocabulary has to have.
"""

from __future__ import annotations

import re

_TAKE = "take a set away with `-`, as in `mine - edge`"
_EACH = "leave it out: `gold 1 per hex in mine`, `for row in rows:`"
_PAY = "what a card pays is written `gold 1 per hex in mine`"
_FORBID = "what must not be is written `forbid build on ...`"
_SET = "numbers are changed by `increase NUMBER by 1`, memories by `add ... to ...`"
_MOST = "the largest of some numbers is `most(2, 3)`, or `most(... for row in rows)`"
_LEAST = "the smallest of some numbers is `least(2, 3)`, or `least(... for row in rows)`"
_REST = "what is left of a division is `remainder(round, 3)`"
_SWAP = "two pieces change places by `swap 1 from mine with theirs`"
_SAID = {
    "my": "the hexes with your own pieces are `mine`",
    "your": "the hexes with your own pieces are `mine`",
    "our": "the hexes with your own pieces are `mine`",
    "own": "the hexes with your own pieces are `mine`",
    "not": f"{_TAKE}; a condition is turned round by `not (...)`",
    "without": _TAKE,
    "except": _TAKE,
    "else": "write `otherwise`",
    "elif": "write `otherwise:`, and `if ...:` below it",
    "then": "put the condition last: `gold 2 if ...`",
    "unless": "write `if not (...)`, or `if none(...)`",
    "while": "write `repeat 3 times:`, or `up to 3 times:` if one may stop",
    "true": "write `yes`",
    "false": "write `no`",
    "on": "an event is awaited by `when build:`; in a set, put `&` between two sets",
    "each": _EACH,
    "every": _EACH,
    "all": _EACH,
    "is": "numbers are compared by `=`, sets by `any(...)` and `none(...)`",
    "equals": "write `=`",
    "has": "ask `any(...)`, as in `if any(mine & edge)`",
    "have": "ask `any(...)`, as in `if any(mine & edge)`",
    "opponent": "all other players are `others`",
    "opponents": "all other players are `others`",
    "enemy": "all other players are `others`",
    "chain": "what hangs together is `groups(...)`, and `largest(...)` the biggest of them",
    "score": _PAY,
    "points": _PAY,
    "point": _PAY,
    "coins": _PAY,
    "coin": _PAY,
    "disallow": _FORBID,
    "prohibit": _FORBID,
    "ban": _FORBID,
    "allow": "what may be is written `permit build on ...`",
    "must": "what comes first is written `prefer build on ...`",
    "may": "what may be done is written below `action:` or `may:`",
    "set": _SET,
    "let": _SET,
    "max": _MOST,
    "maximum": _MOST,
    "min": _LEAST,
    "minimum": _LEAST,
    "tiles": "what a player holds is `held_tiles`, the kinds on the board are `tile_kinds`",
    "places": "the kinds of place are `place_kinds`",
    "pieces": "your own pieces are `mine`; the kinds of piece are `piece_kinds`",
    "cards": "the cards in play are `scoring_cards`",
    "mod": _REST,
    "modulo": _REST,
    "switch": _SWAP,
    "exchange": _SWAP,
}
_SIGNS = {
    "==": "write a single `=`",
    "&&": "write a single `&`",
    "||": "write a single `|`",
    "//": "comments start with `#`",
    "/*": "comments start with `#`",
    "--": "comments start with `#`",
    "!": "`not` is written out",
    "=": _SET,
    "%": _REST,
    "'": 'texts stand in plain quotation marks: `"`',
    "`": 'texts stand in plain quotation marks: `"`',
    ";": "take it away: a sentence ends with its line",
    "{": "what belongs to a line stands below it, indented",
    "}": "what belongs to a line stands below it, indented",
    "[": "arguments stand in `(` and `)`",
    "]": "arguments stand in `(` and `)`",
}
_QUOTES = "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u00b4"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
_LETTERS = {"\u00e4": "ae", "\u00f6": "oe", "\u00fc": "ue", "\u00df": "ss", "\u00e6": "ae",
            "\u00f8": "oe", "\u00e5": "aa"}  # fmt: skip


def instead_of(word: str) -> str:
    """What is written in the place of a word of another language; empty if nobody can say."""
    return _SAID.get(word, "")


def instead_of_sign(text: str, at: int) -> str:
    """What is written in the place of the signs around a place of a text; empty as above."""
    for start, end in ((at, at + 2), (at - 1, at + 1), (at, at + 1)):
        if start >= 0 and text[start:end] in _SIGNS:
            return _SIGNS[text[start:end]]
    if text[at : at + 1].isspace():
        return "write a plain blank"
    if text[at : at + 1] in _QUOTES:
        return _SIGNS["'"]
    if text[at : at + 1] in _DASHES:
        return "the sign for taking away is the plain `-`"
    if text[at : at + 1] in ".," and re.search(r"\d$", text[:at]):
        return "numbers are whole; a half is written `... / 2`, or `per 2 hexes`"
    if text[at : at + 1] == "." and not text[text.rfind("\n", 0, at) + 1 : at].strip():
        return "each line of a drawing begins with `|`"
    return ""


def plain(word: str) -> str:
    """A word as the language writes it: small letters, digits and `_`."""
    ascii_word = "".join(_LETTERS.get(sign, sign) for sign in word.lower())
    return re.sub(r"[^a-z0-9]+", "_", ascii_word).strip("_")


def spelling(word: str) -> str:
    """How a word of letters that are not ours is written, or which letter is not what it seems."""
    foreign = next((s for s in word.lower() if not s.isascii() and s not in _LETTERS), None)
    if foreign is not None:
        return f"words are made of the letters a to z, digits and `_`; `{foreign}` is none of them"
    return f"words are written in small letters of a to z: `{plain(word)}`"
