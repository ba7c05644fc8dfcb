"""Each blob in the tree is of what its cases are now: parameters, batch, seed, rounding, and how they train.

A key names a model, a dtype, a batch and shapes, and no learning rate: a table that changes one after its reference was
computed still finds that. Parameters that the implementation has got since are not in the blob, and had no effect on it.
"""

import json
import os
import unittest

from artifacts.format import lock_table, reference_blob
from tools.artifacts.generate import plan, registry

_MEND = "; fix: tools/bazel run //tools:generate_artifacts -- --filter='%s$' --accept-drift='why'"


def _metadata(path):
    with open(path, "rb") as f:
        return reference_blob.decode(f.read())[1]


def _told(metadata):
    return {**metadata, "parameters": json.loads(metadata["parameters"])}


class LockContentTest(unittest.TestCase):
    def test_blobs_are_of_their_cases(self):
        cases, _ = registry.read("benchmarks/registry.json")
        compared = 0
        for job in plan.make_jobs(cases):
            lock = lock_table.read(os.path.join(job.package.lstrip("/"), "lock.bzl"))
            for content in job.contents:
                for key in content.keys:
                    path = key in lock and os.path.join("artifacts/blobs", lock[key].object_name)
                    if not path or not os.path.isfile(path):
                        continue
                    metadata = _metadata(path)
                    if "implementation" not in metadata:
                        continue  # computed by the runner itself
                    blob, case = _told(metadata), _told(content.metadata(job.implementation))
                    compared += 1
                    case["parameters"] = {n: v for n, v in case["parameters"].items() if n in blob["parameters"]}
                    with self.subTest(key=key):
                        self.assertEqual({n: blob.get(n) for n in case}, case, _MEND % key)
        self.assertGreater(compared, 250)


if __name__ == "__main__":
    unittest.main()
