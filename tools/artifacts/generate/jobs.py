"""Runs jobs (plan.py) in worker processes, some at a time, and hands their events to one caller."""

import json
import os
import queue
import subprocess
import sys
import threading
from typing import NamedTuple

from artifacts.format.lock_table import MODULE, REFERENCE
from tools.artifacts.generate import plan, registry, runners

_LAST_WORDS = 20  # lines of a crashed worker's output that are shown


class Places(NamedTuple):
    """The places of things at run time."""

    root: str  # holds reference scripts by their workspace paths
    runners: str  # holds runners (runners.py); "" until they are built
    registry: str  # binary assay.Registry
    work: str  # scratch folder


def roles_of(job, roles):
    """The files that are made for each content of a job: the reference first, then those that were requested and are
    possible."""
    independent = job.reference == registry.INDEPENDENT
    return (REFERENCE,) + tuple(role for role in roles if role != MODULE or independent)


def specification(job, index, places, threads, measure, roles=()):
    """The job as worker.py reads it; contents are numbered by their place in the job."""
    work = os.path.join(places.work, str(index))
    os.makedirs(work, exist_ok=True)
    return {
        "name": job.name,
        "implementation": job.implementation,
        "reference": job.reference,
        "script": os.path.join(places.root, job.script) if job.script else "",
        "runner": runners.program(places.runners, job.package),
        "registry": places.registry,
        "threads": threads,
        "work": work,
        "measure": measure,
        "roles": [role for role in roles_of(job, roles) if role],
        "contents": [_content(job, c, number, work) for number, c in enumerate(job.contents)],
    }


def _content(job, content, number, work):
    # An input has its own rounding: its spec may fix a dtype whatever the case's is.
    return {
        "id": number,
        "label": content.label,
        "parameters": content.parameters,
        "batch": content.batch,
        "rounding": content.rounding,
        "seed": content.seed,
        "outputs": list(content.outputs),
        "training": content.training and content.training.settings,
        "targets": list(content.training.targets) if content.training else [],
        "continuation": content.continuation,
        "inputs": [_input(i) for i in content.inputs],
        "metadata": content.metadata(job.implementation),
        "blob": os.path.join(work, "%d.safetensors" % number),
    }


def _input(spec):
    return {
        "name": spec.name,
        "dtype": spec.dtype,
        "shape": list(spec.shape),
        "distribution": json.loads(spec.distribution),
        "rounding": plan.ROUNDING.get(spec.dtype, ""),
    }


class Workers:
    """Runs the jobs; iterate over events() for (job number, event). Ends its processes when closed."""

    def __init__(self, jobs, places, parallel, measure=False, roles=()):
        self._jobs, self._places, self._measure, self._roles = jobs, places, measure, roles
        self._threads = max(1, len(os.sched_getaffinity(0)) // parallel)
        self._waiting = list(enumerate(jobs))[::-1]
        self._events, self._processes, self._lock, self._closed = queue.Queue(), set(), threading.Lock(), False
        self._pool = [threading.Thread(target=self._serve, daemon=True) for _ in range(min(parallel, len(jobs)))]
        for thread in self._pool:
            thread.start()

    def events(self):
        """Each event of the workers, and {"ended": error message or ""} as the last of each job."""
        running = len(self._jobs)
        while running:
            # With a timeout, so that Ctrl-C is seen at once.
            try:
                number, event = self._events.get(timeout=0.5)
            except queue.Empty:
                continue
            running -= "ended" in event
            yield number, event

    def close(self):
        with self._lock:
            self._closed = True
            for process in self._processes:
                process.terminate()
        for thread in self._pool:
            thread.join(timeout=10)

    def _serve(self):
        while True:
            with self._lock:
                if self._closed or not self._waiting:
                    return
                number, job = self._waiting.pop()
            try:
                error = self._run(number, job)
            except Exception as unexpected:  # a thread's exception would only be printed, and events() wait for ever
                error = "%s: %s" % (type(unexpected).__name__, unexpected)
            self._events.put((number, {"ended": error}))

    def _run(self, number, job):
        spec = specification(job, number, self._places, self._threads, self._measure, self._roles)
        path, log_path = os.path.join(spec["work"], "job.json"), os.path.join(spec["work"], "log")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(spec, f)
        # -S and -s again: this Python was started with the site of @oracle_python only, and so must the worker be.
        flags = (["-S"] if sys.flags.no_site else []) + (["-s"] if sys.flags.no_user_site else [])
        command = [sys.executable, *flags, "-m", "tools.artifacts.generate.worker", path]
        with open(log_path, "wb") as log:
            process = self._start(command, log)
            if process is None:
                return "interrupted"
            with process.stdout:
                for line in process.stdout:
                    self._events.put((number, json.loads(line)))
            code = process.wait()
        with self._lock:
            self._processes.discard(process)
        return _failure(code, log_path) if code else ""

    def _start(self, command, log):
        with self._lock:
            if self._closed:
                return None
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
            self._processes.add(process)
            return process


def _failure(code, log_path):
    how = "was killed by signal %d" % -code if code < 0 else "ended with exit code %d" % code
    if code == -9:
        how += " (out of memory?)"
    with open(log_path, errors="replace") as f:
        lines = f.read().splitlines()[-_LAST_WORDS:]
    return "the worker %s%s" % (how, "".join("\n    " + line for line in lines))
