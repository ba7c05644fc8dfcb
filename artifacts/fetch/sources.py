"""Reads ASSAY_BUCKET, the list of places of blobs; only this file turns it into addresses.

A source is an absolute or relative folder, file://FOLDER, http(s)://HOST/PATH, or gs://BUCKET[/PREFIX] (which is read
through its public https address). Several are separated by commas, the best first:

    sources = parse_sources("gs://my-bucket/assay, https://mirror.example/assay", base_folder=workspace)
    sources[0].object_url(name)   ->  https://storage.googleapis.com/my-bucket/assay/<name>

A folder that does not begin with / (also file:// without a third slash) is relative to base_folder. A comma inside an
address or a file:// folder is written %2C. An address may carry a query, such as a container's signature: it is kept
behind the object's name and never shown.
"""

import os
import re
import urllib.parse
from typing import NamedTuple

from artifacts.fetch.redaction import quoted, redact

_FORMS = "want a folder, file://FOLDER, http(s)://HOST/PATH or gs://BUCKET[/PREFIX]"
_GCS = "https://storage.googleapis.com/"
_BUCKET = re.compile(r"[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]")
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
_OBJECT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,254}")
_NO_USER = "a user or password has no place in it: put a token in a file and name that in ASSAY_TOKEN_FILE"
_PATH_SAFE = "/:@!$&'()*+,;=~%"  # what urllib need not quote in a path that the user wrote as an address


class SourceError(ValueError):
    """ASSAY_BUCKET, or another setting of fetching, is not understood; the message says what is allowed."""

    def __init__(self, message):
        super().__init__(quoted(message, 500))


class Source(NamedTuple):
    """One place that holds blobs by object name, flat."""

    text: str  # for messages; holds no secret
    address: str  # of the folder, without a slash at its end: file:///…, http://… or https://…
    query: str = ""  # behind every object's address, e.g. a signature
    takes_token: bool = True  # whether it may be shown ASSAY_TOKEN_FILE's token

    @property
    def is_folder(self):
        return self.address.startswith("file:")

    @property
    def folder(self):
        """The folder's path; only where is_folder."""
        return urllib.parse.unquote(self.address[len("file://") :]) or "/"

    def object_url(self, name):
        if not _OBJECT.fullmatch(name):
            raise SourceError("%r is no object's name" % name)
        return "%s/%s%s" % (self.address, name, "?" + self.query if self.query else "")


def parse_sources(text, base_folder):
    """The sources that a text like ASSAY_BUCKET's names; [] for an empty one.

    Raises:
      SourceError: for anything that is not one of the forms above.
    """
    if not text.strip():
        return []
    sources = [_parse(item.strip(), base_folder) for item in text.split(",")]
    if not any(source.text.startswith("gs://") for source in sources):
        return sources
    # A token beside gs:// is Google's: a mirror that stands in the same list is not to learn it.
    return [s._replace(takes_token=s.text.startswith("gs://")) for s in sources]


def _parse(text, base_folder):
    if not text:
        _refuse(text, "a source is empty: is there a comma too many?")
    if any(ord(c) < 32 or ord(c) == 127 or 0xD800 <= ord(c) <= 0xDFFF for c in text):
        _refuse(text, "holds a control character")
    scheme, found, rest = text.partition("://")
    if not found:
        return _folder(text, text, base_folder)
    scheme = scheme.lower()
    if scheme == "file":
        return _folder(text, _unquoted(text, rest), base_folder)
    if any(c in text for c in ' \\"<>^`{|}'):
        _refuse(text, "an address has no spaces, quotes or backslashes; write %20 and so on")
    if scheme == "gs":
        return _gcs(text, rest)
    if scheme in ("http", "https"):
        return _web(text)
    return _refuse(text, "the scheme %s:// is not known; %s" % (scheme, _FORMS))


def _folder(text, path, base_folder):
    if not path or "\0" in path:
        _refuse(text, "names no folder; " + _FORMS)
    if path.startswith("~"):
        _refuse(text, "~ is not expanded here; write the home folder out")
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:(?!//)", path):
        _refuse(text, _FORMS)
    resolved = os.path.normpath(os.path.join(base_folder, path))
    resolved = "/" + resolved.lstrip("/")  # POSIX lets // at the start mean something else
    return Source(redact(resolved), "file://" + urllib.parse.quote(resolved).rstrip("/"))


def _gcs(text, rest):
    bucket, _, prefix = rest.partition("/")
    if not _BUCKET.fullmatch(bucket) or ".." in bucket:
        _refuse(text, "names no bucket: gs://BUCKET or gs://BUCKET/PREFIX, lower case")
    if "?" in rest or "#" in rest:
        _refuse(text, "? and # have no place in gs://BUCKET/PREFIX")
    prefix = prefix.rstrip("/")
    _check_segments(text, prefix)
    path = "/".join([bucket] + ([prefix] if prefix else []))
    return Source("gs://" + path, _GCS + urllib.parse.quote(path, safe=_PATH_SAFE))


def _web(text):
    try:
        parts = urllib.parse.urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:  # whose text repeats what may be a password, even one cut off at a comma
        return _refuse(text if "@" in text else text.partition("//")[0] + "//***", "names no host or port; " + _NO_USER)
    if "@" in parts.netloc:
        _refuse(text, _NO_USER)
    if not _HOST.fullmatch(host) or ".." in host or port == 0:
        _refuse(text, "names no host")
    if parts.fragment:
        _refuse(text, "# has no place in it")
    path = parts.path.rstrip("/")
    _check_segments(text, path.lstrip("/"))
    address = "%s://%s%s" % (parts.scheme, parts.netloc, urllib.parse.quote(path, safe=_PATH_SAFE))
    query = urllib.parse.quote(parts.query, safe=_PATH_SAFE + "?")
    return Source(redact(address + ("?" + query if query else "")), address, query)


def _check_segments(text, path):
    segments = [_unquoted(text, s) for s in path.split("/")] if path else []
    if any(s in ("", ".", "..") or "/" in s or "\0" in s for s in segments):
        _refuse(text, 'its path has an empty part, "." or ".."')


def _unquoted(text, path):
    if re.search(r"%(?![0-9A-Fa-f]{2})", path):
        _refuse(text, "a % is not followed by two hex digits; a plain one is %25")
    return urllib.parse.unquote(path)


def _refuse(text, why):
    shown = quoted(re.sub(r"\s", "%20", text), 200)  # as one word, so that a password's part behind a space goes, too
    raise SourceError("ASSAY_BUCKET: %s: %s" % (shown, why))
