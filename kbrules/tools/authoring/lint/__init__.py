"""Warnings: what is written correctly, and yet is hardly meant."""
