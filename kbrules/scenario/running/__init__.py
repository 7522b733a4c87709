"""Rank 4: collection, selection and run; `collect.collect` and `items.run_all` are the entries."""
