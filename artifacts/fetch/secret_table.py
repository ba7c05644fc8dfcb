"""testdata/secret_texts.txt for tests: texts with secrets, and what is left of them.

    for text, left in table(): ...     # equal where nothing in the text is a secret
    assertNotRegex(shown, SECRET)      # of every secret in the table
"""

import os
import re

SECRET = re.compile("SeCrEt0|SECRET0|Se@CrEt0|bWU6|abcdef01|eyJh")
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\"}


def table():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "testdata", "secret_texts.txt"), encoding="utf-8") as f:
        lines = [line for line in f.read().splitlines() if line and not line.startswith("#")]
    rows = [[re.sub(r"\\(.)", lambda escape: _ESCAPES[escape[1]], field) for field in line.split("\t")] for line in lines]
    return [(fields[0], fields[-1]) for fields in rows]


def with_secrets():
    return [text for text, left in table() if text != left]
