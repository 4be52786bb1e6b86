"""Score sheets of people: read, checked by the scorer, kept as a run like any other."""
