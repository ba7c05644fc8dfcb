"""When to try again: full-jitter exponential backoff that honours Retry-After and ends with the deadline.

    tries = Backoff(deadline, settings)
    while True:
        try: …
        except Transient as error:
            if not tries.wait(error): raise tries.given_up(error)
"""

import email.utils

from artifacts.fetch.errors import Unreachable, Unusable

RETRIED = (408, 429, 500, 502, 503, 504)


class Backoff:
    """Counts the failures at one source since the last progress."""

    def __init__(self, deadline, settings, attempts=None):
        self.failures = 0
        self.why_not = ""  # why wait() said no
        self._deadline, self._settings = deadline, settings
        self._attempts = attempts or settings.attempts

    def progressed(self):
        self.failures = 0

    def wait(self, error):
        """Sleeps before the next try; False where none is due."""
        self.failures += 1
        if self.failures >= self._attempts:
            self.why_not = self._tries()
            return False
        most = min(self._settings.longest_wait, self._settings.first_wait * 2 ** (self.failures - 1))
        seconds = self._settings.random() * most
        if error.retry_after is not None:
            seconds = max(error.retry_after, seconds)
        left = self._deadline.left()
        if seconds >= left:
            asked = "; it asks to wait %.0f s" % error.retry_after if error.retry_after else ""
            self.why_not = "%s, %.1f s left%s" % (self._tries(), max(0.0, left), asked)
            return False
        self._settings.sleep(seconds)
        return True

    def given_up(self, error):
        """The exception to raise where no try is due any more."""
        return (Unreachable if error.of_server else Unusable)("%s (%s)" % (error, self.why_not))

    def _tries(self):
        return "1 try" if self.failures == 1 else "%d tries" % self.failures


def retry_after_seconds(text, wall_clock):
    """Seconds of a Retry-After header, which holds a number or a date; None where it holds neither."""
    text = (text or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        date = email.utils.parsedate_to_datetime(text)
        return max(0.0, date.timestamp() - wall_clock()) if date else None
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
