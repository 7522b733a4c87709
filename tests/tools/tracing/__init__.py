"""The trace of evaluation, against a slow walk of the same expressions."""
