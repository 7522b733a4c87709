"""The benchmarks: every target of speed, measured in one run and compared with other programs.

`python -m benchmarks` from the root of a checkout; they are not part of the package. They are no
test and never fail: they print which goals are met and which are missed, and by how much.
"""
