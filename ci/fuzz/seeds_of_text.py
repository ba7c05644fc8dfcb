"""Attacks on readers of text: case tables, the lock, the index of a checkpoint. Part of seeds.py, which writes them.

    for name, data in seeds_of_text.lock(): ...
"""

import json


def checkpoint_index():
    def index(**weights):
        return json.dumps({"metadata": {"total_size": 9}, "weight_map": weights}).encode()

    shards = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    yield "good", index(**{"layer.0.weight": shards[0], "b": shards[1]})
    yield "good_empty", b'{"weight_map":{}}'
    yield "good_nested_metadata", b'{"metadata":{"a":[1,{"b":null}],"c":-1.5e3},"weight_map":{"a":"x"}}'
    for number, name in enumerate(["../x", "/etc/passwd", "a/b", "a\\b", "a\0b", "a\nb", "", ".", "..", "x" * 300]):
        yield "file_name_%d" % number, index(a=name)
    yield "twice", b'{"weight_map":{"a":"x","a":"y"}}'
    yield "two_maps", b'{"weight_map":{},"weight_map":{}}'
    yield "unknown_member", b'{"weight_map":{},"x":1}'
    yield "no_map", b'{"metadata":{}}'
    yield "number", b'{"weight_map":{"a":1}}'
    yield "list", b"[]"
    yield "depth_bomb", b'{"metadata":' + b"[" * 3000
    yield "depth_bomb_map", b'{"weight_map":' * 500
    yield "bom", b"\xef\xbb\xbf{}"
    yield "not_utf8", b'{"weight_map":{"\xff":"x"}}'
    yield "unclosed", b'{"weight_map":{"a":"x"'
    yield "zero_byte", b'{"weight_map":{}}\0{'


def case_definitions():
    verify = 'verify { rule: %s provenance: "p" }'
    rule = "ALLCLOSE atol: 1e-3 rtol: 1e-3"
    good = 'name: "toy_fp32_b3"\nmodel: "toy"\ndtype: FP32\nbatch: 3\n' + verify % rule
    family = 'implementations { name: "toy" description: "d" owner: "o" reference: OWN_FLOAT64 '
    family += 'inputs { name: "i" shape: "%s" distribution { uniform {} } } outputs { name: "y" } } '
    family += 'models { name: "toy" implementation: "toy" }'
    texts = {
        "good": good,
        "good_seed": 'name: "toy_fp32_b3_s16_seed7_train_channels_last" batch: 3 seed: 7 mode: TRAIN '
        "training { optimizers { sgd { learning_rate: 0.5 momentum: 0.9 } } } "
        "execution { memory_format: CHANNELS_LAST } " + verify % rule,
        "good_std": good.replace(rule, "RELATIVE_TO_STD rms_limit: 1 max_limit: 1"),
        "good_suffix": good.replace("_b3", "_b3_s16") + ' parameters { key: "length" value { integer: 16 } }',
        "good_skip": good + ' skips { device: CPU reason: "slow" } tags: "large" seed: 1',
        "good_family": family % "batch",
        "family_huge": family % str(2**41),
        "family_negative": family % "-1",
        "family_distribution": (family % "batch").replace("uniform {}", 'zipf { exponent: 1e300 limit_parameter: "batch" }'),
        "family_limit_2_63": (family % "batch").replace("uniform {}", "integers { low: -9223372036854775808 limit: 9223372036854775807 }"),
        "family_bags": (family % "1000000").replace("uniform {}", "bag_offsets { bag_size: 9223372036854775807 }"),
        "family_output": (family % "batch").replace('name: "y"', 'name: "y" dtype: INT64 shape: "*" rule: COSINE'),
        "operator": good.replace('model: "toy"', 'operator_call { name: "aten::abs" inputs { name: "self" shape: "batch" '
                                 "distribution { normal {} } } outputs { name: \"out\" shape: \"batch\" } }"),
        "train": good + " mode: TRAIN training { optimizers { sgd { learning_rate: 0.1 momentum: nan } } }",
        "execution_99": good + " execution { memory_format: 99 }",
        "crlf": good.replace("\n", "\r\n"),
        "bom": "\ufeff" + good,
        "nul": good + "\0",
        "nul_escaped": good.replace("toy_fp32_b3", "a\\000b"),
        "newline_escaped": good.replace("toy_fp32_b3", "a\\nb"),
        "not_utf8_escaped": good.replace("toy_fp32_b3", "\\377"),
        "path": good.replace("toy_fp32_b3", "../x"),
        "device_name": good.replace("toy_fp32_b3", "CON"),
        "case_twin": good.replace("toy_fp32_b3", "TOY_FP32_B3"),
        "name_300": good.replace("toy_fp32_b3", "x" * 300),
        "long_enum": good.replace("FP32", "F" * 5000),
        "depth": "verify { " * 2000,
        "depth_unknown": "a { " * 2000,
        "any": "[type.googleapis.com/assay.Model] { }",
        "unknown_field": good + " bach: 1",
        "unknown_enum": good.replace("FP32", "FP17"),
        "newer": good + " schema_version: 9",
        "twice": good + " batch: 4",
        "batch_0": good.replace("batch: 3", "batch: 0"),
        "batch_negative": good.replace("batch: 3", "batch: -1"),
        "batch_2_31": good.replace("batch: 3", "batch: 2147483648"),
        "batch_2_64": good.replace("batch: 3", "batch: 18446744073709551616"),
        "nan": good.replace("atol: 1e-3", "atol: nan"),
        "infinite": good.replace("atol: 1e-3", "atol: inf"),
        "negative": good.replace("atol: 1e-3", "atol: -1e-3"),
        "rtol_1": good.replace("rtol: 1e-3", "rtol: 1"),
        "no_provenance": good.replace('provenance: "p"', ""),
        "empty_parameter": good + ' parameters { key: "width" }',
        "parameter_overflow": good + ' parameters { key: "width" value { integer: 2147483647 } }',
        "parameter_nan": good + ' parameters { key: "eps" value { real: nan } }',
    }
    for name, text in texts.items():
        yield name, text.encode()
    yield "not_utf8", good.encode() + b"\xff"


