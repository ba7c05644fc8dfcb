"""Mistakes in tables, each made in a scratch package: the load or the build must fail and say what is allowed."""

import os
import re

from ci.check import BAZEL, ROOT, Check

_PACKAGE = "benchmarks/scratch_bad_definitions"
_MODEL = 'model("scratch", IMPLEMENTATION)'
_ROW = 'cases(dtypes = ["fp32"], batches = [1])'

_BUILD = """\
load("//defs:benchmarks.bzl", "benchmarks")
load("//defs:cases.bzl", "cases", "execution", "matching", "sgd", "skip", "training")
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


class _Family(Check):
    """A family of one input around the mlp's code, in a tree of its own behind the checkout."""

    def family(self, cases=_ROW, models=_MODEL, default_case="scratch_fp32_b1", replaced=(), more=""):
        text = _BUILD % {"cases": cases, "models": models, "default_case": default_case}
        for old, new in replaced:
            self.assertIn(old, text)
            text = text.replace(old, new)
        os.makedirs(os.path.join(self.scratch, _PACKAGE), exist_ok=True)
        self.write(os.path.join(self.scratch, _PACKAGE, "BUILD.bazel"), text + more)

    def by_hand(self, case, text):
        self.write(os.path.join(self.scratch, _PACKAGE, case + ".textproto"), text)

    def bazel(self, command, *arguments, texts=(), code=0):
        flag = "--package_path=%%workspace%%:%s" % self.scratch
        return self.expect([BAZEL, command, flag, *arguments], *texts, code=code)

    def builds(self, target):
        self.bazel("build", "//%s:%s" % (_PACKAGE, target))

    def cases_json(self):
        return self.read(os.path.join(ROOT, "bazel-bin", _PACKAGE, "cases.json"))

    def fails_with(self, text):
        self.bazel("build", "//%s:cases" % _PACKAGE, texts=[text], code=1)


