"""KB05x: what is wrong with a simulation, or with its file."""

from __future__ import annotations

from kbrules.codes.entry import Code, Example

_PLAY = "simulate --with . --games 2 --jobs 1 --into games.sqlite"
_NOTES = (("notes.txt", "The heath is dull without a lake.\n"),)
_TIME = Example("none", "It depends on how fast the machine is.")
_MACHINE = Example("none", "It depends on what else the machine does.")

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
        "The file holds something else, or it cannot be written, or somebody else is writing the "
        "very same games into it. Games that were finished stay in it in any case.",
        wrong=Example("arguments", "simulate --report notes.txt", _NOTES),
        right=Example("arguments", f"{_PLAY}\nsimulate --report games.sqlite", _NOTES),
    ),
    Code(
        "KB057",
        "no-time",
        "no game was finished in the time that there was",
        "A bot that tries a hundred thousand games for each decision needs hours for a single one. "
        "What has been begun when the time of `--within` is over may take as long again, and ten "
        "seconds at least; then it is given up. With `--games` instead, there is no such end.",
        wrong=_TIME,
        right=_TIME,
    ),
    Code(
        "KB058",
        "process-gone",
        "a worker process was ended",
        "Several processes work at once. One of them was ended from outside, most likely because "
        "there was no memory left for it: each reads the rules for itself, some 60 megabytes. "
        "Games that were played until then are kept; with fewer `--jobs` the same command goes on.",
        wrong=_MACHINE,
        right=_MACHINE,
    ),
    Code(
        "KB059",
        "no-cluster",
        "a cluster cannot be reached, or does no more work",
        "With `--cluster` a cluster of Dask plays. Its scheduler does not answer at "
        "that address, or no worker is left that could go on. A single worker that is lost does no "
        "harm: another plays what it had begun. Games that were played until then are kept, and "
        "the same command goes on, with a cluster or without.",
        wrong=Example("arguments", "simulate --with . --games 2 --no-file --cluster nowhere"),
        right=Example("arguments", "simulate --with . --games 2 --no-file --jobs 1"),
    ),
    Code(
        "KB060",
        "no-games-in-parquet",
        "a Parquet file holds no games, or is not whole",
        "`kbrules convert` reads Parquet files that it has written itself. A file of other tables "
        "has no question, and one whose end is missing was not written to its end, or not copied. "
        "Nothing of it is taken.",
        wrong=Example(
            "arguments", "convert games.parquet games.sqlite", (("games.parquet", "PAR1"),)
        ),
        right=Example("arguments", f"{_PLAY}\nconvert games.sqlite games.parquet"),
    ),
)
