"""The parser of one declaration: from the worked-out grammar beside `kb.lark`, or from that itself.

To work out an LALR grammar takes ten times as long as to read what came of it, so that lies in
`kb.lalr.json`, written by `python -m kbrules.tools.editors.grammar`. It is believed only if it was
made of this very grammar by this very version of lark.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.indenter import Indenter
from lark.lexer import TerminalDef

WORKED_OUT = "kb.lalr.json"
_SHIFT = 0  # as lark writes what a state does with a token; the other is to reduce by a rule
_ENDLESS = 2**31  # a width of a pattern; what stands for "no end" differs between Pythons


class _Indents(Indenter):
    NL_type = "_NL"
    OPEN_PAREN_types = ["CALLED", "LPAR"]  # noqa: RUF012 (the base class declares lists)
    CLOSE_PAREN_types = ["RPAR"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The LALR parser of one declaration, made once per process."""
    found = files("kbrules.lang.syntax").joinpath(WORKED_OUT)
    text = found.read_text(encoding="utf-8") if found.is_file() else ""
    return deserialized(text) or build_parser()


def deserialized(text: str) -> Lark | None:
    """The parser that was written by `serialized`; None if it is not of this grammar and lark."""
    stored = json.loads(text) if text else {}
    if stored.get("of") != _stamp():
        return None
    memo, data = _numbered(stored["memo"]), stored["data"]
    table = data["parser"]["parser"]
    table["tokens"] = _numbered(table["tokens"])
    table["states"] = {int(of): _numbered(does) for of, does in table["states"].items()}
    loaded: Lark = Lark._load_from_dict(data, memo, postlex=_Indents())  # type: ignore[no-untyped-call]
    return loaded


def build_parser() -> Lark:
    """The parser, worked out from the grammar."""
    return Lark(
        _text(),
        parser="lalr",
        lexer="contextual",
        postlex=_Indents(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def serialized() -> str:
    """The parser as text, the same on every machine."""
    data, memo = build_parser().memo_serialize([TerminalDef, Rule])
    del data["options"]["postlex"]
    for each in memo.values():
        pattern = each.get("pattern", {})
        if "_width" in pattern:
            pattern["_width"] = [min(width, _ENDLESS) for width in pattern["_width"]]
    data["parser"]["parser"] = _in_order(data["parser"]["parser"])
    stored = {"of": _stamp(), "data": data, "memo": memo}
    return json.dumps(stored, separators=(",", ":"), default=sorted) + "\n"


def _in_order(table: dict[str, Any]) -> dict[str, Any]:
    """A table whose tokens and states are numbered anew, for lark numbers them by chance.

    The tokens in the order of their names, the states in the order in which they are reached.
    """
    tokens = table["tokens"]
    numbers = {name: number for number, name in enumerate(sorted(tokens.values()))}
    ((start, first),) = table["start_states"].items()
    places: dict[int, int] = {first: 0}
    states: dict[int, dict[int, Any]] = {}
    for state in (reached := [first]):
        does = states[places[state]] = {}
        for token, (kind, to) in sorted(
            table["states"][state].items(), key=lambda entry: str(tokens[entry[0]])
        ):
            if kind == _SHIFT and to not in places:
                places[to] = len(places)
                reached.append(to)
            does[numbers[tokens[token]]] = [kind, places[to] if kind == _SHIFT else to]
    return {
        **table,
        "tokens": {number: name for name, number in numbers.items()},
        "states": states,
        "start_states": {start: 0},
        "end_states": {start: places[table["end_states"][start]]},
    }


def _stamp() -> str:
    """What tells one grammar and lark from all others."""
    return blake2b(f"{lark.__version__}\n{_text()}".encode(), digest_size=16).hexdigest()


def _text() -> str:
    return files("kbrules.lang.syntax").joinpath("kb.lark").read_text(encoding="utf-8")


def _numbered(table: Mapping[str, Any]) -> dict[int, Any]:
    """A table by numbers, which JSON has as text."""
    return {int(key): value for key, value in table.items()}
