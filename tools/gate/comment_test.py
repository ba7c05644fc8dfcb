"""A comment for a pull request says what changed, in what GitHub takes."""

import unittest

from artifacts.fetch.secret_table import SECRET, with_secrets
from tools.gate import comment, judging
from tools.gate.comparisons import Comparison, Estimate, Series

_VERDICTS = {"SLOWER": (1.03, 1.02, 1.04), "FASTER": (0.9, 0.85, 0.95), "SAME": (1.001, 0.998, 1.004), "INCONCLUSIVE": (1.0, 0.9, None)}


def series(verdict, case="a", **fields):
    ratio, *interval = _VERDICTS[verdict]
    return Series(case, "wall", verdict, unverified="", estimate=Estimate(ratio, interval, 0.978), **fields)


def comparison(*found, **fields):
    return Comparison(1, False, False, "", False, [], [], list(found), **fields)


def made(*comparisons, judgement=None, page="", note=""):
    return comment.made(judgement or judging.Judgement(), "e.toml", comparisons, page, note)


class CommentTest(unittest.TestCase):
    def test_a_whole_comment(self):
        judgement = judging.Judgement()
        judgement.add("COUNTER", "a CPU: flops is 2, expected 1", "if that is right: --update")
        judgement.add("SLOWER", "which is a row of the table", "")
        lost = Series("d", "cold", "NOT_COMPARED", reason="cpu_contention in 12 of 20 pairs")
        compared = comparison(series("FASTER", "b"), series("SLOWER", "a_b"), series("SAME"), series("INCONCLUSIVE", "c"), lost)
        self.assertEqual(
            made(compared, judgement=judgement, page="https://e.org/1", note="a note"),
            """<!-- assay -->
## Assay: red

e.toml: 1 COUNTER, 1 SLOWER; 1 of 5 comparisons: no difference beyond what counts as the same

a note

[page](<https://e.org/1>)

### Wrong: 1

| | what | fix |
|---|---|---|
| COUNTER | a CPU: flops is 2, expected 1 | if that is right: --update |

### Slower: 1

| case | mode | wall | 97.8 % interval | |
|---|---|---|---|---|
| a&#95;b | wall | +3.00 % | +2.00 % .. +4.00 % |  |

### Faster: 1

| case | mode | wall | 97.8 % interval | |
|---|---|---|---|---|
| b | wall | -10.00 % | -15.00 % .. -5.00 % |  |

### Not decided: 2

| case | mode | wall | 97.8 % interval | |
|---|---|---|---|---|
| c | wall | +0.00 % | -10.00 % .. open |  |
| d | cold |  |  | cpu&#95;contention in 12 of 20 pairs |
""",
        )

    def test_without_a_comparison(self):
        self.assertEqual(made(), "<!-- assay -->\n## Assay: green\n\ne.toml: nothing; times were not compared\n")

    def test_the_largest_change_comes_first(self):
        found = [Series(name, "wall", "SLOWER", estimate=Estimate(ratio, [ratio, ratio])) for name, ratio in (("x", 1.02), ("y", 1.5), ("z", 1.1))]
        rows = [line.split(" | ")[0] for line in made(comparison(*found)).splitlines() if line.endswith(" |  |")]
        self.assertEqual(rows, ["| y", "| z", "| x"])

    def test_a_side_that_is_faster_and_not_verified_says_so(self):
        doubtful = Series("a", "wall", "FASTER", unverified="--verify=off", estimate=Estimate(0.5, [0.4, 0.6]))
        self.assertIn("the timed call was not verified: --verify=off |", made(comparison(doubtful)))

    def test_it_is_cut_where_github_would_refuse_it(self):
        row = len("| c0000 | wall | +3.00 % | +2.00 % .. +4.00 % |  |\n")
        for count in (100, 1280, 1300, 5000):
            text = made(comparison(*(series("SLOWER", "c%04d" % i) for i in range(count)), series("FASTER", "last")))
            self.assertLessEqual(len(text), comment.MOST)
            kept = sum(line.startswith("| c") and not line.startswith("| case") for line in text.splitlines())
            kept += "| last |" in text
            left = count + 1 - kept
            self.assertEqual("%d lines are left out" % left in text, left > 0, count)
            if left:
                self.assertGreater(len(text), comment.MOST - row - 20)  # no more is left out than must be

    def test_it_is_cut_at_any_length(self):
        self.assertEqual(comment.MOST, 65_536)  # GitHub's
        judgement, faster = judging.Judgement(), comparison(series("FASTER", "last"), series("FASTER", "l"))
        for _ in range(78):
            judgement.add("COUNTER", 400 * "x", 400 * "y")
        full = comment.MOST - len(made(judgement=judgement, page="p"))  # characters that are free
        lengths, heads = set(), set()
        for padding in range(full - 400, full - 100):
            text = made(faster, judgement=judgement, page="p" * padding)
            lengths.add(len(text))
            heads.add(("### Faster" in text, "| last |" in text, "| l |" in text))
        self.assertLessEqual(max(lengths), comment.MOST)
        # A table that does not fit has no lines without a head, and each of these is seen.
        self.assertEqual(heads, {(True, True, True), (True, True, False), (False, False, False)})

    def test_one_long_message_takes_no_other_lines_place(self):
        judgement = judging.Judgement()
        for _ in range(100):
            judgement.add("COUNTER", 3000 * "x", 3000 * "y")
        text = made(comparison(series("SLOWER")), judgement=judgement)
        self.assertLessEqual(len(text), comment.MOST)

    def test_texts_of_others_are_no_markdown_and_hold_no_secret(self):
        judgement = judging.Judgement()
        judgement.add("COUNTER", "a|b <img src=x> [x](y) @all", "`x`")
        hostile = Series("n|a\n# me", "w<b>", "SLOWER", estimate=Estimate(1.1, [1.0, 1.2]))
        text = made(comparison(hostile), judgement=judgement, page="https://e.org/>) <script>\n# x", note="a|b")
        self.assertNotIn("<img", text)
        self.assertNotIn("<script>", text)
        self.assertNotIn("@all", text)
        self.assertNotIn("\n# ", text)
        self.assertEqual({line.count("|") for line in text.splitlines() if line.startswith("| n")}, {6})
        for form in with_secrets():
            judgement = judging.Judgement()
            judgement.add("MISSING", form, form)
            self.assertNotRegex(made(comparison(Series(form, form, "INCONCLUSIVE", reason=form)), judgement=judgement, note=form), SECRET)


if __name__ == "__main__":
    unittest.main()
