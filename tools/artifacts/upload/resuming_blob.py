"""ResumingBlob: a google.cloud.storage.Blob whose big uploads go on where the server is.

A server may keep less of a piece than was sent, and says how far it got (308 with a Range). Google's client 3.17 then
stops with "Bytes stream is in unexpected state"; this one goes back in the file and sends the rest. It also sends
16 MiB at a time instead of 100, so that sixteen uploads don't need 1.6 GB, and does not delete an object when a
checksum fails afterwards, because the declared crc32c has made the server check before.

This overrides a private method; gcs_bucket_test.py (a server that keeps less) fails when an upgrade changes it.
"""

import time

from google.cloud import storage
from google.cloud.storage.exceptions import InvalidResponse

from tools.artifacts.upload.bucket import Stopped, UploadError

PIECE_BYTES = 16 << 20
_CONDITIONS = (
    "predefined_acl",
    "if_generation_match",
    "if_generation_not_match",
    "if_metageneration_match",
    "if_metageneration_not_match",
)


class ResumingBlob(storage.Blob):
    stopped = staticmethod(lambda: False)  # asked between pieces
    deadline = 60.0  # seconds without progress

    def _do_resumable_upload(self, client, stream, content_type, size, *conditions, **how):
        arguments = dict(zip(_CONDITIONS, conditions), chunk_size=PIECE_BYTES, **how)
        upload, transport = self._initiate_resumable_upload(client, stream, content_type, size, **arguments)
        furthest, since = 0, time.monotonic()
        while True:
            if self.stopped():
                raise Stopped()
            answer = self._next_piece(upload, transport, stream, how["timeout"])
            if upload.finished:
                return answer
            if upload.bytes_uploaded > furthest:
                furthest, since = upload.bytes_uploaded, time.monotonic()
            elif time.monotonic() - since > self.deadline:
                raise UploadError("%s: the server keeps nothing of what is sent" % self.name)

    @staticmethod
    def _next_piece(upload, transport, stream, timeout):
        """Sends one piece, and puts the stream where the server is."""
        try:
            answer = upload.transmit_next_chunk(transport, timeout=timeout)
        except InvalidResponse as error:
            if error.response.status_code != 308:
                raise
            answer = upload.recover(transport)  # 308 without a Range: nothing was kept at all
        if not upload.finished and stream.tell() != upload.bytes_uploaded:
            stream.seek(upload.bytes_uploaded)
        return answer
