"""Reads and writes a lock.bzl: which blob holds the reference of which key.

A package with benchmark cases has its own beside its case table. The file is one literal, so that Bazel's WORKSPACE and
BUILD phases and this program read the same bytes, and one line a row, so that two branches which add cases merge.

    table = lock_table.read("benchmarks/mlp/lock.bzl")
    table["mlp_small_fp32_b2"] = Row(sha256=…, size=4096, store="embedded", provenance="…", commit="453e212f09ab")
    lock_table.write("benchmarks/mlp/lock.bzl", table)

Whatever breaks a rule is a LockError with the line, when read and when written. Keys become names of files, targets
and objects on every system: lower case, so that no two differ by case alone, and none that Windows reserves.
"""

import re
from typing import NamedTuple

from artifacts.format import atomic_file, lock_syntax
from artifacts.format.lock_syntax import LockError

EMBEDDED = "embedded"  # the blob is in the tree: blobs/<object name> of //artifacts or, outside benchmarks/, of the package
BUCKET = "bucket"  # the blob is fetched by digest from ASSAY_BUCKET
_STORES = (EMBEDDED, BUCKET)

REFERENCE = ""  # the role of a row that holds reference outputs
INPUTS, WEIGHTS, MODULE = "inputs", "weights", "module"  # made on request; keys end in .inputs, .weights, .module
REQUESTED = (INPUTS, WEIGHTS, MODULE)
# This suite's own models as files of these formats: role -> ending of the file. Their keys end in .DIGEST.ROLE, where DIGEST is of
# all that the file depends on (benchmarks/backends/module_file.h), so that a row never serves another model, shape or LibTorch.
EXPORTED = {"aoti": ".pt2", "onnx": ".onnx", "pt2": ".pt2"}
ROLES = REQUESTED + tuple(EXPORTED)

MAX_BLOB_BYTES = 1 << 36  # 64 GiB: the float32 weights of a model of 16 billion parameters
MAX_KEY = 200
_MAX_PROVENANCE = 2000
_KEY = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_COMMIT = re.compile(r"([0-9a-f]{12}(\+dirty)?)?")
_DEVICE = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]")  # of Windows, with any extension

_HEAD = '''"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

'''


class Row(NamedTuple):
    sha256: str
    size: int  # bytes
    store: str  # EMBEDDED or BUCKET
    provenance: str  # who computed it, with versions, dtype, seed
    commit: str = ""  # whose tree computed it: 12 hex digits, "+dirty" where that tree had changes; "": not recorded
    role: str = REFERENCE

    @property
    def object_name(self):
        """The blob's name in every folder and bucket."""
        return self.sha256 + (".pt2" if self.role == MODULE else EXPORTED.get(self.role, ".safetensors"))


def case_key(key, row):
    """The key of the cases that the row serves: its own, without the role and what an exported file depends on."""
    if not row.role:
        return key
    return key.rsplit(".", 2 if row.role in EXPORTED else 1)[0]


def find_exported(table, digest, role):
    """The row of the file of that format that depends on what the digest is of; None: there is none."""
    return next((row for key, row in sorted(table.items()) if row.role == role and key.split(".")[-2] == digest), None)


_REQUIRED = ("sha256", "size", "store", "provenance")


def parse(text):
    """key -> Row of the text of a lock."""
    table, lines = {}, {}
    for entry in lock_syntax.entries(text):
        where = 'line %d: "%s": ' % (entry.line, entry.key)
        unknown = [name for name in entry.fields if name not in Row._fields]
        missing = [name for name in _REQUIRED if name not in entry.fields]
        if unknown:
            known = ", ".join(Row._fields)
            raise LockError("%sunknown field %r; this version knows %s" % (where, unknown[0], known))
        if missing:
            raise LockError("%sno %s; a row has %s" % (where, missing[0], ", ".join(_REQUIRED)))
        table[entry.key], lines[entry.key] = Row(**entry.fields), entry.line
        problem = _problem(entry.key, table[entry.key])
        if problem:
            raise LockError(where + problem)
    _check_twins(table, lines)
    return table


