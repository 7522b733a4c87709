"""The commands that an editor may run: about one place, tests, measuring, other programs."""
