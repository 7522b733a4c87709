"""Models of a `*.scenario.yaml` file and of what it expects; editors show the descriptions."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from kbrules.library.models import ID_PATTERN, Count, Data, Digit, Id, LaidSection, Option, one_line
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


class ExpectedTileModel(Data):
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
    tiles: dict[Player, tuple[Id | ExpectedTileModel | dict[Id, Status], ...]] = Field(
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

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if not self.model_fields_set - {"within"}:
            rest = " but a number of decisions" if self.model_fields_set else ""
            raise ValueError(f"nothing is expected here{rest}")
        return self


class ReachableModel(ExpectedStateModel):
    """What must hold after some decisions, and how many those may be."""

    within: Annotated[int, Field(ge=1, le=20)] = Field(
        description="How many decisions, whosever they are; draws by chance are none.",
        examples=[3],
    )


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


Title = Annotated[str, Field(min_length=1, max_length=120), AfterValidator(one_line)]
Sections = Annotated[tuple[tuple[LaidSection, ...], ...], Field(min_length=1, max_length=4)]


class SectorsModel(Data):
    """The size of a sector on a drawn board."""

    rows: int = Field(ge=1, le=60, description="Rows of hexes.", examples=[2])
    columns: int = Field(ge=1, le=60, description="Hexes in a row.", examples=[3])


class BoardModel(Data):
    """The board: sections laid side by side, or a drawing."""

    sections: Sections | None = Field(
        None,
        description="Rows of sections as they lie on the table; `turned` means by half a turn.",
        examples=[[["north", "south turned"]]],
    )
    grids: dict[Id, Id] = Field(
        {},
        description="For grids beside the table the section that lies there; one that is left out "
        "is not on the board.",
        examples=[{"shore": "cliffs"}],
    )
    drawing: str | None = Field(
        None,
        max_length=8000,
        description="One word per hex: the letter of its kind, then perhaps the player and the "
        "letter of a piece on it, then perhaps a mark. Every second row is indented. A line such "
        "as `shore:` begins a grid beside the table.",
        examples=["H  Ha H+\n H  H  1"],
    )
    legend: dict[Digit, Id] = Field(
        {},
        description="For each digit in the drawing, the tile whose place it is.",
        examples=[{"1": "forge"}],
    )
    tiles: dict[Hex, Id] = Field(
        {},
        description="For places that get a tile by chance, the one that lies there; a place that "
        "is left out has none.",
        examples=[{"f7": "coin"}],
    )
    sectors: SectorsModel | None = Field(
        None,
        description="How a drawn board is cut into sectors; without it, it is one.",
        examples=[{"rows": 2, "columns": 3}],
    )

    @model_validator(mode="after")
    def _has_one_form(self) -> BoardModel:
        if (self.sections is None) == (self.drawing is None):
            raise ValueError("a board has either `sections` or a `drawing`")
        if self.drawing is None and (self.legend or self.sectors):
            raise ValueError("`legend` and `sectors` belong to a `drawing`")
        if self.sections is None and self.grids:
            raise ValueError("`grids` belongs to `sections`; in a drawing a grid is drawn")
        return self


class HeldTileModel(ExpectedTileModel):
    """A tile in a player's hands."""

    @model_validator(mode="before")
    @classmethod
    def _is_no_status_table(cls, value: object) -> object:
        known = ("tile", "from", "status")
        if isinstance(value, dict) and len(value) == 1 and not any(key in value for key in known):
            (tile, status), *_ = value.items()
            raise ValueError(f"a tile that is held is written `{{tile: {tile}, status: {status}}}`")
        return value

    origin: Hex | None = Field(
        None,
        alias="from",
        description="The place it came from; left out if there is only one it can be. A tile of "
        "chance from no place, which is `unchecked`, serves until its holder's turn ends.",
        examples=["f7"],
    )
    status: Status = Field(
        "ready",
        description="`fresh` if taken this turn, `ready` to be used, or `used` this turn.",
        examples=["used"],
    )


class NeutralPiecesModel(Data):
    """Pieces that belong to nobody."""

    pieces: dict[Id, Hexes] = Field(
        {},
        description="The hexes of each kind of piece; of one that covers seven, the centre.",
        examples=[{"fence": ["c4"]}],
    )


class SeatModel(NeutralPiecesModel):
    """What a player has, beside the pieces that are drawn."""

    tiles: Annotated[tuple[Id | HeldTileModel, ...], Field(max_length=60)] = Field(
        (),
        description="The tiles held.",
        examples=[["forge", {"tile": "mill", "from": "f7", "status": "used"}]],
    )
    supply: dict[Id, Count] = Field(
        {},
        description="Pieces left to build; if left out, those that are not on the board.",
        examples=[{"hut": 12}],
    )
    hand: Annotated[tuple[Card, ...], Field(max_length=60)] = Field(
        (), description="Terrain cards in the hand.", examples=[["heath"]]
    )
    gold: Gold = Field(0, description="Gold gained during play.", examples=[3])
    memory: dict[Id, Remembered | Hexes] = Field(
        {},
        description="What the rules remember; if left out, what they would if the pieces on the "
        "board had just been built.",
        examples=[{"visited": ["f7"]}],
    )


_SEAT = "What this player has, beside the pieces that are drawn."


