"""Games of a command: the table that options ask for, and runs of many games."""
