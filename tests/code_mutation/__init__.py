"""Mutation of our own code: whether the tests notice when a line of kbrules is changed."""
