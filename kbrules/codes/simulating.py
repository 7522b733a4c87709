"""KB05x: what is wrong with the files of a simulation."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

_PLAY = "simulate --with . --games 2 --jobs 1 --into games.sqlite"
_NOTES = (("notes.txt", "The heath is dull without a lake.\n"),)

ENTRIES = (
    Code(
        "KB055",
        "other-question",
        "a file of games is about another question",
        "The games in one file all answer one question, so that they can be counted together: the "
        "same rules, cards, players and first seed, and the same version of kbrules. Name another "
        "file with `--into`, or leave it out: then every question has a file of its own.",
        wrong=Example("arguments", f"{_PLAY}\n{_PLAY} --seed 7"),
        right=Example("arguments", f"{_PLAY}\n{_PLAY} --games 4"),
    ),
    Code(
        "KB056",
        "no-simulation",
        "a file of games cannot be used",
        "The file is no simulation, or it cannot be written, or somebody else is writing the very "
        "same games into it. Games that were finished stay in it in any case.",
        wrong=Example("arguments", "simulate --report notes.txt", _NOTES),
        right=Example("arguments", f"{_PLAY}\nsimulate --report games.sqlite", _NOTES),
    ),
)
