"""Finds the bytes of a committed blob: in the tree, among the staged ones, or in ASSAY_BUCKET.

Whatever the source, bytes with another digest than the lock's count as not found.
"""

import hashlib
import os
import urllib.error
import urllib.request

_TIMEOUT_SECONDS = 30


class BlobSource:
    """Reads blobs of one artifacts folder. `bucket` is a folder, file://, http(s):// or gs:// address, or ""."""

    def __init__(self, folder, bucket=""):
        self._folders = [os.path.join(folder, "blobs"), os.path.join(folder, "staged")]
        self._bucket = bucket
        self.complaints = []  # why a blob could not be read, for the user

    def read(self, row):
        """The blob's bytes, or None."""
        name = row.sha256 + ".safetensors"
        for folder in self._folders:
            path = os.path.join(folder, name)
            if os.path.exists(path):
                with open(path, "rb") as f:
                    data = f.read()
                if self._is(data, row, path):
                    return data
        return self._from_bucket(name, row) if self._bucket else None

    def _is(self, data, row, source):
        got = hashlib.sha256(data).hexdigest()
        if got != row.sha256:
            self.complaints.append("%s: sha256 is %s, the lock says %s" % (source, got, row.sha256))
        return got == row.sha256

    def _from_bucket(self, name, row):
        address = object_url(self._bucket, name)
        try:
            with urllib.request.urlopen(address, timeout=_TIMEOUT_SECONDS) as response:
                data = response.read(row.size + 1)
        except (urllib.error.URLError, OSError, ValueError) as error:
            self.complaints.append("%s: %s" % (address, error))
            return None
        return data if self._is(data, row, address) else None


def object_url(bucket, name):
    """The address of an object; the same rule as artifacts/repositories.bzl."""
    bucket = bucket.rstrip("/")
    if bucket.startswith("/"):
        return "file://%s/%s" % (bucket, name)
    if bucket.startswith("gs://"):
        return "https://storage.googleapis.com/%s/%s" % (bucket[len("gs://") :], name)
    return "%s/%s" % (bucket, name)
