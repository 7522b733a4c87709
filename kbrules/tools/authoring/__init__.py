"""Writing rules: a new box, its files in one style, what is wrong with them and what to mend."""