def _problem(key, row):
    """The fault of a row, or ""."""
    if not all(isinstance(row[i], str) for i, name in enumerate(Row._fields) if name != "size"):
        return "all fields but size are text"
    if not _DIGEST.fullmatch(row.sha256):
        return "sha256 is not 64 lower case hex digits"
    if type(row.size) is not int or not 1 <= row.size <= MAX_BLOB_BYTES:
        return "size %r is not a number of bytes from 1 to %d" % (row.size, MAX_BLOB_BYTES)
    if row.store not in _STORES:
        return "store %r; one of %s" % (row.store, ", ".join(_STORES))
    if not row.provenance or len(row.provenance) > _MAX_PROVENANCE or not row.provenance.isprintable():
        return "a row needs a provenance: one printable line of at most %d characters" % _MAX_PROVENANCE
    if not _COMMIT.fullmatch(row.commit):
        return "commit %r is not 12 hex digits, with or without +dirty" % row.commit
    if row.role and row.role not in ROLES:
        return "role %r; one of %s, or none for reference outputs" % (row.role, ", ".join(ROLES))
    return _key_problem(key, row.role)


def _key_problem(key, role):
    if not isinstance(key, str) or len(key) > MAX_KEY or not _KEY.fullmatch(key) or ".." in key or key.endswith("."):
        return "a key has lower case letters, digits and _ . - (no . at an end, none twice), at most %d" % MAX_KEY
    if _DEVICE.fullmatch(key.split(".")[0]):
        return "a key that Windows reserves for a device"
    suffix = key.rpartition(".")[2]
    if suffix != role and (role or suffix in ROLES):
        return "keys of role %s end in .%s, and no others" % (role or suffix, role or suffix)
    if role in EXPORTED and not (key.count(".") == 2 and _DIGEST.fullmatch(key.split(".")[1])):
        return "keys of role %s are KEY.DIGEST.%s" % (role, role)
    return ""


def _check_twins(table, lines=None):
    """One digest is one object: it has one size and one name everywhere."""
    first = {}
    for key, row in table.items():
        known = first.setdefault(row.sha256, key)
        other = table[known]
        if (row.size, row.object_name) != (other.size, other.object_name):
            where = "line %d: " % lines[key] if lines else ""
            first_line = " (line %d)" % lines[known] if lines else ""
            raise LockError(
                '%s"%s" says that %s… is %s of %d bytes, "%s"%s that it is %s of %d'
                % (where, key, row.sha256[:8], _kind(row), row.size, known, first_line, _kind(other), other.size)
            )


def _kind(row):
    return row.object_name.rpartition(".")[2]


def render(table):
    """The text of the lock, rows sorted by key; parse(render(t)) == t."""
    for key, row in table.items():
        problem = _problem(key, row)
        if problem:
            raise LockError("%r: %s" % (key, problem))
    _check_twins(table)
    if not table:
        return _HEAD + "LOCK = {}\n"
    return _HEAD + "LOCK = {\n" + "".join(_line(key, row) for key, row in sorted(table.items())) + "}\n"


def _line(key, row):
    optional = "".join(', "%s": "%s"' % (name, getattr(row, name)) for name in ("commit", "role") if getattr(row, name))
    return '    "%s": {"sha256": "%s", "size": %d, "store": "%s", "provenance": %s%s},\n' % (
        key,
        row.sha256,
        row.size,
        row.store,
        _quote(row.provenance),
        optional,
    )


def _quote(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def read(path):
    with open(path, "rb") as f:
        data = f.read(lock_syntax.MAX_BYTES + 1)
    try:
        if len(data) > lock_syntax.MAX_BYTES:
            raise LockError("more than %d bytes; no lock is that long" % lock_syntax.MAX_BYTES)
        return parse(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LockError("%s: line %d: byte %#04x is not UTF-8" % (path, line, data[error.start])) from None
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
    atomic_file.write(path, text)
