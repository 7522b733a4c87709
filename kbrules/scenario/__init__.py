"""Scenarios: a position, what is done, and what must then hold; examples in rule files as well.

May import: everything up to `engine`. `runner.py` is the door.
"""
