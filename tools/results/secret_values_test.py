"""No secret leaves with an export."""

import json
import unittest

from tools.results.secret_values import without_secrets
from tools.results.test_files import ProgramTest, real_record, record

_SECRETS = {
    "environment__variables": {
        "HF_TOKEN": "hf_abc1",
        "AWS_SECRET_ACCESS_KEY": "abc2",
        "MY_PASSWORD": "abc3",
        "allocator": "retain",
    },
    "launch__variables": {"API_KEY": "abc4", "OMP_NUM_THREADS": "2"},
    "flags": ["--weights=https://host/m.safetensors?X-Goog-Signature=abc5", "--hf_token=abc6", "--budget=1"],
    "launch__command": ["runner", "PGPASSWORD=abc7", "http://me:abc8@host/x"],
    "error": "403 for https://bucket/blob?sig=abc9; Authorization: Bearer abc10",
    "imported": {
        "format": "param",
        "fields": json.dumps({"rows": [[1, {"env": {"WANDB_API_KEY": "abc11"}, "_meta": {"key": "runs/1.json"}}]]}),
    },
}


class SecretValuesTest(unittest.TestCase):
    def test_nothing_of_a_secret_is_left(self):
        cleaned, places = without_secrets(record(**_SECRETS))
        self.assertNotIn("abc", json.dumps(cleaned))
        self.assertEqual(len(places), 10)
        self.assertIn("environment.variables.HF_TOKEN", places)

    def test_what_is_no_secret_stays(self):
        cleaned, _ = without_secrets(record(**_SECRETS))
        self.assertEqual(cleaned["environment"]["variables"]["allocator"], "retain")
        self.assertEqual(cleaned["launch"]["variables"]["OMP_NUM_THREADS"], "2")
        self.assertEqual(cleaned["flags"][2], "--budget=1")
        self.assertIn("https://host/m.safetensors?***", cleaned["flags"][0])
        self.assertIn("runs/1.json", cleaned["imported"]["fields"])

    def test_a_record_without_secrets_is_as_it_was(self):
        self.assertEqual(without_secrets(real_record()), (real_record(), []))


class ExportTest(ProgramTest):
    def test_every_format_is_clean_and_says_so(self):
        self.write(
            "runs.jsonl",
            record(**{k: v for k, v in _SECRETS.items() if k != "imported"}, outcome="CRASH", measurements=[]),
        )
        self.expect(0, "import", "runs.jsonl")
        for form in ("assay", "xla_jsonl", "openxla_json", "param", "google_benchmark", "csv"):
            self.expect(0, "export", "--format=" + form, "--output=out")
            self.assertNotIn("abc", self.read("out"), form)
            self.assertIn("secrets taken out of 1 records: ", self.err)

    def test_parquet_too(self):
        import pyarrow.parquet

        self.write("runs.jsonl", record(**{k: v for k, v in _SECRETS.items() if k != "imported"}))
        self.expect(0, "import", "runs.jsonl")
        self.expect(0, "export", "--format=parquet", "--output=out")
        self.assertNotIn("abc", str(pyarrow.parquet.read_table(self.path("out")).to_pylist()))


if __name__ == "__main__":
    unittest.main()
