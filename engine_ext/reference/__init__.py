"""The slow twin: the rules in plain Python, card by card, sharing no code with the engine."""
