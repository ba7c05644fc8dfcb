import contextlib
import os
import sys
import tempfile
import unittest
from unittest import mock

import torch

from tools.export import formats, traced_graph


class _Block(torch.nn.Module):
    """Convolution, in-place operators, sizes, lists of tensors, a constant, an index, integer inputs, two outputs."""

    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(8)
        self.register_buffer("table", torch.arange(12.0).view(4, 3))

    def forward(self, image, rows):
        x = torch.relu_(self.norm(self.convolution(image)))
        left, right = x.chunk(2, dim=1)
        y = torch.cat([right, left], 1).permute(0, 2, 3, 1).reshape(x.size(0), -1, 8)
        return torch.nn.functional.gelu(y * 0.5) + torch.ones(8), self.table[rows].to(torch.float64)


def _traced(module, inputs, folder):
    path = os.path.join(folder, "module.pt")
    traced = torch.jit.trace(module.eval(), inputs, check_trace=False)
    traced._c._register_attribute("example_inputs", torch._C.ListType(torch._C.TensorType.get()), list(inputs))
    torch.jit.save(traced, path)
    return path


class Converted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        torch.manual_seed(0)
        self.inputs = (torch.randn(2, 3, 6, 6), torch.tensor([3, 1]))
        self.path = _traced(_Block(), self.inputs, self.folder)

    def test_computes_what_the_trace_does_to_the_bit(self):
        traced = traced_graph.read(self.path)
        self.assertEqual(traced.names, ("image", "rows"))
        with torch.no_grad():
            want, got = traced.module(*self.inputs), traced_graph.converted(traced)(*self.inputs)
        self.assertEqual(len(got), 2)
        for ours, theirs in zip(want, got, strict=True):
            self.assertTrue(torch.equal(ours, theirs))

    def test_is_written_as_an_archive_of_torch_export(self):
        traced, path = traced_graph.read(self.path), os.path.join(self.folder, "module.pt2")
        formats.write_pt2(traced_graph.converted(traced), traced, path)
        got = torch.export.load(path).module()(*self.inputs)
        formats.check(traced.module(*self.inputs), got)
        with self.assertRaisesRegex(formats.Different, "output 1 differs"):
            formats.check(traced.module(*self.inputs), (got[0], got[1] + 1))

    def test_keeps_stablehlo_that_computes_the_same_alone(self):
        """torch-mlir and IREE in the place of whom the test gives an answer: they are 180 MB."""
        traced, path = traced_graph.read(self.path), os.path.join(self.folder, "module.mlirbc")
        want = [tensor.detach().numpy() for tensor in traced.module(*self.inputs)]
        for name in ("torch_mlir", "iree"):
            sys.modules[name] = mock.MagicMock()
            self.addCleanup(sys.modules.pop, name)
        main = sys.modules["iree"].runtime.load_vm_flatbuffer.return_value.main
        for off, expected in ((0, contextlib.nullcontext()), (1, self.assertRaisesRegex(formats.Different, "output 1 differs"))):
            main.return_value = tuple(mock.Mock(to_host=lambda value=value: value) for value in (want[0], want[1] + off))
            with expected:
                formats.write_stablehlo(traced_graph.converted(traced), traced, path)
            for ours, theirs in zip(main.call_args.args, self.inputs, strict=True):
                self.assertTrue(torch.equal(torch.from_numpy(ours), theirs))

    def test_refuses_branches_by_name(self):
        @torch.jit.script
        def branch(x):
            if bool(x.sum() > 0):
                return x + 1
            return x

        class Branching(torch.nn.Module):
            def forward(self, x):
                return branch(x)

        path = _traced(Branching(), (torch.ones(2),), self.folder)
        with self.assertRaisesRegex(traced_graph.Unconvertible, "prim::If"):
            traced_graph.converted(traced_graph.read(path))

    def test_says_what_is_wrong_with_a_file(self):
        with self.assertRaisesRegex(traced_graph.Unreadable, "No such file"):
            traced_graph.read(os.path.join(self.folder, "none"))
        with open(self.path, "r+b") as file:
            file.truncate(os.path.getsize(self.path) // 2)
        with self.assertRaisesRegex(traced_graph.Unreadable, "is no TorchScript module"):
            traced_graph.read(self.path)
        torch.jit.save(torch.jit.trace(lambda x: x + 1, torch.ones(1)), self.path)
        with self.assertRaisesRegex(traced_graph.Unreadable, "has no example_inputs"):
            traced_graph.read(self.path)


if __name__ == "__main__":
    unittest.main()
