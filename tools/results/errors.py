"""Errors that end the program: an exit code and a message that names the place and the fix."""

from artifacts.fetch import ending

OK, WRONG, SURROUNDINGS, USAGE = ending.OK, ending.WRONG, ending.SURROUNDINGS, ending.USAGE


class Stop(Exception):
    """Ends the program."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Refused(ValueError):
    """A line that is not imported; `kind` is one of Problem's."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


# Exceptions that a strange line can raise in a reader that expects a good one.
BROKEN = (ValueError, TypeError, AttributeError, ArithmeticError, LookupError, RecursionError)
_MOST_TOLD = 200  # characters: a message may repeat the line


def refused(error, what="not a record"):
    """The Refused that one of BROKEN stands for."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, RecursionError) or "ecursion limit" in str(error):  # orjson's is a TypeError
        return Refused(Problem.MALFORMED, "nested too deep")
    said = "no %s" % error if isinstance(error, KeyError) else str(error)
    return Refused(Problem.MALFORMED, "%s: %s" % (what, said[:_MOST_TOLD]))


class Problem:
    """The fault of one line or row of a file; the others are still read."""

    TORN, MALFORMED, NUMBER, SCHEMA, ORDER, DUPLICATE, MISSING = (
        "torn line",
        "malformed",
        "bad number",
        "other schema",
        "clock going back",
        "duplicate",
        "missing",
    )
    _OF_SURROUNDINGS = {TORN, SCHEMA, MISSING}  # the file was cut off, or is for another version

    def __init__(self, path, line, kind, message):
        self.path, self.line, self.kind, self.message = path, line, kind, message

    @property
    def code(self):
        return SURROUNDINGS if self.kind in self._OF_SURROUNDINGS else WRONG

    def __str__(self):
        place = "%s:%d" % (self.path, self.line) if self.line else self.path
        return "%s: %s: %s" % (place, self.kind, self.message)


def exit_code(problems):
    """1 where something in a file is wrong, else 2 where a file is not whole, else 0."""
    codes = {problem.code for problem in problems}
    return WRONG if WRONG in codes else SURROUNDINGS if codes else OK
