"""Answers requests as Cloud Storage does: the JSON API as far as uploads need it, and path-style reads.

Knows nothing of sockets: a Request goes in, a Reply comes out. server.py does the rest.

    Api(ObjectStore(["b"])).answer(Request("GET", "/b/name", {}, b""))
"""

import json
import re
import urllib.parse
from dataclasses import dataclass, field

from artifacts.fake_gcs import multipart, rendering
from artifacts.fake_gcs.faults import FaultRule
from artifacts.fake_gcs.objects import Attributes, GcsError, Precondition
from artifacts.fake_gcs.rendering import Reply, json_reply, number
from artifacts.fake_gcs.resumable import Sessions

_UPLOAD = re.compile(r"(?:/resumable)?/upload/storage/v1/b/([^/]+)/o")
_OBJECT = re.compile(r"(?:/download)?/storage/v1/b/([^/]+)/o/(.+)")
_LIST = re.compile(r"/storage/v1/b/([^/]+)/o/?")
_BUCKET = re.compile(r"/storage/v1/b/([^/]+)")
_PERMISSIONS = re.compile(r"/storage/v1/b/([^/]+)/iam/testPermissions")
_API = ("/storage/v1/", "/upload/storage/v1/", "/resumable/upload/storage/v1/", "/download/storage/v1/")
_PLAIN = re.compile(r"/([^/]+)/(.+)")
_CONDITION = re.compile(r"if[A-Z].*|(?:x-goog-)?if-.*")  # a query's parameter, a header

READ_ONLY = frozenset(("storage.objects.get", "storage.objects.list"))
CREATE_ONLY = frozenset(("storage.objects.create",))
READ_WRITE = READ_ONLY | CREATE_ONLY | {"storage.objects.delete"}  # to replace an object takes this too


@dataclass
class Request:
    method: str
    target: str  # path with query, as it came
    headers: dict  # names in lower case
    body: bytes
    fault: FaultRule = field(default_factory=FaultRule)
    rights: frozenset = READ_WRITE  # the caller's permissions
    precondition: Precondition = Precondition()
    path: str = ""
    query: dict = field(default_factory=dict)

    def __post_init__(self):
        self.path, _, query = self.target.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))

    def header(self, name):
        return self.headers.get(name, "")

    def need(self, permission):
        if permission not in self.rights:
            status = 403 if self.header("authorization") else 401
            raise GcsError(status, "The caller does not have %s access." % permission)

    @property
    def plain(self):
        """Whether it is of the XML API: `GET /bucket/object`."""
        return not self.path.startswith(_API)

    @property
    def base(self):
        """The server's address as the client uses it."""
        return "http://" + self.header("host")

    def received(self, data):
        """The data as the server got it: a scripted fault spoils one byte on the way."""
        if not self.fault.wrong_bytes or not data:
            return data
        return data[:-1] + bytes([data[-1] ^ 1])