class Table(_Family):
    def test_dtype(self):
        """table: a wrong dtype"""
        self.family('cases(dtypes = ["fp32", "fp17"], batches = [1])')
        self.fails_with('Unknown enumeration value of "FP17" for field "dtype". One of: FP32, FP64, BF16, FP16')

    def test_name_of_the_folder(self):
        """table: a family named after the folder that its cases are in, too"""
        other = 'filegroup(name = "scratch_bad_definitions")'
        self.family(replaced=[("\nbenchmarks(", "\n%s\n\nbenchmarks(" % other)])
        self.fails_with('something else, such as "scratch_bad_definitions_model"')

    def test_batch_zero(self):
        """table: batch 0"""
        self.family('cases(dtypes = ["fp32"], batches = [0])')
        self.fails_with("cases: batch 0 is out of range; 1 to 1048576")

    def test_batch_below_zero(self):
        """table: batch -1"""
        self.family('cases(dtypes = ["fp32"], batches = [-1])')
        self.fails_with("cases: batch -1 is out of range; 1 to 1048576")

    def test_batch_too_large(self):
        """table: batch 2^31"""
        self.family('cases(dtypes = ["fp32"], batches = [1 << 31])')
        self.fails_with("is out of range; 1 to 1048576")

    def test_unknown_model(self):
        """table: an unknown model"""
        self.family('cases(models = ["scrutch"], dtypes = ["fp32"], batches = [1])')
        self.fails_with('unknown model "scrutch"; one of scratch')

    def test_unknown_field(self):
        """table: an unknown field"""
        self.family('cases(dtypes = ["fp32"], batchs = [1])')
        self.fails_with("batchs")

    def test_unknown_parameter(self):
        """table: an unknown model parameter"""
        self.family(models='model("scratch", IMPLEMENTATION, parameters = {"hidden": 3})')
        self.fails_with('unknown parameter "hidden"; mlp has: hidden_features, in_features, out_features')

    def test_kind_of_parameter(self):
        """table: a parameter of another kind"""
        self.family(models='model("scratch", IMPLEMENTATION, parameters = {"hidden_features": "wide"})')
        self.fails_with("is of kind integer")

    def test_two_models_of_one_name(self):
        """table: two models of one name"""
        self.family(models=_MODEL + ", " + _MODEL)
        self.fails_with('two models are called "scratch"')

    def test_two_cases_of_one_name(self):
        """table: two cases of one name"""
        self.family(_ROW + ", " + _ROW)
        self.fails_with('two cases are called "scratch_fp32_b1"')

    def test_skip_without_reason(self):
        """table: a skip without a reason"""
        self.family('cases(dtypes = ["fp32"], batches = [1], skips = [skip("", device = "CPU")])')
        self.fails_with("a reason is required")

    def test_limits_without_provenance(self):
        """table: limits without provenance"""
        self.family('cases(dtypes = ["fp32"], batches = [1], verify = verify("", rms_limit = 1.0, max_limit = 1.0))')
        self.fails_with("limits without provenance are refused")

    def test_rule_of_outputs(self):
        """table: a rule that only outputs have"""
        self.family('cases(dtypes = ["fp32"], batches = [1], verify = verify("p", rule = "IOU", iou_min = 0.99))')
        self.fails_with("cannot be chosen; one of RELATIVE_TO_STD, ALLCLOSE, DYNAMO_SAME, COSINE, MEAN_RELATIVE")

    def test_default_case(self):
        """table: a default case that is none"""
        self.family(default_case="scratch_fp32_b2")
        self.fails_with("is not one of its cases")

    def test_executions(self):
        """table: executions end the names, and share the reference"""
        self.family(
            'cases(dtypes = ["fp32"], batches = [1, 8], '
            'executions = [execution(), execution(memory_format = "channels_last", autocast = "bf16")])'
        )
        self.builds("cases")
        self.assertEqual(len(re.findall('^.*"key": "scratch_fp32_b2".*$', self.cases_json(), re.M)), 4)
        tests = self.bazel("query", "kind(case_test, //%s:all)" % _PACKAGE).stdout.split()
        kinds = ["accuracy", "channels_last_autocast_bf16_accuracy", "channels_last_autocast_bf16_smoke", "smoke"]
        self.assertEqual(sorted(tests), ["//%s:scratch_fp32_b8_%s_test" % (_PACKAGE, kind) for kind in kinds])

    def test_back_end_of_a_row(self):
        """table: a row's back end is linked into the family's runner, which lacks it otherwise"""
        link = "//benchmarks/backends:torchscript"
        for row, linked in [(_ROW, []), (_ROW[:-1] + ', executions = [execution(backend = "torchscript")])', [link])]:
            self.family(row, default_case="scratch_fp32_b1" + ("_torchscript" if linked else ""))
            found = self.bazel("query", "deps(//%s:runner, 1) intersect %s" % (_PACKAGE, link))
            self.assertEqual(found.stdout.split(), linked)

    def test_execution(self):
        """table: an execution that is none"""
        self.family('cases(dtypes = ["fp32"], batches = [1], executions = [execution(memory_format = "sideways")])')
        self.fails_with('execution: memory_format "sideways"; one of contiguous, channels_last')

    def test_optimizer(self):
        """table: an optimizer that is none, momenta that are none, a loss that is none"""
        self.family('cases(dtypes = ["fp32"], batches = [1], run = training(["adam"], loss = "mean"))')
        self.fails_with("[sgd(learning_rate = 0.1, momentum = 0.9)] is one list")
        self.family('cases(dtypes = ["fp32"], batches = [1], run = training([sgd(0.1, "high")], loss = "mean"))')
        self.fails_with('sgd: momentum "high"; a number is allowed')
        self.family('cases(dtypes = ["fp32"], batches = [1], run = training([sgd(0.1, -1)], loss = "mean"))', default_case="scratch_fp32_b1_train")
        self.fails_with("sgd: momentum -1 must be in [0, 1)")
        self.family('cases(dtypes = ["fp32"], batches = [1], run = training([sgd(0.1)], loss = "hinge"))')
        self.fails_with('loss "hinge"; one of own, cross_entropy, sum, mean')

    def test_suffix(self):
        """table: a suffix on a parameter that is no integer"""
        self.family(more='parameter("mode", "text", suffix = "m", description = "d")\n')
        self.fails_with("suffix \"m\" on kind text; only an integer's value is written in a case's name")

    def test_implementations_of_one_name(self):
        """table: two implementations of one name"""
        self.family(models=_MODEL + ', model("other", model_implementation(name = "mlp", description = "d", owner = "o", '
                    'source_url = "u", reference = "OWN_FLOAT64", inputs = [], outputs = []))',
                    replaced=[('"model",', '"model", "model_implementation",')])
        self.fails_with("two implementations are called \"mlp\"")

    def test_two_implementations(self):
        """table: two implementations, one runner, both run"""
        image = 'model("scratch_image", RESNET, parameters = {"block": "basic", "layers": [1, 1, 1, 1], "resolution": 64})'
        self.family(models=_MODEL + ", " + image, replaced=[
            ('load("//models/mlp:', 'load("//models/resnet:variants.bzl", RESNET = "IMPLEMENTATION")\nload("//models/mlp:'),
            ('"//models/mlp",', '["//models/mlp", "//models/resnet"],'),
        ])
        self.bazel("test", "//%s:smoke_tests" % _PACKAGE)
        self.assertGreaterEqual(self.cases_json().count('"description"'), 2)

    def test_no_lock_entry(self):
        """a case without a lock entry: its tests say how to make one"""
        self.family()
        test = "//%s:scratch_fp32_b1_accuracy_test" % _PACKAGE
        how = "tools/bazel run //tools:generate_artifacts -- --filter='^scratch_fp32_b2$'"
        self.bazel("test", test, texts=[how], code=1)
        self.bazel("test", "//%s/..." % _PACKAGE, texts=[how, "alone: tools/bazel test " + test], code=3)


