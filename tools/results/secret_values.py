"""Takes secrets out of records that leave the machine: environment variables, command lines, headers, addresses.

    shown, places = without_secrets(record)       # places: ["environment.variables.HF_TOKEN", ...]

A value goes where the name of its field says that it is a secret. Every other text, and every list of words, is cleaned by
artifacts/fetch/secret_texts.py, which also cleans what the page and the gate say.
"""

import json

from artifacts.fetch.secret_texts import HIDDEN, clean_text, clean_words, is_secret_field, is_secret_name

_VARIABLES = ("variables", "env", "environ", "process_env")


def without_secrets(record):
    """A copy without them, and the paths of what was taken out. Equal to the record where there is none."""
    places = []
    return _clean(record, "", False, places), places


def clean_json(text):
    """A text of JSON whose fields are environment variables."""
    cleaned, places = without_secrets({"variables": json.loads(text)})
    return json.dumps(cleaned["variables"]) if places else text


def _clean(value, path, variables, places):
    if isinstance(value, dict):
        return _entries(value, path, variables, places)
    if isinstance(value, list):
        return _items(value, path, places)
    if isinstance(value, str):
        return _noted(value, clean_text(value), path, places)
    return value


def _noted(value, cleaned, path, places):
    if cleaned != value:
        places.append(path)
    return cleaned


def _items(values, path, places):
    if values and isinstance(values[0], (int, float)) and isinstance(values[-1], (int, float)):
        return values  # samples
    if all(isinstance(value, str) for value in values):  # perhaps a command
        return [
            _noted(value, cleaned, "%s[%d]" % (path, i), places)
            for i, (value, cleaned) in enumerate(zip(values, clean_words(values)))
        ]
    return [_clean(value, "%s[%d]" % (path, i), False, places) for i, value in enumerate(values)]


def _entries(fields, path, variables, places):
    # {"name": "HF_TOKEN", "value": "abc"}
    of_secret = any(isinstance(fields.get(key), str) and is_secret_name(fields[key]) for key in ("name", "key"))
    cleaned = {}
    for name, inner in fields.items():
        place = "%s.%s" % (path, name) if path else name
        secret = of_secret and name == "value" or (is_secret_name(name) if variables else is_secret_field(name))
        if secret and isinstance(inner, str) and inner:
            cleaned[name] = _noted(inner, HIDDEN, place, places)
        elif place == "imported.fields":
            cleaned[name] = json.dumps(_clean(json.loads(inner), place, False, places), ensure_ascii=False)
        else:
            cleaned[name] = _clean(inner, place, name in _VARIABLES, places)
    return cleaned
