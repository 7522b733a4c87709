"""The pages of scenario and box files: every key of every table, as its model describes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.library.reading import read_source
from kbrules.tools.lookup import Table, box_tables, scenario_tables

if TYPE_CHECKING:
    from pydantic import BaseModel

EXAMPLE = "expecting.scenario.yaml"


def scenario_page(scenarios: Path) -> Iterator[str]:
    """The lines of the page; the example is a file in the folder of scenarios, run as one of them.

    Raises FileNotFoundError without it.
    """
    yield "A scenario file lays out a position, does moves and says what must then hold."
    yield "`kbrules test` runs the files that end in `.scenario.yaml`, and so does pytest. From"
    yield "Python, `kbrules.read_position` takes the keys of a table: from `with` to `turn`."
    yield from ("", "```yaml", *_example(scenarios), "```", "")
    yield from _sections(scenario_tables())


def box_file_page() -> Iterator[str]:
    """The lines of the page of box files."""
    yield "What is in a box stands in `expansion.yaml`, in the folder of the box; what it does, in"
    yield "rule files beside it. Only `format`, `id` and `title` are needed."
    yield "`kbrules new expansion` writes one, and the [guide](guide/index.md) goes on from there."
    yield "[Packages](packages.md) tells of installed boxes, versions, locks and languages."
    yield ""
    yield from _sections(box_tables())


def _sections(tables: Iterable[Table]) -> Iterator[str]:
    """Every table with its keys."""
    for title, model in tables:
        yield from (f"## {title}", "", (model.__doc__ or "").partition("\n")[0], "")
        yield from ("| key | meaning | such as |", "| --- | --- | --- |")
        yield from (*_keys(model), "")


def _example(scenarios: Path) -> list[str]:
    source, _ = read_source(scenarios / EXAMPLE)
    if source is None:
        raise FileNotFoundError(EXAMPLE)
    return [line for line in source.text.splitlines() if not line.startswith("#")]


def _keys(model: type[BaseModel]) -> Iterator[str]:
    """A row for each key; what `within` some decisions must hold is told once, at `expect`."""
    from kbrules.scenario.models import ExpectedStateModel, ReachableModel

    described = ExpectedStateModel.model_fields if model is ReachableModel else {}
    for name, field in model.model_fields.items():
        if name not in described:
            example = next(iter(field.examples or ()), None)
            yield _row(field.alias or name, field.description or "", example)
    if described:
        yield _row("any other key", "As in `expect`.", None)


def _row(key: str, meaning: str, example: Any) -> str:
    example_text = "" if example is None else f"`{json.dumps(example, ensure_ascii=False)}`"
    cells = (f"`{key}`" if " " not in key else key, meaning, example_text)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
