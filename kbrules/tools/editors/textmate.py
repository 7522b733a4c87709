"""The TextMate grammar of rule files, for editors: printed from the patterns of tokens.

`python -m kbrules.tools.editors.textmate` writes `docs/editors/kb.tmLanguage.json` of a checkout;
with `--check` it only says whether that is up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kbrules.tools.editors.highlight import (
    CLOSING,
    OPENING,
    TokenKind,
    TokenPattern,
    token_patterns,
)

PLACE = Path("docs/editors/kb.tmLanguage.json")
SCOPES = {
    TokenKind.COMMENT: "comment.line.number-sign.kb",
    TokenKind.DECLARATION: "storage.type.kb",
    TokenKind.DECLARED: "entity.name.type.kb",
    TokenKind.KEYWORD: "keyword.control.kb",
    TokenKind.TRUTH: "constant.language.kb",
    TokenKind.NUMBER: "constant.numeric.kb",
    TokenKind.TEXT: "string.quoted.double.kb",
    TokenKind.DRAWING: "string.unquoted.drawing.kb",
    TokenKind.SORT: "support.type.kb",
    TokenKind.VERB: "entity.name.function.kb",
    TokenKind.WORD: "support.function.kb",
    TokenKind.NAME: "variable.other.kb",
    TokenKind.SIGN: "keyword.operator.kb",
    TokenKind.BLANK: "",
    TokenKind.WRONG: "invalid.illegal.kb",
}
"""What themes know each kind by."""
_SIGN = {"0": {"name": "punctuation.section.parens.kb"}}


def textmate() -> dict[str, Any]:
    """The grammar as an editor reads it."""
    parens = {"include": "#parens"}
    wrong = {"name": SCOPES[TokenKind.WRONG], "match": r"[^\s()]"}
    inside = {
        "begin": OPENING, "end": CLOSING, "beginCaptures": _SIGN, "endCaptures": _SIGN,
        "patterns": [*map(_pattern, token_patterns().inside), parens, wrong],
    }  # fmt: skip
    return {
        "name": "kbrules",
        "scopeName": "source.kb",
        "fileTypes": ["kb"],
        "patterns": [*map(_pattern, token_patterns().outside), parens, wrong],
        "repository": {"parens": inside},
    }


def _pattern(part: TokenPattern) -> dict[str, Any]:
    if len(part.kinds) == 1:
        return {"name": SCOPES[part.kinds[0]], "match": part.pattern}
    named = {str(at): {"name": SCOPES[k]} for at, k in enumerate(part.kinds, 1) if SCOPES[k]}
    return {"match": part.pattern, "captures": named}


def textmate_text() -> str:
    """The text of the file, the same on every machine."""
    return json.dumps(textmate(), indent=2) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write the file, or with `--check` answer 1 if it has drifted; 2 if misused."""
    if [each for each in arguments if each != "--check"]:
        print("usage: python -m kbrules.tools.editors.textmate [--check]", file=sys.stderr)
        return 2
    is_same = PLACE.is_file() and PLACE.read_text(encoding="utf-8") == textmate_text()
    if "--check" in arguments and not is_same:
        print(f"{PLACE} is not what the grammar and the registry say", file=sys.stderr)
        return 1
    if not is_same:
        PLACE.parent.mkdir(parents=True, exist_ok=True)
        PLACE.write_text(textmate_text(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
