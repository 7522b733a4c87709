"""Environments for players that learn: numbers for actions, arrays for what a player sees.

`kbrules.envs.pettingzoo`, `.gymnasium` and `.openspiel` are the adapters. They need the extras
`envs` and `openspiel` of kbrules. May import: everything.
"""