class PositionModel(Data):
    """Pieces, tiles and cards; what is left out is as at the beginning of a game."""

    a: SeatModel | None = Field(default=None, description=_SEAT)
    b: SeatModel | None = Field(default=None, description=_SEAT)
    c: SeatModel | None = Field(default=None, description=_SEAT)
    d: SeatModel | None = Field(default=None, description=_SEAT)
    e: SeatModel | None = Field(default=None, description=_SEAT)
    f: SeatModel | None = Field(default=None, description=_SEAT)
    nobody: NeutralPiecesModel | None = Field(
        default=None, description="Pieces that belong to nobody."
    )
    left: dict[Hex, Count] = Field(
        default={},
        description="Tiles left on a place; if left out, those that no player holds.",
        examples=[{"f7": 1}],
    )
    deck: dict[Card, Count] | None = Field(
        default=None,
        description="Cards in the deck; if left out, those that are nowhere else.",
        examples=[{"heath": 3}],
    )
    discards: dict[Card, Count] = Field(
        default={}, description="Cards on the discards.", examples=[{"heath": 1}]
    )
    beside: tuple[Id, ...] | None = Field(
        default=None,
        description="Scoring cards of the table that lie beside it; if left out, those beyond the "
        "number in play.",
        examples=[["rowers"]],
    )
    retired: tuple[Id, ...] = Field(
        default=(), description="Scoring cards that left the game.", examples=[["rowers"]]
    )
    memory: dict[Id, Remembered | Hexes] = Field(
        default={}, description="What the rules remember of the table.", examples=[{"rounds": 3}]
    )


class TurnModel(Data):
    """Whose turn it is, its stage, and what was done in it."""

    player: Player = Field(default="a", description="Whose turn it is.", examples=["b"])
    played: Card | tuple[Card, ...] = Field(
        default=(), description="The terrain card laid face up, or several.", examples=["heath"]
    )
    stage: Literal["setup", "start", "actions", "finish"] | None = Field(
        default=None,
        description="`start` where the turn begins, with what follows `when turn_start`; `actions` "
        "when the player may act (the default), `setup` before set-up, `finish` after the last "
        "round.",
        examples=["start"],
    )
    round: int = Field(
        default=1, ge=1, le=1000, description="Which round it is, counted from 1.", examples=[3]
    )
    done: tuple[Id, ...] = Field(
        default=(), description="Rules whose action was done this turn.", examples=[["mandatory"]]
    )
    last_round: Truth = Field(default=False, description="Whether this is the last round.")
    choice: Id | None = Field(
        default=None,
        description="The terrain chosen, if the cards face up show several.",
        examples=["heath"],
    )
    aside: Annotated[tuple[Card, ...], Field(max_length=60)] = Field(
        default=(), description="Cards shown this turn and not chosen.", examples=[["heath"]]
    )
    revealed: Card | None = Field(
        default=None, description="The card revealed last in this turn.", examples=["heath"]
    )


class StepModel(Data):
    """One thing done or expected."""

    move: MoveText | None = Field(
        None, description="A move of whoever is to decide.", examples=["forge: build a5"]
    )
    draw: Card | None = Field(None, description="The card that chance gives.", examples=["heath"])
    expect: ExpectModel | None = Field(None, description="What must hold at this point.")

    @model_validator(mode="after")
    def _is_one_step(self) -> StepModel:
        has_value = any(each is not None for each in (self.move, self.draw, self.expect))
        if len(self.model_fields_set) != 1 or not has_value:
            raise ValueError("a step is one of `move`, `draw` and `expect`")
        return self


class MidgameModel(Data):
    """A table in the middle of a game: boxes, players, options, board, position and turn."""

    model_config = ConfigDict(title="Positions of kbrules")

    boxes: tuple[Id, ...] = Field(
        (),
        alias="with",
        description="Further boxes; the folder the file lies in, and what a box needs, come along.",
        examples=[["dale"]],
    )
    players: Annotated[int, Field(ge=1, le=6)] | None = Field(
        None, description="How many play; the fewest that can if left out.", examples=[3]
    )
    options: dict[Id, Option] = Field(
        {}, description="Options that differ from their defaults.", examples=[{"short_game": "yes"}]
    )
    cards: tuple[Id, ...] = Field(
        (), description="The scoring cards in play.", examples=[["rowers"]]
    )
    board: BoardModel | None = Field(None, description="The board, from sections or drawn.")
    unchecked: Truth = Field(
        False, description="Whether the position may be one that play cannot reach."
    )
    position: PositionModel = Field(PositionModel(), description="Pieces, tiles and cards.")
    turn: TurnModel = Field(TurnModel(), description="Whose turn it is, and what of it is done.")


class ScenarioModel(MidgameModel):
    """One scenario."""

    title: Title = Field(
        description="What it shows, in a few words.", examples=["The forge wants three in a row"]
    )
    seed: Annotated[int, Field(ge=0, le=999999)] | None = Field(
        None, description="Draws the cards that no `draw` names.", examples=[1]
    )
    steps: Annotated[tuple[MoveText | StepModel, ...], Field(max_length=400)] = Field(
        (),
        description="Moves, draws and expectations, in order; a bare text is a move.",
        examples=[["forge: build a5", {"draw": "heath"}, {"expect": {"turn": "b"}}]],
    )
    expect: ExpectModel | None = Field(None, description="What must hold at the end.")


Scenarios = Annotated[tuple[ScenarioModel, ...], Field(min_length=1, max_length=200)]


class ScenarioFile(ScenarioModel):
    """A scenario, or several that share the keys beside `scenarios`."""

    model_config = ConfigDict(title="Scenarios of kbrules")

    format: Literal[1] = Field(description="The version of this format.", examples=[1])
    scenarios: Scenarios | None = Field(
        None,
        description="Several scenarios. The keys beside this one hold for each of them that does "
        "not have them itself.",
    )
