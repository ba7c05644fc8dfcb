import os
import tempfile
import unittest
from unittest import mock

from artifacts.format import lock_table
from tools.export import fetch_module

_DIGEST, _BLOB = "0123456789abcdef" * 4, "a" * 64
_ROW = lock_table.Row(_BLOB, 4, "bucket", "a test", role="onnx")


class FetchModule(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, self.out = folder.name, os.path.join(folder.name, "file.onnx")
        lock_table.write(os.path.join(self.root, "lock.bzl"), {"toy_fp32_b2.%s.onnx" % _DIGEST: _ROW})
        self.blob = os.path.join(self.root, "external", "x~blob_" + _BLOB[:16])
        os.makedirs(self.blob)
        with open(os.path.join(self.blob, _BLOB + ".onnx"), "w") as file:
            file.write("file")
        os.makedirs(os.path.join(self.root, "tools"))
        self.bazel('[ "$*" = "info output_base" ] && echo %s || [ "$3" = @assay_blobs//:%s ]' % (self.root, _BLOB))

    def bazel(self, text):
        path = os.path.join(self.root, "tools", "bazel")
        with open(path, "w") as file:
            file.write("#!/bin/sh\n%s\n" % text)
        os.chmod(path, 0o755)

    def fetch(self, digest=_DIGEST, format="onnx"):
        """(exit code, what was said)."""
        words = ["--lock=lock.bzl", "--digest=" + digest, "--format=" + format, "--out=" + self.out]
        with mock.patch("builtins.print") as printed:
            code = fetch_module.main(words, self.root)
        return code, " ".join(str(call.args[0]) for call in printed.call_args_list)

    def test_bazel_fetches_what_the_lock_has(self):
        self.assertEqual((0, ""), self.fetch())
        with open(self.out) as file:
            self.assertEqual("file", file.read())

    def test_nothing_is_left_where_there_is_none(self):
        self.assertEqual(4, self.fetch(digest="f" * 64)[0])
        self.assertEqual(4, self.fetch(format="pt2")[0])
        self.bazel("echo no such bucket >&2; exit 1")
        self.assertEqual((2, "fetch_module: no such bucket"), self.fetch())
        self.bazel("echo %s/elsewhere" % self.root)
        self.assertRegex(self.fetch()[1], "is not below")
        self.assertFalse(os.path.exists(self.out))


if __name__ == "__main__":
    unittest.main()
