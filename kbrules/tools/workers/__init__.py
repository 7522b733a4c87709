"""Work shared out: to this process, or to several, with one line that says how far it is."""
