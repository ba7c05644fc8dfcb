"""Takes apart the body of an uploadType=multipart request: one JSON part, one part of data.

Lenient where Cloud Storage is and a client relies on it: gcloud quotes the boundary with ' and ends lines with LF only.

    parse(b'--x\r\n\r\n{"name": "a"}\r\n--x\r\n\r\ndata\r\n--x--', "multipart/related; boundary=x")
      -> ({"name": "a"}, "", b"data"): resource, content type of the data, data
"""

import json
import re

from artifacts.fake_gcs.objects import GcsError

_BOUNDARY = re.compile(r"boundary=(?:\"([^\"]*)\"|'([^']*)'|([^;\s]+))", re.IGNORECASE)


def parse(body, content_type):
    """(resource, content type of the data, data); GcsError 400 where it is not two whole parts."""
    found = _BOUNDARY.search(content_type)
    if not found:
        raise GcsError(400, "Missing boundary in Content-Type: %s" % content_type)
    delimiter = b"--" + next(g for g in found.groups() if g is not None).encode("latin-1")
    if not body.startswith(delimiter):
        raise GcsError(400, "The body does not begin with its boundary.")
    newline = b"\r\n" if body[len(delimiter) :].startswith(b"\r\n") else b"\n"
    middle = body.find(newline + delimiter + newline)
    end = body.rfind(newline + delimiter + b"--")
    if middle < 0 or end <= middle:
        raise GcsError(400, "Expected two parts and a closing boundary.")
    first = body[len(delimiter) + len(newline) : middle]
    second = body[middle + 2 * len(newline) + len(delimiter) : end]
    _, text = _split(first, newline)
    headers, data = _split(second, newline)
    return _resource(text), headers.get("content-type", ""), data


def _split(part, newline):
    """(headers, content) of a part."""
    head, blank, content = (newline + part).partition(newline + newline)
    if not blank:
        raise GcsError(400, "A part has no blank line after its headers.")
    headers = {}
    for line in head.decode("latin-1").split("\n"):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return headers, content


def _resource(text):
    try:
        resource = json.loads(text)
    except ValueError as error:
        raise GcsError(400, "The object's resource is not JSON: %s" % error) from None
    if not isinstance(resource, dict):
        raise GcsError(400, "The object's resource is not a JSON object.")
    return resource
