"""A results file in pieces of whole lines, with a digest of all that was read: files of any size in little memory.

    file = LineFile(path)
    for piece in file.pieces(): ...      # Piece: where it begins, how long it is, the number of its first line
    file.end, file.lines, file.sha256    # behind the last whole line
    file.torn                            # bytes behind that: a line whose writer died, or is still writing

`start` continues a file that was read before: StartAt(end, lines, sha256). If its old part has changed since, the file
is read from the beginning.
"""

import hashlib
import os
import stat
from typing import NamedTuple

from tools.results.errors import SURROUNDINGS, Stop

_PIECE = 1 << 20


class StartAt(NamedTuple):
    end: int = 0
    lines: int = 0
    sha256: str = ""


class Piece(NamedTuple):
    path: str
    offset: int
    size: int
    line: int  # of its first line, from 1

    def read(self):
        with open(self.path, "rb") as f:
            f.seek(self.offset)
            return f.read(self.size)


class LineFile:
    def __init__(self, path, start=StartAt()):
        self.path = path
        try:
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise Stop(SURROUNDINGS, "%s: not an ordinary file; write the results into one first" % path)
            self._file = open(path, "rb")
        except OSError as error:
            raise Stop(SURROUNDINGS, "%s: %s" % (path, error.strerror)) from None
        self._digest = hashlib.sha256()
        self.end = self.lines = self.torn = 0
        self._continue(start)

    def _continue(self, start):
        left = start.end
        while left > 0 and (data := self._file.read(min(left, _PIECE))):
            self._digest.update(data)
            left -= len(data)
        if left == 0 and self._digest.hexdigest() == start.sha256:
            self.end, self.lines = start.end, start.lines
        else:
            self._file.seek(0)
            self._digest = hashlib.sha256()

    @property
    def sha256(self):
        return self._digest.hexdigest()

    def pieces(self):
        while data := self._file.read(_PIECE):
            if not data.endswith(b"\n"):
                data += self._file.readline()
            size = data.rfind(b"\n") + 1  # less than all at the end of a torn file
            self.torn = len(data) - size
            data = memoryview(data)[:size] if self.torn else data
            if size:
                self._digest.update(data)
                yield Piece(self.path, self.end, size, self.lines + 1)
                self.end += size
                self.lines += bytes(data).count(b"\n")
        self._file.close()
