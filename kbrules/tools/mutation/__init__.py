"""Mutation testing of rule text: small faults are planted, and the tests must notice each."""
