"""The shape of `texts/de.yaml`: what the things and rules of a box are called in a language."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from kbrules.library.fields import Data, Id, SetupId, Title, one_line

Said = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(one_line)]
Stamp = Annotated[str, Field(pattern="^[0-9a-f]{8}$")]


class RuleTexts(Data):
    """What a rule, a card or a tile is called, and what it says."""

    title: Title = Field("", description="Its title.", examples=["Ruderer"])
    wording: Said = Field(
        "", description="Its wording.", examples=["Ein Gold für jede deiner Hütten."]
    )


class TextsFile(Data):
    """The texts of a box in the language that the name of the file says; all may be left out."""

    format: Literal[1] = Field(description="The version of this format.", examples=[1])
    title: Title = Field("", description="The title of the box.", examples=["Das Tal"])
    terrains: dict[Id, Title] = Field(
        {}, description="Titles of terrains by id.", examples=[{"heath": "Heide"}]
    )
    places: dict[Id, Title] = Field(
        {}, description="Titles of places by id.", examples=[{"yard": "Hof"}]
    )
    pieces: dict[Id, Title] = Field(
        {}, description="Titles of pieces by id.", examples=[{"hut": "Hütte"}]
    )
    grids: dict[Id, Title] = Field(
        {}, description="Titles of grids by id.", examples=[{"shore": "das ferne Ufer"}]
    )
    marks: dict[Id, Title] = Field(
        {}, description="Titles of marks by id.", examples=[{"wells": "Brunnen"}]
    )
    setups: dict[SetupId, Title] = Field(
        {}, description="Titles of set-ups by id.", examples=[{"short": "Ein kurzes Spiel"}]
    )
    memories: dict[Id, Title] = Field(
        {}, description="Titles of memories by id.", examples=[{"apples": "Äpfel"}]
    )
    rules: dict[Id, RuleTexts] = Field(
        {},
        description="Titles and wordings of rules, cards and tiles by id.",
        examples=[{"rowers": {"title": "Ruderer"}}],
    )
    stamps: dict[str, Stamp] = Field(
        {},
        description="For each text, as `rules.rowers`, the digest of what it translates; "
        "`kbrules texts --stamp` writes them.",
        examples=[{"rules.rowers": "0f3a9c12"}],
    )
