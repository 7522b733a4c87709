"""Looking again whenever a file is saved: what has changed, and what of it must be done again."""
