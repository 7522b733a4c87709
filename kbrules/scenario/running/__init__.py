"""Rank 4: collection, selection and run; `collect.collect` and `cases.run_all` are the entries."""
