"""Each blob in the tree is of what its cases are now: parameters, batch, seed, rounding, and how they train; and what is
verified by default is small.

A key names a model, a dtype, a batch and shapes, and no learning rate: a table that changes one after its reference was
computed still finds that. Parameters that the implementation has got since are not in the blob, and had no effect on it.
"""

import collections
import functools
import json
import os
import unittest

from artifacts.format import lock_table, reference_blob
from tools.artifacts.generate import plan, registry

_MEND = "; fix: tools/bazel run //tools:generate_artifacts -- --filter='%s$' --accept-drift='why'"


# Bytes of a model's references that are read by default. The goal is 24 KiB, and 53 of 55 models keep it: 11 KB in the
# mean; resnet18, 25.3 KiB, and mobilevit_s, 24.3 KiB, also train, with three references for the forward pass beside.
_MOST_BYTES = 28 << 10
# 512 elements each of a generation's first, middle and last logits in float64, beside those of the forward pass.
_OF_GENERATION = 13 << 10
_MAY_HAVE_MORE = {
    # Three lengths in three dtypes, which stand for all BERTs, 32 KB together; and 17 KB of its training by three optimizers.
    "bert_tiny": 50 << 10,
}


def _overruns(sizes):
    """A line for each model whose references, key -> bytes, take more than they may; `sizes`: model -> these."""
    texts = []
    for model, of_keys in sorted(sizes.items()):
        most, total = _MAY_HAVE_MORE.get(model, _MOST_BYTES), sum(of_keys.values())
        most += _OF_GENERATION if any("_gen" in key for key in of_keys) else 0
        if total > most:
            keys = ", ".join("%s %d" % item for item in sorted(of_keys.items()))
            text = "%s: its references that are verified by default have %d bytes, at most %d: %s; make cases `large`"
            texts.append(text % (model, total, most, keys))
    return texts


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

    def test_what_a_model_is_verified_by_by_default_is_small(self):
        sizes, seen = collections.defaultdict(dict), set()
        read = functools.lru_cache(maxsize=None)(lock_table.read)
        for case in registry.read("benchmarks/registry.json")[0]:
            row = read(os.path.join(case.package.lstrip("/"), "lock.bzl")).get(case.key)
            if row and row.store == lock_table.EMBEDDED and "large" not in case.tags and row.sha256 not in seen:
                seen.add(row.sha256)
                sizes[case.model][case.key] = row.size
        self.assertGreater(len(sizes), 40)
        self.assertEqual([], _overruns(sizes))

    def test_an_overrun_names_the_model_and_its_bytes(self):
        half = {"bert_tiny": {"a": 40 << 10}, "mlp": {"mlp_fp32_b2": 14 << 10, "mlp_bf16_b2": 14 << 10}}
        self.assertEqual([], _overruns(half))
        half["mlp"]["mlp_bf16_b2"] += 1
        (text,) = _overruns(half)
        self.assertTrue(text.startswith("mlp: its references that are verified by default have 28673 bytes, at most 28672"))
        self.assertIn("mlp_bf16_b2 14337, mlp_fp32_b2 14336", text)
        of_generation = {"gpt": {"gpt_fp32_b2": 28 << 10, "gpt_fp32_b2_gen8": 13 << 10}}
        self.assertEqual([], _overruns(of_generation))
        of_generation["gpt"]["gpt_fp32_b2_gen8"] += 1
        self.assertEqual(1, len(_overruns(of_generation)))


if __name__ == "__main__":
    unittest.main()
