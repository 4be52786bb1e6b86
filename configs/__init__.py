"""Shipped data: variants of the rules and run files; no code."""
