"""Mistakes in tables, each made in a scratch package: the load or the build must fail and say what is allowed."""

import os
import re

from ci.check import BAZEL, ROOT, Check

_PACKAGE = "benchmarks/scratch_bad_definitions"
_ONE = _PACKAGE + "/one"
_MODEL = 'model("scratch", IMPLEMENTATION)'
_ROW = 'cases(dtypes = ["fp32"], batches = [1])'

_BUILD = """\
load("//defs:benchmarks.bzl", "benchmarks")
load("//defs:cases.bzl", "cases", "execution", "matching", "nondeterministic", "sgd", "skip", "training")
load("//defs:tolerances.bzl", "verify")
load("//defs:variants.bzl", "model", "parameter")
load("//models/mlp:variants.bzl", "IMPLEMENTATION")

benchmarks(
    cases = [%(cases)s],
    default_case = "%(default_case)s",
    library = "//models/mlp",
    models = [%(models)s],
)
"""


_OTHER_IMPLEMENTATION = (
    _MODEL + ', model("other", model_implementation(name = "mlp", description = "d", owner = "o", '
    'source_url = "u", reference = "OWN_FLOAT64", inputs = [], outputs = []))'
)
_OUT_OF_RANGE = "is out of range; 1 to 1048576"


def _row(more):
    return 'cases(dtypes = ["fp32"], batches = [1], %s)' % more


def _with(parameters):
    return 'model("scratch", IMPLEMENTATION, parameters = {%s})' % parameters


# {folder: (what a family of this table is made with, what is said of it)}.
_TABLES = {
    "dtype": (dict(cases='cases(dtypes = ["fp32", "fp17"], batches = [1])'),
              'Unknown enumeration value of "FP17" for field "dtype". One of: FP32, FP64, BF16, FP16'),
    "named_after_its_folder": (dict(replaced=[("\nbenchmarks(", '\nfilegroup(name = "named_after_its_folder")\n\nbenchmarks(')]),
                               'something else, such as "named_after_its_folder_model"'),
    "batch_zero": (dict(cases='cases(dtypes = ["fp32"], batches = [0])'), "cases: batch 0 " + _OUT_OF_RANGE),
    "batch_below_zero": (dict(cases='cases(dtypes = ["fp32"], batches = [-1])'), "cases: batch -1 " + _OUT_OF_RANGE),
    "batch_too_large": (dict(cases='cases(dtypes = ["fp32"], batches = [1 << 31])'), _OUT_OF_RANGE),
    "unknown_model": (dict(cases=_row('models = ["scrutch"]')), 'unknown model "scrutch"; one of scratch'),
    "unknown_field": (dict(cases='cases(dtypes = ["fp32"], batchs = [1])'), "batchs"),
    "unknown_parameter": (dict(models=_with('"hidden": 3')),
                          'unknown parameter "hidden"; mlp has: hidden_features, in_features, out_features'),
    "kind_of_parameter": (dict(models=_with('"hidden_features": "wide"')), "is of kind integer"),
    "two_models_of_one_name": (dict(models=_MODEL + ", " + _MODEL), 'two models are called "scratch"'),
    "two_cases_of_one_name": (dict(cases=_ROW + ", " + _ROW), 'two cases are called "scratch_fp32_b1"'),
    "two_implementations_of_one_name": (
        dict(models=_OTHER_IMPLEMENTATION, replaced=[('"model",', '"model", "model_implementation",')]),
        'two implementations are called "mlp"'),
    "skip_without_reason": (dict(cases=_row('skips = [skip("", device = "CPU")]')), "a reason is required"),
    "nondeterministic_without_reason": (dict(cases=_row('nondeterministic = [nondeterministic(" ")]')),
                                        "a reason is required; it is shown beside the verdict"),
    "limits_without_provenance": (dict(cases=_row('verify = verify("", rms_limit = 1.0, max_limit = 1.0)')),
                                  "limits without provenance are refused"),
    "rule_of_outputs": (dict(cases=_row('verify = verify("p", rule = "IOU", iou_min = 0.99)')),
                        "cannot be chosen; one of RELATIVE_TO_STD, ALLCLOSE, DYNAMO_SAME, COSINE, MEAN_RELATIVE, DETECTIONS"),
    "default_case": (dict(default_case="scratch_fp32_b2"), "is not one of its cases"),
    "execution": (dict(cases=_row('executions = [execution(memory_format = "sideways")]')),
                  'execution: memory_format "sideways"; one of contiguous, channels_last'),
    "optimizers": (dict(cases=_row('run = training(["adam"], loss = "mean")')),
                   "[sgd(learning_rate = 0.1, momentum = 0.9)] is one list"),
    "momentum": (dict(cases=_row('run = training([sgd(0.1, "high")], loss = "mean")')), 'sgd: momentum "high"; a number is allowed'),
    "momentum_below_zero": (
        dict(cases=_row('run = training([sgd(0.1, -1)], loss = "mean")'), default_case="scratch_fp32_b1_train"),
        "sgd: momentum -1 must be in [0, 1)"),
    "loss": (dict(cases=_row('run = training([sgd(0.1)], loss = "hinge")')), 'loss "hinge"; one of own, cross_entropy, sum, mean'),
    "suffix": (dict(more='parameter("mode", "text", suffix = "m", description = "d")\n'),
               "suffix \"m\" on kind text; only an integer's value is written in a case's name"),
    "head_of_a_text_model": (
        dict(models='model("scratch", transformers_model("scratch", "d", family = "mlp", parameters = [], inputs = [text.ids], '
                    'head = text.next_word_scores))',
             replaced=[('load("//models/mlp:', 'load("//models:transformers_model.bzl", "text", "transformers_model")\nload("//models/mlp:')]),
        "text.word_scores, text.next_word_scores() or text.head(outputs = [...]) is allowed"),
}

