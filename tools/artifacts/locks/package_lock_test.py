"""Each package's lock and its blobs in the tree agree with each other and with the format.

One process reads the locks of all packages, and names a failed test by its package. Those of one package:

  tools/bazel test //tools/artifacts/locks:package_lock_test --test_arg=-k --test_arg=benchmarks/mlp
"""

import functools
import glob
import hashlib
import os
import unittest

from artifacts.format import lock_table, reference_blob

_MEND = "; fix: tools/bazel run //tools:generate_artifacts -- --filter=."


def _can_fail(output):
    """Whether a program that computes something else can be told by this output.

    Floats in number must differ: were they all alike, swapped rows or elements would pass. One number cannot be swapped,
    and its scale is its own size, so a relative error shows, unless it is zero, which memory that nobody wrote may hold
    as well. Integers are compared by EXACT, which needs no spread; few labels may be alike, and again not all zero.
    """
    whole_numbers = all(v == int(v) for v in output.values)
    return output.stats.std > 0 or ((len(output.values) == 1 or whole_numbers) and output.stats.largest > 0)


@functools.lru_cache(maxsize=None)
def _decoded(path):
    with open(path, "rb") as f:
        return reference_blob.decode(f.read())


class _PackageLock(unittest.TestCase):
    """The tests of `package`, which a subclass for each lock gives (load_tests)."""

    package = ""

    @classmethod
    def setUpClass(cls):
        cls.store = "artifacts" if cls.package.startswith("benchmarks/") else cls.package
        cls.table = lock_table.read(os.path.join(cls.package, "lock.bzl"))
        paths = {row.object_name: os.path.join(cls.store, "blobs", row.object_name) for row in cls.table.values()}
        cls.blobs = {name: path for name, path in paths.items() if os.path.isfile(path)}

    def test_every_embedded_row_has_its_blob_with_that_digest_and_size(self):
        for key, row in self.table.items():
            name = row.object_name
            if row.store != lock_table.EMBEDDED:
                continue
            with self.subTest(key=key):
                self.assertIn(name, self.blobs, "not in %s/blobs%s" % (self.store, _MEND))
                with open(self.blobs[name], "rb") as f:
                    data = f.read()
                self.assertEqual(row.size, len(data))
                self.assertEqual(row.sha256, hashlib.sha256(data).hexdigest())

    def test_every_blob_in_the_tree_is_well_formed_and_finite(self):
        for name, path in self.blobs.items():
            with self.subTest(blob=name):
                outputs, metadata = _decoded(path)
                self.assertTrue(outputs)
                self.assertIn("provenance", metadata)

    def test_no_output_is_so_constant_that_a_comparison_cannot_fail(self):
        for name, path in self.blobs.items():
            for output, content in _decoded(path)[0].items():
                with self.subTest(blob=name, output=output):
                    self.assertTrue(_can_fail(content), "its elements are all %r" % content.values[0])

    def test_float32_values_are_of_bf16_and_fp16_alone(self):
        for key, row in self.table.items():
            if row.role or row.object_name not in self.blobs:
                continue
            with self.subTest(key=key):
                outputs, metadata = _decoded(self.blobs[row.object_name])
                dtypes = {output.dtype for output in outputs.values()}
                if metadata.get("rounding") not in ("bf16", "fp16"):
                    self.assertEqual({"F64"}, dtypes, "the limits of float64 are below float32's rounding")

    def test_float32_and_float64_cases_of_one_workload_share_their_blob(self):
        for key, row in self.table.items():
            twin = key.replace("_fp32_", "_fp64_")
            if twin != key and twin in self.table:
                with self.subTest(key=key):
                    self.assertEqual(row.sha256, self.table[twin].sha256)

    def test_a_commit_explains_every_row(self):
        unexplained = [key for key, row in self.table.items() if not row.commit or row.commit.endswith("+dirty")]
        self.assertEqual([], unexplained, "commit the tree, then compute these again" + _MEND)

    def test_inputs_weights_and_modules_are_too_large_for_the_tree(self):
        self.assertEqual([], [key for key, row in self.table.items() if row.role and row.store == lock_table.EMBEDDED])

    def test_the_file_is_what_the_generator_would_write(self):
        with open(os.path.join(self.package, "lock.bzl"), encoding="utf-8") as f:
            self.assertEqual(lock_table.render(self.table), f.read())


def load_tests(loader, _, __):
    """As unittest asks for: each test of each package that has a lock among the test's files."""
    packages = sorted(os.path.dirname(path) for path in glob.glob("**/lock.bzl", recursive=True))
    if not packages:
        raise RuntimeError("no lock.bzl here; run //tools/artifacts/locks:package_lock_test")
    cases = [type("PackageLock[%s]" % package, (_PackageLock,), {"package": package}) for package in packages]
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in cases)


if __name__ == "__main__":
    unittest.main()
