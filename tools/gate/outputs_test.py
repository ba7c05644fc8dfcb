"""The gate's output is fit to be passed on, and each form ends its lists where it says."""

import datetime
import io
import unittest
import xml.etree.ElementTree as ElementTree

from artifacts.fetch.secret_table import SECRET, with_secrets
from tools.gate import judging, outputs
from tools.gate.expectations import Key, Waiver

_DAY = datetime.date(2026, 1, 31)


def judgement_of(*findings):
    """Each is (kind, case); without a case it is of no key."""
    made = judging.Judgement()
    for kind, case in findings:
        made.add(kind, "%s is wrong" % case, "mend it", Key(case, "CPU", "--a=1") if case else None)
    return made


def many(count):
    return judgement_of(*(("MISSING", "case %d" % i) for i in range(count)))


class OutputsTest(unittest.TestCase):
    def test_no_form_of_a_secret_is_said(self):
        for form in with_secrets():
            judgement, printed = judging.Judgement(), io.StringIO()
            judgement.add("MISSING", form, form, file=form, line=1)
            judgement.notes.append(form)
            outputs.text(judgement, printed)
            for said in (
                printed.getvalue(),
                outputs.markdown(judgement, form, (), None),
                outputs.junit(judgement).decode(),
                "\n".join(outputs.github(judgement)),
                str(list(outputs.rows(judgement))),
            ):
                with self.subTest(form=form, said=said[:200]):
                    self.assertNotRegex(said, SECRET)

    def test_rows_have_a_file_and_a_line_where_there_is_one(self):
        made = judging.Judgement()
        made.add("MISSING", "a", "b", Key("c", "CPU", ""), file="e.toml", line=3)
        made.add("MISSING", "a", "b")
        self.assertEqual([row[2:] for row in outputs.rows(made)], [("c", "CPU", "", "a", "b", "e.toml", 3), (None, None, None, "a", "b", None, None)])

    def test_a_message_is_cut_after_2000_characters(self):
        for length, want in ((2000, 2000 * "x"), (2001, 2000 * "x" + "…")):
            self.assertEqual(outputs.clean(length * "x"), want)

    def test_each_list_is_cut_where_the_next_one_would_be_too_many(self):
        def text(judgement):
            out = io.StringIO()
            outputs.text(judgement, out)
            return out.getvalue().splitlines()

        rows = lambda judgement: outputs.markdown(judgement, "e.toml", (), _DAY).splitlines()
        commands = lambda judgement: list(outputs.github(judgement))
        row = "| MISSING | case %d is wrong | mend it |"
        for most, written, head, entry, rest in (
            (50, text, 0, 2, ["and 1 more; --format=csv or json has all"]),
            (200, rows, 6, 1, ["", "and 1 more"]),
        ):
            end = len(written(many(1))) - head - entry
            self.assertEqual(len(written(many(most))), head + most * entry + end)
            lines = written(many(most + 1))
            self.assertEqual(len(lines), head + most * entry + len(rest) + end)
            self.assertEqual(lines[head + most * entry :][: len(rest)], rest)
        self.assertEqual(rows(many(200))[4:7], ["| | what | fix |", "|---|---|---|", row % 0])
        self.assertEqual(rows(many(200))[-1], row % 199)
        self.assertEqual(text(many(2))[:2], ["MISSING  case 0 is wrong", "    mend it"])
        self.assertEqual(len(commands(many(10))), 10)
        self.assertIn("case 9 is wrong", commands(many(10))[-1])
        lines = commands(many(11))
        self.assertEqual(len(lines), 10)
        self.assertIn("case 8 is wrong", lines[-2])
        self.assertEqual(lines[-1], "::error title=gate::and 2 more findings, in the step's output and summary")

    def test_a_whole_summary(self):
        judgement = judgement_of(("FAILED", 'a"<b>'), ("NOTHING", None))
        judgement.notes.append("a note")
        judgement.states[Key("c", "CPU", "")] = "passed"
        waiver = {"case": "a", "owner": "ann", "reason": "rounds", "link": "https://e.org/1", "expires": datetime.date(2026, 2, 10)}
        waivers = [
            Waiver(**waiver, outcome="CRASH"),
            Waiver(**waiver, flaky=["CRASH", "TIMEOUT"]),
            Waiver(**waiver, flagged=["possible"]),
            Waiver(**waiver, slower=["wall"]),
        ]
        row = "| a | %s | ann | 10 | rounds https://e.org/1 |"
        self.assertEqual(
            outputs.markdown(judgement, "e.toml", waivers, _DAY),
            "\n".join(
                [
                    "## Gate: red",
                    "",
                    "e.toml: 1 passed, 1 FAILED, 1 NOTHING",
                    "",
                    "| | what | fix |",
                    "|---|---|---|",
                    '| FAILED | a"&lt;b&gt; is wrong | mend it |',
                    "| NOTHING | None is wrong | mend it |",
                    "",
                    "| waiver | is | owner | days left | why |",
                    "|---|---|---|---|---|",
                    row % "CRASH",
                    row % "flaky: CRASH, TIMEOUT",
                    row % "flagged: possible",
                    row % "slower: wall",
                    "",
                    "note: a note",
                    "",
                ]
            ),
        )
        out = io.StringIO()
        outputs.text(judging.Judgement(), out)
        self.assertEqual(out.getvalue(), "gate: green: nothing\n")

    def test_the_tests_of_junit(self):
        judgement = judgement_of(
            ("ELSEWHERE", "both"), ("COUNTER", "both"), ("MISSING", "gone"), ("NOTHING", None), ("NOTHING", "")
        )
        good, waived, unseen = (Key(name, "CPU", "") for name in ("good", "waived", "unseen"))
        judgement.states.update({good: "passed", waived: "waived", unseen: "MISSING", Key("known", "CPU", ""): "known"})
        judgement.waived[waived] = Waiver("w", "ann", "rounds", "https://e.org/1", datetime.date(2026, 2, 10))
        text = outputs.junit(judgement)
        self.assertTrue(text.startswith(b"<?xml version="))
        self.assertTrue(text.endswith(b"</testsuite>\n"))
        suite = ElementTree.fromstring(text)
        self.assertEqual(
            suite.attrib, {"name": "gate", "tests": "8", "failures": "1", "errors": "4", "skipped": "2"}
        )
        # A failure of the product outweighs the surroundings, and a case without a result has the one finding that says it of all.
        nothing = "NOTHING", "None is wrong", "None is wrong\nmend it"
        both = "both is wrong\nmend it"
        self.assertEqual(
            [(t.get("name"), t.get("classname"), *((e.tag, e.get("type"), e.get("message"), e.text) for e in t)) for t in suite],
            [
                ("both --a=1", "CPU", ("failure", "ELSEWHERE", "both is wrong", both + "\n" + both)),
                ("gone --a=1", "CPU", ("error", "MISSING", "gone is wrong", "gone is wrong\nmend it")),
                ("good", "CPU"),
                ("known", "CPU", ("skipped", None, "known", None)),
                ("unseen", "CPU", ("error", *nothing)),
                ("waived", "CPU", ("skipped", None, "waived until 2026-02-10 by ann: rounds", None)),
                ("NOTHING 1", "gate", ("error", *nothing)),
                ("NOTHING 2", "gate", ("error", "NOTHING", " is wrong", " is wrong\nmend it")),
            ],
        )

    def test_an_annotation_points_to_its_line(self):
        judgement = judging.Judgement()
        judgement.add("COUNTER", "a is 50 %,\nso", "mend: it", file="a:b,c", line=7)
        judgement.add("COUNTER", "a", "b", file="e.tsv")
        self.assertEqual(
            list(outputs.github(judgement)),
            [
                "::error file=a%3Ab%2Cc,line=7,title=gate%3A COUNTER::a is 50 %25, so%0Amend: it",
                "::error file=e.tsv,title=gate%3A COUNTER::a%0Ab",
            ],
        )


if __name__ == "__main__":
    unittest.main()
