"""The pages of the language: every word, operator, step and event, from its declaration."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from kbrules.lang.typed import Signature
from kbrules.primitives.vocabulary import EVENTS, vocabulary
from kbrules.tools.editors.highlight import sentence_tokens
from kbrules.tools.publishing.site.links import EVENTS_PAGE, STEPS, WORDS
from kbrules.tools.publishing.site.page import LOOK_UP, Page, unlinked


def language_pages() -> Iterator[Page]:
    """The pages of words, of steps, and of events."""
    known = vocabulary()
    words = {
        "tables": [
            ("Words", _words(known.words)),
            ("Words over ... for x in ...", _words(known.folds, known.words)),
        ],
        "operators": [each for found in known.operators.values() for each in found],
    }
    yield Page(WORDS, "Words of the language", "reference", "words", words, group=LOOK_UP)
    steps = [
        (verb, [_usage(s.pattern, s.page, s.example) for s in found])
        for verb, found in sorted(known.steps.items())
    ]
    yield Page(
        STEPS, "Steps of the language", "reference", "steps", {"steps": steps}, group=LOOK_UP
    )
    yield Page(
        EVENTS_PAGE, "Events", "reference", "events", {"events": EVENTS.values()}, group=LOOK_UP
    )


def _words(
    words: Mapping[str, tuple[Signature, ...]], taken: Container[str] = ()
) -> list[tuple[str, str, list[dict[str, Any]]]]:
    """Words with their ids and meanings; the id is another if it is taken."""
    return [
        (
            name,
            f"fold-{name}" if name in taken else name,
            [_usage(f"{s}: {s.result}", s.page, s.example) for s in found],
        )
        for name, found in sorted(words.items())
    ]


def _usage(pattern: str, meaning: str, example: str) -> dict[str, Any]:
    """How a word is written, with an example, which is a piece of a sentence."""
    return {"pattern": pattern, "meaning": meaning, "example": unlinked(sentence_tokens(example))}
