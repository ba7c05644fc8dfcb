"""Renames the top folder of a .tar.gz that `git archive` made, bit for bit as git would have written it.

usage: rename_archive_folder.py IN.tar.gz OLD_FOLDER NEW_FOLDER OUT.tar.gz

Debian's source archive of abseil and GitHub's differ in nothing but that name, so the result has GitHub's digest
(which Bazel checks). Names are rewritten in the raw headers because tarfile would lay them out in its own way.
"""

import gzip
import subprocess
import sys

BLOCK = 512


def split_name(full):
    """ustar's (prefix, name): git cuts at the last slash that leaves at most 155 bytes of prefix."""
    if len(full) <= 100:
        return b"", full
    cut = min(len(full) - (1 if full.endswith(b"/") else 0), 155)
    while cut > 0:
        cut -= 1
        if full[cut : cut + 1] == b"/":
            break
    if cut <= 0 or len(full) - cut - 1 > 100:
        raise ValueError("name too long for ustar: %r" % full)
    return full[:cut], full[cut + 1 :]


def octal(field):
    return int(field.rstrip(b"\0 ").strip() or b"0", 8)


def rename(raw, old, new):
    result, position = bytearray(), 0
    while position < len(raw):
        header = bytearray(raw[position : position + BLOCK])
        if header == bytes(BLOCK):
            break
        length = (octal(bytes(header[124:136])) + BLOCK - 1) // BLOCK * BLOCK
        body = raw[position + BLOCK : position + BLOCK + length]
        kind = chr(header[156])
        if kind in "05":
            prefix, name = bytes(header[345:500]).rstrip(b"\0"), bytes(header[:100]).rstrip(b"\0")
            full = prefix + b"/" + name if prefix else name
            if not full.startswith(old):
                raise ValueError("%r does not begin with %r" % (full, old))
            prefix, name = split_name(new + full[len(old) :])
            header[0:100], header[345:500] = name.ljust(100, b"\0"), prefix.ljust(155, b"\0")
            header[148:156] = b" " * 8
            header[148:156] = b"%07o\0" % sum(header)
        elif kind != "g":
            raise ValueError("unexpected entry of type %r" % kind)
        result += header + body
        position += BLOCK + length
    padding = 10240 - len(result) % 10240
    return bytes(result) + bytes(padding + (10240 if padding < 2 * BLOCK else 0))


def main(source, old, new, out):
    with gzip.open(source) as file:
        tar = rename(file.read(), old.encode(), new.encode())
    # GNU gzip, not zlib's: another deflate would give other bytes.
    packed = subprocess.run(["gzip", "-cn"], input=tar, stdout=subprocess.PIPE, check=True).stdout
    with open(out, "wb") as file:
        file.write(packed)


if __name__ == "__main__":
    main(*sys.argv[1:])
