"""The words of outcomes that Python reads out of the C++ side's table are those of docs/accuracy.md."""

import re
import unittest

from tools.results import record, words


class WordsTest(unittest.TestCase):
    def test_words_are_those_of_the_documents_table(self):
        with open("docs/accuracy.md", encoding="utf-8") as f:
            rows = re.findall(r"^\| ([A-Z_, ]+) \| [012] \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$", f.read(), re.M)
        seen = set()
        for outcomes, *cells in rows:
            for outcome in outcomes.split(", "):
                seen.add(outcome)
                got = [
                    words.name_in(system, outcome)
                    for system in ("kPyTorchXla", "kPyTorchXla2024", "kTorchDynamo", "kOpenXla")
                ]
                self.assertEqual(got, cells, outcome)
        self.assertEqual(seen, record.OUTCOMES)

    def test_words_are_read_back(self):
        self.assertEqual(words.from_name_in("kTorchDynamo", "eager_2nd_run_OOM"), "OUT_OF_MEMORY")
        self.assertEqual(words.from_name_in("kTorchDynamo", "fail_batch_invariance_at_8"), "FAIL_ACCURACY")
        for word in ("fail_batch_invariance_at_", "fail_batch_invariance_at_0", "PASS", ""):
            self.assertIsNone(words.from_name_in("kTorchDynamo", word), word)
        self.assertEqual(words.from_name_in("kPyTorchXla2024", "VERIFICATION_FAILED"), "CRASH")


if __name__ == "__main__":
    unittest.main()
