"""Runs: planned, played by many workers, landed as Parquet, counted and checked."""
