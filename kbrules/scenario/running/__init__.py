"""Room 4: what can be run, found in files, selected by name, and run; `collect.collect` and
`items.run_all` are the entries.
"""
