"""One process's part of goal G4: what torch.utils.benchmark reports for one operation, in nanoseconds a call.

python -m ci.certify.spread_subject matmul|softmax|copy
"""

import sys

import torch
from torch.utils.benchmark import Timer


def main():
    tensors = {"a": torch.randn(256, 256), "b": torch.randn(256, 256), "rows": torch.randn(256, 1024)}
    tensors["source"] = torch.randn(1 << 20)
    tensors["target"] = torch.empty_like(tensors["source"])
    statements = {"matmul": "torch.matmul(a, b)", "softmax": "torch.softmax(rows, -1)", "copy": "target.copy_(source)"}
    if len(sys.argv) != 2 or sys.argv[1] not in statements:
        sys.exit("spread_subject.py " + "|".join(statements))
    with torch.inference_mode():
        # Its own defaults: one thread, 0.2 s of blocks.
        measurement = Timer(statements[sys.argv[1]], globals=dict(tensors, torch=torch)).blocked_autorange()
    print("%.6f" % (measurement.median * 1e9))


if __name__ == "__main__":
    main()
