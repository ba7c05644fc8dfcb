"""Rules of redirects: where one may lead, and where a token may go.

    url = redirected(url, reply.headers.get("Location", ""))      # Unusable where it may not
"""

import ipaddress
import urllib.parse

from artifacts.fetch.errors import Unusable
from artifacts.fetch.redaction import quoted


def may_send_token(url, first_url):
    """A token goes only to the host that was asked first, and only over a connection that others cannot read."""
    parts, first = urllib.parse.urlsplit(url), urllib.parse.urlsplit(first_url)
    if (parts.scheme, parts.netloc) != (first.scheme, first.netloc):
        return False
    return parts.scheme == "https" or is_loopback(parts.hostname)


def redirected(url, location):
    """The address that a redirect from `url` leads to; refuses one that leaves https or HTTP, or leads to this
    machine."""
    try:
        target = urllib.parse.urljoin(url, location)
        parts = urllib.parse.urlsplit(target)
        is_usable = bool(location and parts.hostname and parts.port != 0) and target.isascii()
    except ValueError:
        is_usable = False
    if not is_usable or any(c <= " " or c == "\x7f" for c in target):
        raise Unusable("%s: redirects to no address that can be asked" % url)
    if parts.scheme not in ("http", "https") or (parts.scheme == "http" and url.startswith("https:")):
        raise _refused(url, target)
    refuse_inward(url, target, parts.hostname)
    return target


def refuse_inward(url, target, host):
    """Refuses a redirect from elsewhere to this machine or its link, where a cloud's metadata is.

    host: the target's name, or the IP that it resolved to.
    """
    before = urllib.parse.urlsplit(url).hostname
    if _is_inward(host) and not _is_inward(before) and before != urllib.parse.urlsplit(target).hostname:
        raise _refused(url, target)


def is_loopback(host):
    ip = _ip(host)
    return ip.is_loopback if ip else host == "localhost"


def _is_inward(host):
    ip = _ip(host)
    return ip.is_loopback or ip.is_link_local or ip.is_unspecified if ip else host == "localhost"


def _ip(host):
    try:
        ip = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip


def _refused(url, target):
    return Unusable("refused a redirect from %s to %s" % (quoted(url, 200), quoted(target, 200)))
