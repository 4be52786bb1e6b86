"""The page of a tuning: what to change, what it brings, what was looked at."""
