"""Sends one HTTP request and hands over the answer's body as it comes; every wait in it is bounded.

    reply = send("GET", url, {"Range": "bytes=100-"}, deadline, settings)
    try:
        while data := reply.read(65536): ...
    finally:
        reply.close()

What urllib does not promise and this does: one deadline over name look-up, TLS, headers and body; a stall counts as
a failure; a redirect never leaves https, and a token never goes to another host. Failures that may pass are Transient,
the others Unreachable. Proxies are taken from the environment, as curl and Bazel do; loopback hosts need none.
"""

import base64
import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import urllib.parse
import urllib.request

from artifacts.fetch.errors import Transient, Unreachable

_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 5
_HEADERS = {"Accept-Encoding": "identity", "User-Agent": "assay-fetch", "Connection": "close"}


class Reply:
    """An answer whose body is still to be read; close() it."""

    def __init__(self, url, connection, response, wire):
        self.url = url
        self.status = response.status
        self.reason = response.reason
        self.headers = response.headers
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
    first = url
    for _ in range(_MOST_REDIRECTS + 1):
        all_headers = dict(headers, **_HEADERS)
        if settings.token and may_send_token(url, first):
            all_headers["Authorization"] = "Bearer " + settings.token
        reply = _send_once(method, url, all_headers, deadline, settings)
        if reply.status not in _REDIRECTS:
            return reply
        location = reply.headers.get("Location", "")
        reply.close()
        url = redirected(url, location)
    raise Unreachable("%s: more than %d redirects" % (first, _MOST_REDIRECTS))


def may_send_token(url, first_url):
    """Only to the host that was asked in the first place, and only where nobody can listen."""
    parts, first = urllib.parse.urlsplit(url), urllib.parse.urlsplit(first_url)
    if (parts.scheme, parts.netloc) != (first.scheme, first.netloc):
        return False
    return parts.scheme == "https" or is_loopback(parts.hostname)


def redirected(url, location):
    """The address that a redirect from `url` leads to; refuses what leaves https or HTTP."""
    try:
        target = urllib.parse.urljoin(url, location)
        scheme = urllib.parse.urlsplit(target).scheme
        is_usable = bool(location) and bool(urllib.parse.urlsplit(target).hostname) and target.isascii()
    except ValueError:
        is_usable = False
    if not is_usable or any(c <= " " or c == "\x7f" for c in target):
        raise Unreachable("%s: redirects to no address that can be asked" % url)
    if scheme not in ("http", "https") or (scheme == "http" and url.startswith("https:")):
        raise Unreachable("refused a redirect from %s to %s" % (url, target))
    return target


def is_loopback(host):
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _send_once(method, url, headers, deadline, settings):
    parts = urllib.parse.urlsplit(url)
    connection, target = _connection(parts, headers)
    wire = _Wire(deadline, settings)
    try:
        with wire.translated():
            wire.connect(connection, parts.hostname)
            wire.arm()
            connection.request(method, target, headers=headers)
            return Reply(url, connection, connection.getresponse(), wire)
    except BaseException:
        wire.close()
        connection.close()
        raise


def _connection(parts, headers):
    """An unconnected connection, direct or through a proxy, and what to ask it for. May add to the headers."""
    target = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
    try:
        port = parts.port
    except ValueError:
        raise Unreachable("%s: bad port" % parts.netloc) from None
    secure = parts.scheme == "https"
    make = http.client.HTTPSConnection if secure else http.client.HTTPConnection
    tls = {"context": ssl.create_default_context()} if secure else {}
    proxy = _proxy(parts)
    if not proxy:
        return make(parts.hostname, port, **tls), target
    login = {}
    if proxy.username:
        plain = "%s:%s" % (urllib.parse.unquote(proxy.username), urllib.parse.unquote(proxy.password or ""))
        login["Proxy-Authorization"] = "Basic " + base64.b64encode(plain.encode()).decode()
    connection = make(proxy.hostname, proxy.port or 3128, **tls)
    if secure:
        connection.set_tunnel(parts.hostname, port, headers=login)
        return connection, target
    headers.update(login)
    return connection, urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path or "/", parts.query, ""))


def _proxy(parts):
    address = urllib.request.getproxies().get(parts.scheme, "")
    if not address or is_loopback(parts.hostname) or urllib.request.proxy_bypass(parts.hostname):
        return None
    proxy = urllib.parse.urlsplit(address if "://" in address else "http://" + address)
    return proxy if proxy.hostname else None


class _Wire:
    """The socket below a request: bounds each of its waits and names its failures."""

    def __init__(self, deadline, settings):
        self._deadline, self._settings = deadline, settings
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
            raise Transient("%s: no connection within %.3g s" % (host, seconds))
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
            raise Transient("out of time")
        self._waited = max(0.001, min(self._settings.stall, left))
        self._socket.settimeout(self._waited)

    def close(self):
        if self._watchdog:
            self._watchdog.cancel()

    def _shut(self):
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    @contextlib.contextmanager
    def translated(self):
        """Turns what sockets, TLS and http.client raise into Transient or Unreachable."""
        try:
            yield
        except ssl.SSLError as error:
            if isinstance(error, (ssl.SSLEOFError, ssl.SSLZeroReturnError)):
                raise Transient("connection closed") from None
            raise Unreachable("TLS: %s" % (getattr(error, "verify_message", "") or error.reason or error)) from None
        except socket.timeout:
            raise Transient("no byte for %.3g s" % self._waited) from None
        except socket.gaierror as error:
            raise Transient("host name not found: %s" % error.strerror) from None
        except (ConnectionResetError, http.client.RemoteDisconnected, BrokenPipeError):
            raise Transient("connection reset") from None
        except ConnectionRefusedError:
            raise Transient("connection refused") from None
        except http.client.IncompleteRead:
            raise Transient("body cut") from None
        except http.client.HTTPException as error:
            raise Transient("not HTTP: %s" % (type(error).__name__)) from None
        except (OSError, ValueError) as error:
            raise Transient(getattr(error, "strerror", None) or str(error) or type(error).__name__) from None
