"""The tables of scenario and box files: for each where it stands and its model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # models are slow to load
    from pydantic import BaseModel

Table = tuple[str, "type[BaseModel]"]


def scenario_tables() -> Iterator[Table]:
    """The tables of a scenario file, and under which key each stands; a table before its parts."""
    from kbrules.scenario import models
    from kbrules.scenario import models as expectations

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


def box_tables() -> Iterator[Table]:
    """The same of the file of a box, `expansion.yaml`."""
    from kbrules.library import models

    yield "The file", models.Expansion
    yield "`players`", models.PlayersModel
    yield "`table`", models.TableModel
    yield "`section`, and the size of a grid", models.SizeModel
    yield "An entry of `grids`", models.GridModel
    yield "`instead`", models.InsteadModel
    yield "An entry of `terrains` and `places`", models.HexModel
    yield "An entry of `pieces`", models.PieceModel
    yield "An entry of `tiles`", models.TileModel
    yield "An entry of `deck`", models.DeckModel
    yield "An entry of `setups`", models.SetupModel
    yield "An entry of `marks`", models.MarkModel
    yield "An entry of `sections`", models.SectionModel
