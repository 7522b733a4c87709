"""Lints: warnings about rules that are correct and probably not meant."""