class ByHand(_Family):
    def setUp(self):
        super().setUp()
        self.family()

    def test_enum(self):
        """by hand: a wrong enum, with file and line"""
        self.by_hand("scratch_fp17_b3", 'model: "scratch"\ndtype: FP17\nbatch: 3\n')
        self.fails_with('%s/scratch_fp17_b3.textproto:2: Unknown enumeration value of "FP17"' % _PACKAGE)

    def test_field(self):
        """by hand: an unknown field, with file and line"""
        self.by_hand("scratch_fp32_b3", 'model: "scratch"\ndtype: FP32\nbach: 3\n')
        self.fails_with('%s/scratch_fp32_b3.textproto:3: Message type "assay.BenchmarkCase" has no field named "bach". '
                        'It has: name, model' % _PACKAGE)

    def test_name_of_the_table(self):
        """by hand: a name that the table has"""
        self.by_hand("scratch_fp32_b1", 'model: "scratch"\ndtype: FP32\nbatch: 1\n')
        self.fails_with('two cases are called "scratch_fp32_b1"')

    def test_good(self):
        """by hand: a good case becomes a target"""
        self.by_hand("scratch_fp32_b3", 'model: "scratch"\ndtype: FP32\nbatch: 3\n')
        self.builds("scratch_fp32_b3")

    def test_seed(self):
        """by hand: a seed in file and name finds its own reference"""
        self.by_hand("scratch_fp32_b3_seed7", 'model: "scratch"\nseed: 7\n')
        self.builds("scratch_fp32_b3_seed7")
        self.assertIn('"key": "scratch_fp32_b2_seed7"', self.cases_json())

    def test_file_and_name_differ(self):
        """by hand: a file and a name that differ, both named"""
        self.by_hand("scratch_fp32_b3_seed7", 'model: "scratch"\nseed: 8\n')
        self.fails_with("%s/scratch_fp32_b3_seed7.textproto: seed is 8, but the file's name says 7" % _PACKAGE)

    def test_no_part_of_a_name(self):
        """by hand: a name that has more than a name may have"""
        self.by_hand("scratch_fp32_b3_fast", 'model: "scratch"\n')
        self.fails_with("\"_fast\" is no part of a case's name here")

    def test_spelling_of_a_name(self):
        """by hand: a name that is written otherwise"""
        self.by_hand("scratch_fp32_b03", 'model: "scratch"\n')
        self.fails_with("what its name says is written scratch_fp32_b3")

    def test_name_of_no_model(self):
        """by hand: a name of no model here"""
        self.by_hand("scrutch_fp32_b3", 'model: "scrutch"\n')
        self.fails_with("with one of the models scratch")


_OPERATORS = """\
load("//defs:benchmarks.bzl", "benchmarks")
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


class Operators(_Family):
    def row(self, old, new):
        self.assertIn(old, _OPERATORS)
        os.makedirs(os.path.join(self.scratch, _PACKAGE), exist_ok=True)
        self.write(os.path.join(self.scratch, _PACKAGE, "BUILD.bazel"), _OPERATORS.replace(old, new))

    def test_tables(self):
        """operators: what is wrong with a row, when its table is loaded"""
        for old, new, text in [
            ('["k"])]', '["n"])]', '"n" in "n" is neither a number nor one of the sizes m, k'),
            ("k = 3)", "K = 3)", "a size is called by lower-case letters and is an integer from 1 on"),
            ("k = 3)", "k = 0)", "a size is called by lower-case letters and is an integer from 1 on"),
            ("k = 3)]", "k = 3), at(m = 2)]", "sizes m, k here and m there; each at() names the same"),
            ('{"vec"', '{"vector"', 'a gradient of "vector", which is no input; one of self, vec'),
            ('rows = "m"', 'rows = "b"', 'rows = "b"; one of the sizes m, k'),
            ('rows = "m"', 'dtypes = ["fp64"]', 'dtype "fp64"; one of bf16, fp16, fp32'),
            ('["m"], sums("k")', '["m"], 0.1', "error 0.1; one of sums(), relative(), copies(), counts()"),
        ]:
            self.row(old, new)
            self.fails_with(text)

    def test_cases(self):
        """operators: what is wrong with a row, when its cases are built"""
        self.row('"aten::mv"', '"mv"')
        self.fails_with("name 'mv' is no operator")
        self.row('input("vec", ["k"])', 'input("vec", ["k"]), input("vec", ["k"])')
        self.fails_with("two inputs are called 'vec'")

    def test_runs(self):
        """operators: what is wrong with a row, when a case of it runs"""
        for old, new, text, code in [
            ("aten::mv", "aten::mw", "there is no operator 'aten::mw'; the nearest names are ", 1),
            ('"self", ["m"', '"matrix", ["m"', "has no argument 'matrix'; its schema is aten::mv(", 1),
            ('result("result", ["m"]', 'result("result", ["k"]', 'output "result" has shape [2]', 1),
            ("aten::mv", "aten::mv", "verdict   PASS", 0),
        ]:
            self.row(old, new)
            self.bazel("run", "//%s:product_fp32_m2_k3" % _PACKAGE, "--", "--action=verify", texts=[text], code=code)
