"""Attacks on readers of execution traces, of torch.profiler's traces, and of archives of them. Part of seeds.py.

    for name, data in seeds_of_traces.trace_node(): ...
"""

import gzip
import io
import json
import tarfile
import zipfile


def _node(value, shape, kind, strides=None, **attributes):
    inputs = {"values": [value], "shapes": [shape], "types": [kind], "strides": [strides or []]}
    attributes = dict({"rf_id": 3, "op_schema": "aten::f() -> ()"}, **attributes)
    return {
        "id": 7,
        "name": "aten::f",
        "ctrl_deps": 2,
        "inputs": inputs,
        "outputs": {"values": [], "shapes": [], "types": [], "strides": []},
        "attrs": [{"name": name, "type": "string", "value": value} for name, value in attributes.items()],
    }


_TENSOR = _node([4, 5, 6, 6, 4, "cpu"], [2, 3], "Tensor(float)", [3, 1])


def trace_node():
    numbers = {"int": (1, "Int"), "double": (0.1, "Double"), "nan": ("nan", "Double"), "bool": (True, "Bool"),
               "string": ("a\"b", "String"), "device": ("cpu", "Device"), "none": ("<None>", "None"),
               "complex": ([1.5, "nan"], "ComplexDouble"), "generator": ("<Generator>", "Generator"),
               "nan_for_int": ("nan", "Int"), "int_2_63": (2**63, "Int"), "huge": (10**400, "Int")}
    nodes = {name: _node(value, [], kind) for name, (value, kind) in numbers.items()}
    nodes["tensor"] = _TENSOR
    nodes["undefined"] = _node([3, 0, 0, 0, 0, ""], [], "Tensor(nullptr (uninitialized))")
    nodes["list"] = _node(["<None>", [10, 11, 0, 2, 8, "cpu"]], [[], [2]], "GenericList[None,Tensor(long int)]", [[], [1]])
    nodes["list_cut"] = _node([0] * 4097, [[]] * 4097, "GenericList[%s]" % ",".join(["Int"] * 4097))
    nodes["lost_long"] = _node([0] * 100, [], "Unknown")  # cut when read, and so other when read again
    nodes["negative_sizes"] = _node([4, 5, -6, -6, -4, "cpu"], [-2, 3], "Tensor(float)", [-3, 1])
    nodes["symbolic"] = _node([4, 5, 0, 6, 4, "cpu"], ["s0", 3], "Tensor(float)")
    nodes["id_2_53"] = dict(_TENSOR, id=2**53 + 1, ctrl_deps=2**63 - 1)
    nodes["recorded"] = _node(1, [], "Int", wrapped_numbers='{"1":0.5,"2":true}', snapshots='{"0":"storage/7/12"}',
                              output_digests='["0123",""]', output_samples='[[[0,1.5],[7,"inf"]],[]]', throws="true")
    nodes["recorded_bomb"] = _node(1, [], "Int", output_samples="[" * 5000)
    nodes["other_attribute"] = _node(1, [], "Int", pg_name="0", pg_size=8)
    nodes["old"] = {"id": 10, "name": "aten::t", "parent": 9, "inputs": [[5, 6, 0, 4, 4, "cuda:0"]], "seq_id": 660,
                    "input_shapes": [[2, 2]], "input_types": ["Tensor(float)"], "outputs": [], "output_shapes": [],
                    "output_types": []}
    for name, node in nodes.items():
        yield name, json.dumps(node).encode()
    bomb = "GenericList[" * 100 + "]" * 100
    yield "depth_bomb", json.dumps(_node(1, [], bomb)).replace("[1]", "[%s%s]" % ("[" * 100, "]" * 100)).encode()
    yield "depth_bomb_open", b"[" * 5000
    yield "empty", b""


def _event(**members):
    return dict({"ph": "X", "cat": "cpu_op", "name": "aten::f", "pid": 1, "tid": 2, "ts": 1790857026700587.464,
                 "dur": 2.5}, **members)


def kineto_event():
    args = {"External id": 2, "Record function id": 7, "Concrete Inputs": ["", "[2, 2]", "1e-08", ""],
            "Input type": ["float", "ScalarList", "Scalar", "TensorList"], "Input Dims": [[2, 3], [], [], [[4], [2, 2]]],
            "Input Strides": [[3, 1], [], [], [[1], [2, 1]]], "Sequence number": 12, "Fwd thread id": 1}
    events = {
        "operator": _event(args=args),
        "kernel": _event(cat="kernel", args={"correlation": 3, "stream": 7, "device": 0, "External id": 2}),
        "launch": _event(cat="cuda_runtime", args={"correlation": 3}),
        "module": _event(cat="python_function", name="nn.Module: Linear_0"),
        "negative_time": _event(ts=-1),
        "huge_time": _event(ts=1e300),
        "text_time": _event(ts="x"),
        "negative_length": _event(cat="kernel", dur=-3),
        "negative_size": _event(args={"Input type": ["float"], "Input Dims": [[-2]]}),
        "overflow": _event(args={"Input type": ["float"], "Input Dims": [[2**32, 2**32]]}),
        "symbolic": _event(args={"Input type": ["float"], "Input Dims": [["s0"]]}),
        "metadata": {"ph": "M", "name": "process_name", "args": {"name": "x"}},
    }
    for name, event in events.items():
        yield name, json.dumps(event).encode()
    yield "depth_bomb", b'{"args":' * 3000
    yield "not_utf8", b'{"ph":"X","cat":"cpu_op","name":"\xff","ts":1,"dur":1}'


