"""Why something is legal in a game or not: in words, and by clauses with their places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kbrules.diagnostics import Diagnostic
from kbrules.library.reading import place_of
from kbrules.text import Span
from kbrules.tools.reports.terminal import as_text
from kbrules.tools.why.moves import JudgedMove
from kbrules.tools.why.questions import read_question
from kbrules.tools.why.report import GoldAnswer, MovesAnswer, answer, why_report
from kbrules.tools.workshop.playing.table import GameInProgress
from kbrules.tools.workshop.requests import Refused
from kbrules.tools.workshop.rules import RulesAsTyped
from kbrules.tools.workshop.writing import offsets

Entry = dict[str, Any]
MAX_CLAUSES = 8  # clauses that are linked


def reasons(play: GameInProgress, question: str, rules: RulesAsTyped) -> Entry:
    """The answer to a question about the position. Raises Refused if it is none.

    `clauses`: what speaks for or against, with the rule's own sentence and its place: `path`,
    `from` and `to` if that is in a file that the page can show.
    """
    state = play.match.state
    parsed = read_question(play.game, state, question.split())
    if isinstance(parsed, Diagnostic):
        raise Refused(parsed.message, parsed.help, parsed.code)
    answer_ = answer(play.game, state, parsed)
    return {
        "text": as_text(why_report(answer_, ""), False),
        "legal": isinstance(answer_, MovesAnswer) and answer_.judged[0].legal,
        "clauses": list(_clauses(play, answer_, rules))[:MAX_CLAUSES],
    }


def _clauses(
    play: GameInProgress, answer_: MovesAnswer | GoldAnswer, rules: RulesAsTyped
) -> Iterator[Entry]:
    if isinstance(answer_, GoldAnswer):
        for points in answer_.points:
            yield _clause(play, "for", points.rule.id, points.rule.span, rules)
        return
    judged = answer_.judged[0]
    seen: set[Span] = set()
    for speaks, rule, span in _deciding_clauses(judged):
        if span is not None and span not in seen:
            seen.add(span)
            yield _clause(play, speaks, rule, span, rules)


def _deciding_clauses(judged: JudgedMove) -> Iterator[tuple[str, str, Span | None]]:
    """What decides about a move: its own step, and the norms that apply."""
    side = "for" if judged.legal else "against"
    for reason in judged.refusal.reasons:
        yield "against", reason.rule, reason.span
    step = judged.step
    if step is None:
        return
    for norm in step.norms:
        if norm.effect == side:
            yield norm.effect, norm.rule.id, norm.norm.span
    if judged.rule is not None and judged.legal:
        yield "for", judged.rule.id, step.step.span


def _clause(play: GameInProgress, speaks: str, rule: str, span: Span, rules: RulesAsTyped) -> Entry:
    declared = play.ruleset.rule(rule)
    entry: Entry = {
        "speaks": speaks,
        "rule": rule if declared is None else declared.title or rule,
        "sentence": "" if declared is None else declared.wording,
        "text": " ".join(span.text.split()),
        "at": place_of(span),
    }
    if path := rules.page_path(span):
        start, end = offsets.place_of(span)
        entry |= {"path": path, "from": start, "to": end}
    return entry
