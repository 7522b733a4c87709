"""Models of a file of conformance cases; other implementations read its schema."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from kbrules.library.models import Data, Id, Option
from kbrules.scenario.models import Gold, Hexes, MidgameModel, MoveText, Player

QUESTIONS = ("legal", "offered", "refused", "scores", "events")
Name = Annotated[str, Field(min_length=1, max_length=120)]
Event = dict[Id, str | int | Hexes | None]


class CaseModel(Data):
    """One question about a position, with its answer."""

    id: Name = Field(description="Its name, once in all files.", examples=["twin-7-legal"])
    position: Name = Field(description="A position of this file.", examples=["twin-7"])
    moves: Annotated[tuple[MoveText, ...], Field(max_length=400)] = Field(
        (), description="Moves and draws to be made first, in full.", examples=[["mill: lift a5"]]
    )
    legal: dict[MoveText, Hexes] | None = Field(
        None,
        description="All legal moves: each without its hex, and its hexes, none if it has none; "
        "of a draw the cards.",
        examples=[{"mill: build": ["a5", "b5"], "end turn": []}],
    )
    offered: dict[MoveText, Hexes] | None = Field(
        None,
        description="For a rule, or a rule and a verb, exactly the hexes that it offers.",
        examples=[{"mill": ["a5"]}],
    )
    refused: dict[MoveText, tuple[Id, ...]] | None = Field(
        None,
        description="Moves that are not legal, each with rules that stand against it; others may "
        "as well.",
        examples=[{"mill: build a1": ["occupied"]}],
    )
    scores: dict[Player, dict[Id, Gold]] | None = Field(
        None,
        description="The gold of a player by rule if the game ended now; `total` is all of it, "
        "`gained` what was paid during play.",
        examples=[{"a": {"rowers": 4, "total": 9}}],
    )
    events: tuple[Event, ...] | None = Field(
        None,
        description="What the last of `moves` did to pieces, supplies, tiles and gold, in order.",
        examples=[[{"event": "built", "player": "a", "piece": "hut", "hex": "a5"}]],
    )
    holds: Annotated[tuple[Id, ...], Field(min_length=1)] = Field(
        description="The rules, cards and tiles that the answer holds.", examples=[["mill"]]
    )
    found: Literal["print", "twin", "ruling"] = Field(
        description="How the answer was found: worked by hand from the rule book, by a second "
        "telling of the rules, or by an option, which rules what is disputed."
    )
    option: dict[Id, Option] = Field(
        {}, description="Of a ruling: the option and its value.", examples=[{"short_game": "yes"}]
    )
    source: Annotated[str, Field(max_length=400)] = Field(
        description="Where it was worked out.", examples=["dale.scenario.yaml: a mill builds"]
    )

    @model_validator(mode="after")
    def _has_one_question(self) -> CaseModel:
        questions = [name for name in QUESTIONS if getattr(self, name) is not None]
        if len(questions) != 1:
            raise ValueError("a case has exactly one of " + ", ".join(QUESTIONS))
        if self.events is not None and not self.moves:
            raise ValueError("events are those of the last of `moves`, and there is none")
        if (self.found == "ruling") != bool(self.option):
            raise ValueError("a ruling, and only a ruling, has an `option`")
        return self

    @property
    def question(self) -> str:
        """Which of `QUESTIONS` it asks."""
        return next(name for name in QUESTIONS if getattr(self, name) is not None)


class ConformanceFile(Data):
    """Cases, and the positions that they ask about."""

    model_config = ConfigDict(title="Conformance cases of kbrules")

    format: Literal[1] = Field(description="The version of this format.", examples=[1])
    positions: dict[Name, MidgameModel] = Field(
        description="The positions by name, in the keys of a scenario."
    )
    cases: Annotated[tuple[CaseModel, ...], Field(min_length=1)] = Field(
        description="The questions and their answers."
    )

    @model_validator(mode="after")
    def _names_are_known(self) -> ConformanceFile:
        unknown = sorted({case.position for case in self.cases} - self.positions.keys())
        if unknown:
            raise ValueError(f"there is no position `{unknown[0]}`")
        ids = {case.id for case in self.cases}
        if len(ids) != len(self.cases):
            raise ValueError("two cases have the same `id`")
        return self