# {folder: (name of a case by hand, its text, what is said of it)}; $ is the folder's path and the name.
_BY_HAND = {
    "enum": ("scratch_fp17_b3", 'model: "scratch"\ndtype: FP17\nbatch: 3\n',
             '$.textproto:2: Unknown enumeration value of "FP17"'),
    "field": ("scratch_fp32_b3", 'model: "scratch"\ndtype: FP32\nbach: 3\n',
              '$.textproto:3: Message type "assay.BenchmarkCase" has no field named "bach". It has: name, model'),
    "name_of_the_table": ("scratch_fp32_b1", 'model: "scratch"\ndtype: FP32\nbatch: 1\n',
                          'two cases are called "scratch_fp32_b1"'),
    "file_and_name_differ": ("scratch_fp32_b3_seed7", 'model: "scratch"\nseed: 8\n',
                             "$.textproto: seed is 8, but the file's name says 7"),
    "no_part_of_a_name": ("scratch_fp32_b3_fast", 'model: "scratch"\n', "\"_fast\" is no part of a case's name here"),
    "spelling_of_a_name": ("scratch_fp32_b03", 'model: "scratch"\n', "what its name says is written scratch_fp32_b3"),
    "name_of_no_model": ("scrutch_fp32_b3", 'model: "scrutch"\n', "with one of the models scratch"),
}

_OPERATORS = """\
load("//defs:benchmarks.bzl", "benchmarks")
load("//defs:cases.bzl", "nondeterministic")
load("//defs:operator_limits.bzl", "sums")
load("//defs:operators.bzl", "at", "operator", "result")
load("//defs:variants.bzl", "input")

benchmarks(
    default_case = "product_fp32_m2_k3",
    operators = [operator(
        "product",
        call = "aten::mv",
        inputs = [input("self", ["m", "k"]), input("vec", ["k"])],
        outputs = [result("result", ["m"], sums("k"))],
        gradients = {"vec": sums("m")},
        rows = "m",
        sizes = [at(m = 2, k = 3)],
    )],
)
"""

