"""What all kernels share: the machine, pieces, tiles, cards, geometry, groups and chance.

It says what the machine of `reference` and the events of `game` say, in numbers instead of tuples,
over one memory. The texts of these modules go into every kernel; the names in capitals are
numbers there, `plain` defines the smallest words, and `written` is written from the rules.
"""
