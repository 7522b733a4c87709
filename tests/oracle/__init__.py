"""The base game once more, slow and obvious: hexes are (row, column), positions dictionaries.

Written from the printed rules alone; nothing here reads rule text or does arithmetic on sets.
`seen` is the one place that turns what the engine holds into these words.
"""
