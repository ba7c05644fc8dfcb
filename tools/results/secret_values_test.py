"""No secret leaves with an export."""

import json
import unittest

from artifacts.fetch.secret_table import SECRET, with_secrets
from tools.results import exporting
from tools.results.anonymity import without_folders
from tools.results.formats import document
from tools.results.secret_values import without_secrets
from tools.results.test_files import ProgramTest, real_record, record

_SECRETS = {
    "environment__variables": {
        "HF_TOKEN": "hf_abc1",
        "AWS_SECRET_ACCESS_KEY": "abc2",
        "MY_PASSWORD": "abc3",
        "allocator": "retain",
    },
    "launch__variables": {"API_KEY": "abc4", "OMP_NUM_THREADS": "2", "AUTH": "abc", "KEY": "abc", "PWD": "/home/me"},
    "flags": ["--weights=https://host/m.safetensors?X-Goog-Signature=abc5", "--hf_token=abc6", "--budget=1"],
    "launch__command": ["runner", "PGPASSWORD=abc7", "http://me:abc8@host/x", "--api-key", "abc", "--pass", "abc", "-v"],
    "benchmark_case__tags": ["a=b", "from=https://me:abc@h", "GH_PAT=abc"],
    "verdict__message": 'asked with {"token": "abc", "a": 1} and Cookie: session=abc; more=abc',
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
        self.assertEqual(len(places), 17)
        self.assertIn("environment.variables.HF_TOKEN", places)

    def test_what_is_no_secret_stays(self):
        cleaned, _ = without_secrets(record(**_SECRETS))
        self.assertEqual(cleaned["environment"]["variables"]["allocator"], "retain")
        self.assertEqual(cleaned["launch"]["variables"]["OMP_NUM_THREADS"], "2")
        self.assertEqual(cleaned["launch"]["variables"]["PWD"], "/home/me")
        self.assertEqual((cleaned["launch"]["command"][0], cleaned["launch"]["command"][-1]), ("runner", "-v"))
        self.assertEqual(cleaned["flags"][2], "--budget=1")
        self.assertIn("https://host/m.safetensors?***", cleaned["flags"][0])
        self.assertIn("runs/1.json", cleaned["imported"]["fields"])

    def test_every_form_goes_wherever_it_stands(self):
        for form in with_secrets():
            for fields in (
                {"error": form},
                {"verdict__message": form},
                {"benchmark_case__tags": ["a=b", form]},
                {"flags": ["--budget=1", form]},
                {"environment__variables": {"LD_PRELOAD": form}},
                {"environment__noise": [form]},
            ):
                with self.subTest(form=form, field=list(fields)[0]):
                    self.assertNotRegex(json.dumps(without_secrets(record(**fields))[0]), SECRET)

    def test_a_command_is_cleaned_as_its_words(self):
        for text in ("curl\n-u\nme:SeCrEt0\nh", "sshpass\n-p\nSeCrEt0 b", "mysql\n-pSeCrEt0", "--token\nSeCrEt0 b"):
            words = text.split("\n")
            cleaned, places = without_secrets(record(launch__command=words))
            self.assertNotIn("SeCrEt0", json.dumps(cleaned))
            self.assertEqual(len(places), 1)

    def test_an_entry_of_a_name_and_a_value(self):
        cleaned, places = without_secrets({"env": [{"name": "HF_TOKEN", "value": "abc"}, {"name": "N", "value": "3"}]})
        self.assertEqual(cleaned, {"env": [{"name": "HF_TOKEN", "value": "***"}, {"name": "N", "value": "3"}]})
        self.assertEqual(places, ["env[0].value"])

    def test_no_text_takes_longer_than_it_is_long(self):
        count = 100000  # whose square would take until the test is ended
        for text in ("a", "a.", "-", "/", "/a", "a:", "\\", " ", "a:@", "~a"):
            without_folders(text * count)
        for text in ('"\\', '{"', "[", '"', "\\", ","):
            document.look(text * (1 << 15))
            with self.assertRaises(ValueError):
                document.load("[" * 5000 + text * count)

    def test_a_record_without_secrets_is_as_it_was(self):
        self.assertEqual(without_secrets(real_record()), (real_record(), []))


class ExportTest(ProgramTest):
    def test_every_format_is_clean_and_says_so(self):
        self.write(
            "runs.jsonl",
            record(**{k: v for k, v in _SECRETS.items() if k != "imported"}, outcome="CRASH", measurements=[]),
        )
        self.expect(0, "import", "runs.jsonl")
        for samples in ("yes", "no"):
            self.expect(0, "import", "runs.jsonl", "--samples=" + samples, "--database=%s.sqlite" % samples)
            for form in exporting.FORMATS[:-1]:
                self.expect(0, "export", "--format=" + form, "--output=out", "--database=%s.sqlite" % samples)
                self.assertNotIn("abc", self.read("out"), form)
                self.assertIn("secrets taken out of 1 records: ", self.err)

    def test_other_suites_values_stay_to_the_last_bit(self):
        self.copy("benchmark_result_4711_1700000000.json")
        self.expect(0, "import", "benchmark_result_4711_1700000000.json")
        self.expect(0, "export", "--format=param", "--output=out")
        self.assertNotIn("secrets", self.err)

    def test_parquet_too(self):
        import pyarrow.parquet

        self.write("runs.jsonl", record(**{k: v for k, v in _SECRETS.items() if k != "imported"}))
        self.expect(0, "import", "runs.jsonl")
        self.expect(0, "export", "--format=parquet", "--output=out")
        self.assertNotIn("abc", str(pyarrow.parquet.read_table(self.path("out")).to_pylist()))
        self.assertIn("secrets taken out of the columns: error, message, tags, variables", self.err)


if __name__ == "__main__":
    unittest.main()
