"""Errors that end the generator before its work is done; main() turns each into an exit code."""


class UsageError(Exception):
    """The command line, or a variable of the environment, is wrong: exit code 3."""


class SurroundingsError(Exception):
    """Files, git or the machine are not as needed: exit code 2."""
