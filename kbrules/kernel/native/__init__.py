"""The extra `fast`: sets of hexes in the registers of the processor, for programs run by numba.

`plain` says in Python what each of the smallest words does, and `vectors` gives the same words to
numba; `geometry`, `chance` and `jit` are written in terms of them. numba is imported when it is
first needed and nowhere else.
"""