def _tar(**members):
    bytes_of = io.BytesIO()
    with tarfile.open(fileobj=bytes_of, mode="w", format=members.pop("format", tarfile.USTAR_FORMAT)) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            if data == b"link":
                info.type, info.linkname, info.size = tarfile.SYMTYPE, "/etc/passwd", 0
            archive.addfile(info, io.BytesIO(data))
    return bytes_of.getvalue()


def _zip(method=zipfile.ZIP_DEFLATED, **members):
    bytes_of = io.BytesIO()
    with zipfile.ZipFile(bytes_of, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return bytes_of.getvalue()


def _varint(number):
    digits = b""
    while number > 127:
        digits += bytes([number & 127 | 128])
        number >>= 7
    return digits + bytes([number])


def _field(number, data):
    if isinstance(data, int):
        return _varint(number << 3) + _varint(data)
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _chakra(*nodes):
    metadata = _field(1, b"0.0.4") + _field(2, _field(1, b"schema") + _field(29, b"1.1.1-chakra.0.0.4"))
    return b"".join(_varint(len(message)) + message for message in (metadata,) + nodes)


def trace_file():
    head = {"schema": "1.1.1-chakra.0.0.4", "pid": 1, "time": "2026", "start_ts": 1, "generators": {"cpu": "00ff"}}
    good = json.dumps(dict(head, nodes=[_TENSOR, dict(_TENSOR, id=8)], finish_ts=2)).encode()
    kineto = json.dumps({"schemaVersion": 1, "deviceProperties": [{"id": 0}],
                         "traceEvents": [_event(), _event(cat="kernel"), _event(tid=3)]}).encode()
    values = _field(1, b"[[4, 5, 0, 6, 4, 'cpu'], True]") + _field(2, b"[[2, 3], []]")
    node = _field(1, 7) + _field(2, b"aten::f") + _field(4, 2) + _field(7, 12)
    node += _field(8, values + _field(3, b"['Tensor(float)', 'Bool']"))
    yield "good", good
    yield "good_gz", gzip.compress(good, mtime=0)
    yield "kineto", kineto
    yield "chakra", _chakra(node, node)
    yield "chakra_cut", _chakra(node, node)[:-3]
    yield "chakra_length", _chakra(node) + b"\xff\xff\xff\xff\x0f"
    yield "cut", good[:-100]
    yield "cut_gz", gzip.compress(good, mtime=0)[:-20]
    yield "schema", good.replace(b"1.1.1-chakra.0.0.4", b"9.9")
    yield "generator", good.replace(b"00ff", b"00f")
    yield "twice", json.dumps(dict(head, nodes=[_TENSOR, _TENSOR])).encode()
    yield "depth_bomb", b'{"nodes": [' + b"[" * 5000
    yield "closes", b"{}]"
    yield "html", b"<!DOCTYPE html>"
    yield "zip", b"PK\x03\x04"
    yield "empty", b""
    yield "tar", _tar(**{"rank-0.json": good})
    yield "tar_two", _tar(**{"rank-0.json": good, "rank-1.json": good})
    yield "tar_packed", gzip.compress(_tar(**{"rank-0.json.gz": gzip.compress(kineto, mtime=0)}), mtime=0)
    yield "tar_outside", _tar(**{"../rank-0.json": good})
    yield "tar_absolute", _tar(**{"/rank-0.json": good})
    yield "tar_link", _tar(**{"rank-0.json": b"link"})
    yield "tar_long", _tar(**{"d" * 200 + "/rank-0.json": good, "format": tarfile.GNU_FORMAT})
    yield "tar_pax", _tar(**{"d" * 200 + "/rank-0.json": good, "format": tarfile.PAX_FORMAT})
    yield "tar_control", _tar(**{"rank\x1b[0m.json": b"{}"})
    yield "zip_deflated", _zip(**{"rank-0.json": good})
    yield "zip_packed", _zip(zipfile.ZIP_STORED, **{"rank-0.json.gz": gzip.compress(kineto, mtime=0)})
    yield "zip_two", _zip(**{"rank-0.json": good, "rank-1.json": good})
    yield "zip_outside", _zip(**{"../rank-0.json": good})
    yield "zip_cut", _zip(**{"rank-0.json": good})[:-10]
    yield "zip_crc", _zip(zipfile.ZIP_STORED, **{"rank-0.json": good}).replace(b"aten::f", b"aten::g", 1)
    yield "zip_size", _zip(**{"rank-0.json": b" " * 1000}).replace(b"\xe8\x03\0\0", b"\xe9\x03\0\0")
    yield "zip_bomb", _zip(**{"rank-0.json": b" " * (1 << 20)})
    yield "tar_cut", _tar(**{"rank-0.json": good})[:900]
