"""Reads and writes artifacts/lock.bzl: which blob holds the reference of which key.

The file is one literal, so that Bazel's WORKSPACE and BUILD phases and this program read the same bytes, and one line
a row, so that two branches which add cases merge.

    table = lock_table.read("artifacts/lock.bzl")
    table["mlp_small_fp32_b2"] = Row(sha256=…, size=4096, store="embedded", provenance="…")
    lock_table.write("artifacts/lock.bzl", table)
"""

import ast
import re
from typing import NamedTuple

from tools.artifacts.format import safetensors_file

EMBEDDED = "embedded"  # the blob is artifacts/blobs/<sha256>.safetensors
BUCKET = "bucket"  # the blob is fetched by digest from ASSAY_BUCKET
_STORES = (EMBEDDED, BUCKET)
_KEY = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_DIGEST = re.compile(r"[0-9a-f]{64}")

_HEAD = '''"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See README.md here.
"""

'''


class LockError(ValueError):
    """The lock is not what this program writes; the message says where."""


class Row(NamedTuple):
    sha256: str
    size: int  # bytes
    store: str  # EMBEDDED or BUCKET
    provenance: str  # who computed it, with versions


def parse(text):
    """key -> Row of the text of a lock."""
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        raise LockError("line %s: %s" % (error.lineno, error.msg)) from None
    assignments = [s for s in module.body if isinstance(s, ast.Assign)]
    if len(assignments) != 1 or [getattr(t, "id", "") for t in assignments[0].targets] != ["LOCK"]:
        raise LockError("expected exactly one assignment, LOCK = {…}")
    literal = assignments[0].value
    if not isinstance(literal, ast.Dict):
        raise LockError("line %d: LOCK is not a literal map" % literal.lineno)
    table = {}
    for key_node, row_node in zip(literal.keys, literal.values):
        try:
            key, fields = ast.literal_eval(key_node), ast.literal_eval(row_node)
            row = Row(**fields)
        except (TypeError, ValueError) as error:
            raise LockError("line %d: not a row of sha256, size, store, provenance: %s" % (row_node.lineno, error)) from None
        if key in table:
            raise LockError('line %d: key "%s" is there twice' % (row_node.lineno, key))
        _check(key, row)
        table[key] = row
    return table


def _check(key, row):
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise LockError("bad key %r: lower case letters, digits, _ . -" % (key,))
    if not isinstance(row.sha256, str) or not _DIGEST.fullmatch(row.sha256):
        raise LockError('"%s": sha256 is not 64 hex digits' % key)
    if type(row.size) is not int or row.size <= 0:
        raise LockError('"%s": size %r is not a number of bytes' % (key, row.size))
    if row.store not in _STORES:
        raise LockError('"%s": store %r; one of %s' % (key, row.store, ", ".join(_STORES)))
    if not isinstance(row.provenance, str) or not row.provenance or not row.provenance.isprintable():
        raise LockError('"%s": a row needs a provenance of one printable line' % key)


def render(table):
    """The text of the lock, rows sorted by key; parse(render(t)) == t."""
    if not table:
        return _HEAD + "LOCK = {}\n"
    lines = []
    for key, row in sorted(table.items()):
        _check(key, row)
        lines.append(
            '    %s: {"sha256": "%s", "size": %d, "store": "%s", "provenance": %s},\n'
            % (_quote(key), row.sha256, row.size, row.store, _quote(row.provenance))
        )
    return _HEAD + "LOCK = {\n" + "".join(lines) + "}\n"


def _quote(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def read(path):
    with open(path, encoding="utf-8") as f:
        try:
            return parse(f.read())
        except LockError as error:
            raise LockError("%s: %s" % (path, error)) from None


def write(path, table):
    """Replaces the lock as a whole; leaves the file untouched where nothing changed."""
    text = render(table).encode("utf-8")
    try:
        with open(path, "rb") as f:
            if f.read() == text:
                return
    except FileNotFoundError:
        pass
    safetensors_file.write_bytes(path, text)
