"""Errors that end the generator before its work is done: those of every program."""

from artifacts.fetch.ending import SurroundingsError, UsageError

__all__ = ["SurroundingsError", "UsageError"]
