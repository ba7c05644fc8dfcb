"""SHA-256 of files of any size, a megabyte at a time.

    with open(path, "rb") as f:
        sha256_of(f)                  # 64 lower-case hex digits of what is left of it
"""

import hashlib

_PIECE_BYTES = 1 << 20


def pieces(f):
    """The rest of a file, a megabyte at a time."""
    return iter(lambda: f.read(_PIECE_BYTES), b"")


def sha256_of(f):
    """The hex digest of the rest of an open binary file; leaves it at its end."""
    digest = hashlib.sha256()
    for piece in pieces(f):
        digest.update(piece)
    return digest.hexdigest()
