"""A fault made on purpose is named, from a case's runner to the line that a person reads. Needs torch; manual:

    tools/bazel test //tools/locate:locate_test
"""

import os
import shutil
import tempfile
import unittest
from unittest import mock

from tools.artifacts.checkpoints.case_command import CaseCommand
from tools.locate import comparison, locate


class LocateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def written(self, case, *flags):
        """The folder of layers that the case's runner writes."""
        layers = os.path.join(self.folder, "layers")
        shutil.rmtree(layers, ignore_errors=True)
        os.mkdir(layers)
        done = CaseCommand("benchmarks/mlp", case, self.folder).run("--export-layers=" + layers, *flags)
        self.assertEqual(done.returncode, 0, done.stderr)
        return layers

    def located(self, case, *flags):
        code, lines = locate.report(comparison.compare(self.written(case, *flags), os.getcwd()))
        return code, lines[0].split(None, 1)[1]

    def test_honest_code_has_no_fault(self):
        for case in ("mlp_fp32_b1", "mlp_bf16_b1", "mlp_fp32_b8_train"):
            code, line = self.located(case)
            self.assertEqual(code, 0, line)
            self.assertRegex(line, r"^EQUAL +no layer is off: 3 layer calls give what torch.nn 2\S+ gives, (exactly|to \de-1\d of std)$")

    def test_the_layer_that_is_scaled_is_named(self):
        for layer in ("0", "2", "4"):
            code, line = self.located("mlp_fp32_b1", "--mistake=scaled_" + layer)
            self.assertEqual(code, 1)
            self.assertRegex(line, r"^OFF +%s: its output is wrong \(rms 1\.\de-02 of std\), its input is right \((exactly|to \de-1\d of std)\)$" % layer)

    def test_the_gradient_that_is_missing_is_named(self):
        code, line = self.located("mlp_fp32_b8_train", "--mistake=missing_gradient")
        self.assertEqual(code, 1)
        self.assertRegex(line, r"^OFF +2\.bias: rms \S+ of std, the first gradient that is off")

    def test_a_reference_script_that_is_not_in_the_workspace_is_said(self):
        layers = self.written("mlp_fp32_b1")
        with mock.patch.dict(os.environ, BUILD_WORKSPACE_DIRECTORY=self.folder), mock.patch("sys.stderr") as errors:
            self.assertEqual(locate.main(["--delete", layers]), 2)
        said = "".join(call.args[0] for call in errors.write.call_args_list)
        self.assertIn("models/mlp/reference.py: there is no such file", said)
        self.assertFalse(os.path.exists(layers))


if __name__ == "__main__":
    unittest.main()
