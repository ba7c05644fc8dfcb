"""The command line, and the text of files that need no torch."""

import os
import tempfile
import unittest

from artifacts.fetch.ending import SurroundingsError, UsageError
from tools.new_model import new_model, package_files
from tools.new_model.package_files import Layer, ModuleClass, OwnTensor, Read, Tensor


def _read(**changed):
    root = ModuleClass("MyNet", (Layer("fc", "Linear", ".in = 4, .out = 2", "core:linear"),), (), (), ("x",), "def forward(self, x):\n    return self.fc(x)")
    of_all = dict(file="my_module.py", source="import torch\n", expression="MyNet()", root=root, classes=(root,),
                  inputs=(Tensor("x", ("batch", 4), "", 0),), outputs=(Tensor("output", ("batch", 2), "", 0),), outputs_as="tensor",
                  keeps_statistics=False, tied=())
    return Read(**{**of_all, **changed})


class PackageFilesTest(unittest.TestCase):
    def test_the_folder_and_the_family_have_different_names(self):
        # The folder's own label is the default case.
        self.assertIn("my_net_model.cc", package_files.files(_read(), "my_net", "models/my_net"))
        self.assertIn("my_net.cc", package_files.files(_read(), "my_net", "models/mine"))

    def test_names(self):
        for name, want in (("MyNet", "my_net"), ("ResNet50", "res_net50"), ("LSTMTagger", "lstm_tagger"), ("net", "net")):
            self.assertEqual(package_files.model_name(name), want)
        self.assertEqual(package_files.class_name("Linear"), "LinearModule")
        self.assertEqual(package_files.class_name("_Block"), "Block")

    def test_forward_throws_until_it_is_written(self):
        code = package_files.files(_read(), "my_net", "models/mine")["my_net.cc"]
        self.assertIn('Linear fc_{*this, "fc", {.in = 4, .out = 2}};', code)
        self.assertIn('NotWritten("MyNet");', code)
        self.assertIn("//       return self.fc(x)", code.replace("//   def", "//   def").replace("    return", "    return"))
        self.assertNotIn("Repeated", code)

    def test_a_tensor_of_the_module_itself_is_declared_and_added(self):
        own = (OwnTensor("scale", (3, 1), True, "", None), OwnTensor("ones", (3,), False, "INT64", 1), OwnTensor("table", (3,), False, "", None))
        root = ModuleClass("MyNet", (), own, (), ("x",), "")
        code = package_files.files(_read(root=root, classes=(root,)), "my_net", "models/mine")["my_net.cc"]
        self.assertIn('AddParameter("scale", {3, 1}, WeightInit(1), scale_);', code)
        self.assertIn('AddBuffer("ones", at::full({3}, 1, at::kLong), ones_);\n', code)
        self.assertIn('AddBuffer("table", at::full({3}, 0, at::kFloat), table_);  // TODO', code)

    def test_integers_have_a_limit_and_outputs_their_names(self):
        read = _read(inputs=(Tensor("ids", ("batch", 8), "INT64", 90), Tensor("mask", ("batch", 8), "BOOL", 2)), outputs_as="sequence",
                     outputs=(Tensor("output_0", ("batch", 2), "", 0), Tensor("output_1", (1, 2), "INT64", 0)))
        files = package_files.files(read, "my_net", "models/mine")
        self.assertIn('input("ids", shape = ["batch", 8], dtype = "INT64", distribution = integers(90))', files["variants.bzl"])
        self.assertIn('distribution = bernoulli(0.5)', files["variants.bzl"])
        self.assertIn('load("//defs:variants.bzl", "bernoulli", "input", "integers",', files["variants.bzl"])
        self.assertIn('output("output_1", shape = [1, 2], dtype = "INT64")', files["variants.bzl"])
        self.assertIn('dict(zip(["output_0", "output_1"], outputs))', files["reference.py"])

    def test_a_command_line_that_is_wrong(self):
        with tempfile.TemporaryDirectory() as tree:
            os.mkdir(os.path.join(tree, "there"))
            for words in ([], ["a.py"], ["a.py", "--out="], ["a.py", "b.py", "--out=x"], ["a.py", "--out=../x"], ["a.py", "--out=X"],
                          ["a.py", "--out=there"], ["a.py", "--out=x", "--what=1"], ["a.py", "--out=x", "--force"], ["a.py", "--out=x", "--out=y"]):
                with self.subTest(words=words), self.assertRaises(UsageError):
                    new_model.parse(words, tree, tree)
            asked = new_model.parse(["a.py:Net(3)", "--example=torch.ones(1, a=2)", "--out=mine/x"], tree, os.path.join(tree, "there"))
            self.assertEqual(asked, (os.path.join(tree, "there", "a.py"), "Net(3)", "torch.ones(1, a=2)", "there/mine/x"))

    def test_a_package_is_whole_or_not_there(self):
        with tempfile.TemporaryDirectory() as tree:
            out = os.path.join(tree, "models", "x")
            with self.assertRaises(SurroundingsError):
                new_model.write(out, {"a.cc": "a", "no_such_folder/b.cc": "b"})
            self.assertEqual(os.listdir(os.path.join(tree, "models")), [])
            new_model.write(out, {"a.cc": "a"})
            self.assertEqual(os.listdir(out), ["a.cc"])


if __name__ == "__main__":
    unittest.main()
