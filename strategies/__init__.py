"""Strategies: who plays, by versioned names."""

from strategies.about import StrategyInfo, info
from strategies.registry import StrategyError, create, names, register

__all__ = ["StrategyError", "StrategyInfo", "create", "info", "names", "register"]
