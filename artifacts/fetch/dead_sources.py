"""Remembers for a minute which sources did not answer, so that not every blob waits for a dead one.

    dead = DeadSources(cache.open(), settings)
    dead.is_dead(source), dead.bury(source), dead.revive(source)

It is an empty file for each such source in the cache's folder. Errors here never matter: the memory only saves time.
"""

import contextlib
import hashlib
import os

_REMEMBERED_SECONDS = 60.0


class DeadSources:
    """folder is the descriptor of the folder to keep the files in."""

    def __init__(self, folder, settings):
        self._folder, self._settings = folder, settings

    def is_dead(self, source):
        try:
            age = self._settings.wall_clock() - os.stat(_name(source), dir_fd=self._folder).st_mtime
        except OSError:
            return False
        return -1.0 < age < _REMEMBERED_SECONDS

    def bury(self, source):
        with contextlib.suppress(OSError):
            flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            file = os.open(_name(source), flags, 0o600, dir_fd=self._folder)
            now = self._settings.wall_clock()
            os.utime(file, (now, now))
            os.close(file)

    def revive(self, source):
        with contextlib.suppress(OSError):
            os.unlink(_name(source), dir_fd=self._folder)


def _name(source):
    return ".dead-" + hashlib.sha256(source.object_url("x").encode()).hexdigest()[:16]
