"""Counterfactual experiments: the same deal under every contract, in every seat, with a bet and
without. Planned, played, kept and replayed as every run is."""
