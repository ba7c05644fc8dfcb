"""The differences between configurations of one case: the settings in which they differ.

    differing.of(connection)       # {id of the table `cases`: "batch=4 lowering=int8_weights"}; none where there is one configuration

In a query it is the function called_of(case_id). Device and back end have columns of their own. A setting that a record does not
name, since it is older than the flag, differs from none. 20,000 configurations take 0.2 s, of which JSON is the most; a join over
json_each() in SQL took thirty times as long.
"""

import collections

import orjson

FUNCTION = "called_of"
_OWN_COLUMNS = ("device",)


def of(connection):
    found = collections.defaultdict(list)
    for case, name, flags in connection.execute("SELECT id, case_name, flags FROM cases WHERE flags IS NOT NULL"):
        found[name].append((case, flags))
    called = {}
    for group in found.values():
        if len({flags for _, flags in group}) > 1:
            called.update(_called([(case, orjson.loads(flags)) for case, flags in group]))
    return called


def _called(group):
    values = collections.defaultdict(set)
    for _, settings in group:
        for name, value in settings.items():
            values[name].add(str(value))
    varying = sorted(name for name, given in values.items() if len(given) > 1 and name not in _OWN_COLUMNS)
    for case, settings in group:
        text = " ".join("%s=%s" % (name, settings[name]) for name in varying if name in settings)
        if text:
            yield case, text
