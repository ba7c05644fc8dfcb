"""The traces of a definition's reference agree with the reference, and what is wrong with it is said."""

import json
import os
import tempfile
import unittest

import torch

from tools.kernel.request import flashinfer_reference

_EXAMPLES = "tools/kernel/examples/"
_GEMM = {
    "name": "gemm_n3_k4",
    "op_type": "gemm",
    "axes": {"M": {"type": "var"}, "N": {"type": "const", "value": 3}, "K": {"type": "const", "value": 4}},
    "inputs": {"A": {"shape": ["M", "K"], "dtype": "float16"}, "B": {"shape": ["N", "K"], "dtype": "float16"}},
    "outputs": {"C": {"shape": ["M", "N"], "dtype": "float16"}},
    "constraints": ["M % 2 == 0"],
    "reference": "import torch\n\ndef run(A, B):\n    C = torch.matmul(A, B.T)\n    return C",
}


class FlashInferReferenceTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def traces(self, definition, workload):
        code = flashinfer_reference.main(definition, workload, self.folder, "7")
        self.assertEqual(code, 0)
        return [torch.jit.load(os.path.join(self.folder, "0.%s.pt" % kind)) for kind in ("own", "exact")]

    def gemm(self, workload, **changed):
        paths = [os.path.join(self.folder, name) for name in ("d.json", "w.jsonl")]
        for path, value in zip(paths, (dict(_GEMM, **changed), workload)):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(value, file)
        return paths

    def test_a_reference_that_asks_for_float32_is_traced_in_its_dtypes_and_in_float64(self):
        own, exact = self.traces(_EXAMPLES + "rmsnorm_h128.json", _EXAMPLES + "rmsnorm_h128.jsonl")
        x, weight = torch.randn(6, 128).bfloat16(), torch.randn(128).bfloat16()
        (y,), (truth,) = own(x, weight), exact(x.double(), weight.double())
        self.assertEqual((y.dtype, truth.dtype), (torch.bfloat16, torch.float64))
        x, weight = x.double(), weight.double()
        self.assertLess((truth - x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight).abs().max(), 1e-12)
        self.assertLess((y - truth).abs().max(), 0.05)

    def test_inputs_of_a_file_are_kept(self):
        data = torch.arange(12, dtype=torch.float16).reshape(3, 4)
        header = json.dumps({"b": {"dtype": "F16", "shape": [3, 4], "data_offsets": [0, 24]}}).encode()
        with open(os.path.join(self.folder, "b.safetensors"), "wb") as file:
            file.write(len(header).to_bytes(8, "little") + header + data.numpy().tobytes())
        source = {"type": "safetensors", "path": "b.safetensors", "tensor_key": "b"}
        own, _ = self.traces(*self.gemm({"axes": {"M": 2}, "inputs": {"A": {"type": "random"}, "B": source}}))
        self.assertTrue(torch.equal(dict(own.named_buffers())["fixed_B"], data))

    def test_what_is_wrong_ends_with_code_3(self):
        random = {"A": {"type": "random"}, "B": {"type": "random"}}
        for workload, changed in (
            ({"axes": {"M": 3}, "inputs": random}, {}),  # M % 2
            ({"axes": {"M": 2}, "inputs": random}, {"reference": "def run(A, B):\n    return A @ B"}),
        ):
            with self.subTest(workload=workload, changed=changed):
                self.assertEqual(flashinfer_reference.main(*self.gemm(workload, **changed), self.folder, "7"), 3)


if __name__ == "__main__":
    unittest.main()
