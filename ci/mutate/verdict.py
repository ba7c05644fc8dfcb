"""The verdict on a mutant, and the file of all verdicts.

    log = VerdictLog(path, tree="sha256 of the tree", config="")
    log.add(mutant, Verdict(KILLED, "//benchmarks/swin:swin_t_fp32_b1_accuracy_test", 12.5))
    log.of(mutant)                        # the verdict, in a later run on the same tree too; else None

A line is written as soon as there is a verdict, so that a run that was cut off can be continued.
"""

import json
import os
from typing import NamedTuple

KILLED, TIMED_OUT, ABORTED = "killed", "timed out", "aborted"
SURVIVED, EQUIVALENT, NOT_COMPILED = "survived", "equivalent", "not compiled"
KILLS = (KILLED, TIMED_OUT, ABORTED)
STATES = (*KILLS, SURVIVED, EQUIVALENT, NOT_COMPILED)


class Verdict(NamedTuple):
    state: str
    by: str = ""  # the test that failed; why it is equivalent
    seconds: float = 0.0


def score(verdicts):
    """Percent killed of what a test could find; None where there is no such mutant."""
    killed = sum(verdict.state in KILLS for verdict in verdicts)
    survived = sum(verdict.state == SURVIVED for verdict in verdicts)
    return 100.0 * killed / (killed + survived) if killed + survived else None


class VerdictLog:
    def __init__(self, path, tree, config):
        self._path, self._key = path, {"tree": tree, "config": config}
        self._known = {}
        for row in _rows(path):
            if all(row.get(name) == value for name, value in self._key.items()) and row.get("state") in STATES:
                self._known[row.get("mutant")] = Verdict(row["state"], row.get("by", ""), row.get("seconds", 0.0))

    def of(self, mutant):
        return self._known.get(mutant.id)

    def add(self, mutant, verdict):
        self._known[mutant.id] = verdict
        row = dict(self._key, mutant=mutant.id, file=mutant.path, **verdict._asdict())
        text = json.dumps(row) + "\n"
        with open(self._path, "ab+") as f:
            if f.tell():
                f.seek(-1, os.SEEK_END)
                if f.read(1) != b"\n":  # a run was killed while it wrote
                    text = "\n" + text
            f.write(text.encode())


def _rows(path):
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            try:
                row = json.loads(line)
            except ValueError:
                continue  # torn
            if isinstance(row, dict):
                yield row
