"""What editors know is generated here: JSON Schemas, the TextMate grammar, the parser's tables.

`python -m tests.docs.generated` writes these files of a checkout anew; with `--check` it only says
which have drifted from the models, words and grammar that they are made of.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from lark.grammar import Rule
from lark.lexer import TerminalDef

from kbrules.lang.syntax.grammar import WORKED_OUT, build_parser, stamp
from kbrules.library.reading import data_root
from kbrules.tools.editors.highlight import (
    CLOSING,
    OPENING,
    TokenKind,
    TokenPattern,
    token_patterns,
)

if TYPE_CHECKING:
    from pydantic import BaseModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Names only: the schemas lie beside the data, and nothing is ever fetched from there.
HOME = "https://kbrules.invalid"


def models() -> dict[str, type[BaseModel]]:
    """Return what files are read by: for each schema in `schemas` the model, slow to load."""
    from kbrules.library.models import Expansion, LockFileModel, MutantsFile, TextsFile
    from kbrules.scenario.models import MidgameModel, ScenarioFile
    from kbrules.tools.conform import ConformanceFile

    return {
        "conformance": ConformanceFile,
        "expansion": Expansion,
        "lock": LockFileModel,
        "mutants": MutantsFile,
        "position": MidgameModel,
        "scenario": ScenarioFile,
        "texts": TextsFile,
    }


def outputs() -> dict[str, Any]:
    """Return what commands print: for each schema in `schemas/output` the dataclass."""
    from kbrules.tools import balance, explain, fmt, ladder, lock, narration, perft, show, texts
    from kbrules.tools.conform import ConformData
    from kbrules.tools.diff import report as diff
    from kbrules.tools.docs import site
    from kbrules.tools.mutation import run as mutation
    from kbrules.tools.pictures import cards
    from kbrules.tools.reports import checked
    from kbrules.tools.simulate import report as simulate
    from kbrules.tools.why import report as why

    return {
        "balance": balance.BalanceData,
        "boxes": show.BoxesData,
        "cards": cards.CardsData,
        "check": checked.CheckData,
        "conform": ConformData,
        "coverage": checked.CoverageData,
        "diff": diff.DiffData,
        "docs": site.DocsData,
        "explain": explain.ExplainData,
        "fmt": fmt.FormatData,
        "game": narration.GameData,
        "ladder": ladder.LadderData,
        "lock": lock.LockData,
        "mutation": mutation.MutationData,
        "perft": perft.PerftData,
        "show": show.ShowData,
        "simulate": simulate.SimulationData,
        "test": checked.TestData,
        "texts": texts.TextsData,
        "why": why.WhyData,
    }


def schema(name: str) -> dict[str, Any]:
    """Return a schema by the name of its file; KeyError if there is none."""
    folder, _, output = name.partition("/")
    made = _output_schema(output) if folder == "output" else models()[name].model_json_schema()
    if name in _WITH_POSITIONS:
        made = _referring_to_position(made)
    return {"$schema": DIALECT, "$id": f"{HOME}/{file_name(name)}", **made}


def _output_schema(name: str) -> dict[str, Any]:
    """Return the schema of what a command prints; it prints one version of the format."""
    from pydantic import TypeAdapter

    data = outputs()[name]
    made = TypeAdapter(data).json_schema(mode="serialization")
    for kind in get_args(data) or [data]:
        described = made if kind is data else made["$defs"][kind.__name__]
        described["properties"]["format"]["const"] = kind.format
    return made


def schema_names() -> list[str]:
    """Return the names of all schemas."""
    return [*models(), *(f"output/{name}" for name in outputs())]


_WITH_POSITIONS = ("conformance", "scenario")
_DEFS = "#/$defs/"


def _referring_to_position(made: dict[str, Any]) -> dict[str, Any]:
    """A schema that refers to the one of positions for all that this has already."""
    home, model = file_name("position"), models()["position"]
    shared = model.model_json_schema()
    there = {f"{_DEFS}{id}": f"{home}{_DEFS}{id}" for id in shared["$defs"]}
    there[_DEFS + model.__name__] = home
    defs = {id: each for id, each in made["$defs"].items() if _DEFS + id not in there}

    def referring(value: Any) -> Any:
        if isinstance(value, list):
            return [referring(each) for each in value]
        if not isinstance(value, dict):
            return value
        if isinstance(value.get("$ref"), str):
            value = {**value, "$ref": there.get(value["$ref"], value["$ref"])}
        return {
            key: keys_of(each) if key == "properties" else referring(each)
            for key, each in value.items()
        }

    def keys_of(table: dict[str, Any]) -> dict[str, Any]:
        return {
            key: {"$ref": f"{home}#/properties/{key}"}
            if each == shared["properties"].get(key)
            else referring(each)
            for key, each in table.items()
        }

    referred: dict[str, Any] = referring({**made, "$defs": defs})
    return referred


def file_name(name: str) -> str:
    """What the file of a schema is called."""
    return f"{name}.schema.json"


def schema_text(name: str) -> str:
    """The text of the file of a schema, the same on every machine."""
    return json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"


def generated(root: Path) -> dict[Path, str]:
    """Return the path of each generated file of a checkout, with the text it ought to have."""
    return {
        **{root / "schemas" / file_name(name): schema_text(name) for name in schema_names()},
        root / "kbrules/lang/syntax" / WORKED_OUT: serialized(),
        root / "docs/editors/kb.tmLanguage.json": textmate_text(),
    }


def drifted(root: Path) -> list[Path]:
    """Return the generated files of a checkout that are missing or not what they ought to be."""
    return [path for path, text in generated(root).items() if _read(path) != text]


def write(root: Path) -> list[Path]:
    """Write what has drifted, and return the paths of that."""
    texts, paths = generated(root), drifted(root)
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[path], encoding="utf-8", newline="\n")
    return paths


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


# The TextMate grammar of rule files, for editors: the same patterns in their words.


_SIGN = {"0": {"name": "punctuation.section.parens.kb"}}


def textmate() -> dict[str, Any]:
    """The grammar as an editor reads it."""
    parens = {"include": "#parens"}
    wrong = {"name": TokenKind.WRONG.scope, "match": r"[^\s()]"}
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
        return {"name": part.kinds[0].scope, "match": part.pattern}
    named = {str(at): {"name": k.scope} for at, k in enumerate(part.kinds, 1) if k.scope}
    return {"match": part.pattern, "captures": named}


def textmate_text() -> str:
    """The text of the file, the same on every machine."""
    return json.dumps(textmate(), indent=2) + "\n"


# The tables of the parser, which lark works out of the grammar.


_SHIFT = 0  # as lark writes what a state does with a token; the other is to reduce by a rule
_ENDLESS = 2**31  # a width of a pattern; what stands for "no end" differs between Pythons


def serialized() -> str:
    """The parser as text, the same on every machine."""
    data, memo = build_parser().memo_serialize([TerminalDef, Rule])
    del data["options"]["postlex"]
    for each in memo.values():
        pattern = each.get("pattern", {})
        if "_width" in pattern:
            pattern["_width"] = [min(width, _ENDLESS) for width in pattern["_width"]]
    data["parser"]["parser"] = _in_order(data["parser"]["parser"])
    stored = {"of": stamp(), "data": data, "memo": memo}
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


# The command.


def main(arguments: Sequence[str]) -> int:
    """Run the tool; return 1 if something has drifted and was only to be checked, 2 if misused."""
    if [each for each in arguments if each != "--check"]:
        print("usage: python -m tests.docs.generated [--check]", file=sys.stderr)
        return 2
    root = data_root("schemas").parent
    if "--check" in arguments:
        paths = drifted(root)
        for path in paths:
            print(f"{path} is not what it is generated from", file=sys.stderr)
        return 1 if paths else 0
    for path in write(root):
        print(f"written: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
