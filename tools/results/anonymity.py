"""Takes out of records what says who measured, on which host, and in which folders (docs/data/privacy.md).

    shown = without_person(record)
    without_folders("no /home/me/a/b.so")      # "no …/b.so"

Not for secrets, which go without being asked (secret_values.py).
"""

import functools
import json
import re

# _FIELDS are fields of this suite's records, _NAMES those of other suites, wherever they stand.
_FIELDS = {"environment.node", "flags", "launch.command", "launch.job", "launch.variables", "launch.output", "profile", "weights.name", "inputs.name", "suite_run.flags"}
_NAMES = {"hostname", "host_name", "executable", "cwd", "user", "username", "outputs_file"}
# A folder from the root, or from somebody's home.
_FOLDERS = re.compile(r"(?<![\w/.~-])(?:~[\w.-]*)?/(?:[^\s/:;,'\"=]+/)+|(?<![\w/.~-])~[\w.-]*/")


def without_person(record):
    """A copy without it."""
    return _without(record, "")


def _without(value, path):
    if isinstance(value, dict):
        kept = ((name, inner, "%s.%s" % (path, name) if path else name) for name, inner in value.items())
        return {
            name: json.dumps(_without(json.loads(inner), place), ensure_ascii=False)
            if place == "imported.fields"
            else _without(inner, place)
            for name, inner, place in kept
            if place not in _FIELDS and not (place.startswith("imported.fields.") and name in _NAMES)
        }
    if isinstance(value, list):
        if value and isinstance(value[0], (int, float)) and isinstance(value[-1], (int, float)):
            return value  # samples
        return [_without(inner, path + ".") for inner in value]
    return without_folders(value) if isinstance(value, str) else value


@functools.lru_cache(maxsize=1 << 12)
def without_folders(text):
    return _FOLDERS.sub("…/", text)