class Api:
    def __init__(self, store, tokens=None, public=True):
        self.store = store
        self.tokens, self.public = tokens, public  # as of FakeGcs
        self.sessions = Sessions()

    def object_name(self, request):
        """The name of the object that a request is about, "" where it is about none."""
        session = self.sessions.peek(request.query.get("upload_id", ""))
        if session:
            return session.name
        if _UPLOAD.fullmatch(request.path):
            return self._uploaded_name(request)
        if any(pattern.fullmatch(request.path) for pattern in (_LIST, _BUCKET, _PERMISSIONS)):
            return ""
        found = _OBJECT.fullmatch(request.path) or _PLAIN.fullmatch(request.path)
        return urllib.parse.unquote(found[2]) if found else ""

    def _uploaded_name(self, request):
        try:
            return request.query.get("name") or _attributes_and_data(request)[0].get("name") or ""
        except GcsError:
            return ""

    def answer(self, request):
        try:
            return self._answer(request)
        except GcsError as error:
            return rendering.error(error, request.plain)

    def _answer(self, request):
        request.rights = self._rights(request)
        request.precondition = _precondition(request)
        for pattern, handler in (
            (_UPLOAD, self._upload),
            (_LIST, self._list),
            (_OBJECT, self._object),
            (_BUCKET, self._bucket),
            (_PERMISSIONS, self._permissions),
            (_PLAIN, self._plain),
        ):
            found = pattern.fullmatch(request.path)
            if found:
                return handler(request, *(urllib.parse.unquote(part) for part in found.groups()))
        raise GcsError(404, "Not Found: %s" % request.path)

    def _rights(self, request):
        if self.tokens is None:
            return READ_WRITE
        scheme, _, token = request.header("authorization").partition(" ")
        if not scheme and self.public:
            return READ_ONLY
        if scheme != "Bearer" or token not in self.tokens:
            raise GcsError(401, "Anonymous caller or invalid credentials.")
        return self.tokens[token]

    def _bucket(self, request, bucket):
        request.need("storage.objects.get")
        self.store.bucket(bucket)
        if request.method != "GET":
            raise GcsError(405, "Only GET of a bucket is served here.")
        return json_reply({"kind": "storage#bucket", "id": bucket, "name": bucket, "location": "US"})

    def _permissions(self, request, bucket):
        self.store.bucket(bucket)
        asked = re.findall(r"permissions=([a-z.A-Z]+)", request.target)
        granted = [p for p in asked if p in request.rights]
        content = {"kind": "storage#testIamPermissionsResponse"}
        return json_reply(dict(content, permissions=granted) if granted else content)

    def _list(self, request, bucket):
        if request.method != "GET":
            raise GcsError(405, "Only GET of a list is served here.")
        request.need("storage.objects.list")
        return rendering.listing(self.store, bucket, request)

    def _object(self, request, bucket, name):
        if request.method == "DELETE":
            request.need("storage.objects.delete")
            self.store.delete(bucket, name, number(request.query, "generation"), request.precondition)
            return Reply(204)
        found = self._found(request, bucket, name)
        if request.query.get("alt") == "media":
            return rendering.media(found, request)
        return json_reply(rendering.resource(request.base, bucket, found))

    def _plain(self, request, bucket, name):
        """`GET /bucket/object`, the request of an anonymous reader."""
        return rendering.media(self._found(request, bucket, name), request)

    def _found(self, request, bucket, name):
        if request.method not in ("GET", "HEAD"):
            raise GcsError(405, "Served here: GET and HEAD, and by the JSON API DELETE and uploads.")
        request.need("storage.objects.get")
        return self.store.get(bucket, name, number(request.query, "generation"), request.precondition)

    def _upload(self, request, bucket):
        request.need("storage.objects.create")
        kind = request.query.get("uploadType", "")
        if "upload_id" in request.query:
            return self._session(request)
        if request.method not in ("POST", "PUT"):
            raise GcsError(405, "An upload begins with POST.")
        self.store.bucket(bucket)
        if kind not in ("media", "multipart", "resumable"):
            raise GcsError(400, "Unknown uploadType %r" % kind)
        resource, content_type, data = _attributes_and_data(request)
        name = request.query.get("name") or resource.get("name")
        if not name or not isinstance(name, str):
            raise GcsError(400, "Required: the object's name.")
        attributes = _attributes(resource, content_type, request)
        precondition = request.precondition._replace(may_replace="storage.objects.delete" in request.rights)
        if kind == "resumable":
            return self._start(request, bucket, name, attributes, precondition)
        made = self.store.insert(bucket, name, request.received(data), attributes, precondition)
        return json_reply(rendering.resource(request.base, bucket, made))

    def _start(self, request, bucket, name, attributes, precondition):
        key, _ = self.sessions.start(bucket, name, attributes, precondition)
        query = urllib.parse.urlencode({"uploadType": "resumable", "name": name, "upload_id": key})
        location = "%s%s?%s" % (request.base, request.path, query)
        return Reply(200, {"Location": location, "X-GUploader-UploadID": key})

    def _session(self, request):
        session = self.sessions.find(request.query["upload_id"])
        if request.fault.kill_session:
            session.kill()
        if request.method == "DELETE":
            session.kill()
            return Reply(499)
        if request.method not in ("PUT", "POST"):
            raise GcsError(405, "An upload goes on with PUT.")
        made = session.put(
            request.header("content-range"),
            request.received(request.body),
            self.store,
            _declared_digests(request),
            request.fault.persist,
        )
        if made:
            return json_reply(rendering.resource(request.base, session.bucket, made))
        return Reply(308, {"Range": "bytes=0-%d" % (session.persisted - 1)} if session.persisted else {})


def _precondition(request):
    """In the words of the request's API. One that would not be obeyed is refused: no test may rely on it unawares."""
    match, differ = "ifGenerationMatch", "ifGenerationNotMatch"
    if request.plain:
        match, differ = "x-goog-if-generation-match", ""
    served = {match, differ}
    if request.method in ("GET", "HEAD") and (request.plain or request.query.get("alt") == "media"):
        served |= {"if-match", "if-range"}  # rendering.media() sees to these
    asked = {name: value for name, value in {**request.query, **request.headers}.items() if _CONDITION.fullmatch(name)}
    unknown = sorted(set(asked) - served)
    if unknown:
        raise GcsError(501, "Not obeyed here, so not accepted: %s" % ", ".join(unknown))
    return Precondition(number(asked, match), number(asked, differ))


def _attributes_and_data(request):
    """(resource, content type of the data, data) of the request that begins an upload."""
    kind = request.query.get("uploadType")
    if kind == "multipart":
        return multipart.parse(request.body, request.header("content-type"))
    if kind == "resumable":
        try:
            resource = json.loads(request.body or b"{}")
        except ValueError as error:
            raise GcsError(400, "The object's resource is not JSON: %s" % error) from None
        if not isinstance(resource, dict):
            raise GcsError(400, "The object's resource is not a JSON object.")
        return resource, request.header("x-upload-content-type"), b""
    return {}, request.header("content-type"), request.body


def _attributes(resource, content_type, request):
    declared = _declared_digests(request)
    return Attributes(
        content_type=resource.get("contentType") or content_type or "application/octet-stream",
        content_encoding=resource.get("contentEncoding") or request.query.get("contentEncoding", ""),
        cache_control=resource.get("cacheControl", ""),
        metadata=resource.get("metadata") or {},
        crc32c=resource.get("crc32c") or declared.get("crc32c", ""),
        md5=resource.get("md5Hash") or declared.get("md5", ""),
    )


def _declared_digests(request):
    """kind -> base64 of an x-goog-hash header, e.g. `crc32c=…,md5=…`."""
    pairs = (part.strip().partition("=") for part in request.header("x-goog-hash").split(","))
    return {kind: value for kind, equals, value in pairs if equals}
