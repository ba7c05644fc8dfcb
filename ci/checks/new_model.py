"""A package that //tools:new_model writes of a small module: it builds, fails as it says, and passes once forward is written."""

import os
import re

from ci.check import BAZEL, ROOT, Check, program, remove

_MODULE = '''import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)) + x)


class CheckedNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, (3, 5), stride=2, padding=(1, 2)), nn.ReLU())
        self.blocks = nn.ModuleList(Block(16) for _ in range(2))
        self.scale = nn.Parameter(torch.ones(16, 1, 1))
        self.head = nn.Linear(16, 10)

    def forward(self, image):
        x = self.stem(image)
        for block in self.blocks:
            x = block(x)
        return self.head((x * self.scale).mean((2, 3)))
'''
_FOLDER = "new_model_example"
_CASE = "//%s:checked_net_fp32_b1" % _FOLDER
_BLOCK = r'Forward\(const at::Tensor& /\*x\*/\) \{\s*NotWritten\("Block"\);\s*\}'
_NET = r'Forward\(at::ArrayRef<at::Tensor> /\*inputs\*/\) override \{\s*NotWritten\("CheckedNet"\);\s*\}'
_WRITTEN = {
    _BLOCK: "Forward(const at::Tensor& x) { return norm_.Forward(conv_.Forward(x)).add_(x).relu_(); }",
    _NET: """Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = stem_0_.Forward(inputs[0]).relu_();
    for (const auto& block : blocks_) x = block->Forward(x);
    return {head_.Forward(x.mul(scale_).mean(at::IntArrayRef{2, 3}))};
  }""",
}


class NewModel(Check):
    def test_new_model(self):
        """new model: what //tools:new_model writes builds, fails, and passes once forward is written"""
        folder = os.path.join(ROOT, _FOLDER)
        self.assertFalse(os.path.exists(folder), folder)
        module = self.write(os.path.join(self.scratch, "checked.py"), _MODULE)
        self.addCleanup(lambda: os.path.isdir(folder) and remove(folder))
        made = program("//tools:new_model", module + ":CheckedNet", "--example=torch.randn(1, 3, 32, 32)", "--out=" + folder)
        self.expect(made, "2 forwards are to write", "checked_net.cc")
        self.expect(made, "it is there already", code=3)
        self.expect([BAZEL, "run", "--noshow_progress", "//tools:generate_artifacts", "--", "--filter=^checked_net_", "--allow-dirty"])
        self.expect(program(_CASE, "--action=verify"), "CheckedNet::Forward is not written yet: new_model_example/checked_net.cc", code=1)
        path = os.path.join(folder, "checked_net.cc")
        code = self.read(path)
        for todo, written in _WRITTEN.items():
            code, count = re.subn(todo, lambda _, text=written: text, code)
            self.assertEqual(count, 1, todo)
        self.write(path, code.replace("norm_.Forward(conv_.Forward(x)).add_(x)", "norm_.Forward(conv_.Forward(x))"))
        self.expect(program(_CASE, "--action=verify"), "FAIL_ACCURACY", code=1)
        self.expect(program(_CASE, "--locate"), "OFF      between blocks.0.norm", "the input of blocks.1.conv is off", code=1)
        self.write(path, code)
        self.expect(program(_CASE, "--action=verify"), "verdict   PASS")
        self.expect([BAZEL, "test", "--noshow_progress", "//%s:cases_test" % _FOLDER])
