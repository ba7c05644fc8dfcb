"""How far an upload is, on stderr: objects, bytes, what is left.

    progress = Progress(items, sys.stderr, time.monotonic)
    progress.done(item)

On a terminal one line that is rewritten; else a line at most every ten seconds, so that a log stays short.
"""

import contextlib
import threading

from artifacts.format.quantity import duration_text, size_text

_LINE_SECONDS = 10.0
_TERMINAL_SECONDS = 0.1


class Progress:
    def __init__(self, items, stream, clock):
        self._objects, self._bytes = len(items), sum(item.size for item in items)
        self._done_objects = self._done_bytes = 0
        self._stream, self._clock = stream, clock
        self._terminal = stream.isatty()
        self._begin = self._shown = clock()
        self._lock = threading.Lock()

    @property
    def seconds(self):
        return self._clock() - self._begin

    def done(self, item):
        """One object is dealt with, however it ended."""
        with self._lock:
            self._done_objects += 1
            self._done_bytes += item.size
            now = self._clock()
            if now - self._shown >= (_TERMINAL_SECONDS if self._terminal else _LINE_SECONDS):
                self._shown = now
                self._show("\r%s\x1b[K" if self._terminal else "%s\n")

    def close(self):
        """Leaves the line for what comes after."""
        if self._terminal:
            self._show("\r%s\x1b[K\n")

    def _show(self, shape):
        with contextlib.suppress(OSError):  # an upload doesn't depend on who watches it
            self._stream.write(shape % self.line())
            self._stream.flush()

    def line(self):
        text = "%d of %d objects, %s of %s" % (
            self._done_objects,
            self._objects,
            size_text(self._done_bytes),
            size_text(self._bytes),
        )
        if 0 < self._done_bytes < self._bytes:
            left = self.seconds * (self._bytes - self._done_bytes) / self._done_bytes
            text += ", about %s left" % duration_text(left)
        return text
