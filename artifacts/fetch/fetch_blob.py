"""Fetches one blob and prints the path of its checked file; what artifacts/repositories.bzl runs.

    python3 artifacts/fetch/fetch_blob.py --sha256=9f3c… --size=4096 --name=9f3c….safetensors --base=WORKSPACE

Sources come from --sources or, better (a process list shows no environment), from ASSAY_BUCKET. Exit codes: 0 the path
is on standard output; 2 standard error begins with ARTIFACT_UNAVAILABLE: or FAIL_ARTIFACT:; 3 usage. Other variables:
ASSAY_CACHE, ASSAY_FETCH_DEADLINE (seconds), ASSAY_TOKEN_FILE (a bearer token, sent to https hosts only).
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True  # Bazel runs this from the source tree
# The folder of this file must not be searched: its modules have names of the standard library's kind.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

# pylint: disable=wrong-import-position
from artifacts.fetch.cache import BlobCache, default_cache_folder
from artifacts.fetch.errors import FetchError
from artifacts.fetch.fetch import Blob, fetch
from artifacts.fetch.redaction import redact
from artifacts.fetch.settings import Settings
from artifacts.fetch.sources import parse_sources


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(3, "fetch_blob: %s (--help shows the flags)\n" % redact(message))


def main(arguments, environ):
    """The exit code."""
    parser = _Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("--sha256", required=True, help="64 hex digits")
    parser.add_argument("--size", required=True, type=int, help="bytes")
    parser.add_argument("--name", required=True, help="of the object: <sha256>.safetensors, .pt2 or .onnx")
    parser.add_argument("--base", required=True, help="the folder that relative ones in the sources are below")
    parser.add_argument("--sources", help="instead of ASSAY_BUCKET")
    parser.add_argument("--token-file", "--token_file", help="instead of ASSAY_TOKEN_FILE")
    parser.add_argument("--scratch", default="", help="where to keep the blob if the cache can't be used")
    flags = parser.parse_args(arguments)
    if flags.token_file is not None:
        environ = dict(environ, ASSAY_TOKEN_FILE=flags.token_file)
    later = []  # on failure the message says it all and comes first
    try:
        blob = Blob(flags.sha256, flags.size, flags.name)
        text = environ.get("ASSAY_BUCKET", "") if flags.sources is None else flags.sources
        sources = parse_sources(text, flags.base)
        settings = Settings.from_environ(environ)._replace(report=later.append)
        cache = BlobCache(default_cache_folder(environ), flags.scratch, settings)
        path = fetch(blob, sources, cache, settings)
    except ValueError as error:  # SourceError and Blob's
        parser.exit(3, "fetch_blob: %s\n" % error)
    except FetchError as error:
        print("\n".join(["%s: %s" % (error.outcome, error)] + later), file=sys.stderr)
        return 2
    for line in later:
        print(line, file=sys.stderr)
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
