"""Pages, pictures and cards for others to look at."""