# {folder: (the part of the row that is replaced, by what, what is said of it)}.
_ROWS = {
    "size": ('["k"])]', '["n"])]', '"n" in "n" is neither a number nor one of the sizes m, k'),
    "name_of_a_size": ("k = 3)", "K = 3)", "a size is called by lower-case letters and is an integer from 1 on"),
    "size_zero": ("k = 3)", "k = 0)", "a size is called by lower-case letters and is an integer from 1 on"),
    "sizes_that_differ": ("k = 3)]", "k = 3), at(m = 2)]", "sizes m, k here and m there; each at() names the same"),
    "gradient": ('{"vec"', '{"vector"', 'a gradient of "vector", which is no input; one of self, vec'),
    "rows": ('rows = "m"', 'rows = "b"', 'rows = "b"; one of the sizes m, k'),
    "nondeterministic": ('rows = "m"', 'nondeterministic = [nondeterministic("r", outputs = ["self.grad"])]',
                         'nondeterministic output "self.grad"; one of result, vec.grad'),
    "dtype": ('rows = "m"', 'dtypes = ["fp64"]', 'dtype "fp64"; one of bf16, fp16, fp32'),
    "error": ('["m"], sums("k")', '["m"], 0.1', "error 0.1; one of sums(), relative(), copies(), counts()"),
    "call": ('"aten::mv"', '"mv"', "name 'mv' is no operator"),
    "two_inputs_of_one_name": ('input("vec", ["k"])', 'input("vec", ["k"]), input("vec", ["k"])', "two inputs are called 'vec'"),
}


class _Family(Check):
    """Families around the mlp's code, in a tree of its own behind the checkout."""

    def family(self, cases=_ROW, models=_MODEL, default_case="scratch_fp32_b1", replaced=(), more="", by_hand=(), folder="one"):
        """Writes a family to `folder`, with cases by hand, each (its name, its text)."""
        text = _BUILD % {"cases": cases, "models": models, "default_case": default_case}
        self.package_of(text, replaced, more, folder)
        for name, case in by_hand:
            self.write(os.path.join(self.scratch, _PACKAGE, folder, name + ".textproto"), case)

    def package_of(self, text, replaced=(), more="", folder="one"):
        for old, new in replaced:
            self.assertIn(old, text)
            text = text.replace(old, new)
        os.makedirs(os.path.join(self.scratch, _PACKAGE, folder), exist_ok=True)
        self.write(os.path.join(self.scratch, _PACKAGE, folder, "BUILD.bazel"), text + more)

    def bazel(self, command, *arguments, texts=(), code=0):
        flag = "--package_path=%%workspace%%:%s" % self.scratch
        return self.expect([BAZEL, command, flag, *arguments], *texts, code=code)

    def builds(self, target):
        self.bazel("build", "//%s:%s" % (_ONE, target))

    def cases_json(self):
        return self.read(os.path.join(ROOT, "bazel-bin", _ONE, "cases.json"))

    def each_fails(self, texts):
        """Builds the cases of all packages {folder: text} at once, which takes no longer than one; fails unless each has an
        error of its own, with its text."""
        targets = ["//%s/%s:cases" % (_PACKAGE, folder) for folder in texts]
        said = self.bazel("build", "--keep_going", *targets, code=1)
        errors = re.split("^ERROR: ", said.stdout + said.stderr, flags=re.M)
        for folder, text in texts.items():
            with self.subTest(folder):
                own = [error for error in errors if "/%s/%s/" % (_PACKAGE, folder) in error]
                if not any(text in error for error in own):
                    self.fail("\n%snot said of %s: %s" % ("".join(own), folder, text))


class Refused(_Family):
    def test_tables(self):
        """tables: each mistake is refused, and what is allowed is said"""
        for folder, (made_with, _) in _TABLES.items():
            self.family(folder=folder, **made_with)
        self.each_fails({folder: text for folder, (_, text) in _TABLES.items()})

    def test_by_hand(self):
        """by hand: each mistake in a case's file or in its name is refused, with file and line"""
        for folder, (name, case, _) in _BY_HAND.items():
            self.family(folder=folder, by_hand=[(name, case)])
        self.each_fails({folder: text.replace("$", "%s/%s/%s" % (_PACKAGE, folder, name))
                         for folder, (name, _, text) in _BY_HAND.items()})

    def test_operators(self):
        """operators: each mistake in a row is refused when its table is loaded or its cases are built"""
        for folder, (old, new, _) in _ROWS.items():
            self.package_of(_OPERATORS, [(old, new)], folder=folder)
        self.each_fails({folder: text for folder, (_, _, text) in _ROWS.items()})


