"""Games that people played: their score sheets become a run with the tables of any other."""
