"""How long and how often fetching tries, its clocks, and the environment variables for that.

    settings = Settings.from_environ(os.environ)     # ASSAY_FETCH_DEADLINE, ASSAY_TOKEN_FILE
    Settings(sleep=fake.sleep, clock=fake.clock)     # in a test: no time passes
"""

import random
import sys
import time
from typing import Callable, NamedTuple, Optional

from artifacts.fetch.sources import SourceError

_DEADLINE_SECONDS = 60.0
_SLOWEST_BYTES_PER_SECOND = 1 << 20  # a large blob gets more time: a second for each MiB


def _report(line):
    print(line, file=sys.stderr)


class Settings(NamedTuple):
    """Durations in seconds. clock is monotonic, wall_clock counts from the epoch."""

    deadline: Optional[float] = None  # for one blob, all sources and tries together; None: 60 s and 1 s for each MiB
    stall: float = 15.0  # without a byte, after which a connection counts as dead
    connect: float = 10.0  # name look-up, connection and TLS together
    attempts: int = 8  # at one source without a new byte
    first_wait: float = 0.5  # upper bound of the first, random wait; doubles up to longest_wait
    longest_wait: float = 8.0
    token: str = ""  # bearer token for https and loopback hosts; "" is anonymous (see also Source.takes_token)
    clock: Callable[[], float] = time.monotonic
    wall_clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    random: Callable[[], float] = random.random
    report: Callable[[str], None] = _report  # one line about what went on, only where something did

    @staticmethod
    def from_environ(environ):
        """Raises SourceError where a variable is not usable."""
        return Settings(
            deadline=_deadline(environ.get("ASSAY_FETCH_DEADLINE", "")),
            token=_token(environ.get("ASSAY_TOKEN_FILE", "")),
        )

    def for_source(self, source):
        """These settings without the token, where the source is not to have it."""
        return self if source.takes_token else self._replace(token="")

    def deadline_for(self, size):
        return self.deadline or _DEADLINE_SECONDS + size / _SLOWEST_BYTES_PER_SECOND

    @property
    def authentication(self):
        return "with the token of ASSAY_TOKEN_FILE" if self.token else "anonymous"


class Deadline:
    """A moment; left() says how far it is."""

    def __init__(self, clock, seconds):
        self._clock = clock
        self._end = clock() + seconds

    def left(self):
        return self._end - self._clock()

    def part(self, count):
        """The deadline of the first of `count` equal parts of what is left."""
        return Deadline(self._clock, self.left() / count)


def _deadline(text):
    if not text:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 86400:
        raise SourceError("ASSAY_FETCH_DEADLINE=%s: want seconds, more than 0 and at most 86400" % text)
    return seconds


def _token(path):
    if not path:
        return ""
    try:
        with open(path, encoding="ascii") as f:
            token = f.read(65537).strip()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no text in it"
        raise SourceError("ASSAY_TOKEN_FILE=%s: %s" % (path, why)) from None
    if not token or len(token) > 65536 or any(not 32 < ord(c) < 127 for c in token):
        raise SourceError("ASSAY_TOKEN_FILE=%s: want one bearer token, without spaces, and nothing else" % path)
    return token
