"""Takes secrets out of records that leave the machine: environment variables, command lines, addresses.

    shown, places = without_secrets(record)       # places: ["environment.variables.HF_TOKEN", ...]

A variable, or a flag, whose name has a word like TOKEN, KEY, PASSWORD or SECRET loses its value; an address loses user,
password and query, where signatures stand, a bearer token goes. Not for what a program prints:
artifacts/fetch/redaction.py, whose rules for texts these are.
"""

import json
import re

from artifacts.fetch.redaction import redact

_HIDDEN = "***"
# KEY is a word of its own, or MONKEY would be one.
_WORDS = (
    r"(?:\w*(?:TOKEN|PASSWORD|PASSWD|PASSPHRASE|SECRET|CREDENTIALS?|SIGNATURE)|(?:\w*[_-])?(?:API|ACCESS|PRIVATE)?KEY)"
)
_NAME = re.compile(r"(?i)^%s(?:$|[_.-])" % _WORDS)
# NAME=value and --name=value within a longer text.
_ASSIGNED = re.compile(r"(?i)(?<![\w-])(-{0,2}%s(?:[_-]\w+)?=)(?!\*\*\*)[^\s'\"]+" % _WORDS)
_ADDRESS = re.compile(r"\w+://\S+")
_BEARER = re.compile(r"(?i)bearer |authorization|ya29\.")
_VARIABLES = ("variables", "env", "environ", "process_env")


def without_secrets(record):
    """A copy without them, and the paths of what was taken out. Equal to the record where there is none."""
    places = []
    return _clean(record, "", False, places), places


def _clean(value, path, variables, places):
    if isinstance(value, dict):
        return {
            name: _entry(name, inner, "%s.%s" % (path, name) if path else name, variables, places)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        if value and isinstance(value[0], (int, float)) and isinstance(value[-1], (int, float)):
            return value  # samples
        return [_clean(inner, "%s[%d]" % (path, i), False, places) for i, inner in enumerate(value)]
    if isinstance(value, str):
        cleaned = clean_text(value)
        if cleaned != value:
            places.append(path)
        return cleaned
    return value


def _entry(name, inner, path, variables, places):
    if path == "imported.fields":
        return json.dumps(_clean(json.loads(inner), path, False, places), ensure_ascii=False)
    if isinstance(inner, str) and inner and (variables or name.isupper()) and _NAME.search(name):
        places.append(path)
        return _HIDDEN
    return _clean(inner, path, name in _VARIABLES, places)


def clean_text(text):
    """A text without what it has of secrets."""
    text = _ASSIGNED.sub(r"\1" + _HIDDEN, text)
    text = _ADDRESS.sub(lambda match: redact(match.group()), text)
    return redact(text) if _BEARER.search(text) else text
