"""Models of what a scenario expects; editors show the descriptions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from kbrules.library.fields import ID_PATTERN, Count, Data, Id
from kbrules.primitives.operators import MAX_NUMBER

RuleAndVerb = Annotated[
    str,
    Field(
        pattern=f"^{ID_PATTERN}( {ID_PATTERN})?$",
        description="A rule, and perhaps a verb: `forge lift`.",
    ),
]
Player = Annotated[str, Field(pattern="^[a-f]$", description="A player, `a` to `f`.")]
Owner = Annotated[
    str, Field(pattern="^([a-f]|nobody)$", description="A player, `a` to `f`, or `nobody`.")
]
MemoryOwner = Annotated[
    str, Field(pattern="^([a-f]|table)$", description="A player, `a` to `f`, or the `table`.")
]
Hex = Annotated[str, Field(max_length=40, description="The name of a hex, such as `c4`.")]
Hexes = Annotated[tuple[Hex, ...], Field(max_length=400)]
Card = Annotated[
    str,
    Field(
        pattern=f"^{ID_PATTERN}([+]{ID_PATTERN})*$",
        description="A terrain card; two terrains with `+`, in any order.",
    ),
]
MoveText = Annotated[str, Field(min_length=1, max_length=80)]
Truth = Annotated[bool | Literal["yes", "no"], AfterValidator(lambda value: value in (True, "yes"))]
Status = Literal["fresh", "ready", "used"]
MOST_GOLD = 10**15 - 1
"""The most gold that a scenario can state; programs in JavaScript read it exactly."""
Remembered = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
Gold = Annotated[int, Field(ge=-MOST_GOLD, le=MOST_GOLD)]


class TileModel(Data):
    """A tile that a player holds; what is left out may be anything."""

    tile: Id = Field(description="Which tile.", examples=["forge"])
    origin: Hex | None = Field(
        None, alias="from", description="The place it came from.", examples=["f7"]
    )
    status: Status | None = Field(
        None,
        description="`fresh` if taken this turn, `ready` to be used, or `used` this turn.",
        examples=["used"],
    )


class PartialOfferModel(Data):
    """A few hexes of those a rule offers, and a few it does not."""

    includes: Hexes = Field((), description="Hexes that are offered.", examples=[["a1", "b2"]])
    excludes: Hexes = Field((), description="Hexes that are not.", examples=[["c3"]])


class RefusedMoveModel(Data):
    """A move that is against the rules, and why."""

    move: MoveText = Field(description="The move.", examples=["forge: build c3"])
    because: Id | None = Field(
        None, description="The rule whose sentence decides.", examples=["occupied"]
    )
    says: str = Field(
        "",
        max_length=200,
        description="Words that the reason holds.",
        examples=["come first"],
    )


Offer = Annotated[
    Literal["none", "some", "marked"] | Hexes | PartialOfferModel,
    Field(
        description="Exactly these hexes; or `includes` and `excludes`; or `none`, `some` (be it a "
        "hex or not), `marked` (the hexes with a `+` in the drawing)."
    ),
]


class ExpectedStateModel(Data):
    """What must hold of a position."""

    offered: Annotated[dict[RuleAndVerb, Offer], Field(max_length=50)] = Field(
        {},
        description="For rules by name, the hexes each offers to whoever is to decide.",
        examples=[{"forge": ["a1", "b2"], "mandatory": {"includes": ["c3"]}}],
    )
    choices: Annotated[tuple[Id, ...], Field(max_length=50)] | None = Field(
        None,
        description="Exactly the rules that offer anything, and the terrains to choose from if "
        "the cards face up show several; `turn` if the turn may be ended.",
        examples=[["forge", "turn"]],
    )
    refused: Annotated[tuple[MoveText | RefusedMoveModel, ...], Field(max_length=100)] = Field(
        (),
        description="Moves that are against the rules, perhaps with the rule that decides.",
        examples=[["build a1", {"move": "forge: build c3", "because": "occupied"}]],
    )
    tiles: dict[Player, tuple[Id | TileModel | dict[Id, Status], ...]] = Field(
        {},
        description="Exactly the tiles a player holds: by name, by name and status, or written as "
        "in a position, with the place they came from.",
        examples=[
            {"a": ["forge", {"mill": "used"}, {"tile": "mill", "from": "f7", "status": "ready"}]}
        ],
    )
    left: dict[Hex, Count] = Field(
        {}, description="How many tiles are left on a place.", examples=[{"f7": 1}]
    )
    gold: dict[Player, Gold | dict[Id, Gold]] = Field(
        {},
        description="What the game would pay a player if it ended now: in all, or by rule; "
        "`total` is all of it, `gained` what was paid during play.",
        examples=[{"a": {"rowers": 6, "total": 9}, "b": 4}],
    )
    numbers: dict[Player, dict[Id, Count]] = Field(
        {},
        description="What a number of the boxes is for a player now.",
        examples=[{"a": {"builds": 4, "hand": 2}}],
    )
    supply: dict[Owner, dict[Id, Count]] = Field(
        {},
        description="How many pieces a player has left to build; of nobody, those that are not "
        "on the board.",
        examples=[{"a": {"hut": 36}, "nobody": {"fence": 24}}],
    )
    pieces: dict[Owner, dict[Id, Hexes]] = Field(
        {},
        description="Exactly the hexes of a player's pieces of a kind.",
        examples=[{"a": {"hut": ["a1", "b2"]}}],
    )
    hand: dict[Player, tuple[Card, ...]] = Field(
        {},
        description="Exactly the terrain cards in a player's hand.",
        examples=[{"a": ["heath"]}],
    )
    shown: tuple[Card, ...] | None = Field(
        None, description="Exactly the terrain cards laid face up this turn.", examples=[["heath"]]
    )
    deck: dict[Card, Count] = Field(
        {}, description="How many such cards are in the deck.", examples=[{"heath": 4}]
    )
    discards: dict[Card, Count] = Field(
        {}, description="How many such cards are on the discards.", examples=[{"heath": 1}]
    )
    beside: tuple[Id, ...] | None = Field(
        None, description="Exactly the scoring cards beside the table.", examples=[["rowers"]]
    )
    retired: tuple[Id, ...] | None = Field(
        None, description="Exactly the scoring cards that left the game.", examples=[["rowers"]]
    )
    memory: dict[MemoryOwner, dict[Id, Remembered | Hexes]] = Field(
        {},
        description="What the rules remember of a player or of the table.",
        examples=[{"a": {"visited": ["f7"]}}],
    )
    turn: Player | Literal["chance"] | None = Field(
        None,
        description="Who is to decide; `chance` while a card is drawn. Where a turn ends by itself "
        "after a move, say so by this, or there is a warning.",
        examples=["b"],
    )
    last_round: Truth | None = Field(
        None, description="Whether this is the last round.", examples=["yes"]
    )
    over: Truth | None = Field(None, description="Whether the game is over.", examples=["no"])
    winners: tuple[Player, ...] | None = Field(
        None,
        description="Exactly those who win, or would if the game ended now.",
        examples=[["a", "b"]],
    )


class ReachableModel(ExpectedStateModel):
    """What must hold after some decisions, and how many those may be."""

    within: Annotated[int, Field(ge=1, le=20)] = Field(
        description="How many decisions, whosever they are; draws by chance are none.",
        examples=[3],
    )

    @model_validator(mode="after")
    def _expects_something(self) -> ReachableModel:
        if self.model_fields_set == {"within"}:
            raise ValueError("nothing is expected here but a number of decisions")
        return self


class ExpectModel(ExpectedStateModel):
    """What must hold at this point."""

    reachable: ReachableModel | None = Field(
        None,
        description="What can come about within so many decisions from here, whatever is drawn; "
        "all of it in one position.",
        examples=[{"within": 3, "offered": {"forge": ["a1"]}}],
    )
    unreachable: ReachableModel | None = Field(
        None,
        description="What cannot come about within so many decisions from here, whatever is "
        "decided and drawn.",
        examples=[{"within": 2, "pieces": {"a": {"hut": ["a1"]}}}],
    )

    @model_validator(mode="after")
    def _expects_something(self) -> ExpectModel:
        if not self.model_fields_set:
            raise ValueError("nothing is expected here")
        return self
