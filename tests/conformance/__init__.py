"""Conformance: the corpus, how it is recorded, and the command that runs it."""