class Built(_Family):
    def test_executions(self):
        """table: executions end the names, and share the reference"""
        self.family(
            'cases(dtypes = ["fp32"], batches = [1, 8], '
            'executions = [execution(), execution(memory_format = "channels_last", autocast = "bf16")])'
        )
        self.builds("cases")
        self.assertEqual(len(re.findall('^.*"key": "scratch_fp32_b2".*$', self.cases_json(), re.M)), 4)
        tests = self.bazel("query", "kind(case_test, //%s:all)" % _ONE).stdout.split()
        kinds = ["accuracy", "channels_last_autocast_bf16_accuracy", "channels_last_autocast_bf16_smoke", "smoke"]
        self.assertEqual(sorted(tests), ["//%s:scratch_fp32_b8_%s_test" % (_ONE, kind) for kind in kinds])

    def test_back_end_of_a_row(self):
        """table: a row's back end is linked into the family's runner, which lacks it otherwise"""
        link = "//benchmarks/backends:torchscript"
        for folder, row, linked in [("one", _ROW, []), ("other", _row('executions = [execution(backend = "torchscript")]'), [link])]:
            self.family(row, default_case="scratch_fp32_b1" + ("_torchscript" if linked else ""), folder=folder)
            found = self.bazel("query", "deps(//%s/%s:runner, 1) intersect %s" % (_PACKAGE, folder, link))
            self.assertEqual(found.stdout.split(), linked)

    def test_two_implementations(self):
        """table: two implementations, one runner, both run"""
        image = 'model("scratch_image", RESNET, parameters = {"block": "basic", "layers": [1, 1, 1, 1], "resolution": 64})'
        self.family(models=_MODEL + ", " + image, replaced=[
            ('load("//models/mlp:', 'load("//models/resnet:variants.bzl", RESNET = "IMPLEMENTATION")\nload("//models/mlp:'),
            ('"//models/mlp",', '["//models/mlp", "//models/resnet"],'),
        ])
        self.bazel("test", "//%s:smoke_tests" % _ONE)
        self.assertGreaterEqual(self.cases_json().count('"description"'), 2)

    def test_no_lock_entry(self):
        """a case without a lock entry: its tests say how to make one"""
        self.family()
        test = "//%s:scratch_fp32_b1_accuracy_test" % _ONE
        how = "tools/bazel run //tools:generate_artifacts -- --filter='^scratch_fp32_b2$'"
        self.bazel("test", test, texts=[how], code=1)
        self.bazel("test", "//%s/..." % _ONE, texts=[how, "alone: tools/bazel test " + test], code=3)

    def test_by_hand(self):
        """by hand: a good case becomes a target, and a seed in file and name finds its own reference"""
        self.family(by_hand=[("scratch_fp32_b3", 'model: "scratch"\ndtype: FP32\nbatch: 3\n'),
                             ("scratch_fp32_b3_seed7", 'model: "scratch"\nseed: 7\n')])
        self.builds("scratch_fp32_b3")
        self.builds("scratch_fp32_b3_seed7")
        self.assertIn('"key": "scratch_fp32_b2_seed7"', self.cases_json())

    def test_operators(self):
        """operators: what is wrong with a row, when a case of it runs"""
        for folder, old, new, text, code in [
            ("operator", "aten::mv", "aten::mw", "there is no operator 'aten::mw'; the nearest names are ", 1),
            ("argument", '"self", ["m"', '"matrix", ["m"', "has no argument 'matrix'; its schema is aten::mv(", 1),
            ("shape", 'result("result", ["m"]', 'result("result", ["k"]', 'output "result" has shape [2]', 1),
            ("right", "aten::mv", "aten::mv", "verdict   PASS", 0),
        ]:
            self.package_of(_OPERATORS, [(old, new)], folder=folder)
            self.bazel("run", "//%s/%s:product_fp32_m2_k3" % (_PACKAGE, folder), "--", "--action=verify", texts=[text], code=code)
