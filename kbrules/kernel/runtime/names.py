"""What every kernel has under a name: numbers, in capitals, and functions that the rules write.

The modules of the runtime import all of them, and `MemoryLayout` gives a kernel their numbers.
Those above `FIXED` are the same in all kernels. Those below it are each kernel's own, and 0 here.
"""

from __future__ import annotations

from kbrules.hex import sets
from kbrules.kernel.runtime.intrinsics import Memory
from kbrules.plan import plan

# What numbers stand for.

SETUP, TURN, TURN_OVER, FINISH, OVER = range(5)  # stages of a game
FRESH, READY, USED = range(3)  # statuses of a tile
COUNTS, BESIDE, RETIRED = 1, 2, 3  # where a scoring card of the table is; 0 is elsewhere
OTHER, CHOOSING, REPEATING, BRANCHING, REUSING = range(5)  # what a statement waits for

# What the function `kernel` is called for; 0 is to run down to a base depth.
PLAY, BEGIN, CHOOSE, RESULT, PLAY_ON, BEGIN_ROWS, STEP_ROWS, ROW_CODES, ROW_RESULTS = range(1, 10)
SAVE_ROW, LOAD_ROW, NEXT_DECISION, DECIDE, LOAD_TABLE, PLAY_TABLES, PLAY_FROM = range(10, 17)
ROW_VIEWS, ACT_ROWS, PLAY_ROWS = 17, 18, 19

# The head of a row: moves offered, who decides, groups of moves and where they begin, chance.
ROW_COUNT, ROW_DECIDER, ROW_GROUPS, ROW_OFFERED, ROW_CHANCE = 0, 1, 2, 3, 8

# The head of what players see of games in rows: sizes, first bytes of planes, places of tables.
VIEW_HEAD, VIEW_SIZE, VIEW_PLANES_SIZE, VIEW_MASK_SIZE, VIEW_CHOSEN, VIEW_LEGAL = range(6)
VIEW_RULES, VIEW_KINDS, VIEW_CELLS, VIEW_PLACES, VIEW_TILES, VIEW_SUPPLIES = range(6, 12)
VIEW_SEAT_NUMBERS, VIEW_TABLE_NUMBERS, VIEW_SEAT_SETS, VIEW_TABLE_SETS = range(12, 16)

# Faults: what there is too much of for a kernel.
OUT_OF_ROOM, OUT_OF_ACTIONS, OUT_OF_CARDS, OUT_OF_FRAMES, OUT_OF_GROUPS, OUT_OF_LIST = range(1, 7)
OUT_OF_EVENTS, OUT_OF_PENDING, OUT_OF_ROW, OUT_OF_TILES, GROUP_TOO_LARGE = range(7, 12)
ROOMS = {
    OUT_OF_ROOM: "sets worked out on the way",
    OUT_OF_ACTIONS: "actions on offer",
    OUT_OF_CARDS: "cards in one hand",
    OUT_OF_FRAMES: "blocks that run one within another",
    OUT_OF_GROUPS: "groups of moves",
    OUT_OF_LIST: "items for one `for`",
    OUT_OF_EVENTS: "events that rules wait for",
    OUT_OF_PENDING: "blocks that wait for their turn",
    OUT_OF_ROW: "moves or blocks for a row",
    OUT_OF_TILES: "tiles of one player",
    GROUP_TOO_LARGE: "hexes in a group of which the longest way is asked",
}
"""What there may be too much of, by the number of the fault."""

# A frame begins with these: where it is in which block, for whom, its loop, the hexes chosen.
FIELDS = 10
BLOCK, PC, ME, LOOP, LEFT, ROUNDS, MAY_STOP, DONE, CHOSEN, FIRST = range(FIELDS)

# A memory begins with these, which say how far the work under way is; no state has them.
WORK_NUMBERS = 17
(
    SELF, FAULT,
    SCRATCH, SCRATCH_FLOOR,  # where it goes on, and where a new decision begins it again
    GROUP_COUNT, MOVE_COUNT, DECIDER, IS_DRAW,  # of the decision that is due
    OFFERED_TOP, SAVED,  # how many actions and states are kept
    TRIED_SINCE,  # the number of events when the trial under way began
    TRIGGER_EVENT_COUNT, PENDING_COUNT, PLAYERS, PLACES, PART_COUNT,
    TRACED,  # how many moves are written down; -1 if they are not
) = range(WORK_NUMBERS)  # fmt: skip

# How much there is room for; a game that needs more raises `OutOfRoom`.
MAX_GROUP = 512
MAX_TRIGGER_EVENTS = 256
MAX_PENDING = 64
MAX_OFFERED = 512
MAX_SAVE = plan.MAX_TRIED_BLOCKS
MAX_FRAME = 80
MAX_TILES = 48
MAX_SHOWN = 32
MAX_TRACE = 2048
MAX_LIST = 48
MAX_ROW_FRAMES = 16
MAX_ROW_GROUPS = 96
MAX_COUNTS = {name[4:]: most for name, most in vars().items() if name.startswith("MAX_")}

# The longest path in a group: hexes in it and at its frontier, where they are listed, cases.
# Groups of 40 hexes were seen to have more than 131,071 cases, once in some hundred thousand.
WAY_LARGEST, WAY_SLOTS, WAY_ORDER, WAY_CASES = sets.LARGEST, 13, 16, (1 << 18) - 1

FIXED = {name: n for name, n in vars().items() if name.isupper() and isinstance(n, int)}

# Sizes.

