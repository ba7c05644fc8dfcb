"""Modules that are read, and modules that are refused. Needs torch; manual:

    tools/bazel test //tools/new_model:read_module_test
"""

import os
import tempfile
import unittest

from artifacts.fetch.ending import SurroundingsError, UsageError
from tools.new_model import package_files, read_module

_HEAD = "import torch\nfrom torch import nn\n\n"
_NET = _HEAD + '''
class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width, eps=1e-6)
        self.attention = nn.MultiheadAttention(width, 2, batch_first=True)
        self.feed = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width, bias=False))

    def forward(self, x):
        y = self.norm(x)
        return x + self.feed(self.attention(y, y, y, need_weights=False)[0])


class Net(nn.Module):
    def __init__(self, words=50, width=8):
        super().__init__()
        self.words = nn.Embedding(words, width, padding_idx=0)
        self.blocks = nn.ModuleList(Block(width) for _ in range(3))
        self.wide = Block(2 * width)
        self.gru = nn.GRU(width, 6, batch_first=True, bidirectional=True)
        self.odd = nn.Conv2d(1, 1, 3, stride=(1, 2))
        self.register_buffer("positions", torch.arange(4.0))
        self.register_buffer("unsaved", torch.ones(2), persistent=False)
        self.out = nn.Linear(width, words, bias=False)
        self.out.weight = self.words.weight

    def forward(self, ids, scale=None):
        x = self.words(ids)
        for block in self.blocks:
            x = block(x)
        return {"logits": self.out(x), "lengths": (ids > 0).sum(1)}


def helper(x):
    return x
'''


class ReadModuleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def written(self, text, name="net.py"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def read(self, text, expression="", example=""):
        return read_module.read(self.written(text), expression, example)

    def test_layers_by_their_names_and_classes_by_their_content(self):
        read = self.read(_NET, "Net(words=90)", "torch.randint(0, 50, (2, 4))")
        names = [c.name for c in read.classes]
        self.assertEqual(names, ["MultiheadAttention", "Block", "MultiheadAttention2", "Block2", "Conv2dModule", "Net"])
        members = {m.name: m for m in read.root.members}
        self.assertEqual(members["words"].options, ".rows = 90, .features = 8, .padding_idx = 0")
        self.assertEqual((members["blocks"].kind, members["blocks"].count), ("Block", 3))
        self.assertEqual(members["gru"].options, ".in = 8, .hidden = 6, .both_ways = true")
        self.assertEqual((members["odd"].kind, members["odd"].target), ("Conv2dModule", ""))  # a stride that Conv2d here has not
        block = next(c for c in read.classes if c.name == "Block")
        self.assertEqual([m.name for m in block.members], ["norm", "attention", "feed.0", "feed.2"])
        self.assertEqual(block.members[3].options, ".in = 16, .out = 8, .bias = false")
        self.assertEqual(block.without, ("feed.1: GELU(approximate='none')",))
        self.assertEqual([t.name for t in read.root.tensors], ["positions"])
        self.assertEqual(read.tied, (("words.weight", "out.weight"),))
        self.assertEqual(read.inputs[0][:3], ("ids", ("batch", 4), "INT64"))
        self.assertEqual(read.inputs[0].limit, 90)
        self.assertEqual([o[:3] for o in read.outputs], [("logits", ("batch", 4, 90), ""), ("lengths", ("batch",), "INT64")])
        files = package_files.files(read, "net", "models/mine")
        self.assertIn("NotWritten", files["net.cc"])
        compile(files["reference.py"], "reference.py", "exec")

    def test_the_only_module_and_the_first_layers_input(self):
        read = self.read(_HEAD + "class A(nn.Module):\n  def __init__(self):\n    super().__init__()\n    self.a = nn.Linear(3, 2)\n"
                                 "  def forward(self, x):\n    return self.a(x), x\n")
        self.assertEqual((read.expression, read.inputs[0].shape, read.outputs_as), ("A()", ("batch", 3), "sequence"))

    def test_what_is_refused(self):
        one = _HEAD + "class A(nn.Module):\n  def __init__(self):\n    super().__init__()\n    self.c = nn.Conv2d(1, 1, 1)\n  def forward(self, x):\n    return %s\n"
        for text, expression, example, said, kind in (
            ("import nothing_here\n", "", "", "cannot be loaded: ModuleNotFoundError", SurroundingsError),
            ("import sys\nsys.exit(0)\n", "", "", "cannot be loaded: SystemExit: 0", SurroundingsError),
            ("x = (", "", "", "cannot be loaded: SyntaxError", SurroundingsError),
            ("x = 1\n", "", "", "defines no nn.Module", UsageError),
            (_NET, "", "", "defines Block, Net; name one", UsageError),
            (_NET, "Block", "", "missing 1 required positional argument: 'width'", UsageError),
            (_NET, "helper", "", "missing 1 required positional", UsageError),
            (_NET, "Nothing", "", "NameError", UsageError),
            (_NET, "Net", "torch.zeros(2, 4)", "cannot be called with the example", UsageError),
            (_NET, "Net", "3", "", UsageError),
            (_NET, "Net", "{'x': torch.zeros(2)}", "tensors for arguments of forward (ids, scale)", UsageError),
            (one % "self.c(x)", "", "", "give --example", UsageError),
            (one % "x.flatten()", "", "torch.ones(1, 1, 2, 2)", "only the first dimension may be the batch", UsageError),
            (one % "'text'", "", "torch.ones(1, 1, 2, 2)", "something else than a tensor", UsageError),
            (one % "x" + "def build(x):\n  return x\n", "", "torch.ones(1, 1, 2, 2)", "defines build, which reference.py defines", UsageError),
        ):
            with self.subTest(said=said, example=example), self.assertRaises(kind) as raised:
                self.read(text, expression, example)
            self.assertIn(said, str(raised.exception))

    def test_a_file_of_a_subfolder_is_refused(self):
        os.mkdir(os.path.join(self.folder, "below_new_model"))
        self.written("WIDTH = 3\n", "below_new_model/part.py")
        with self.assertRaisesRegex(UsageError, "imports below_new_model.part beside it"):
            self.read("import below_new_model.part\n" + _NET, "Net", "torch.zeros(1, 4, dtype=torch.long)")

    def test_a_file_beside_it_is_refused(self):
        self.written("WIDTH = 3\n", "beside_new_model.py")
        with self.assertRaisesRegex(UsageError, "imports beside_new_model beside it"):
            self.read("import beside_new_model\n" + _NET, "Net", "torch.zeros(1, 4, dtype=torch.long)")


if __name__ == "__main__":
    unittest.main()
