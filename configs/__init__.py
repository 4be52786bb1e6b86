"""Shipped data: variants of the rules, run files, names of contracts; no code."""
