"""A package outside benchmarks/ whose table or lock is broken, hostile or another package's: the error names it, and
other packages work.

The package lies in the checkout, because tools/bazel, the locks' reader and the tools look for packages there.
"""

import os

from ci.check import BAZEL, ROOT, Check

_PACKAGE = "third_party_scratch"
_CASES = 'cases(dtypes = ["fp32"], batches = [1])'
_NO_ROWS = "LOCK = {}\n"
_ROW = ('LOCK = {\n    "%%s": {"sha256": "%s", "size": 100, "store": "bucket", "provenance": "p", '
        '"commit": "0123456789ab"},\n}\n' % ("1" * 64))

_BUILD = """\
load("//defs:benchmarks.bzl", "benchmarks")
load("//defs:cases.bzl", "cases")
load("//defs:variants.bzl", "model")
load("//models/mlp:variants.bzl", "IMPLEMENTATION")
load(":lock.bzl", "LOCK")

benchmarks(
    cases = [%(cases)s],
    default_case = "%(model)s_fp32_b1",
    library = "//models/mlp",
    %(lock)s
    models = [model("%(model)s", IMPLEMENTATION)],
)
"""


class ThirdParty(Check):
    def bazel(self, *words, texts=(), code=0):
        return self.expect([BAZEL, *words], *texts, code=code)

    def make(self, lock, cases=_CASES, lock_argument="lock = LOCK,", model="scratch"):
        """A package around the mlp's code."""
        folder = os.path.join(ROOT, _PACKAGE)
        self.package(folder, _BUILD % {"cases": cases, "lock": lock_argument, "model": model})
        self.write(os.path.join(folder, "lock.bzl"), lock)

    def does_not_build(self, *texts):
        self.bazel("build", "//%s:cases" % _PACKAGE, texts=texts, code=1)

    def is_told(self, *texts):
        self.bazel("test", "//artifacts:lock_test", texts=texts, code=3)

    def others_work(self):
        """The tree's own packages load and build, and their tests are found."""
        self.bazel("build", "//benchmarks/mlp:cases", "//benchmarks/resnet:cases")
        self.bazel("query", "tests(//benchmarks/mlp:tests)", texts=["//benchmarks/mlp:cases_test"])

    def test_table(self):
        """third party: a broken table fails alone, and the others load"""
        self.make(_NO_ROWS, cases='cases(dtypes = ["fp32"], batches = [0])')
        self.does_not_build("batch 0 is out of range")
        self.others_work()

    def test_table_syntax(self):
        """third party: a table that is no Starlark fails alone"""
        self.make(_NO_ROWS, cases="cases(")
        self.does_not_build()
        self.others_work()

    def test_lock_syntax(self):
        """third party: a lock that is no Starlark fails alone, and is told"""
        self.make("LOCK = {<<<<<<<\n")
        self.does_not_build()
        self.others_work()
        self.is_told("//%s: %s/lock.bzl: line 1" % (_PACKAGE, _PACKAGE))

    def test_lock_that_runs(self):
        """third party: a lock that would run something is read by nobody but its own package"""
        self.make('LOCK = dict(a = fail("ran"))\n')
        self.others_work()
        self.is_told(_PACKAGE + "/lock.bzl: line 1")

    def test_key_of_another(self):
        """third party: a lock with another's key is told with both packages"""
        self.make(_ROW % "mlp_fp32_b2")
        self.others_work()
        self.is_told("//benchmarks/mlp and //%s both have a row 'mlp_fp32_b2'" % _PACKAGE)
        self.bazel("run", "//tools:artifacts", "--", "list", texts=['both have a row "mlp_fp32_b2"'], code=2)

    def test_lock_not_loaded(self):
        """third party: a lock that nobody loads is told"""
        self.make(_NO_ROWS, lock_argument="")
        self.does_not_build("lock.bzl is here and benchmarks() does not get it")
        self.others_work()

    def test_blob_nowhere(self):
        """third party: a lock row whose blob is nowhere is ARTIFACT_UNAVAILABLE for its own test alone"""
        self.make(_ROW % "scratch_fp32_b2")
        self.bazel("test", "--config=bucket", "//%s:scratch_fp32_b1_accuracy_test" % _PACKAGE,
                   texts=["%s/blobs/, %s/staged/, ASSAY_BUCKET" % (_PACKAGE, _PACKAGE)], code=1)
        self.others_work()

    def test_model_of_another(self):
        """third party: two packages with one model are told when all cases are listed"""
        self.make(_NO_ROWS, model="mlp")
        self.bazel("build", "//benchmarks:registry", texts=["both have a model 'mlp'"], code=1)
        self.others_work()
