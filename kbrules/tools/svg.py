"""Boards as SVG, by the name they had before there were other pictures: see `pictures.board`."""

from __future__ import annotations

from kbrules.tools.pictures.board import Picture, board_svg
from kbrules.tools.pictures.ground import RADIUS, WIDTH, centre

__all__ = ["RADIUS", "WIDTH", "Picture", "board_svg", "centre"]
