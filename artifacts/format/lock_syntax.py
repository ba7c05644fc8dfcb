"""Reads the text of a lock: one literal, LOCK = {"key": {"field": "text" or a number, …}, …}, and nothing else.

The text is scanned token by token, never evaluated, and by a loop, never by recursion: whatever a file holds costs
memory in proportion to its size and ends in rows or in a LockError that names the line. What is read here means the
same to Bazel, which reads the same bytes as Starlark.

    for entry in lock_syntax.entries(text):
        entry.line, entry.key, entry.fields               # 5, "resnet18_fp32_b2", {"sha256": "…", "size": 4096, …}

Not for what a row must say: see lock_table.py.
"""

import re
from typing import NamedTuple

MAX_BYTES = 16 << 20  # a lock of 60,000 rows
MAX_LINE = 8192  # a row takes about 250
_MAX_DIGITS = 18  # fits 64 bits

_TOKEN = re.compile(
    # These two begin a line, without indentation, as Python and Starlark want it.
    r'^"""(?P<doc>[^"\\]*)""" *$'
    r"|^(?P<head>LOCK = \{)"
    r'|"(?P<text>(?:[^"\\\n]|\\["\\])*)"'
    r"|(?P<number>-?[0-9]+)"
    r"|(?P<word>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<mark>[{}:,])"
    r"|(?P<blank>\n| +|#[^\n]*)",
    re.MULTILINE,
)
_FOREIGN = {"\ufeff": "a byte order mark", "\0": "a NUL", "\r": "a carriage return (CRLF)", "\t": "a tab"}
_UNESCAPE = re.compile(r"\\(.)")


class LockError(ValueError):
    """The lock has not the generator's form; the message names the line."""


class Entry(NamedTuple):
    line: int
    key: str
    fields: dict  # name -> str or int, as they stand there


class _Token(NamedTuple):
    kind: str
    value: object
    line: int

    def __str__(self):
        return "the end" if self.kind == "end" else repr(self.value)[:60]


def entries(text):
    """The rows in the order of the text; refuses keys and fields that are there twice."""
    _refuse_foreign_bytes(text)
    tokens = _Tokens(text)
    if tokens.next.kind == "doc":
        tokens.take("doc")
    tokens.take("head", "LOCK = {")
    rows, lines = [], {}
    while not tokens.skip("}"):
        key = tokens.take("text")
        if key.value in lines:
            raise LockError("line %d: key %s is there twice, first on line %d" % (key.line, key, lines[key.value]))
        lines[key.value] = key.line
        tokens.take("mark", ":")
        rows.append(Entry(key.line, key.value, _fields(tokens, key)))
        tokens.separator("}")
    if tokens.next.kind != "end":
        raise LockError("line %d: %s after the table; a lock is one LOCK = {…}" % (tokens.next.line, tokens.next))
    return rows


def _fields(tokens, key):
    fields = {}
    tokens.take("mark", "{")
    while not tokens.skip("}"):
        name = tokens.take("text")
        if name.value in fields:
            raise LockError("line %d: %s has field %s twice" % (name.line, key, name))
        tokens.take("mark", ":")
        fields[name.value] = tokens.take("text", "number").value
        tokens.separator("}")
    return fields


def _refuse_foreign_bytes(text):
    for found, what in _FOREIGN.items():
        place = text.find(found)
        if place >= 0:
            raise LockError("line %d: %s; a lock has plain UTF-8 lines" % (text.count("\n", 0, place) + 1, what))
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > MAX_LINE:
            raise LockError("line %d: %d characters, more than %d; a row has a line" % (number, len(line), MAX_LINE))


class _Tokens:
    """The text's tokens, one ahead."""

    def __init__(self, text):
        self._text, self._place, self._line = text, 0, 1
        self.next = self._scan()

    def take(self, *wanted):
        """The next token, which must be of one of the kinds, or of the kind and value, in `wanted`."""
        token = self.next
        exact = wanted[0] in ("mark", "head")
        if (token.kind, token.value) != wanted if exact else token.kind not in wanted:
            kinds = ['"text"' if kind == "text" else "a number" for kind in wanted]
            expected = wanted[1] if exact else " or ".join(kinds)
            raise LockError("line %d: %s where %s is expected" % (token.line, token, expected))
        self.next = self._scan()
        return token

    def skip(self, mark):
        found = (self.next.kind, self.next.value) == ("mark", mark)
        if found:
            self.next = self._scan()
        return found

    def separator(self, closing):
        """A comma, which may be left out before the closing mark."""
        if (self.next.kind, self.next.value) != ("mark", closing):
            self.take("mark", ",")

    def _scan(self):
        while self._place < len(self._text):
            match = _TOKEN.match(self._text, self._place)
            if not match:
                raise LockError("line %d: cannot read %r" % (self._line, self._text[self._place : self._place + 30]))
            line, found = self._line, match.group()
            self._place, self._line = match.end(), self._line + found.count("\n")
            if match.lastgroup != "blank":
                return _Token(match.lastgroup, _value(match, line), line)
        return _Token("end", None, self._line)


def _value(match, line):
    content = match.group(match.lastgroup)
    if match.lastgroup == "text":
        return _UNESCAPE.sub(r"\1", content)
    if match.lastgroup != "number":
        return content
    if len(content) > _MAX_DIGITS or (content.startswith("0") and content != "0"):
        raise LockError("line %d: %s is not a number of at most %d digits" % (line, content[:30], _MAX_DIGITS))
    return int(content)
