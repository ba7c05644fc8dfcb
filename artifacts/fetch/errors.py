"""The errors of fetching a blob: two outcomes of record.proto and their finer kinds.

A message says what was wrong, where, and what to do; it never holds a secret, because every one passes redact().
Not for programming errors: those stay ordinary exceptions.

    try:
        path = fetch(blob, sources, cache)
    except FetchError as error:
        print("%s: %s" % (error.outcome, error))      # ARTIFACT_UNAVAILABLE: … or FAIL_ARTIFACT: …
"""

import errno

from artifacts.fetch.redaction import quoted, redact

EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)  # limits of this machine: no fault of a file or a server


class FetchError(Exception):
    """A blob could not be had; .outcome is a name of record.proto's Outcome."""

    outcome = "ARTIFACT_UNAVAILABLE"

    def __init__(self, message):
        super().__init__(redact(message))


class Unavailable(FetchError):
    """No source gave the bytes. This says nothing about any model."""


class WrongContent(FetchError):
    """Bytes came, but not those that the lock names."""

    outcome = "FAIL_ARTIFACT"


class Missing(Unavailable):
    """The source answers and has no such object."""


class Forbidden(Unavailable):
    """The source answers and does not let us read."""


class Unreachable(Unavailable):
    """The server does not answer, or is broken or busy for every request, after all its tries."""


class Unusable(Unavailable):
    """The source cannot be used for this object, after all tries; it may still be good for others."""


class CacheFailed(Unavailable):
    """The bytes can't be kept here (disk full, folder not ours); another source would not help."""


class Transient(Exception):
    """One try failed in a way that may pass; never leaves this package.

    retry_after: seconds that the server asked us to wait, or None. of_server: whether it is the source's server that
    failed, whatever was asked, and not one object of it.
    """

    def __init__(self, reason, retry_after=None, of_server=True):
        super().__init__(quoted(reason, 200))
        self.retry_after, self.of_server = retry_after, of_server
