"""Each figure has its unit, also where rounding changes it."""

import unittest

from artifacts.format.quantity import duration_text, size_text


class QuantityTest(unittest.TestCase):
    def test_sizes(self):
        for count, text in {999: "999 B", 1000: "1.0 kB", 16_384: "16.4 kB", 1_200_000: "1.2 MB", 3_000_000_000: "3.0 GB"}.items():
            self.assertEqual(text, size_text(count))

    def test_durations(self):
        for seconds, text in {0.5: "0.5 s", 9.96: "10 s", 59.4: "59 s", 59.6: "1 min 00 s", 125: "2 min 05 s"}.items():
            self.assertEqual(text, duration_text(seconds))


if __name__ == "__main__":
    unittest.main()
