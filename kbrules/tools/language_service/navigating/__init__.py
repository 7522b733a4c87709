"""Where names are declared and used, and what a file holds."""
