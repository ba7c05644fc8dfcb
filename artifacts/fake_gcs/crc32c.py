"""CRC-32C (Castagnoli), the checksum that Cloud Storage keeps for every object, in plain Python.

For tests and small objects: some 20 MB/s. conformance_test.py compares it with Google's compiled google_crc32c.

    crc32c(b"123456789") == 0xe3069283
    encoded(b"123456789") == "4waSgw=="         as Cloud Storage writes it: base64 of the big-endian value
"""

import array
import base64
import functools
import struct

try:
    import google_crc32c  # only where the Python is @gcs_python; a hundred times as fast
except ImportError:
    google_crc32c = None

_POLYNOMIAL = 0x82F63B78  # Castagnoli's, bits reversed (RFC 3720, appendix B.4 has the vectors)


def _shifted(value, bits):
    for _ in range(bits):
        value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
    return value


@functools.lru_cache(maxsize=1)
def _tables():
    """(low, high, byte): remainders of the low and the high half of a 32-bit word, and of one byte."""
    byte = [_shifted(value, 8) for value in range(256)]

    def advance(value, count):
        for _ in range(count):
            value = value >> 8 ^ byte[value & 255]
        return value

    low = [advance(value, 4) for value in range(65536)]
    high = [advance(value << 16, 4) for value in range(65536)]
    return low, high, byte


def crc32c(data, crc=0):
    """The checksum of `data`, which may go on from an earlier piece's `crc`."""
    low, high, byte = _tables()
    data = memoryview(data).cast("B")
    crc ^= 0xFFFFFFFF
    whole = len(data) // 4 * 4
    words = array.array("I")
    words.frombytes(data[:whole])
    for word in words:
        word ^= crc
        crc = low[word & 0xFFFF] ^ high[word >> 16]
    for value in data[whole:]:
        crc = crc >> 8 ^ byte[(crc ^ value) & 255]
    return crc ^ 0xFFFFFFFF


def encoded(data):
    """The checksum as Cloud Storage's metadata and headers hold it; by Google's implementation where there is one."""
    value = google_crc32c.value(bytes(data)) if google_crc32c else crc32c(data)
    return base64.b64encode(struct.pack(">I", value)).decode("ascii")
