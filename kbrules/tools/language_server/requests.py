"""The requests that the server answers, in one table."""

from __future__ import annotations

from kbrules.tools.language_server.server import Server

__all__ = ["add_requests"]


def add_requests(server: Server) -> None:
    """Let a server answer all requests of the table."""
