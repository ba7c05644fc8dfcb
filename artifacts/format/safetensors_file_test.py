"""The writer's bytes are right and reproducible; the reader refuses every malformed file with a reason."""

import json
import os
import struct
import tempfile
import unittest

from artifacts.format import safetensors_file
from artifacts.format.safetensors_file import SafetensorsError, Tensor


def file_of(header, payload=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + payload


def entry(shape=(2,), begin=0, end=16, dtype="F64"):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


class WriterTest(unittest.TestCase):
    def test_bytes_are_those_of_the_format(self):
        data = safetensors_file.encode({"b": Tensor.of_integers([1]), "a": Tensor.of_doubles([0.5])}, {"k": "v"})
        header = (
            b'{"__metadata__":{"k":"v"},"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},'
            b'"b":{"dtype":"I64","shape":[1],"data_offsets":[8,16]}}'
        )
        header += b" " * (-len(header) % 8)
        self.assertEqual(struct.pack("<Q", len(header)) + header + struct.pack("<dq", 0.5, 1), data)

    def test_order_of_arguments_does_not_show(self):
        a, b = Tensor.of_doubles([1]), Tensor.of_doubles([2])
        self.assertEqual(
            safetensors_file.encode({"a": a, "b": b}, {"x": "1", "y": "2"}),
            safetensors_file.encode({"b": b, "a": a}, {"y": "2", "x": "1"}),
        )

    def test_what_is_written_is_read(self):
        tensors = {
            "scalar": Tensor.of_doubles([3.25], ()),
            "none": Tensor.of_doubles([], (0, 4)),
            "größe": Tensor.of_integers([-1, 2**62], (2, 1)),
        }
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "t.safetensors")
            safetensors_file.write(path, tensors, {"a": "ü"})
            self.assertEqual((tensors, {"a": "ü"}), safetensors_file.read(path))
            self.assertEqual(["t.safetensors"], os.listdir(folder))


class ReaderTest(unittest.TestCase):
    def test_refuses_each_malformed_file_with_its_reason(self):
        sixteen = b"\0" * 16
        for reason, data in {
            "too few": b"\0" * 7,
            "truncated or not safetensors": file_of({"a": entry()}, sixteen, length=10**7),
            "header of 18446744073709551615": file_of(b"{}", length=2**64 - 1),
            "does not begin": file_of(b" {}"),
            "not JSON": file_of(b'{"a":}'),
            "codec can't decode": file_of(b'{"\xff":1}'),
            "duplicate key 'a'": file_of(b'{"a":1,"a":1}'),
            "nested too deeply": file_of(b'{"a":' * 100000),
            "map from strings to strings": file_of({"__metadata__": {"a": 1}}),
            "an entry has": file_of({"a": {"dtype": "F64"}}),
            "unknown dtype": file_of({"a": entry(dtype="F65")}, sixteen),
            "bad shape": file_of({"a": entry(shape=(-2,))}, sixteen),
            "bad shape [True]": file_of({"a": entry(shape=(True,), end=8)}, sixteen[:8]),
            "bad data_offsets": file_of({"a": entry(begin=-1)}, sixteen),
            "bytes 0 to 24 of 16": file_of({"a": entry(shape=(3,), end=24)}, sixteen),
            "do not make": file_of({"a": entry(shape=(3,))}, sixteen),
            "shape [4294967296, 4294967296] is too large": file_of({"a": entry(shape=(2**32, 2**32), end=0)}),
            "overlap or hole": file_of({"a": entry(), "b": entry()}, sixteen),
            "expected 0: overlap or hole": file_of({"a": entry((1,), 8, 16)}, sixteen),
            "8 bytes follow": file_of({"a": entry((1,), 0, 8)}, sixteen),
        }.items():
            with self.subTest(reason=reason), self.assertRaises(SafetensorsError) as caught:
                safetensors_file.decode(data)
            self.assertIn(reason, str(caught.exception))

    def test_every_truncation_is_refused(self):
        data = safetensors_file.encode({"a": Tensor.of_doubles([1, 2, 3])}, {"k": "v"})
        for length in range(len(data)):
            with self.assertRaises(SafetensorsError):
                safetensors_file.decode(data[:length])


if __name__ == "__main__":
    unittest.main()
