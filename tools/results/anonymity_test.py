"""No anonymous export says who measured, on which host and in which folders; docs/data/privacy.md names every such field."""

import json
import os
import re
import unittest

from tools.results import anonymity, exporting
from tools.results.anonymity import without_folders, without_person
from tools.results.test_files import ProgramTest, real_record, record

_HOME = "/home/alice/work"
_RECORD = {
    "flags": ["--record=%s/a.jsonl" % _HOME, "--owner=alice"],
    "launch": {
        "command": ["%s/bazel-out/a" % _HOME, "--owner=alice"],
        "variables": {"OWNER": "alice"},
        "output": "alice.log",
        "suite_run": "night",
    },
    "profile": {"trace": "alice.json"},
    "weights": {"name": "alice.safetensors", "sha256": "ab"},
    "environment__variables": {"LD_PRELOAD": "%s/lib.so:/root/x/b.so" % _HOME, "allocator": "retain"},
    "error": "cannot open %s/a.bin: no such file" % _HOME,
    "verdict__message": "see ~alice/b and '%s/c'" % _HOME,
    "benchmark_case__tags": ["from=%s/d" % _HOME],
}
_FOOTER = {"schema_version": 2, "suite_run": {"id": "night", "planned": "1", "complete": True, "flags": ["--owner=alice"]}}


class AnonymityTest(ProgramTest):
    def export(self, form):
        self.expect(0, "export", "--format=" + form, "--output=out", "--anonymous")
        with open(self.path("out"), "rb") as f:
            return f.read()

    def test_nobody_is_left_in_any_format(self):
        self.write("runs.jsonl", record(**_RECORD), record(outcome="CRASH", measurements=[], **_RECORD), _FOOTER)
        for samples in ("yes", "no"):
            self.expect(0, "import", "runs.jsonl", "--samples=" + samples)
            for form in exporting.FORMATS:
                self.assertNotIn(b"alice", self.export(form), form)
                self.assertNotIn(self.folder.encode(), self.export(form), form)
            os.remove(self.path("results.sqlite"))

    def test_nobody_is_left_of_other_suites(self):
        self.copy("benchmark_result_4711_1700000000.json", "google_benchmark.json")
        self.expect(0, "import", "benchmark_result_4711_1700000000.json", "google_benchmark.json")
        for form in ("param", "google_benchmark", "assay"):
            for word in (b"node7", b"/home/", b"host_name", b'"executable": "/'):
                self.assertNotIn(word, self.export(form), form)

    def test_the_rest_stays(self):
        made = without_person(record(**_RECORD))
        self.assertEqual(made["environment"]["variables"], {"LD_PRELOAD": "…/lib.so:…/b.so", "allocator": "retain"})
        self.assertEqual(made["error"], "cannot open …/a.bin: no such file")
        self.assertEqual(made["launch"], {"suite_run": "night"})
        self.assertEqual(made["measurements"], real_record()["measurements"])
        self.assertEqual(made["benchmark_case"]["label"], "//benchmarks/mlp:mlp_fp32_b1")

    def test_what_other_suites_say_of_the_rest_stays(self):
        fields = {"hostname": "n", "rows": [[1, {"name": "x", "user": "me", "cwd": "/a/b", "deep": {"executable": "/c", "kept": 1}}]]}
        made = without_person({"imported": {"format": "f", "fields": json.dumps(fields)}, "user": "kept"})
        self.assertEqual(json.loads(made["imported"]["fields"]), {"rows": [[1, {"name": "x", "deep": {"kept": 1}}]]})
        self.assertEqual((made["imported"]["format"], made["user"]), ("f", "kept"))

    def test_lists_of_samples_are_passed_over_and_others_are_not(self):
        path = "/home/alice/a.bin"
        for value, want in (([], []), ([1.0, path, 2], [1.0, path, 2]), ([path, 2.0], ["…/a.bin", 2.0]), ([2.0, path], [2.0, "…/a.bin"]), ([path], ["…/a.bin"])):
            self.assertEqual(without_person({"a": value}), {"a": want})

    def test_folders(self):
        for text in ("https://host/a/b", "//a/b:c", "model/cpu/inductor", "3.5 GB/s", "a / b", "../a/b"):
            self.assertEqual(without_folders(text), text)
        self.assertEqual(without_folders("--a=/b/c d:/e/f '/g/h' ~/i ~j/k"), "--a=…/c d:…/f '…/h' …/i …/k")

    def test_the_document_names_every_field(self):
        with open("docs/data/privacy.md", encoding="utf-8") as f:
            document = f.read()
        left_out = re.search(r"^\| left out \|(.*?)^\| shortened", document, re.M | re.S).group(1)
        for name in anonymity._FIELDS | anonymity._NAMES:
            self.assertIn("`%s`" % name, left_out)


if __name__ == "__main__":
    unittest.main()
