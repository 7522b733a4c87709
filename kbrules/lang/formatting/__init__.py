"""Syntax trees and comments to the canonical text."""
