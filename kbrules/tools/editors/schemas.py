"""The JSON Schemas in `schemas/`, made from the models so that editors know what we know.

`python -m kbrules.tools.editors.schemas` writes them anew; with `--check` it only says what
has drifted.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.library.reading import data_root

if TYPE_CHECKING:
    from pydantic import BaseModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Names only: the schemas lie beside the data, and nothing is ever fetched from there.
HOME = "https://kbrules.invalid"


def _expansion() -> type[BaseModel]:
    from kbrules.library.models import Expansion

    return Expansion


def _scenario() -> type[BaseModel]:
    from kbrules.scenario.models import ScenarioFile

    return ScenarioFile


def _texts() -> type[BaseModel]:
    from kbrules.library.models import TextsFile

    return TextsFile


def _lock() -> type[BaseModel]:
    from kbrules.library.models import LockFileModel

    return LockFileModel


def _mutants() -> type[BaseModel]:
    from kbrules.tools.mutation.models import MutantsFile

    return MutantsFile


def _conformance() -> type[BaseModel]:
    from kbrules.tools.conform.models import ConformanceFile

    return ConformanceFile


def _output(name: str) -> Callable[[], type[BaseModel]]:
    def find() -> type[BaseModel]:
        from kbrules.tools.reports import output_models

        model: type[BaseModel] = getattr(output_models, name)
        return model

    return find


# A name for the file, and where its model comes from; models are slow to load.
SCHEMAS: Mapping[str, Callable[[], type[BaseModel]]] = {
    "conformance": _conformance,
    "expansion": _expansion,
    "lock": _lock,
    "mutants": _mutants,
    "scenario": _scenario,
    "texts": _texts,
    "output/boxes": _output("BoxesOutput"),
    "output/cards": _output("CardsOutput"),
    "output/docs": _output("DocsOutput"),
    "output/explain": _output("ExplainOutput"),
    "output/game": _output("GameOutput"),
    "output/show": _output("ShowOutput"),
}


def schema(name: str) -> dict[str, Any]:
    """The schema of a model by its name in `SCHEMAS`; KeyError if there is none."""
    made = SCHEMAS[name]().model_json_schema()
    return {"$schema": DIALECT, "$id": f"{HOME}/{file_name(name)}", **made}


def file_name(name: str) -> str:
    """What the file of a schema is called."""
    return f"{name}.schema.json"


def schema_text(name: str) -> str:
    """The text of the file of a schema, the same on every machine."""
    return json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"


def drifted(folder: Path) -> list[str]:
    """The names of the schemas that are missing in a folder or are not what the models say."""
    return [name for name in SCHEMAS if _read(folder / file_name(name)) != schema_text(name)]


def write(folder: Path) -> list[str]:
    """Write what has drifted; the names of what was written."""
    names = drifted(folder)
    for name in names:
        path = folder / file_name(name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(schema_text(name), encoding="utf-8", newline="\n")
    return names


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def main(arguments: Sequence[str]) -> int:
    """Run the tool; 1 if something has drifted and was only to be checked, 2 if misused."""
    if [each for each in arguments if each != "--check"]:
        print("usage: python -m kbrules.tools.editors.schemas [--check]", file=sys.stderr)
        return 2
    folder = data_root("schemas")
    if "--check" in arguments:
        names = drifted(folder)
        for name in names:
            print(f"{folder / file_name(name)} is not what the models say", file=sys.stderr)
        return 1 if names else 0
    for name in write(folder):
        print(f"written: {folder / file_name(name)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
