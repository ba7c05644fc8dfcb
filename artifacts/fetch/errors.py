"""What can go wrong while a blob is fetched: two outcomes of record.proto and their finer kinds.

A message says what was wrong, where, and what to do; it never holds a secret, because every one passes redact().
Not for programming errors: those stay ordinary exceptions.

    try:
        path = fetch(blob, sources, cache)
    except FetchError as error:
        print("%s: %s" % (error.outcome, error))      # ARTIFACT_UNAVAILABLE: … or FAIL_ARTIFACT: …
"""

from artifacts.fetch.redaction import redact


class FetchError(Exception):
    """A blob could not be had; .outcome is a name of record.proto's Outcome."""

    outcome = "ARTIFACT_UNAVAILABLE"

    def __init__(self, message):
        super().__init__(redact(message))


class Unavailable(FetchError):
    """The surroundings' fault: nobody gave the bytes. Says nothing about any model."""


class WrongContent(FetchError):
    """Bytes came, and they are not the ones that the lock names."""

    outcome = "FAIL_ARTIFACT"


class Missing(Unavailable):
    """The source answers and has no such object."""


class Forbidden(Unavailable):
    """The source answers and does not let us read."""


class Unreachable(Unavailable):
    """The source does not answer, or not usefully, after all tries that it was due."""


class CacheFailed(Unavailable):
    """The bytes can't be kept here (disk full, folder not ours); another source would not help."""


class Transient(Exception):
    """One try failed in a way that may pass; never leaves this package.

    retry_after: seconds that the server asked us to wait, or None.
    """

    def __init__(self, reason, retry_after=None):
        super().__init__(redact(reason))
        self.retry_after = retry_after
