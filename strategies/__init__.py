"""Strategies: who plays, by versioned names."""

from strategies.registry import StrategyError, StrategyInfo, create, info, names, register

__all__ = ["StrategyError", "StrategyInfo", "create", "info", "names", "register"]
