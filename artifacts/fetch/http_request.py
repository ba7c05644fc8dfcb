"""Sends one HTTP request and hands over the answer's body as it comes; every wait in it is bounded.

    reply = send("GET", url, {"Range": "bytes=100-"}, deadline, settings)
    try:
        while data := reply.read(65536): ...
    finally:
        reply.close()

Beyond urllib it guarantees: one deadline over name look-up, TLS, headers and body; a stall counts as a failure; a
redirect never leaves https nor leads from outside to this machine, and a token never goes to another host; answers 1xx
are passed over, and headers that were cut are no answer. Failures that may pass are Transient, the others Unreachable
or, where the server did answer, Unusable. Proxies are taken from the environment, as curl and Bazel do; loopback hosts
need none.
"""

import base64
import contextlib
import http.client
import socket
import ssl
import threading
import urllib.parse
import urllib.request

from artifacts.fetch.errors import EXHAUSTED, Transient, Unreachable, Unusable
from artifacts.fetch.redaction import quoted
from artifacts.fetch.redirects import is_loopback, may_send_token, redirected, refuse_inward

_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 5
_HEADERS = {"Accept-Encoding": "identity", "User-Agent": "assay-fetch", "Connection": "close"}


class Reply:
    """An answer whose body is still to be read; close() it.

    is_elsewhere: a redirect led to it. is_chunked: its body has an explicit end, so that a cut is noticed.
    """

    def __init__(self, connection, response, wire, is_elsewhere):
        self.status = response.status
        self.reason = quoted(response.reason)
        self.headers = response.headers
        self.is_elsewhere, self.is_chunked = is_elsewhere, response.chunked
        self._connection, self._response, self._wire = connection, response, wire

    def read(self, limit):
        """1 to `limit` bytes as soon as there are any, b"" at the end of the body or of the connection."""
        with self._wire.translated():
            self._wire.arm()
            return self._response.read1(limit)

    def close(self):
        self._wire.close()
        self._response.close()
        self._connection.close()


def send(method, url, headers, deadline, settings):
    """The Reply to one request, after at most five redirects. It may have any status but theirs."""
    first, came_from = url, ""
    for _ in range(_MOST_REDIRECTS + 1):
        all_headers = dict(headers, **_HEADERS)
        if settings.token and may_send_token(url, first):
            all_headers["Authorization"] = "Bearer " + settings.token
        reply = _send_once(method, url, all_headers, deadline, settings, came_from)
        if reply.status not in _REDIRECTS:
            return reply
        location = reply.headers.get("Location", "")
        reply.close()
        came_from, url = url, redirected(url, location)
    raise Unusable("%s: more than %d redirects" % (first, _MOST_REDIRECTS))


def _send_once(method, url, headers, deadline, settings, came_from):
    """came_from: the address that redirected here, or ""."""
    parts = urllib.parse.urlsplit(url)
    wire = _Wire(deadline, settings, has_answered=bool(came_from))
    connection = None
    try:
        with wire.translated():
            connection, target = _connection(parts, headers)
            wire.connect(connection, parts.hostname)
            if came_from and connection.host == parts.hostname:  # not through a proxy: a name may mean this machine
                refuse_inward(came_from, url, connection.sock.getpeername()[0])
            wire.arm()
            connection.request(method, target, headers=headers)
            reply = Reply(connection, connection.getresponse(), wire, bool(came_from))
            wire.has_answered = True
            return reply
    except BaseException:
        wire.close()
        if connection:
            connection.close()
        raise


class _Response(http.client.HTTPResponse):
    """Skips every answer 1xx, and treats cut headers as no answer: http.client does neither."""

    def begin(self):
        stream, self.fp = self.fp, _Lines(self.fp)
        try:
            super().begin()
            while 100 <= self.status < 200:
                self.headers = None
                super().begin()
        finally:
            self.fp = stream


class _Lines:
    """The lines of a stream, each whole."""

    def __init__(self, stream):
        self._stream = stream
        self.close = stream.close

    def readline(self, most):
        line = self._stream.readline(most)
        if not line.endswith(b"\n") and len(line) < most:
            raise http.client.RemoteDisconnected("in the middle of a line")
        return line


