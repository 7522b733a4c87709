"""The page of scenario files: every key of every table in one, as its model describes it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.library.reading import read_source

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["scenario_page"]

EXAMPLE = "expecting.scenario.yaml"


def scenario_page(scenarios: Path) -> Iterator[str]:
    """The lines of the page; the example is a file in the folder of scenarios, run as one of them.

    Raises FileNotFoundError without it.
    """
    yield "A scenario file lays out a position, does moves and says what must then hold."
    yield "`kbrules test` runs the files that end in `.scenario.yaml`, and so does pytest. From"
    yield "Python, `kbrules.read_position` takes the keys of a table: from `with` to `turn`."
    yield from ("", "```yaml", *_example(scenarios), "```", "")
    for title, model in _tables():
        yield from (f"## {title}", "", (model.__doc__ or "").partition("\n")[0], "")
        yield from ("| key | meaning | such as |", "| --- | --- | --- |")
        yield from (*_keys(model), "")


def _example(scenarios: Path) -> list[str]:
    source, _ = read_source(scenarios / EXAMPLE)
    if source is None:
        raise FileNotFoundError(EXAMPLE)
    return [line for line in source.text.splitlines() if not line.startswith("#")]


def _tables() -> Iterator[tuple[str, type[BaseModel]]]:
    """The tables of a scenario file, and under which key each stands; a table before its parts."""
    from kbrules.scenario.format import expectations, models

    yield "The file", models.ScenarioFile
    yield "`board`", models.BoardModel
    yield "`sectors` of a `board`", models.SectorsModel
    yield "`position`", models.PositionModel
    yield "`a` to `f` of a `position`", models.SeatModel
    yield "`nobody` of a `position`", models.NeutralPiecesModel
    yield "`tiles` of a player", models.HeldTileModel
    yield "`turn`", models.TurnModel
    yield "An entry of `steps`", models.StepModel
    yield "`expect`", expectations.ExpectModel
    yield "An offer with `includes` and `excludes`", expectations.PartialOfferModel
    yield "An entry of `refused`", expectations.RefusedMoveModel
    yield "An entry of `tiles` in `expect`", expectations.TileModel
    yield "`reachable` and `unreachable`", expectations.ReachableModel


def _keys(model: type[BaseModel]) -> Iterator[str]:
    """A row for each key; what `within` some decisions must hold is told once, at `expect`."""
    from kbrules.scenario.format.expectations import ExpectedStateModel, ReachableModel

    told = ExpectedStateModel.model_fields if model is ReachableModel else {}
    for name, field in model.model_fields.items():
        if name not in told:
            example = next(iter(field.examples or ()), None)
            yield _row(field.alias or name, field.description or "", example)
    if told:
        yield _row("any other key", "As in `expect`.", None)


def _row(key: str, meaning: str, example: Any) -> str:
    said = "" if example is None else f"`{json.dumps(example, ensure_ascii=False)}`"
    cells = (f"`{key}`" if " " not in key else key, meaning, said)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
