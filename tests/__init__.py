"""The tests. Rooms mirror `kbrules/`; what several rooms need is a module of its own here."""
