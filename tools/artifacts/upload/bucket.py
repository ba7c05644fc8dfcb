"""The interface of every kind of bucket: the results, errors and settings of check(), find() and create().

    bucket.check(writing=True)   UploadError where the bucket can't be used
    bucket.find(item)            ABSENT, THERE, or DifferentObject; changes nothing
    bucket.create(item)          CREATED or THERE; DifferentObject, UploadError, Stopped

Create-only everywhere: an object that exists is compared and never replaced. folder_bucket.py and gcs_bucket.py do it;
destination.py chooses.
"""

import threading
from dataclasses import dataclass, field

from artifacts.fetch.ending import WRONG

ABSENT, THERE, CREATED = "absent", "already there", "created"


class UploadError(Exception):
    """No credentials, no such bucket or no network. The message says how to fix it."""


class Refused(Exception):
    """Not done on purpose; the message says why."""

    code = WRONG


class DifferentObject(Exception):
    """An object of that name holds other bytes; nothing was overwritten."""


class Stopped(Exception):
    """The user asked to stop."""


@dataclass(frozen=True)
class Settings:
    jobs: int = 16  # uploads at a time
    deadline: float = 60.0  # seconds of retrying for each object
    first_wait: float = 0.5  # seconds before the second attempt, on average half of it; doubles up to 8
    stop: threading.Event = field(default_factory=threading.Event)  # set: begin nothing more, abandon what can be
