"""Sends items to a bucket from several threads, to the end whatever one of them meets.

    results = send(items, bucket, Settings(), progress)         -> a Result for each item, in the order of items

One failure stops nothing: the others are finished, so that a re-run has less to do. KeyboardInterrupt stops: nothing
new is begun, and what is under way is abandoned, which leaves no part of an object visible.
"""

import concurrent.futures
from typing import NamedTuple

from tools.artifacts.upload import local_blobs
from tools.artifacts.upload.bucket import DifferentObject, Stopped, UploadError
from tools.artifacts.upload.local_blobs import Item

FAILED, DIFFERENT, SPOILED, NOT_SENT = "failed", "DIFFERENT", "wrong here", "not sent"
_ABANDON_SECONDS = 2.0


class Result(NamedTuple):
    item: Item
    state: str  # ABSENT, THERE, CREATED of bucket.py, or one of those above
    message: str = ""  # where something is wrong


class Interrupted(Exception):
    """Ctrl-C; `results` says how far it came."""

    def __init__(self, results):
        super().__init__()
        self.results = results


def send(items, bucket, settings, progress):
    """Creates every item; Interrupted on Ctrl-C."""
    return _each(items, bucket.create, settings, progress)


def look(items, bucket, settings, progress):
    """Asks of every item whether it is there; sends nothing."""
    return _each(items, bucket.find, settings, progress)


def _each(items, step, settings, progress):
    pool = concurrent.futures.ThreadPoolExecutor(settings.jobs, "upload")
    futures = [pool.submit(_one, item, step, settings, progress) for item in items]
    try:
        return [future.result() for future in futures]
    except KeyboardInterrupt:
        settings.stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
        concurrent.futures.wait(futures, timeout=_ABANDON_SECONDS)
        raise Interrupted([_result_now(f, i) for f, i in zip(futures, items)]) from None
    finally:
        pool.shutdown(wait=False)


def _result_now(future, item):
    finished = future.done() and not future.cancelled()
    return future.result() if finished else Result(item, NOT_SENT)


def _one(item, step, settings, progress):
    result = Result(item, NOT_SENT) if settings.stop.is_set() else _outcome(item, step)
    progress.done(item)
    return result


def _outcome(item, step):
    try:
        return Result(item, step(item))
    except DifferentObject as error:
        return Result(item, DIFFERENT, str(error))
    except local_blobs.BlobError as error:
        return Result(item, SPOILED, str(error))
    except UploadError as error:
        return Result(item, FAILED, str(error))
    except OSError as error:
        return Result(item, FAILED, "%s: %s" % (error.filename or item.path, error.strerror or error))
    except Stopped:
        return Result(item, NOT_SENT)
