"""The trace of evaluation: what came of every part of a rule, for coverage, lints and why."""
