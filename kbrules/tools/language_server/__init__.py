"""A server of the Language Server Protocol: what editors ask, answered by `language_service`."""