def whole_number(text):
    """The number of bytes in a header, or None if there is no possible number."""
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def _connection(parts, headers):
    """An unconnected connection, direct or through a proxy, and what to ask it for. May add to the headers."""
    target = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
    secure = parts.scheme == "https"
    make = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    tls = {"context": ssl.create_default_context()} if secure else {}
    proxy = _proxy(parts)
    port = parts.port or make.default_port  # without one, http.client takes the end of an IPv6 address for it
    host_and_port = (proxy.hostname, proxy.port or 3128) if proxy else (parts.hostname, port)
    connection = make(*host_and_port, **tls)
    connection.response_class = _Response
    if not proxy:
        return connection, target
    login = {}
    if proxy.username:
        plain = "%s:%s" % (urllib.parse.unquote(proxy.username), urllib.parse.unquote(proxy.password or ""))
        login["Proxy-Authorization"] = "Basic " + base64.b64encode(plain.encode()).decode()
    if secure:
        connection.set_tunnel(parts.hostname, port, headers=login)
        return connection, target
    headers.update(login)
    return connection, urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path or "/", parts.query, ""))


def _proxy(parts):
    """The parts of the address of the proxy to ask, or None; refuses one that is not spoken to in clear HTTP."""
    address = urllib.request.getproxies().get(parts.scheme, "")
    if not address or is_loopback(parts.hostname) or urllib.request.proxy_bypass(parts.hostname):
        return None
    try:
        proxy = urllib.parse.urlsplit(address if "://" in address else "http://" + address)
        rest = proxy.path.strip("/") + proxy.query + proxy.fragment
        is_usable = proxy.scheme == "http" and proxy.hostname and proxy.port != 0 and not rest
    except ValueError:
        is_usable = False
    if not is_usable:
        text = "%s_proxy: want http://HOST:PORT, or user and password before an @ in it, with / as %%2F and so on"
        raise Unusable(text % parts.scheme)
    return proxy


class _Wire:
    """The socket of a request: limits each of its waits and names its failures.

    has_answered: whether the source's server did, to this request or to the one that led here.
    """

    def __init__(self, deadline, settings, has_answered):
        self._deadline, self._settings, self.has_answered = deadline, settings, has_answered
        self._socket = None
        self._waited = 0.0
        self._watchdog = None

    def connect(self, connection, host):
        """Connects in a thread, because a name look-up can't be bounded otherwise."""
        seconds = max(0.001, min(self._settings.connect, self._deadline.left()))
        connection.timeout = self._waited = seconds
        errors = []

        def run():
            try:
                connection.connect()
            except Exception as error:  # pylint: disable=broad-except  # raised again below
                errors.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(seconds + 0.5)
        if thread.is_alive():
            raise self._passing("%s: no connection within %.3g s" % (host, seconds))
        if errors:
            raise errors[0]
        self._socket = connection.sock
        # A server that sends its headers byte by byte never stalls: at the deadline this ends it.
        self._watchdog = threading.Timer(max(0.001, self._deadline.left()), self._shut)
        self._watchdog.daemon = True
        self._watchdog.start()

    def arm(self):
        """Sets how long the next wait for bytes may last."""
        left = self._deadline.left()
        if left <= 0:
            raise self._passing("out of time")
        self._waited = max(0.001, min(self._settings.stall, left))
        self._socket.settimeout(self._waited)

    def close(self):
        if self._watchdog:
            self._watchdog.cancel()

    def _shut(self):
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _passing(self, reason):
        return Transient(reason, of_server=not self.has_answered)

    @contextlib.contextmanager
    def translated(self):
        """Turns what sockets, TLS and http.client raise into Transient, Unreachable or Unusable."""
        try:
            yield
        except ssl.SSLError as error:
            if isinstance(error, (ssl.SSLEOFError, ssl.SSLZeroReturnError)):
                raise self._passing("connection closed") from None
            kind = Unusable if self.has_answered else Unreachable
            why = getattr(error, "verify_message", "") or error.reason or str(error)
            raise kind("TLS: %s" % quoted(why, 200)) from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            if getattr(error, "errno", None) in EXHAUSTED:
                raise Unusable("this machine: %s" % error.strerror) from None
            raise self._passing(self._reason(error)) from None

    def _reason(self, error):
        if isinstance(error, socket.timeout):
            return "no byte for %.3g s" % self._waited
        if isinstance(error, socket.gaierror):
            return "host name not found: %s" % error.strerror
        if isinstance(error, (ConnectionResetError, BrokenPipeError)):  # also http.client.RemoteDisconnected
            return "connection reset"
        if isinstance(error, ConnectionRefusedError):
            return "connection refused"
        if isinstance(error, http.client.IncompleteRead):
            return "body cut"
        if isinstance(error, OSError):
            return error.strerror or str(error) or type(error).__name__
        return "not HTTP: %s" % type(error).__name__  # a ValueError's text may repeat what was to stay secret
