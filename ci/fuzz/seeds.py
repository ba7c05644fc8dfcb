"""Rewrites the hand-made part of corpus/: one file for each attack, named after it.

Findings of the fuzzers are kept beside them under their own names, and are not touched.

    python3 -m ci.fuzz.seeds        from the root of the tree

The attacks on safetensors are those of the format's own list (huggingface/safetensors, attacks/) and of its error type.
Seeds made by other people's writers (NumPy's in corpus/npy and corpus/npz) come from ci/goldens.
"""

import io
import json
import math
import os
import struct
import warnings
import zipfile

from artifacts.format import reference_blob, safetensors_file
from artifacts.format.reference_blob import Output, Stats
from artifacts.format.safetensors_file import Tensor
from ci.fuzz import seeds_of_text, seeds_of_traces

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")


def framed(header, payload=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + payload


def entry(dtype="F32", shape=(2,), begin=0, end=8, **more):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end], **more}


def one(**changes):
    return {"t": entry(**changes)}


def safetensors():
    eight = b"\0" * 8
    good = framed(one(), eight)
    yield "good", good
    yield "good_empty", framed({})
    yield "good_scalar_and_zero", framed({"s": entry("F64", (), 0, 8), "z": entry("F32", (0, 3), 8, 8)}, eight)
    yield "good_many_dtypes", framed(
        {"a": entry("BOOL", (1,), 0, 1), "b": entry("BF16", (1,), 1, 3), "c": entry("I64", (1,), 3, 11)}, b"\1" * 11
    )
    yield "good_metadata_null", framed({"__metadata__": None, **one()}, eight)
    yield "good_metadata", framed({"__metadata__": {"format": "x \"é\"\n"}, **one()}, eight)
    yield "nan_payload", framed(one(), struct.pack("<ff", float("nan"), float("inf")))
    yield "empty", b""
    yield "seven_bytes", b"\0" * 7
    yield "header_0", struct.pack("<Q", 0)
    yield "header_longer_than_file", framed(b"{}", length=3)
    yield "header_100_mb", framed(b"{}", length=100_000_001)
    yield "header_2_64", framed(b"{}", length=2**64 - 1)
    yield "header_2_63", framed(b"{}", length=2**63)
    yield "not_an_object", framed(b"[]")
    yield "space_first", framed(b" {}")
    yield "unclosed", framed(b"{")
    yield "zero_byte", framed(b'{}\0{"t":1}')
    yield "not_utf8", framed(b'{"\xff":1}')
    yield "utf8_surrogate", framed(b'{"\xed\xa0\x80":1}')
    yield "escaped_lone_surrogate", framed(b'{"\\ud800":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"x")
    yield "bom", framed(b"\xef\xbb\xbf{}")
    yield "nan_in_header", framed(b'{"t":{"dtype":"F32","shape":[NaN],"data_offsets":[0,4]}}', b"1234")
    yield "duplicate_name", framed(b'{"t":%s,"t":%s}' % ((json.dumps(entry()).encode(),) * 2), eight)
    yield "duplicate_name_escaped", framed(b'{"t":%s,"\\u0074":%s}' % ((json.dumps(entry()).encode(),) * 2), eight)
    yield "duplicate_member", framed(b'{"t":{"dtype":"U8","dtype":"U8","shape":[],"data_offsets":[0,1]}}', b"1")
    yield "duplicate_metadata", framed(b'{"__metadata__":{"a":"1","a":"2"}}')
    yield "metadata_number", framed({"__metadata__": {"a": 1}})
    yield "metadata_nested", framed({"__metadata__": {"a": {}}})
    yield "metadata_list", framed({"__metadata__": []})
    yield "unknown_member", framed(one(x=1), eight)
    yield "missing_member", framed({"t": {"dtype": "F32", "shape": [2]}}, eight)
    yield "unknown_dtype", framed(one(dtype="F33"), eight)
    yield "packed_dtype", framed(one(dtype="F4", end=1), b"1")
    yield "negative_shape", framed(one(shape=(-2,)), eight)
    yield "float_shape", framed(one(shape=(2.0,)), eight)
    yield "boolean_shape", framed(one(shape=(True,), end=4), b"1234")
    yield "overflow_shape", framed(one(shape=(2**63 - 1, 2)), eight)
    yield "overflow_to_zero", framed(one(shape=(2**32, 2**32), end=0))
    yield "overflow_behind_zero", framed(one(shape=(0, 2**63 - 1, 2), end=0))
    yield "size_lie", framed(one(shape=(3,)), eight)
    yield "dtype_lie", framed(one(dtype="F64"), eight)
    yield "offsets_reversed", framed(one(begin=8, end=0), eight)
    yield "offsets_three", framed({"t": {**entry(), "data_offsets": [0, 8, 8]}}, eight)
    yield "offsets_wrap", framed(one(dtype="U8", begin=2**64 - 1, end=1), eight)
    yield "hole", framed({"a": entry("U8", (2,), 0, 2), "b": entry("U8", (2,), 3, 5)}, b"12345")
    yield "hole_first", framed(one(begin=4, end=12), eight + b"1234")
    yield "overlap", framed({"a": entry("U8", (2,), 0, 2), "b": entry("U8", (2,), 1, 3)}, b"123")
    yield "same_bytes", framed({"a": entry("U8", (2,), 0, 2), "b": entry("U8", (2,), 0, 2)}, b"12")
    yield "truncated", good[:-1]
    yield "trailing", good + b"x"
    yield "depth_bomb", framed(b'{"t":' + b"[" * 3000)
    yield "depth_bomb_objects", framed(b'{"t":' * 1500)
    yield "html", b"<!DOCTYPE html><html>403 Forbidden</html>"
    yield "lfs_pointer", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


def blob(metadata=None, stats=(0.5, 0.5, 1.0, 1.0), **tensors):
    form = {"format": reference_blob.FORMAT} if metadata is None else metadata
    if stats:
        fits = len(stats) == 4 * len(tensors)
        tensors["#stats"] = Tensor.of_doubles(stats, (len(tensors), 4) if fits else None)
    return safetensors_file.encode(tensors, form)


def reference_blobs():
    y = Tensor.of_doubles([0.0, 1.0])
    # Nought and one in turn, so that no sum is rounded.
    sample = Tensor.of_doubles([float(i % 2) for i in range(reference_blob.sample_size("y", (40000,)))])
    of_40000 = Stats(mean=0.5, std=0.5, norm=math.sqrt(20000), largest=1.0)
    yield "good", reference_blob.encode({"y": Output((2,), None, (0.0, 1.0), Stats(0.5, 0.5, 1.0, 1.0))}, {"provenance": "p"})
    yield "good_float32", blob(y=Tensor.of("F32", [0.0, 1.0]))
    yield "good_sample", blob(stats=of_40000, **{"y#40000": sample})
    yield "good_rows", blob(stats=of_40000, **{"y#2x20000": sample})
    yield "sample_too_small", blob(stats=of_40000, **{"y#40000": y})
    yield "sample_of_a_small_output", blob(**{"y#512": sample})
    yield "sample_of_too_many", blob(**{"y#%d" % (2**32 + 1): sample})
    yield "sample_of_no_shape", blob(**{"y#": sample})
    yield "sample_without_a_name", blob(**{"#40000": sample})
    yield "sample_and_whole", blob(stats=of_40000 * 2, **{"y#40000": sample, "y": y})
    yield "shape_overflow", blob(**{"y#%dx4" % 2**62: sample})
    yield "shape_of_100_digits", blob(**{"y#" + "9" * 100: sample})
    yield "shape_negative", blob(**{"y#-1x-40000": sample})
    yield "shape_with_a_space", blob(**{"y#40000 ": sample})
    yield "format_2", blob({"format": "assay-reference-2"}, y=y)
    yield "no_format", blob({}, y=y)
    yield "other_format", blob({"format": "assay-reference-9"}, y=y)
    yield "no_output", blob(stats=())
    yield "no_stats", blob(stats=(), y=y)
    yield "nan_value", blob(y=Tensor.of_doubles([0.0, float("nan")]))
    yield "infinite_stats", blob(stats=(0.5, float("inf"), 1.0, 1.0), y=y)
    yield "three_stats", blob(stats=(0.5, 0.5, 1.0), y=y)
    yield "stats_of_another", blob(stats=(9.0, 0.5, 1.0, 1.0), y=y)
    yield "stats_of_one", blob(y=y, z=y)
    yield "integers", blob(y=Tensor.of_integers([0, 1]))
    yield "float16", blob(y=Tensor("F16", (2,), b"\0\0\0\x3c"))
    yield "control_characters", blob(**{"y\n\x1b[2J#": y})


def npy_header(text, payload=b"\0" * 8, version=(1, 0)):
    size = struct.pack("<H" if version == (1, 0) else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + size + text + payload


def npy():
    good = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n"
    yield "attack_no_newline", npy_header(good[:-1])
    yield "attack_twice", npy_header(good.replace(b"'shape'", b"'descr'"))
    yield "attack_call", npy_header(good.replace(b"'<f4'", b"__import__('os')"))
    yield "attack_overflow", npy_header(good.replace(b"(2,)", b"(4294967296, 4294967296)"), b"")
    yield "attack_behind_zero", npy_header(good.replace(b"(2,)", b"(0, 9223372036854775807, 2)"), b"")
    yield "attack_1e12", npy_header(good.replace(b"(2,)", b"(1000000000000,)"))
    yield "attack_fortran_overflow", npy_header(good.replace(b"False", b"True").replace(b"(2,)", b"(2147483648, 2, 2)"))
    yield "attack_header_4_gib", b"\x93NUMPY\2\0\xff\xff\xff\xff{}"
    yield "attack_many_dimensions", npy_header(good.replace(b"(2,)", b"(" + b"1," * 65 + b")"), b"1234")
    yield "attack_depth", npy_header(b"{" * 2000)
    yield "attack_bool_2", npy_header(good.replace(b"<f4", b"|b1"), b"\1\2")
    yield "attack_escape", npy_header(good.replace(b"descr", b"de\\x73cr"))


def archive(members, method=zipfile.ZIP_DEFLATED, comment=b""):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        file.comment = comment
        for name, data in members:
            member = zipfile.ZipInfo(name)  # of 1980, so that the bytes are always the same
            member.compress_type = method
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # two of one name
                file.writestr(member, data)
    return out.getvalue()


def npz():
    array = npy_header(b"{'descr': '|u1', 'fortran_order': False, 'shape': (4,), }\n", b"1234")
    large = 17 << 20
    zeros = npy_header(b"{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }\n" % large, bytes(large))
    good = archive([("x.npy", array), ("y.npy", array)])
    yield "good_small", good
    yield "good_empty", archive([])
    yield "attack_bomb", archive([("x.npy", zeros)])
    names = ["../x.npy", "/x.npy", "a/b.npy", "a\\b.npy", "a\nb.npy", ".npy", ".x.npy", "x.npz", "é.npy"]
    for number, name in enumerate(names):
        yield "attack_name_%d" % number, archive([(name, array)])
    yield "attack_twice", archive([("x.npy", array), ("x.npy", array)])
    yield "attack_comment", archive([("x.npy", array)], comment=b"PK\5\6" + bytes(18))
    yield "attack_bzip2", archive([("x.npy", array)], zipfile.ZIP_BZIP2)
    yield "attack_not_npy", archive([("x.npy", b"<html>")])
    yield "attack_object", archive([("x.npy", array.replace(b"|u1", b"|O"))])
    lies = [("encrypted", 8, 1), ("method", 10, 99), ("crc", 16, 7), ("size_large", 24, 255), ("size_small", 24, 1)]
    for name, at, value in lies:
        place = good.index(b"PK\1\2") + at
        yield "attack_" + name, good[:place] + bytes([value]) + good[place + 1 :]
    second = good.index(b"PK\1\2", good.index(b"PK\1\2") + 4) + 42  # both entries point to the first member
    yield "attack_overlap", (good[:second] + bytes(4) + good[second + 4 :]).replace(b"y.npy", b"x.npy")


def main():
    targets = {
        "lock": seeds_of_text.lock,
        "case_definitions": seeds_of_text.case_definitions,
        "checkpoint_index": seeds_of_text.checkpoint_index,
        "npy": npy,
        "npz": npz,
        "reference_blob": reference_blobs,
        "safetensors": safetensors,
        "kineto_event": seeds_of_traces.kineto_event,
        "trace_file": seeds_of_traces.trace_file,
        "trace_node": seeds_of_traces.trace_node,
    }
    for target, seeds in targets.items():
        folder = os.path.join(CORPUS, target)
        os.makedirs(folder, exist_ok=True)
        for name, data in seeds():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data)
        print("%s: %d files" % (target, len(os.listdir(folder))))


if __name__ == "__main__":
    main()
