"""The command ``barbu``: thin shells around the packages' functions."""

from pipeline.cli.app import main

__all__ = ["main"]
