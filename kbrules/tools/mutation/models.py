"""The shape of a `mutants.yaml` file; a description here is what an editor shows."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from kbrules.library.models import Data

Sentence = Annotated[str, Field(max_length=2000)]


class FaultModel(Data):
    """One small change of a declaration, as `kbrules test --mutate` shows it."""

    in_: Annotated[str, Field(min_length=3, max_length=100)] = Field(
        alias="in",
        description="The declaration: its kind and its name.",
        examples=["card rowers"],
    )
    was: Sentence = Field(
        description="The sentence as it stands in the rule.",
        examples=["gold 1 per hex in mine & adjacent(lake)"],
    )
    now: Sentence = Field(
        "",
        description="What the fault makes of it; left out if the fault leaves the sentence out.",
        examples=["gold 1 per hex in mine"],
    )


class GroupModel(Data):
    """Faults that may survive for one and the same reason."""

    reason: Annotated[str, Field(min_length=10, max_length=400)] = Field(
        description="Why no test notices them, and why that is right.",
        examples=["Whoever touches a lake has a piece: the first condition follows."],
    )
    faults: Annotated[tuple[FaultModel, ...], Field(min_length=1)] = Field(
        description="The faults."
    )


class MutantsFile(Data):
    """The faults in rules that no test notices, each with a reason."""

    model_config = ConfigDict(title="kbrules survivors of mutation")

    format: Literal[1] = Field(description="The version of this format; 1 for now.")
    survivors: tuple[GroupModel, ...] = Field(description="The faults, grouped by reason.")
