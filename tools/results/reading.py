"""Pieces of a file, read by several processes at once (rows.py), in order.

    with Processes(2, pieces, keep=True) as parts:
        for part in parts: ...        # one for each piece

Each of n processes reads every nth piece, and has a pipe of its own to write to, which blocks it when it is far ahead. A
multiprocessing.Pool would read all answers in a thread beside the one that fills the database, and the two take the
interpreter from each other at every row.
"""

import contextlib
import fcntl
import gc
import multiprocessing
import signal

from tools.results import rows
from tools.results.errors import SURROUNDINGS, Stop

_AHEAD = 1 << 20  # bytes that a pipe holds: a dozen parts


class Processes:
    def __init__(self, count, pieces, keep):
        self._pieces, self._pipes, self._processes = pieces, [], []
        context = multiprocessing.get_context("fork")
        for first in range(count):
            ours, theirs = context.Pipe(duplex=False)
            with contextlib.suppress(OSError):  # a user may have few such pipes; then readers wait more often
                fcntl.fcntl(theirs.fileno(), fcntl.F_SETPIPE_SZ, _AHEAD)
            self._pipes.append(ours)
            arguments = (pieces[first::count], keep, theirs, list(self._pipes))
            self._processes.append(context.Process(target=_read, args=arguments, daemon=True))
            self._processes[-1].start()
            theirs.close()

    def __enter__(self):
        return self

    def __iter__(self):
        for place, piece in enumerate(self._pieces):
            pipe = self._pipes[place % len(self._pipes)]
            try:
                packed = pipe.recv_bytes()
                if not packed:
                    raise pipe.recv()
            except EOFError:
                raise Stop(
                    SURROUNDINGS, "%s: the process that read it was ended; was memory short?" % piece.path
                ) from None
            yield rows.Part.unpacked(packed)

    def __exit__(self, *_):
        for pipe, process in zip(self._pipes, self._processes):
            pipe.close()
            process.terminate()
            process.join()
            process.close()


def _read(pieces, keep, pipe, others):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever reads the pipe ends this
    for other in others:
        other.close()  # so that no pipe stays open when its reader is gone
    gc.disable()  # rows have no circles
    reader = rows.Reader(keep)
    try:
        for piece in pieces:
            pipe.send_bytes(reader.piece(piece).packed())
    except BrokenPipeError:
        pass
    except Exception as error:
        pipe.send_bytes(b"")
        pipe.send(error)
