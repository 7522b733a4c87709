"""Who plays: this very process, or several of which each has read the rules itself."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import active_children, connection, get_context, parent_process
from threading import Thread
from typing import Protocol

from kbrules.tools.simulate.playing import Bulk, Played, Span, one_by_one, play
from kbrules.tools.simulate.question import Question
from kbrules.tools.simulate.tables import Tables

__all__ = ["Alone", "Changed", "Crew", "Many"]

_AHEAD = 2  # spans that wait for each process, so that none has to


class Changed(Exception):
    """The rules that a process read are no longer those that were asked about."""


class Crew(Protocol):
    """Plays spans. What comes of each does not depend on who plays it, nor in which order."""

    def play(self, spans: Iterable[Span]) -> Iterator[Played]:
        """What comes of each span, in whatever order they are done.

        The next span is asked for when somebody is free to play it.
        """
        ...

    def dismiss(self) -> None:
        """Nobody is needed any more; what is being played is given up."""
        ...


class Alone:
    """This process."""

    def __init__(self, tables: Tables, bulk: Bulk = one_by_one) -> None:
        self._tables, self._bulk = tables, bulk

    def play(self, spans: Iterable[Span]) -> Iterator[Played]:
        return (play(self._tables, span, self._bulk) for span in spans)

    def dismiss(self) -> None:
        return


class Many:
    """Several processes."""

    def __init__(self, tables: Tables, jobs: int, bulk: Bulk = one_by_one) -> None:
        orders = tables.question, tables.digests, bulk
        self._jobs = jobs
        self._pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, orders)

    def play(self, spans: Iterable[Span]) -> Iterator[Played]:
        waiting: set[Future[Played]] = set()
        for span in spans:
            waiting.add(self._pool.submit(_go_on, span))
            if len(waiting) >= _AHEAD * self._jobs:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (each.result() for each in done)

    def dismiss(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in active_children():
            process.terminate()


_WORK: list[tuple[Tables, Bulk]] = []  # of a process of the crew: what it was begun with


def _begin(question: Question, digests: tuple[str, ...], bulk: Bulk) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever called us
    Thread(target=_leave_with_caller, daemon=True).start()
    tables = Tables(question)
    if tables.digests != digests:
        raise Changed
    _WORK[:] = [(tables, bulk)]
    gc.freeze()  # the rules stay to the end


def _leave_with_caller() -> None:
    """End this process when the one that called it is gone, however that came about."""
    caller = parent_process()
    if caller is not None:
        connection.wait([caller.sentinel])
        os._exit(1)


def _go_on(span: Span) -> Played:
    tables, bulk = _WORK[0]
    return play(tables, span, bulk)