W = 0  # the numbers that a set of hexes takes
STRIDE = LESS = 0  # how far it is from a hex to the one in the next row, and 1 less
HEX_KINDS = PIECE_KINDS = TILE_KINDS = CARDS_KINDS = 0  # how many kinds there are of each
IN_PLAY_SIZE = 0  # scoring cards of the boxes
GAIN_RULES = 0  # rules that give gold in play
SHOWS_SIZE = SEAT = FRAME = GROUP_SIZE = TRIGGER_EVENT_SIZE = SAVE_SIZE = 0  # of one record
ROW_STATE = ROW_CHANCE_SIZE = ROW_SIZE = 0  # where the state begins in a row; its other sizes

# What the rules decide.

VERB_END = VERB_STOP = VERB_CHOOSE = VERB_USE = 0
RULE_TURN = TERRAIN_RULES = 0  # the turn, and the first terrain, among the rules of moves
ONCE_PHASES = SETUP_PHASES = AFTER_PHASES = FINISH_PHASES = 0  # how many phases of each kind
START_PASSES = 0  # whether another player begins each round
MAX_TURNS = MAX_FURTHER = 0  # turns, and further turns or finishes one after another
MAX_FIRINGS = MAX_TRIALS = 0  # acts of `whenever` in a turn; trials within one another
CUT_TURNS = CUT_FURTHER = 0  # the bits of these limits in `CUT`
THIS_TURN = 0  # so many bits further up `CUT` says the same of this turn alone
BEGUN = 0  # for each block: whether what it begins is required; -1 if it begins nothing
FIRST_STEP = LENGTHS = 0  # for each block its first step, and how many it has
KIND_OF = 0  # for each step what it waits for

# What a board decides.

FULL = WITH_HOLES = 0  # the sets of its hexes, without and with holes
KINDS = GRIDS = 0  # the sets of the hexes of each kind, and of each grid beside the table
AXIAL = 0  # of each hex its grid, row, slant and fall
MIRRORED = FLIPPED = TURNED = 0  # of each hex the one that lies there then
PLACE_AT = PLACE_HEX = PLACE_KIND = 0  # the place with tiles on a hex; of each its hex and kind
SHOWS = ONLY_TERRAIN = 0  # the terrains of each card of the deck; its only one, or -1
SIZES = SUPPLIES = NEUTRALS = 0  # of each kind of piece
EACH = 0  # how many tiles of a kind lie on a place

# The state. A trial saves and restores what lies from `STATE` to the end of the frames.

STATE = STATE_END = 0
ACTIVE = STAGE = INDEX = ENDING = REVEALED = CHOICE = FIRINGS = CUT = FURTHER = 0  # as in `State`
DEPTH = 0  # how many frames there are
EVENTS = TURNS = 0  # how many there were
STRAYED = 0  # whether one waiver alone let the decision under way
IN_PLAY = 0  # where each scoring card is
CARDS_MOVE = 0  # whether rules change that, so that it is a part of the state
IN_PLAY_START = 0  # the same in the state in which games begin
OCCUPIED = STOCKED = 0  # the hexes with a piece, and with a tile in stock
NEUTRAL = HELD = 0  # of each kind of piece the hexes with one of nobody, and of anybody
USED_ACTIONS = 0  # the list of actions used in this turn
PILES = 0  # of each card how many are in each zone
STOCK = 0  # of each place how many tiles are left
SHOWN = ASIDE = 0  # lists of cards
SEATS = 0  # the part of each player, which begins so:
ALL = PIECES = 0  # the hexes with any piece of theirs, and with each kind
SUPPLY = 0  # of each kind of piece
USES = TAKES = GAINS = 0  # how often each kind of tile was used and taken; gold by rule
GOLD = 0
HAND = TILES = 0  # lists of cards, and of tiles with their origin and status
FRAMES = 0  # running blocks, the last one on top; of each behind its fields:
ITEMS = LIST = 0  # what a loop has left, as a set or as a list

# The work under way.

STREAMS = 0  # where chance is, and each player's own
DECISIONS = WIN_VALUES = 0  # of each player
MESSAGE = 0  # the bytes that a seed is made of
GROUPS = 0  # of moves: verb, rule, what they begin, hexes
TRIGGER_EVENTS = 0  # what rules wait for: kind, player, strayed, hexes
PENDING = 0  # frames to be put on the stack
OFFERED = 0  # actions that may be begun
SAVES = START = 0  # states that trials go back to; behind them that in which games begin
TRACE = 0  # moves written down
SCRATCH_START = SCRATCH_END = 0  # room for what is worked out


# The functions that are written from the rules; see `lowering`.


def do_step(M: Memory, step: int, f: int) -> int:
    """Run a step; whether a decision is due."""
    return 0


def stage_begun(M: Memory, phase: int, player: int) -> None:
    """Begin a phase of set-up or finish."""


def turn_begun(M: Memory, player: int) -> None:
    """Begin the phases of a turn."""


def turn_forgotten(M: Memory, begins_round: int) -> None:
    """Forget what lasts a turn."""


def run_triggers(M: Memory) -> None:
    """Let rules follow what happened."""


def next_item(M: Memory, block: int, f: int) -> None:
    """Bind the next item of a `for`, or leave the loop."""


def begin(M: Memory, path: int, f: int) -> None:
    """Begin an action, a reaction or an alternative."""


def carry_out(M: Memory, step: int, f: int, hex: int) -> None:
    """Carry out a step for a hex, or a card."""


def alternatives(M: Memory, step: int, f: int) -> None:
    """Add the moves that begin a branch."""


def compute_board_values(M: Memory) -> None:
    """Work out what a board decides."""


def write_result(M: Memory, out: Memory, at: int) -> int:
    """Write the outcome; where the next one goes."""
    return at
