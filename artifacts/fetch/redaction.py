"""Takes secrets out of a text before anybody sees it: passwords and signatures in addresses, bearer tokens.

    redact("https://me:pw@host/b?X-Goog-Signature=ab12")  ->  "https://***@host/b?X-Goog-Signature=***"

Every value of a query goes, not only those with a known name: nothing in this package puts a harmless one there.
"""

import re

_USERINFO = re.compile(r"(?<=://)[^/?#\s]*@")
_QUERY_VALUE = re.compile(r"([?&;][^=&;?\s'\"]+=)[^&;#\s'\"]*")
_BEARER = re.compile(r"(?i)\b((?:proxy-)?authorization\s*[:=]\s*(?:\w+\s+)?|bearer\s+)[^\s'\",]+")
_GOOGLE_TOKEN = re.compile(r"\bya29\.[\w.-]+")


def redact(text):
    """The text without userinfo, query values and tokens."""
    text = _USERINFO.sub("***@", text)
    text = _QUERY_VALUE.sub(r"\1***", text)
    text = _BEARER.sub(r"\1***", text)
    return _GOOGLE_TOKEN.sub("***", text)
