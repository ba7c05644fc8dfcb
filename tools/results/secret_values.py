"""Takes secrets out of records that leave the machine: environment variables, command lines, headers, addresses.

    shown, places = without_secrets(record)       # places: ["environment.variables.HF_TOKEN", ...]
    clean_text("--api-key abc: it failed")        # "--api-key *** it failed"

A value goes where its name says that it is a secret (artifacts/fetch/secret_names.inc), however short it is: NAME=value,
--name=value, --name value, NAME: value, "name": "value". An address loses user, password and query, where signatures stand, and a
bearer token goes. Not for what a program prints: artifacts/fetch/redaction.py, whose rules for texts these are.
"""

import functools
import json
import re

from artifacts.fetch.redaction import redact

_HIDDEN = "***"
_NAMES = "artifacts/fetch/secret_names.inc"
# Where a name is followed by a colon, and in an object, these are other things by themselves: a forward pass, a key of a
# table, an operator's signature.
_ORDINARY = ("KEY", "PASS", "PAT", "SIGNATURE")
# A name, and what stands between it and its value.
_NAMED = re.compile(r"(?<![\w.-])(?P<dashes>-{0,2})(?P<name>[A-Za-z][\w.-]*)\\*[\"']?(?P<between>\s*[=:]\s*|\s+(?![-=:\s]))")
_VALUE = re.compile(r"(\\*)\"(?:[^\"\\]|\\.)*?\1\"|'[^']*'|[^\s\"']+")
_REST = re.compile(r"[^\r\n]+")  # of a header, whose value may be of many words
_ADDRESS = re.compile(r"(?<!\w)\w+://\S+")
_BEARER = re.compile(r"(?i)bearer |authorization|ya29\.")
_VARIABLES = ("variables", "env", "environ", "process_env")


def _listed(kind):
    with open(_NAMES, encoding="utf-8") as f:
        return "|".join(re.findall(r'^%s\("(\w+)"\)$' % kind, f.read(), re.M))


_SECRET = re.compile(r"(?:%s)(?:_|$)|(?:^|_)(?:%s)$" % (_listed("SECRET_WORD"), _listed("SECRET_LAST_WORD")))


def _said(name):
    return name.upper().replace("-", "_").replace(".", "_")


def is_secret_name(name):
    return name != "PWD" and _SECRET.search(_said(name)) is not None  # PWD is the folder of a shell


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
        return [_item(value, i, "%s[%d]" % (path, i), places) for i in range(len(value))]
    if isinstance(value, str):
        cleaned = clean_text(value)
        if cleaned != value:
            places.append(path)
        return cleaned
    return value


def _item(values, place, path, places):
    """An item of a list, which may be the value of the flag before it."""
    value, flag = values[place], values[place - 1] if place else None
    if isinstance(value, str) and isinstance(flag, str) and flag.startswith("-") and not value.startswith("-"):
        if is_secret_name(flag.lstrip("-")):
            places.append(path)
            return _HIDDEN
    return _clean(value, path, False, places)


def _entry(name, inner, path, variables, places):
    if path == "imported.fields":
        return json.dumps(_clean(json.loads(inner), path, False, places), ensure_ascii=False)
    if isinstance(inner, str) and inner and is_secret_name(name) and (variables or _said(name) not in _ORDINARY):
        places.append(path)
        return _HIDDEN
    return _clean(inner, path, name in _VARIABLES, places)


@functools.lru_cache(maxsize=1 << 12)
def clean_text(text):
    """A text without what it has of secrets."""
    kept, end = [], 0
    for named in _NAMED.finditer(text):
        name, between = named["name"], named["between"].strip()
        if named.start() < end or not is_secret_name(name):
            continue
        if between == ":" and _said(name) in _ORDINARY or not between and not named["dashes"]:
            continue
        header = between == ":" and _said(name).endswith(("COOKIE", "AUTHORIZATION"))
        value = (_REST if header else _VALUE).match(text, named.end())
        if value:
            kept += [text[end : value.start()], _HIDDEN]
            end = value.end()
    text = "".join(kept) + text[end:]
    text = _ADDRESS.sub(lambda match: redact(match.group()), text)
    return redact(text) if _BEARER.search(text) else text
