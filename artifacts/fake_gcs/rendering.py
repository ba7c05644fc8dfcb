"""Replies of the fake Cloud Storage: resources as JSON, data with its headers and ranges, errors in both styles.

    media(found, request)       the object's data: 200, 206 for a Range, 416 past the end, 412 for another If-Match
"""

import base64
import email.utils
import gzip
import json
import re
import time
import urllib.parse
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from artifacts.fake_gcs.objects import GcsError

_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


@dataclass
class Reply:
    status: int
    headers: dict = field(default_factory=dict)
    body: bytes = b""


def json_reply(content, status=200):
    return Reply(status, {"Content-Type": "application/json; charset=UTF-8"}, json.dumps(content).encode("utf-8"))


def error(problem, plain):
    """`plain`: as the XML API says it, for path-style requests."""
    if problem.status == 304:
        return Reply(304)
    if plain:
        codes = {403: "AccessDenied", 404: "NoSuchKey", 412: "PreconditionFailed", 416: "InvalidRange"}
        code = codes.get(problem.status, "InvalidRequest")
        text = "<?xml version='1.0' encoding='UTF-8'?><Error><Code>%s</Code><Message>%s</Message></Error>"
        body = (text % (code, escape(problem.message))).encode()
        return Reply(problem.status, {"Content-Type": "application/xml"}, body)
    reason = "conditionNotMet" if problem.status == 412 else "invalid"
    detail = {"message": problem.message, "domain": "global", "reason": reason}
    whole = {"code": problem.status, "message": problem.message, "errors": [detail]}
    return json_reply({"error": whole}, problem.status)


def resource(base, bucket, found):
    """The metadata of an object as the JSON API has it; `base` is the server's address."""
    path = "b/%s/o/%s" % (bucket, urllib.parse.quote(found.name, safe=""))
    created = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(found.created)) + ".%03dZ" % (found.created % 1 * 1000)
    content = {
        "kind": "storage#object",
        "id": "%s/%s/%d" % (bucket, found.name, found.generation),
        "selfLink": base + "/storage/v1/" + path,
        "mediaLink": "%s/download/storage/v1/%s?generation=%d&alt=media" % (base, path, found.generation),
        "name": found.name,
        "bucket": bucket,
        "generation": str(found.generation),
        "metageneration": "1",
        "contentType": found.attributes.content_type,
        "storageClass": "STANDARD",
        "size": str(len(found.data)),
        "crc32c": found.crc32c,
        "etag": etag(found),
        "timeCreated": created,
        "updated": created,
    }
    optional = {
        "md5Hash": found.md5,
        "contentEncoding": found.attributes.content_encoding,
        "cacheControl": found.attributes.cache_control,
        "metadata": found.attributes.metadata,
    }
    content.update({key: value for key, value in optional.items() if value})
    return content


def number(words, key):
    """The value of a query's parameter or a header; None where it is not there, GcsError where it is no number."""
    text = words.get(key)
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,19}", text):
        raise GcsError(400, "Invalid value for %s: %r" % (key, text))
    return int(text)


def etag(found):
    return base64.b64encode(b"%d" % found.generation).decode("ascii")


def listing(store, bucket, request):
    query = request.query
    try:
        after = base64.b64decode(query.get("pageToken", ""), validate=True).decode("utf-8")
    except ValueError:
        raise GcsError(400, "Invalid pageToken: %r" % query["pageToken"]) from None
    limit = number(query, "maxResults") or 1000
    items, prefixes, last = store.listing(bucket, query.get("prefix", ""), query.get("delimiter", ""), after, limit)
    resources = [resource(request.base, bucket, item) for item in items]
    content = {"kind": "storage#objects", "items": resources, "prefixes": prefixes}
    if last:
        content["nextPageToken"] = base64.b64encode(last.encode("utf-8")).decode("ascii")
    return json_reply({key: value for key, value in content.items() if value})


def media(found, request):
    """The object's data, or the part that a Range asks for."""
    if request.header("if-match") and request.header("if-match").strip('"') != etag(found):
        raise GcsError(412, "The object is not the one of If-Match.")
    headers = _media_headers(found)
    if found.attributes.content_encoding == "gzip" and "gzip" not in request.header("accept-encoding"):
        # Decompressive transcoding: another length and other digests than the stored object's, and no ranges.
        headers["Warning"] = "214 UploadServer gunzipped"
        return Reply(200, headers, gzip.decompress(found.data))
    if found.attributes.content_encoding:
        headers["Content-Encoding"] = found.attributes.content_encoding
    headers["Accept-Ranges"] = "bytes"
    span = _span(request.header("range"), len(found.data))
    if request.header("if-range") and request.header("if-range").strip('"') != etag(found):
        span = None
    if span is None:
        return Reply(200, headers, found.data)
    begin, end = span
    if begin >= end:
        return Reply(416, {"Content-Range": "bytes */%d" % len(found.data), "Content-Type": "application/xml"}, b"")
    headers["Content-Range"] = "bytes %d-%d/%d" % (begin, end - 1, len(found.data))
    return Reply(206, headers, found.data[begin:end])


def _span(text, size):
    """(begin, end) of a Range header; begin >= end where it is not satisfiable; None for the whole object."""
    asked = _RANGE.fullmatch(text.strip())
    if not asked or asked[1] == asked[2] == "":
        return None
    if not asked[1]:
        return max(0, size - int(asked[2])), size
    if asked[2] and int(asked[2]) < int(asked[1]):
        return None
    return int(asked[1]), min(size, int(asked[2]) + 1) if asked[2] else size


def _media_headers(found):
    return {
        "Content-Type": found.attributes.content_type,
        "ETag": '"%s"' % etag(found),
        "Last-Modified": email.utils.formatdate(found.created, usegmt=True),
        "Cache-Control": found.attributes.cache_control or "public, max-age=3600",
        "x-goog-generation": str(found.generation),
        "x-goog-metageneration": "1",
        "x-goog-hash": "crc32c=" + found.crc32c + (",md5=" + found.md5 if found.md5 else ""),
        "x-goog-storage-class": "STANDARD",
        "x-goog-stored-content-encoding": found.attributes.content_encoding or "identity",
        "x-goog-stored-content-length": str(len(found.data)),
    }
