"""Scripted faults: which requests a fake server mistreats, and how.

    FaultRule(object="^abc", times=2, status=503)                 the first two requests for such objects
    FaultRule(method="GET", after=1, cut_after=1000)              every GET but the first ends after 1000 bytes
    load('[{"method": "PUT", "persist": 262144, "times": 1}]')    the same from JSON, a list of rules

The first rule that matches a request and is not used up applies. A rule has one fault, and may have `latency`, too. The
comment beside each field says what it does.
"""

import json
import re
import threading
from dataclasses import dataclass, field, fields
from typing import Callable, Optional


@dataclass
class FaultRule:
    # Which requests.
    method: str = ".*"  # the whole method matches
    object: str = ".*"  # found in the object's name ("" for requests about a bucket)
    path: str = ".*"  # found in the path with its query, e.g. "upload_id="
    after: int = 0  # so many matching requests are let through first
    times: Optional[int] = None  # so many are mistreated; None: all of them

    # The effects.
    latency: float = 0.0  # seconds before anything else
    status: int = 0  # this answer, and nothing is done
    retry_after: Optional[int] = None  # seconds, header of that answer
    reset: str = ""  # the connection is reset: "before" anything is done, "after" it was done (the reply is lost)
    cut_after: Optional[int] = None  # bytes of the answer's body; then the connection is closed
    stall_after: Optional[int] = None  # bytes of the answer's body; then nothing for stall_seconds, then closed
    stall_seconds: float = 60.0
    wrong_bytes: bool = False  # one byte of the data is another: of the answer, or of what is uploaded
    html: bool = False  # 200 and a page that says something friendly
    redirect: str = ""  # 302 to this address; {path} stands for the request's path
    persist: Optional[int] = None  # a resumable PUT keeps so many bytes only
    kill_session: bool = False  # a resumable session is gone: 410
    call: Optional[Callable] = None  # called with the request before it is served; not from JSON

    used: int = field(default=0, repr=False)
    seen: int = field(default=0, repr=False)

    def matches(self, method, path, name):
        return bool(
            re.fullmatch(self.method, method) and re.search(self.object, name) and re.search(self.path, path)
        )

    def take(self):
        """Whether this matching request is one to mistreat."""
        self.seen += 1
        if self.seen <= self.after or (self.times is not None and self.used >= self.times):
            return False
        self.used += 1
        return True


class FaultScript:
    def __init__(self, rules=()):
        self._rules = list(rules)
        self._lock = threading.Lock()

    def add(self, rules):
        with self._lock:
            self._rules.extend(rules)

    def clear(self):
        with self._lock:
            self._rules.clear()

    def choose(self, method, path, name):
        """The rule that applies to a request, or one that does nothing."""
        with self._lock:
            for rule in self._rules:
                if rule.matches(method, path, name) and rule.take():
                    return rule
        return FaultRule()


def load(text):
    """Rules of a JSON list; ValueError names what is wrong."""
    try:
        entries = json.loads(text)
    except ValueError as error:
        raise ValueError("not JSON: %s" % error) from None
    known = {f.name for f in fields(FaultRule)} - {"used", "seen", "call"}
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError("want a list of objects, each a rule")
    for number, entry in enumerate(entries, 1):
        unknown = sorted(set(entry) - known)
        if unknown:
            raise ValueError("rule %d: unknown %s; one of %s" % (number, ", ".join(unknown), ", ".join(sorted(known))))
    return [FaultRule(**entry) for entry in entries]
