"""Titles and wordings of a box in other languages, laid over those it is written in."""
