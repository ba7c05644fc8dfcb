"""Prepares every text for a terminal or log: takes secrets out, and escapes characters that move a cursor or turn a
line.

    presentable("https://me:pw@host/b?X-Goog-Signature=ab12")  ->  "https://***@host/b?***"
    redact("me:pw/x@host")                                     ->  "me:***@host"
    quoted(reply.reason)                                       ->  a stranger's text: one line of at most 80 characters

Secrets go as they go out of records (secret_texts.py). For redact() every word with a colon is an address besides, because what
a person typed wrongly is not where a parser expects it.
"""

import re

from artifacts.fetch.secret_texts import clean_address, clean_text


def presentable(text):
    """The text without secrets; only its line ends are left of what cannot be printed."""
    return "\n".join(map(printable, clean_text(text).split("\n")))


def redact(text):
    """A text with what a person typed, without secrets and addresses' userinfo and queries, printable as presentable()'s."""
    return presentable(re.sub(r"\S+", lambda word: clean_address(word.group()), clean_text(text)))


def printable(text):
    """The text with what cannot be printed as Python writes it: an end of a line is \\n."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def quoted(text, most=80):
    """Text from outside, as a part of a message."""
    text = printable(redact(text))
    return text if len(text) <= most else text[:most] + "…"
