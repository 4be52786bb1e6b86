"""Means with honest errors: pure functions from integer sums to estimates.

The unit of error is the block: all seat rotations of all tables on the same
deals. docs/statistics.md has the formulas.
"""
