"""Prepares every text for a terminal or log: takes secrets out, and escapes characters that move a cursor or turn a
line.

    redact("https://me:pw@host/b?X-Goog-Signature=ab12")  ->  "https://***@host/b?***"
    quoted(reply.reason)                                  ->  a stranger's text: one line of at most 80 characters

Passwords and signatures in addresses and bearer tokens go. An address is any word with a colon; all between that and
its last @ goes, and all of its query, because what a person typed wrongly is not where a parser expects it.
"""

import re

_BEARER = re.compile(r"(?i)\b((?:proxy-)?authorization\s*[:=]\s*(?:\w+\s+)?|bearer\s+)[^\s'\",]+")
_GOOGLE_TOKEN = re.compile(r"\bya29\.[\w.-]+")


def redact(text):
    """The text without userinfo, queries and tokens; only its line ends are left of what cannot be printed."""
    text = _BEARER.sub(r"\1***", text)
    text = _GOOGLE_TOKEN.sub("***", text)
    text = re.sub(r"\S+", _word, text)
    return "\n".join(map(printable, text.split("\n")))


def printable(text):
    """The text with what cannot be printed as Python writes it: an end of a line is \\n."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def quoted(text, most=80):
    """Text from outside, as a part of a message."""
    text = printable(redact(text))
    return text if len(text) <= most else text[:most] + "…"


def _word(match):
    word = match.group()
    colon, at = word.find(":"), word.rfind("@")
    end = re.search(r"[?#]|$" if colon >= 0 else r"[?]|$", word).start()
    shown = word[:end]
    if 0 <= colon < at:
        start = colon + (3 if word.startswith("//", colon + 1) else 1)
        shown = word[:start] + "***" + word[at:end]
    tail = word[max(end + 1, len(word.rstrip(":,;.)"))) :]  # the sentence's, not the address's
    return shown + (word[end] + "***" + tail if word[end + 1 :] != tail else word[end:])
