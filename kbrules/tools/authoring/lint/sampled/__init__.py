"""Lints by sampling: expressions and steps are observed while games are played."""
