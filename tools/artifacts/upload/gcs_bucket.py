"""A Google Cloud Storage bucket to upload to, by Google's own client (@gcs_python).

    bucket = GcsBucket("my-bucket", "assay", Settings(), os.environ)
    bucket.check()                    one request: is there such a bucket, and may we create objects in it?
    bucket.create(item)               CREATED, THERE, or an exception of bucket.py

Every object is created with ifGenerationMatch=0 and a declared crc32c, so the server refuses what would replace another
object and what was spoiled on the way. Retried: 408, 429, 5xx, resets, timeouts (reference: Google's retry strategy).
Credentials are Google's application default ones and nothing else; with STORAGE_EMULATOR_HOST set, none are looked up.
"""

import base64
import hashlib
import io
import os
import re
import tempfile

import google.auth
import google_crc32c
import requests.adapters
from google.api_core import exceptions
from google.auth import exceptions as auth_exceptions
from google.auth.credentials import AnonymousCredentials
from google.auth.transport.requests import AuthorizedSession
from google.cloud import storage
from google.cloud.storage.retry import DEFAULT_RETRY

from artifacts.fetch.digest import pieces
from tools.artifacts.upload import local_blobs
from tools.artifacts.upload.bucket import ABSENT, CREATED, THERE, DifferentObject, Stopped, UploadError
from tools.artifacts.upload.resuming_blob import ResumingBlob

_SCOPE = "https://www.googleapis.com/auth/devstorage.read_write"
_CREATE, _GET = "storage.objects.create", "storage.objects.get"
_TIMEOUT = (5, 30)  # seconds to connect, seconds without a byte
_ATTEMPTS = 3  # where the client does not retry itself:
_WORTH_ANOTHER = (400, 404, 410)  # data spoiled on the way, a lost session
_IN_MEMORY_BYTES = 8 << 20  # the client sends so much in one request, and more in a resumable session
_SIGN_IN = (
    "run `gcloud auth application-default login`, or set GOOGLE_APPLICATION_CREDENTIALS to the file of a service "
    "account or of workload identity federation"
)
_NETWORK = (
    requests.exceptions.RequestException,
    exceptions.RetryError,
    auth_exceptions.GoogleAuthError,
    ConnectionError,
)


