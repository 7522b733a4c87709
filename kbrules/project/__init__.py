"""A folder of work: which files there are, what they mean together, what is wrong with them."""
