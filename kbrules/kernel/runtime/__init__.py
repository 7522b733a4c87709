"""What all kernels share: the machine, pieces, tiles, cards, geometry, groups and chance.

It says what the machine of `reference` and the events of `game` say, in numbers instead of tuples,
over one memory. The functions of these modules go into every kernel as they are written;
`intrinsics` defines the smallest words, and `names` what each kernel has of its own.
"""
