"""Scenarios: positions, moves, and what must then hold; the examples in rule files as well.

A scenario goes through rooms, each of which imports only those before it:

    format      text to `Scenario`: models and reader
    setup       `Scenario` to game and first state: names, board, position, consistency
    checks      a state against what is expected of it
    examples    the same for the examples in rule files
    running     collection of cases, selection, playback

`report` has the outcome of a case. May import: everything up to `engine`.
"""