def lock():
    digest = "0123456789abcdef" * 4
    row = '{"sha256": "%s", "size": 4096, "store": "embedded", "provenance": "torchvision 0.26.0, float64"}' % digest
    weights = row.replace("}", ', "role": "weights"}').replace("0123", "4567")
    good = 'LOCK = {\n    "a_fp32_b2": %s,\n}\n' % row
    texts = {
        "good": good,
        "good_empty": "LOCK = {}\n",
        "good_two": good.replace("}\n", '    "b.weights": %s,\n}\n' % weights),
        "good_commit": good.replace('float64"}', 'float64", "commit": "0123456789ab+dirty"}'),
        "good_quotes": good.replace("float64", 'replaced: \\"why\\" \\\\ not'),
        "empty": "",
        "call": good.replace('"embedded"', "open('x')"),
        "name": "LOCK = __import__('os').system('true')",
        "two_locks": good + good,
        "twice": good.replace("}\n", '    "a_fp32_b2": %s,\n}\n' % row, 1),
        "bom": "\ufeff" + good,
        "nul": good.replace("float64", "a\0b"),
        "digest_upper": good.replace("abcdef", "ABCDEF"),
        "digest_63": good.replace(digest, digest[1:]),
        "size_0": good.replace("4096", "0"),
        "size_negative": good.replace("4096", "-1"),
        "size_float": good.replace("4096", "4096.0"),
        "size_true": good.replace("4096", "True"),
        "size_2_64": good.replace("4096", str(2**64)),
        "size_long": good.replace("4096", "9" * 5000),
        "newer_field": good.replace('"size"', '"schema": 9, "size"'),
        "missing_field": good.replace(', "store": "embedded"', ""),
        "store": good.replace("embedded", "moon"),
        "key_up": good.replace("a_fp32_b2", "../x"),
        "key_absolute": good.replace("a_fp32_b2", "/x"),
        "key_backslash": good.replace("a_fp32_b2", "a\\\\b"),
        "key_newline": good.replace("a_fp32_b2", "a\\nb"),
        "key_case": good.replace("a_fp32_b2", "A_fp32_b2"),
        "key_device": good.replace("a_fp32_b2", "con"),
        "key_300": good.replace("a_fp32_b2", "x" * 300),
        "unclosed": "LOCK = {",
        "spread": "LOCK = {**x}",
        "depth_bomb": "LOCK = " + "{1:" * 500,
        "depth_bomb_unary": "LOCK = {'a': " + "-" * 3000 + "1}",
        "depth_bomb_parentheses": "LOCK = " + "(" * 250 + ")" * 250,
        "surrogate_escape": good.replace("float64", "\\ud800"),
        "bad_escape": good.replace("float64", "\\N{no such name}"),
    }
    for name, text in texts.items():
        yield name, text.encode("utf-8", "surrogatepass")
    yield "crlf", good.replace("\n", "\r\n").encode()
    yield "not_utf8", good.encode().replace(b"float64", b"\xff")
