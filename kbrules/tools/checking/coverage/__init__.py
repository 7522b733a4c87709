"""Coverage of rules: which of their clauses scenarios reach, and what came of each."""
