"""The run of scenarios and examples: moves, draws and expectations in order, and what fails."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, RulesError
from kbrules.game.events import Event
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from kbrules.library.yaml import Loc
from kbrules.scenario import checks, consistency, examples
from kbrules.scenario.position import Laid, build_start
from kbrules.scenario.reader import Scenario
from kbrules.scenario.report import ScenarioOutcome, board_text
from kbrules.scenario.setup import RulesetCache
from kbrules.text import Span

if TYPE_CHECKING:
    from kbrules.scenario.models import ExpectModel


_STREAM = "draws"
_TURN = "turn"


def play_back(scenario: Scenario, start: Laid) -> Playback:
    """Do the steps of a scenario from its start on, and check what it expects on the way."""
    playback = Playback(scenario, start)
    playback.run()
    return playback


class Playback:
    """The steps of a scenario as they are done.

    failures: why it does not go on to its end, or what of it does not hold. states: the one it
    begins in and the one after each of its moves and draws; events: all until each of these.
    """

    def __init__(self, scenario: Scenario, start: Laid) -> None:
        self._start = start
        self._scenario = scenario
        self._game = start.game
        self._state = start.state
        self._events: tuple[Event, ...] = ()
        seed = self._scenario.model.seed
        self._random = None if seed is None else Random(seed, _STREAM)
        self.failures: list[Diagnostic] = []
        self.states = [start.state]
        self.events: list[tuple[Event, ...]] = [()]
        # its place, and the stage before
        self._unexplained_turn_end: tuple[Loc, tuple[str, int]] | None = None

    def run(self) -> None:
        """Do all steps as far as they can be done, then check what is expected at the end."""
        for index, step in enumerate(self._scenario.model.steps):
            if not self._step(step, ("steps", index)):
                return
        self._draw_by_seed()
        if self._scenario.model.expect is not None:
            self._expect(self._scenario.model.expect, ("expect",))
        self._warn_of_turn_end()

    def _step(self, step: object, loc: Loc) -> bool:
        """Do a step, and return whether it could be done; a failed expectation stops nothing."""
        if isinstance(step, str):
            return self._move(step, loc)
        move, draw, expect = (getattr(step, key) for key in ("move", "draw", "expect"))
        if move is not None:
            return self._move(move, (*loc, "move"))
        if draw is not None:
            return self._draw(draw, (*loc, "draw"))
        self._draw_by_seed()
        self._expect(expect, (*loc, "expect"))
        return True

    def _expect(self, expect: ExpectModel, loc: Loc) -> None:
        self.failures += checks.check_expectation(self._context(loc), expect)
        if expect.turn is not None or expect.over is not None:
            self._unexplained_turn_end = None

    def _context(self, loc: Loc) -> checks.CheckContext:
        return checks.CheckContext(self._start, self._state, loc, self._events)

    def _warn_of_turn_end(self) -> None:
        """Warn of the last move if it ended the turn and no expectation says so."""
        unexplained, self._unexplained_turn_end = self._unexplained_turn_end, None
        if unexplained is None:
            return
        (loc, before), now = unexplained, self._state.stage
        if before != now and before[0] == now[0] == _TURN:
            message = "the turn ends with this move, and the scenario does not say so"
            help = f"write `expect: {{turn: {checks.who_decides(self._context(loc))}}}` after it"
            self.failures.append(Diagnostic("KB508", self._scenario.span(*loc), message, help))

    def _is_chance(self) -> bool:
        return self._game.legal_moves(self._state).player == CHANCE

    def _before_step(self) -> None:
        """Warn of the move before, unless the step is a draw, which shows that the turn ended."""
        if self._is_chance():
            self._unexplained_turn_end = None
        self._warn_of_turn_end()

    def _draw_by_seed(self) -> None:
        """Draw by the seed, if there is one, until a player is to decide."""
        while self._random is not None:
            moves = self._game.legal_moves(self._state)
            if moves.player != CHANCE or not moves:
                return
            move = moves.sample(self._random)
            finding = consistency.tile_origin_finding(
                self._game, self._state, move, self._scenario.where("seed")
            )
            if finding is not None and finding not in self.failures:
                self.failures.append(finding)
            self._play(move)
            self.states[-1], self.events[-1] = self._state, self._events

    def _draw(self, card: str, loc: Loc) -> bool:
        self._before_step()
        return self._apply(Move("draw", "", self._start.resolver.card(card)), card, loc)

    def _move(self, text: str, loc: Loc) -> bool:
        self._draw_by_seed()
        self._before_step()
        move = checks.move_of(self._game, self._state, text, self._scenario.where(*loc))
        if isinstance(move, Diagnostic):
            self.failures.append(move)
            return False
        return self._apply(move, text, loc)

    def _apply(self, move: Move, text: str, loc: Loc) -> bool:
        where = self._scenario.where(*loc)
        finding = checks.illegal_move_finding(self._game, self._state, move, text, where)
        finding = finding or consistency.tile_origin_finding(self._game, self._state, move, where)
        if finding is not None:
            picture = board_text(self._game, self._state, {})
            self.failures.append(replace(finding, picture=picture))
            return False
        if move.verb != "end" and not self._is_chance():
            self._unexplained_turn_end = loc, self._state.stage
        self._play(move)
        self.states.append(self._state)
        self.events.append(self._events)
        return True

    def _play(self, move: Move) -> None:
        transition = self._game.play(self._state, move)
        self._state, self._events = transition.state, (*self._events, *transition.events)


# Cases: a scenario or an example with the rule set it needs, and the run of it.


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A scenario or an example; `id` is its file and its title, `span` where it begins."""

    id: str
    definition: Scenario | examples.RuleExample
    cache: RulesetCache

    @property
    def title(self) -> str:
        """Its title in its file."""
        it = self.definition
        return it.model.title if isinstance(it, Scenario) else it.title

    @property
    def span(self) -> Span:
        """Where it begins."""
        it = self.definition
        return it.span("title") if isinstance(it, Scenario) else it.example.span

    def run(self) -> ScenarioOutcome:
        """The outcome. An exception is a finding too, so that other cases still run."""
        try:
            if isinstance(self.definition, Scenario):
                return run_scenario(self.cache, self.definition)
            return examples.run_example(self.cache.ruleset, self.definition, self.cache.linking)
        except RulesError as error:
            return ScenarioOutcome(error.placed(self.span).diagnostics)
        except Exception as error:
            return ScenarioOutcome((_internal_error(error, self.span),))


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The outcome of a case, with its id, title and place, and how long it took."""

    id: str
    title: str
    span: Span
    outcome: ScenarioOutcome
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether everything holds."""
        return self.outcome.passed


def run_all(cases: Iterable[Case]) -> Iterator[Result]:
    """Run cases one after the other."""
    for case in cases:
        start = perf_counter()
        outcome = case.run()
        yield Result(case.id, case.title, case.span, outcome, perf_counter() - start)


def run_scenario(cache: RulesetCache, scenario: Scenario) -> ScenarioOutcome:
    """Prepare a scenario, do its steps, and check what it expects."""
    start, findings = build_start(scenario, cache)
    if start is None:
        return ScenarioOutcome(tuple(findings))
    return ScenarioOutcome(tuple(play_back(scenario, start).failures))


def _internal_error(error: Exception, span: Span) -> Diagnostic:
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    message = f"this stopped with {type(error).__name__} in {where}: {error}"
    return Diagnostic("KB901", span, message, "please report it")