class GcsBucket:
    def __init__(self, name, prefix, settings, environment):
        self._prefix = prefix + "/" if prefix else ""
        self._settings = settings
        self._emulator = environment.get("STORAGE_EMULATOR_HOST", "")
        path = name + "/" + prefix if prefix else name
        self.text = "gs://" + path + (" (emulator %s)" % self._emulator if self._emulator else "")
        self.bazelrc_value = (self._emulator + "/" if self._emulator else "gs://") + path
        # Without it, the first upload asks for the bucket's metadata from another thread, for traces that are not used.
        os.environ["DISABLE_GCS_PYTHON_CLIENT_OTEL_BUCKET_METADATA"] = "true"
        self._client = _client(self._emulator, settings.jobs)
        self._bucket = self._client.bucket(name)
        self._retry = DEFAULT_RETRY.with_delay(initial=settings.first_wait, maximum=8).with_timeout(settings.deadline)

    def check(self, writing=True):
        """UploadError unless the bucket is there and, for writing, lets us create objects."""
        try:
            granted = self._bucket.test_iam_permissions([_CREATE, _GET], timeout=_TIMEOUT, retry=self._retry)
        except (exceptions.GoogleAPICallError, *_NETWORK) as error:
            raise UploadError(self._why(error)) from None
        if writing and _CREATE not in granted:
            raise UploadError(
                "%s: no permission to create objects (%s); grant roles/storage.objectCreator to whoever uploads, or"
                " sign in as somebody else: %s" % (self.text, _CREATE, _SIGN_IN)
            )

    def find(self, item):
        """ABSENT, THERE, or DifferentObject."""
        try:
            there = self._bucket.get_blob(self._prefix + item.name, timeout=_TIMEOUT, retry=self._retry)
            if there is None:
                return ABSENT
            md5 = there.md5_hash or self._md5_of(there)
        except (exceptions.GoogleAPICallError, *_NETWORK) as error:
            raise UploadError(self._why(error)) from None
        with local_blobs.open_plain(item.path) as f:
            wanted = _md5(f)
        if (there.size, md5) == (item.size, wanted):
            return THERE
        raise DifferentObject(
            "%s: %s is another object: there %d bytes, md5 %s; here %d bytes, md5 %s. Nothing was overwritten."
            % (self.text, item.name, there.size, md5, item.size, wanted)
        )

    def _md5_of(self, blob):
        """The digests of its bytes. An object composed of parts has no MD5, and a CRC32C can be forged."""
        with tempfile.TemporaryFile() as f:
            blob.download_to_file(f, timeout=_TIMEOUT, retry=self._retry)
            f.seek(0)
            return _md5(f)

    def create(self, item):
        """CREATED or THERE; DifferentObject where the name is taken by other bytes."""
        # Sending something that fits into one request takes less time than asking first; a 412 then starts the
        # comparison.
        if item.size > _IN_MEMORY_BYTES and self._may_find(item) == THERE:
            return THERE
        for attempt in range(1, _ATTEMPTS + 1):
            if self._settings.stop.is_set():
                raise Stopped()
            try:
                self._send(item)
                return CREATED
            except (exceptions.PreconditionFailed, exceptions.Forbidden) as error:
                return self._compare(item, error)
            except (exceptions.GoogleAPICallError, *_NETWORK) as error:
                if attempt == _ATTEMPTS or getattr(error, "code", None) not in _WORTH_ANOTHER:
                    raise UploadError("%s: %s" % (item.name, self._why(error))) from None

    def _may_find(self, item):
        """Like find(), but a user who may only create can still try."""
        try:
            return self.find(item)
        except UploadError:
            return ABSENT

    def _compare(self, item, refusal):
        """After a 412 or, from a server that asks first for the permission to replace, a 403: whose object is it?

        Ours, where an earlier reply was lost; or another's, equal or not.
        """
        forbidden = refusal.code == 403
        try:
            if self.find(item) == THERE:
                return THERE
            why = self._why(refusal) + ("" if forbidden else "; yet there is no such object: run this again")
        except UploadError as error:
            exists = "may exist" if forbidden else "exists"
            why = "it %s already, and could not be compared (that takes %s). %s" % (exists, _GET, error)
        raise UploadError("%s: %s" % (item.name, why))

    def _send(self, item):
        blob = ResumingBlob(self._prefix + item.name, self._bucket)
        blob.stopped, blob.deadline = self._settings.stop.is_set, self._settings.deadline
        blob.cache_control = "public, max-age=31536000, immutable"
        blob.metadata = {"sha256": item.sha256}
        with local_blobs.open_plain(item.path) as f:
            # The crc32c that goes with a small object is of the bytes sent, so these are checked before; a big one's is
            # declared as a whole, so a file that changes meanwhile is refused by the server.
            data = f if item.size > _IN_MEMORY_BYTES else io.BytesIO(_checked(f.read(), item))
            blob.upload_from_file(
                data,
                size=item.size,
                content_type="application/octet-stream",
                if_generation_match=0,
                checksum="crc32c",
                crc32c_checksum_value=_declared(f, item) if data is f else None,
                timeout=_TIMEOUT,
                retry=self._retry,
            )

    def _why(self, error):
        """One line about a failed request."""
        code = getattr(error, "code", None)
        if code == 404 and "bucket" in str(error):
            return "%s: there is no such bucket" % self.text
        if code in (401, 403) or isinstance(error, (auth_exceptions.RefreshError, auth_exceptions.InvalidOperation)):
            return "%s: not allowed (%s); %s" % (self.text, code or "credentials not accepted", _SIGN_IN)
        if isinstance(error, exceptions.RetryError):
            cause = _first_line(error.cause)
            return "%s: gave up after %g s of trying: %s" % (self.text, self._settings.deadline, cause)
        return "%s: %s" % (self.text, _first_line(error))


def _client(emulator, jobs):
    """A client whose connections suffice for `jobs` threads."""
    if emulator:
        credentials = AnonymousCredentials()  # never asks a metadata server
    else:
        try:
            credentials, _ = google.auth.default(scopes=[_SCOPE])
        except (auth_exceptions.GoogleAuthError, OSError, ValueError) as error:
            # The message of a damaged file may quote it; its name is in the user's own variable.
            raise UploadError("no Google credentials (%s): %s" % (type(error).__name__, _SIGN_IN)) from None
    session = AuthorizedSession(credentials)
    for scheme in ("http://", "https://"):
        session.mount(scheme, requests.adapters.HTTPAdapter(pool_connections=2, pool_maxsize=jobs))
    options = {"api_endpoint": emulator} if emulator else None
    return storage.Client(project="none", credentials=credentials, client_options=options, _http=session)


def _checked(data, item):
    local_blobs.check(item.path, len(data), hashlib.sha256(data).hexdigest(), item)
    return data


def _declared(f, item):
    """The crc32c of a file that still has the right digest; leaves it at its beginning."""
    local_blobs.check_file(f, item)
    f.seek(0)
    crc = _encoded(google_crc32c.Checksum(), f)
    f.seek(0)
    return crc


def _encoded(checksum, f):
    for piece in pieces(f):
        checksum.update(piece)
    return base64.b64encode(checksum.digest()).decode("ascii")


def _md5(f):
    return _encoded(hashlib.md5(usedforsecurity=False), f)


def _first_line(error):
    """The error's text, without the address and the JSON around it."""
    text = str(getattr(error, "message", None) or error)
    if isinstance(error, requests.exceptions.ConnectionError) and error.args:
        text = str(getattr(error.args[0], "reason", None) or text)
    said = re.search(r'"message": "((?:[^"\\]|\\.)*)"', text)
    if said:
        text = said[1].replace('\\"', '"')
    text = " ".join(([str(error.code)] if getattr(error, "code", None) else []) + text.split())
    return text[:300] + ("…" if len(text) > 300 else "")
