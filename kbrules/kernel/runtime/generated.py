"""What the machine of a kernel calls and the rules say: written anew for each of them."""

from __future__ import annotations

from kbrules.kernel.runtime.intrinsics import Memory


def do_step(M: Memory, step: int, f: int) -> int:
    """Written from the rules: run a step; whether a decision is due."""
    return 0


def stage_begun(M: Memory, phase: int, player: int) -> None:
    """Written from the rules: begin a phase of set-up or finish."""


def turn_begun(M: Memory, player: int) -> None:
    """Written from the rules: begin the phases of a turn."""


def turn_forgotten(M: Memory, begins_round: int) -> None:
    """Written from the rules: forget what lasts a turn."""


def run_triggers(M: Memory) -> None:
    """Written from the rules: let them follow what happened."""


def next_item(M: Memory, block: int, f: int) -> None:
    """Written from the rules: bind the next item of a `for`, or leave the loop."""


def begin(M: Memory, path: int, f: int) -> None:
    """Written from the rules: begin an action, a reaction or an alternative."""


def carry_out(M: Memory, step: int, f: int, hex: int) -> None:
    """Written from the rules: carry out a step for a hex, or a card."""


def alternatives(M: Memory, step: int, f: int) -> None:
    """Written from the rules: the moves that begin a branch."""


def compute_board_values(M: Memory) -> None:
    """Written from the rules: work out what a board decides."""


def write_result(M: Memory, out: Memory, at: int) -> int:
    """Written from the rules: the outcome; where the next one goes."""
    return at
