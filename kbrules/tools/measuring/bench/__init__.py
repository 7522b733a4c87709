"""The benchmark: every target of speed, measured in one run and held against other programs.

`python -m kbrules.tools.measuring.bench`. It is no test: it never fails, it prints what is met and
what is missed, and by how much. Rates are of CPU time and measured in turns, so that a busy machine
slows all of them alike; read the ratios. What tests hold is counted instead, in `bytecode_counts`.
"""
