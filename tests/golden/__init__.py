"""What must not change, recorded: whole games and positions of them, in digests.

`golden.jsonl.xz` has a line for each game: how it was set up, the moves, a digest for each
transition and for each decision, and the positions that were looked at more closely. The test
plays the moves again and compares. Nothing here knows how an engine works: it asks what a `Game`
answers, and reads events and states by the names of their fields.

    python -m tests.golden.record          record anew
    python -m tests.golden.compare 17 23   play these games again and say where they differ
    python -m tests.golden.perft           count the positions of `docs/perft.csv` anew
    python -m tests.golden.everywhere      one hash of 10,000 games, to be compared with the kept

It is recorded anew only when a rule, a box or a wording of a refusal changes on purpose, in a
commit of its own that says which. An engine that is made faster or simpler is no reason: what then
differs is a fault of that engine.
"""
