"""The results of a plan: kept on disk from the first second on, in at most eight files, one of them for a moment.

    summary.txt    everything in words, failures first     records.jsonl     the runner's records of measured cases
    summary.json   the same as data                        verdicts.jsonl    and of verified cases
    table.txt      figures beside those of others          peers.jsonl       the figures of others
    logs.tar.xz    what each program said
"""

import collections
import contextlib
import json
import os
import shutil
import tarfile
import tempfile
import time

from .outcomes import EXIT_CODES

# Outcomes of the runner and of this program, by what they say of the product. What hangs on a GPU is the product's fault.
RIGHT = tuple(name for name, code in EXIT_CODES.items() if code == 0)
_SURROUNDINGS = [name for name, code in EXIT_CODES.items() if code == 2 and name != "TIMEOUT"]
NOT_RUN = (*_SURROUNDINGS, "NO_LIBTORCH", "NO_LIBRARY", "NOT_RUN")
_SAVE_SECONDS = 30
_MOST_LINES = 60
_MOST_FAILURES = 24
_LINE = 170

Result = collections.namedtuple("Result", "step name verdict seconds detail")


def of_product(verdict):
    """Whether the product, not its surroundings, is wrong."""
    return verdict not in RIGHT and verdict not in NOT_RUN


def exit_code(results):
    """0: each result is right; 1: the product is wrong somewhere; 2: something could not run, or nothing ran."""
    if any(of_product(r.verdict) for r in results):
        return 1
    return 0 if results and all(r.verdict in RIGHT for r in results) else 2


class Results:
    """`folder` is there and empty. What a step adds is on disk 30 seconds later, or when its step ends."""

    def __init__(self, folder, head):
        self.folder, self.head = folder, head
        self.scratch = tempfile.mkdtemp(prefix="assay_gpu_")
        self.logs = os.path.join(self.scratch, "logs")
        os.makedirs(self.logs)
        self.results, self.steps, self.figures = [], [], []
        self.table = ""
        self.problem = ""  # why the results could not be written
        self._saved = time.monotonic()

    def path(self, name):
        return os.path.join(self.folder, name)

    def log(self, name):
        """A path for what a program says. `name` may hold any character."""
        return os.path.join(self.logs, "".join(c if c.isalnum() or c in "-_." else "_" for c in name).strip("_") + ".log")

    def add(self, step, name, verdict, seconds=0.0, detail=""):
        self.results.append(Result(step, name, verdict, round(seconds, 1), " ".join(str(detail).split())))

    def tick(self, with_logs=True, until_now=None):
        """Saves if that was last done half a minute ago. While something is measured: without packing the logs.

        `until_now`: a function that adds the results of what still runs; they are saved, and dropped again.
        """
        if time.monotonic() - self._saved < _SAVE_SECONDS:
            return
        kept = len(self.results)
        if until_now:
            until_now()
        self.save(with_logs)
        del self.results[kept:]

    def save(self, with_logs=True):
        self._saved = time.monotonic()
        try:
            self._write("summary.txt", self.text() + "\n")
            told = {"machine": dict(self.head), "steps": self.steps, "figures": self.figures, "exit_code": exit_code(self.results),
                    "results": [r._asdict() for r in self.results]}
            self._write("summary.json", json.dumps(told, indent=1) + "\n")
            if self.table:
                self._write("table.txt", self.table)
            if with_logs:
                with tarfile.open(self.path("part"), "w:xz", preset=1) as archive:
                    archive.add(self.logs, "logs")
                os.replace(self.path("part"), self.path("logs.tar.xz"))
            self.problem = ""
        except OSError as error:
            self.problem = "the results are not all in %s: %s; logs are in %s" % (self.folder, error.strerror, self.logs)
            with contextlib.suppress(OSError):
                os.remove(self.path("part"))

    def close(self):
        """Leaves only the files that are named above."""
        self.save()
        if not self.problem:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def failed(self):
        """The names of what is wrong, each once."""
        return list(dict.fromkeys(r.name for r in self.results if of_product(r.verdict)))

    def _write(self, name, text):
        with open(self.path("part"), "w", encoding="utf-8") as f:
            f.write(text)
        os.replace(self.path("part"), self.path(name))

    def counts(self, step):
        counts = collections.Counter(r.verdict for r in self.results if r.step == step)
        return ", ".join("%d %s" % (counts[v], v) for v in sorted(counts, key=lambda v: (v in RIGHT, v))) or "nothing ran"

    def text(self):
        """At most 60 lines: failures, what did not run, the steps with their seconds, figures."""
        bad = [r for r in self.results if of_product(r.verdict)]
        lines = ["%-9s %s" % item for item in self.head] + [""]
        lines += ["%-12s %s: %s" % (r.verdict, r.name, r.detail) for r in bad[:_MOST_FAILURES]]
        lines += ["and %d more: summary.json" % (len(bad) - _MOST_FAILURES)] if len(bad) > _MOST_FAILURES else []
        lines += self._not_run(6) + [""] if self.results else []
        lines += ["%5.0f of %3d s  %-12s %s" % (s["seconds"], s["limit"], s["name"], self.counts(s["name"])) for s in self.steps]
        left = max(_MOST_LINES - len(lines) - 2, 0)
        # Rows of the table that want a look come first.
        figures = self.figures + sorted(self.table.splitlines(), key=lambda line: " look" not in line)
        lines += ["", *figures[:left]] if figures else []
        return "\n".join(line if len(line) <= _LINE else line[:_LINE - 3] + "..." for line in lines[:_MOST_LINES])

    def _not_run(self, most):
        """The reasons, each once with the number of things that it kept from running."""
        reasons = collections.Counter((r.verdict, r.detail) for r in self.results if r.verdict in NOT_RUN)
        first = {}
        for r in self.results:
            first.setdefault((r.verdict, r.detail), r.name)
        lines = ["%-12s %d (%s ...): %s" % (key[0], count, first[key], key[1]) for key, count in reasons.most_common(most)]
        return lines + (["and %d reasons more: summary.json" % (len(reasons) - most)] if len(reasons) > most else [])
