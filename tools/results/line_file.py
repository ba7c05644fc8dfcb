"""A results file in pieces of whole lines, with a digest of all that was read: files of any size in little memory.

    file = LineFile(path)
    for piece in file.pieces():
        data, digest = piece.read()          # lines; in any process
        file.passed(piece, data.count(b"\\n"), digest)      # in the order of the pieces
    file.end, file.lines, file.sha256        # behind the last whole line
    file.torn                                # bytes behind that: a line whose writer died, or is still writing

`start` continues a file that was read before: StartAt(end, lines, sha256). If its old part has changed since, the file
is read from the beginning.

The digest is of the pieces' digests, so that several processes can make it. Where pieces end depends on nothing but
what is before: at the first end of a line behind each multiple of _PIECE.
"""

import hashlib
import os
import stat
from typing import NamedTuple

from tools.results.errors import SURROUNDINGS, Stop

_PIECE = 1 << 20
_LONGEST_LINE = 1 << 28  # bytes; a record of a million samples has a tenth of that


class StartAt(NamedTuple):
    end: int = 0
    lines: int = 0
    sha256: str = ""


class Piece(NamedTuple):
    path: str
    offset: int
    size: int
    known: int = 0  # so many of its bytes, which are whole lines, were read before

    def read(self):
        """The part that was not read before, and the digest of the whole."""
        with open(self.path, "rb", buffering=0) as f:
            f.seek(self.offset)
            data = f.read(self.size)
        digest = hashlib.sha256(data).digest()
        return data[self.known :] if self.known else data, digest


def opened(path, shown):
    """An ordinary file, to be read: opening a pipe would wait for whoever writes to it."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            instead = "give its file, such as %s/results.jsonl" % shown if os.path.isdir(path) else "write the results into one first"
            raise Stop(SURROUNDINGS, "%s: not an ordinary file; %s" % (shown, instead))
        return open(path, "rb")
    except OSError as error:
        raise Stop(SURROUNDINGS, "%s: %s" % (shown, error.strerror)) from None


class LineFile:
    def __init__(self, path, start=StartAt()):
        self.path = path
        self._file = opened(path, path)
        self._size = os.fstat(self._file.fileno()).st_size
        self._digest = hashlib.sha256()
        self._begin = self.end = self.lines = self.torn = 0
        if 0 < start.end <= self._size:
            self._continue(start)

    def _continue(self, start):
        done = hashlib.sha256()
        for piece in self._pieces(0, start.end):
            before = done.copy()
            done.update(piece.read()[1])
        if done.hexdigest() == start.sha256:  # and only then is `end` the end of a line
            self.end, self.lines, self.torn = start.end, start.lines, 0
            self._begin, self._digest = piece.offset, before

    @property
    def sha256(self):
        return self._digest.hexdigest()

    def pieces(self):
        for piece in self._pieces(self._begin, self._size):
            yield piece._replace(known=max(self.end - piece.offset, 0) if piece.offset == self._begin else 0)
        self._file.close()

    def passed(self, piece, lines, digest):
        """A piece was read: so many new lines, and the digest of all."""
        self._digest.update(digest)
        self.end = piece.offset + piece.size
        self.lines += lines

    def _pieces(self, begin, limit):
        while begin < limit:
            end = (begin // _PIECE + 1) * _PIECE
            if end < limit:
                self._file.seek(end - 1)
                end += len(self._file.readline(min(limit - end + 1, _LONGEST_LINE))) - 1
                if end - begin >= _LONGEST_LINE:
                    raise Stop(SURROUNDINGS, "%s: no end of a line within %d bytes" % (self.path, _LONGEST_LINE))
            end = min(end, limit)
            whole = end
            if end == limit:
                self._file.seek(begin)
                whole = begin + self._file.read(end - begin).rfind(b"\n") + 1  # less at the end of a torn file
                self.torn = end - whole
            if whole > begin:
                yield Piece(self.path, begin, whole - begin)
            begin = end
