"""Completion: what fits at a place of rules, of files of boxes and scenarios, and of drawings."""
