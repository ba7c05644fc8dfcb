"""No secret leaves with an export."""

import json
import unittest

from tools.results import exporting
from tools.results.anonymity import without_folders
from tools.results.formats import document
from tools.results.secret_values import clean_text, is_secret_name, without_secrets
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

    def test_names(self):
        for name in (
            "HF_TOKEN hfToken TOKEN_2 PGPASSWORD db.password AWS_ACCESS_KEY_ID API_KEY_PROD apiKey x-api-key SESSION_COOKIE"
            " COOKIE DB_PASS MYSQL_PWD GH_PAT AUTH PROXY_AUTH SSH_KEY KEY GOOGLE_APPLICATION_CREDENTIALS SSHPASS client_secret"
        ).split():
            self.assertTrue(is_secret_name(name), name)
        for name in (
            "PATH PWD OLDPWD MONKEY KEYBOARD AUTHOR TOKENIZERS_PARALLELISM num_tokens pass_type passed_runs COMPASS key_padding_mask"
            " OMP_NUM_THREADS PASSES XAUTHORITY pattern"
        ).split():
            self.assertFalse(is_secret_name(name), name)

    def test_texts(self):
        for text, want in {
            "--api-key abc --steps 3": "--api-key *** --steps 3",
            "-token abc": "-token ***",
            "--password='a b c' x": "--password=*** x",
            "MYSQL_PWD=x y": "MYSQL_PWD=*** y",
            "PASS = a b": "PASS = *** b",
            "at password: abc, then": "at password: *** then",
            "X-Api-Key: abc\nb": "X-Api-Key: ***\nb",
            "Cookie: a=b; c=d\ne": "Cookie: ***\ne",
            "Authorization: Basic YWJj\ne": "Authorization: ***\ne",
            'got {"token": "a\\"b", "n": 1}': 'got {"token": ***, "n": 1}',
            'got {\\"secret\\": \\"abc\\", \\"n\\": 1}': 'got {\\"secret\\": ***, \\"n\\": 1}',
            "{'auth': 'abc def', 'n': 1}": "{'auth': ***, 'n': 1}",
            "error: token: abc": "error: token: ***",
            "GH_PAT=a DB_PASS=b": "GH_PAT=*** DB_PASS=***",
        }.items():
            self.assertEqual(clean_text(text), want)
        for text in (
            "verdict PASS: 3 of 3",
            "forward pass: out of memory",
            "missing key: conv1.weight",
            "no such signature: aten::mm(Tensor)",
            "--pass_type forward",
            "key_padding_mask=None, is_causal=True",
            "--steps 3 --device cpu",
            "the token is missing",
            "max_tokens=128 PATH=/usr/bin PWD=/home",
            "torch.mm/simple_mm.json/0|0|0",
            "it ended: Tried to allocate 9 GiB",
        ):
            self.assertEqual(clean_text(text), text)

    def test_no_text_takes_longer_than_it_is_long(self):
        count = 100000  # whose square would take until the test is ended
        for text in ("a", "a.", "-", "/", "/a", "a:", "token=a ", 'token="\\', "\\", '"\\', " ", "a:@", "~a"):
            clean_text('--token token="' + text * count)
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
