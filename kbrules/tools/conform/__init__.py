"""Conformance: cases in a neutral format, and what an engine answers to them."""
