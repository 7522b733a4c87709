"""Tracing: what the evaluation of expressions is recorded by."""
