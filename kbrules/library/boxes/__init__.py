"""Rank 3: data files of expansions, each by itself and united; the entries: `box`, `catalog`."""
