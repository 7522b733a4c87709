"""The reference evaluator of expressions: linked nodes and constant folding."""
