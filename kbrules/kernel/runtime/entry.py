"""The one function of a kernel that is called from outside.

The text after the line of dashes goes into every kernel.
"""

from __future__ import annotations

from kbrules.kernel.runtime.decisions import (
    choose,
    decide,
    play,
    play_from,
    play_on,
    run_to_decision,
    run_to_player,
    settle_state,
    start,
)
from kbrules.kernel.runtime.generated import write_result
from kbrules.kernel.runtime.intrinsics import Memory, native
from kbrules.kernel.runtime.names import (
    ACT_ROWS,
    BEGIN,
    BEGIN_ROWS,
    CHOOSE,
    DECIDE,
    LOAD_ROW,
    LOAD_TABLE,
    NEXT_DECISION,
    PLAY_FROM,
    PLAY_ON,
    PLAY_ROWS,
    PLAY_TABLES,
    PLAYERS,
    RESULT,
    ROW_CODES,
    ROW_COUNT,
    ROW_RESULTS,
    ROW_VIEWS,
    SAVE_ROW,
    STEP_ROWS,
)
from kbrules.kernel.runtime.rows import (
    act_rows,
    begin_rows,
    load_row,
    play_rows,
    row_codes,
    row_results,
    save_row,
    step_rows,
)
from kbrules.kernel.runtime.table_setup import load_table, play_tables
from kbrules.kernel.runtime.turns import run
from kbrules.kernel.runtime.views import row_views

# ------------------------------------------------------------------------------------------


@native
def row_call(M: Memory, what: int, number: int, given: Memory, rows: Memory) -> int:
    """What is done with games that lie in rows: one is saved or loaded, many are stepped."""
    if what == SAVE_ROW:
        return save_row(M, rows, 0)
    if what == LOAD_ROW:
        load_row(M, rows, 0)
        return rows[ROW_COUNT]
    if what == BEGIN_ROWS:
        begin_rows(M, number, given, rows)
    if what == STEP_ROWS:
        step_rows(M, number, given, rows)
    if what == ROW_CODES:
        row_codes(number, given[0], given, rows)
    if what == ROW_RESULTS:
        row_results(M, number, given, rows)
    if what == ROW_VIEWS:
        row_views(M, number, given, rows)
    if what == ACT_ROWS:
        act_rows(M, number, given, rows)
    if what == PLAY_ROWS:
        play_rows(M, number, given, rows)
    return 0


@native
def kernel(M: Memory, what: int, number: int, seeds: Memory, out: Memory) -> int:
    """The one function that is called from outside: what to do, and with what.

    0: run down to a base depth. BEGIN a game that players decide, its first stream
    being where chance begins; CHOOSE a move of it; SAVE_ROW and LOAD_ROW: write it to a row, read
    it from one; the RESULT is written to `out`. NEXT_DECISION: run until a decision is due, one
    of chance as well; DECIDE: the same after a move that the decision offered. PLAY_ON: see
    `play_on`. LOAD_TABLE: the table of a row; PLAY_TABLES: see `play_tables`. Of many games the
    rows lie in `out`. PLAY_FROM: so many games, their streams one after another in `seeds`; else
    by their seeds; the outcomes in `out`.
    """
    if what == 0:
        return run(M, number)
    if what == BEGIN:
        start(M)
        return run_to_player(M)
    if what == CHOOSE:
        choose(M, number)
        return run_to_player(M)
    if what == RESULT:
        return write_result(M, out, 0)
    if what == PLAY_ON:
        return play_on(M, number, seeds, out)
    if what == NEXT_DECISION:
        settle_state(M)
        return run_to_decision(M)
    if what == DECIDE:
        settle_state(M)
        decide(M, seeds[0], seeds[1], seeds[2], seeds[3])
        return run_to_decision(M)
    if what == LOAD_TABLE:
        return load_table(M, seeds, 0)
    if what == PLAY_TABLES:
        play_tables(M, number, seeds, out)
        return 0
    if what >= BEGIN_ROWS and what != PLAY_FROM:
        return row_call(M, what, number, seeds, out)
    at = 0
    for i in range(number):
        start(M)
        if what == PLAY_FROM:
            play_from(M, seeds, i * (M[PLAYERS] + 1))
        else:
            play(M, seeds[i])
        at = write_result(M, out, at)
    return at
