"""Mutation testing of rule text: the faults, the proof, the report."""
