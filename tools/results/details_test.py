"""Numbers, defaults and limits at their edges: what mutants of them survived (//tools:mutate -- --family=python)."""

import contextlib
import hashlib
import os
import re
import signal
import struct
import sys
import unittest
from unittest import mock

from tools.results import errors, line_file, passed_over, reading, rows, splitting, tallies
from tools.results import record as records
from tools.results.errors import Stop
from tools.results.test_files import ProgramTest, line, real_record, record


def footer(**fields):
    return {"schema_version": 2, "suite_run": {"id": "night", **fields}}


class Footers(ProgramTest):
    def check(self, code, *contents):
        self.write("runs.jsonl", *contents)
        return self.expect(code, "check", "runs.jsonl")

    def test_what_a_footer_leaves_out_is_0_and_false(self):
        one = record(launch__suite_run="night")
        self.assertIn(
            "the footer of the suite's run night says that it is not complete", self.check(2, one, footer(planned="1"))
        )
        self.check(0, footer(complete=True))
        said = self.check(2, one, footer(planned="2", complete=True))
        self.assertIn(
            "of 2 planned configurations of the suite's run night there are 1, and 0 were done before it", said
        )
        self.write("a.jsonl", footer())
        self.expect(0, "import", "a.jsonl")
        (row,) = self.query("select planned, done_before, complete, started_utc, duration_s, flags from suite_runs")
        self.assertEqual(row, dict(planned=0, done_before=0, complete=0, started_utc=None, duration_s=None, flags=""))

    def test_records_without_a_fingerprint_are_counted_one_by_one(self):
        runs = [record(launch={"suite_run": "night"}, started_utc="2026-11-22T00:00:0%d+00:00" % i) for i in range(2)]
        self.check(0, *runs, footer(planned="2", complete=True))
        self.assertIn("of 3 planned", self.check(2, *runs, footer(planned="3", complete=True)))
        for run in runs:
            run["launch"]["fingerprint"] = "f"  # one configuration, twice
        self.assertIn("there are 1,", self.check(2, *runs, footer(planned="2", complete=True)))

    def test_what_is_missing_has_no_line_and_what_disagrees_has_one(self):
        one = record(launch__suite_run="night")
        self.assertIn("  runs.jsonl: missing: the suite's run night has no footer", self.check(2, one))
        self.assertIn("  runs.jsonl:2: missing: of 2 planned", self.check(2, one, footer(planned="2", complete=True)))
        self.assertIn("  runs.jsonl:2: missing: the footer", self.check(2, one, footer(planned="1")))

    def test_the_last_run_of_a_file_makes_good_what_was_cut_off(self):
        first, second = (
            record(launch__suite_run=name, started_utc="2026-11-2%dT00:00:00+00:00" % i) for i, name in enumerate("ab")
        )
        ends = [{"schema_version": 2, "suite_run": {"id": name, "planned": "1", "complete": True}} for name in "ab"]
        for lines, missing in (
            ([first, second, ends[1]], ["a"]),
            ([first, ends[0], second], ["b"]),
            ([first, second], ["a", "b"]),
        ):
            said = self.check(2, *lines)
            self.assertEqual([name for name in "ab" if "the suite's run %s has no footer" % name in said], missing)


class Numbers(ProgramTest):
    def test_integers_have_64_bits(self):
        for number, code in ((-(1 << 63), 0), ((1 << 63) - 1, 0), (-(1 << 63) - 1, 1), (1 << 63, 1)):
            self.write("runs.jsonl", record(repetition=str(number)))
            self.expect(code, "check", "runs.jsonl")
            if not code:
                self.assertEqual(records.parse(line(record(repetition=str(number)))).repetition, number)

    def test_limits_that_an_output_leaves_out_are_those_of_another_rule(self):
        output = {"name": "a", "rms_error": 1e-3, "elements_wrong": "1"}
        self.write("runs.jsonl", record(verdict__outputs=[output]))
        self.expect(0, "check", "runs.jsonl")
        self.write("runs.jsonl", record(verdict__outputs=[{**output, "rms_limit": 1.0}]))
        self.assertIn("output 'a' has 1 wrong elements", self.expect(1, "check", "runs.jsonl"))
        # A limit holds to the last bit but nine digits.
        for error, code in ((1e-3, 0), (1e-3 * (1 + 1e-9), 0), (1e-3 * (1 + 1.05e-9), 1)):
            self.write("runs.jsonl", record(verdict__outputs=[{"name": "a", "rms_error": error, "rms_limit": 1e-3}]))
            self.expect(code, "check", "runs.jsonl")

    def test_more_than_half_of_the_accuracy_runs_have_passed(self):
        for passed, of, code in (
            (3, 3, 0),
            (2, 3, 0),
            (1, 3, 1),
            (2, 4, 1),
            (3, 4, 0),
            (4, 3, 1),
            (1, 1, 0),
            (0, 1, 1),
        ):
            self.write("runs.jsonl", record(verdict__runs=of, verdict__passed_runs=passed))
            self.expect(code, "check", "runs.jsonl")

    def test_worst_errors_are_0_where_an_output_says_none(self):
        self.write(
            "runs.jsonl",
            record(verdict__outputs=[{"name": "a"}, {"name": "b", "max_error": 0.25}]),
            record(verdict__outputs=[]),
        )
        self.expect(0, "import", "runs.jsonl")
        rows_of = self.query("select max_error, rms_error from runs order by id")
        self.assertEqual(rows_of, [{"max_error": 0.25, "rms_error": 0}, {"max_error": None, "rms_error": None}])

    def test_a_number_that_no_column_holds_is_a_number(self):
        for value, good in (
            (1.5, True),
            ("1.5", True),
            ("abc", False),
            ("NaN", False),
            ("-Infinity", False),
            ("", False),
        ):
            document = {"verdict": {"outputs": [{"name": "NaN", "cosine": value}]}, "error": "Infinity"}
            if good:
                passed_over.refuse_words(document)
            else:
                with self.assertRaisesRegex(
                    errors.Refused, r'"%s" is no number - at `\$.verdict.outputs\[0\].cosine`' % value
                ):
                    passed_over.refuse_words(document)

    def test_which_word_is_no_number_of_json(self):
        for word in (b"NaN", b"Infinity", b"-Infinity"):
            with self.assertRaises(errors.Refused) as refused:
                records.parse(line(record(duration_s=1.5)).replace(b'"duration_s":1.5', b'"duration_s":' + word))
            self.assertIn("not JSON: %s (byte " % word.decode().lstrip("-"), str(refused.exception))
            self.assertIn("which JSON does not have; leave out a number that is not known", str(refused.exception))

    def test_what_the_schema_does_not_name_is_passed_over(self):
        passed_over.refuse_words(
            {
                "environment": None,
                "verdict": "NaN",
                "unknown": {"a": "NaN"},
                "measurements": ["NaN", [{"median_ns": 1}]],
            }
        )

    def test_words_that_are_no_numbers_are_seen_behind_escapes(self):
        for text, code in ((b"NaN", 1), (b"\\u004eaN", 1), (b"-\\u0049nfinity", 1), (b"1\\u002e5", 0)):
            self.write(
                "runs.jsonl",
                line(record(verdict__outputs=[{"name": "a", "cosine": "X"}])).replace(b'"X"', b'"%s"' % text),
            )
            self.expect(code, "check", "runs.jsonl")

    def test_of_a_dictionary_refuses_what_cannot_be_written(self):
        made = {"schema_version": 2, "outcome": "PASS", "benchmark_case": {"name": "a"}}
        self.assertEqual(records.of(made).outcome, "PASS")
        for odd in (
            {"error": "\ud800"},
            {"repetition": 1 << 70},
            {"error": {1: 2}},
            {"imported": {"fields": "\ud800"}},
        ):
            with self.assertRaises(errors.BROKEN):
                records.of({**made, **odd})


class Lines(ProgramTest):
    def test_a_line_has_a_longest_length(self):
        with mock.patch.multiple(line_file, _PIECE=8, _LONGEST_LINE=32):
            for length, good in ((31, True), (32, False), (100, False)):
                self.write("a", b"x" * (length - 1) + b"\n" + b"b\n" * 8)
                file = line_file.LineFile(self.path("a"))
                if good:
                    self.assertEqual(
                        b"".join(piece.read()[0] for piece in file.pieces()), b"x" * (length - 1) + b"\n" + b"b\n" * 8
                    )
                else:
                    with self.assertRaisesRegex(Stop, "a: no end of a line within 32 bytes"):
                        list(file.pieces())
                file._file.close()
        self.assertGreaterEqual(line_file._LONGEST_LINE, 10 * 1000000 * len(b"1234567.123456789,"))
        self.assertLessEqual(line_file._LONGEST_LINE, 1 << 28)

    def test_no_more_is_read_than_a_line_may_have_or_the_file_has(self):
        with mock.patch.multiple(line_file, _PIECE=8, _LONGEST_LINE=32):
            for content, want in ((b"a" * 100, [32]), (b"a" * 20 + b"\n" + b"b" * 10 + b"\n", [25, 9])):
                self.write("a", content)
                file = line_file.LineFile(self.path("a"))
                file._file, own = mock.Mock(wraps=file._file), file._file
                with contextlib.suppress(Stop):
                    list(file.pieces())
                own.close()
                self.assertEqual([call.args[0] for call in file._file.readline.mock_calls], want)

    def test_a_file_of_which_nothing_was_read_begins_anew(self):
        self.write("a", b"one\n")
        start = line_file.StartAt(0, 0, hashlib.sha256(b"").hexdigest())
        file = line_file.LineFile(self.path("a"), start)
        self.assertEqual([piece.read()[0] for piece in file.pieces()], [b"one\n"])

    def test_lines_of_a_file_in_pieces_have_their_numbers(self):
        good = [record(started_utc="2026-11-22T00:00:%02d+00:00" % i) for i in range(4)]
        with mock.patch.object(line_file, "_PIECE", 1 << 10):
            self.write("runs.jsonl", good[0], b"{1\n", good[1], good[2], b"{2\n")
            self.expect(1, "import", "runs.jsonl")
            self.assertEqual(re.findall(r"runs.jsonl:(\d+): malformed", self.err), ["2", "5"])
            self.expect(1, "check", "runs.jsonl")
            self.assertEqual(re.findall(r"runs.jsonl:(\d+): malformed", self.out), ["2", "5"])
            ends = [{"schema_version": 2, "suite_run": {"id": "night", "complete": True}}] * 2
            self.write("ends.jsonl", good[0], ends[0], good[1], ends[1])
            self.assertIn("ends.jsonl:4: duplicate: a second footer", self.expect(1, "check", "ends.jsonl"))
            self.write("runs.jsonl", good[0], b"{1\n", good[1], good[2], b"{2\n", good[3], b"{3\n", b"{torn")
            self.expect(1, "import", "runs.jsonl")
            self.assertEqual(re.findall(r"runs.jsonl:(\d+): (\w+)", self.err), [("7", "malformed"), ("8", "torn")])
        self.assertEqual([row["line"] for row in self.query("select line from runs order by id")], [1, 3, 4, 6])

    def test_a_byte_order_mark_is_no_part_of_a_line(self):
        self.write(
            "runs.jsonl",
            b"\xef\xbb\xbf" + line(real_record()),
            b"\n",
            b"  \n",
            b"\xef\xbb\xbf" + line(record(outcome="TIMEOUT")),
        )
        self.assertIn("2 new records, 0 known, 0 footers, 0 refused", self.expect(0, "import", "runs.jsonl"))
        self.assertEqual([row["line"] for row in self.query("select line from runs order by id")], [1, 4])


class Kept(ProgramTest):
    def test_sums_are_written_where_there_are_more_than_may_be_kept(self):
        connection = mock.Mock()
        written = lambda: len(connection.executemany.mock_calls)
        row = splitting.Splitter().split(records.parse(line(real_record())))
        made = tallies.Tallies(connection)
        with mock.patch.object(tallies, "_MOST_KEPT", 3):
            made.add(1, 1, row.record, row.measurements)  # a wall and a throughput, and one run
            made.add(1, 1, row.record, row.measurements)
            self.assertEqual(written(), 0)
            made.add(2, 1, row.record, ())
            self.assertEqual(written(), 2)
            (_, figures), (_, runs) = [call.args for call in connection.executemany.mock_calls]
            figures = list(figures)
            medians = [2 * m["median_ns"] for m in real_record()["measurements"]]
            found = [(one[0], one[3], *one[7:10]) for one in figures]
            modes = [m["mode"] for m in real_record()["measurements"]]
            self.assertEqual(
                found, [(1, modes[0], 2, 2, medians[0]), (1, modes[1], 2, 2, medians[1]), (2, "", 1, 0, 0.0)]
            )
            self.assertEqual([(one[1], one[4]) for one in runs], [(1, 2), (2, 1)])
            flags = [any(c["status"] == "CHECK_FLAGGED" for c in m["checks"]) for m in real_record()["measurements"]]
            self.assertEqual([one[6] for one in figures], [*flags, False])
            made.add(3, 1, row.record, ())
            self.assertEqual(written(), 2)

    def test_what_repeats_is_made_once_and_forgotten_where_it_is_too_much(self):
        made = []
        dimension = splitting._Dimension()
        ask = lambda value: dimension.digest(value, lambda: made.append(value) or (value,))
        with mock.patch.object(splitting, "_MOST_KEPT", 2):
            first = ask("a")
            self.assertEqual([ask("b"), ask("a")], [ask("b"), first])
            self.assertEqual(made, ["a", "b"])
            ask("c")
            self.assertEqual((ask("c"), made), (dimension.digest("c", None), ["a", "b", "c"]))
            self.assertEqual((ask("a"), made), (first, ["a", "b", "c", "a"]))
        self.assertEqual(sorted(dimension.take().values()), [("a",), ("b",), ("c",)])
        self.assertEqual(dimension.take(), {})


class Outcomes(unittest.TestCase):
    def test_what_one_exit_code_says_of_several_problems(self):
        problem = lambda kind: errors.Problem("a", 0, kind, "m")
        for kinds, code in (
            ((), 0),
            ((errors.Problem.TORN,), 2),
            ((errors.Problem.SCHEMA, errors.Problem.MISSING), 2),
            ((errors.Problem.TORN, errors.Problem.ORDER), 1),
            ((errors.Problem.DUPLICATE,), 1),
            ((errors.Problem.NUMBER,), 1),
            ((errors.Problem.MALFORMED,), 1),
        ):
            self.assertEqual(errors.exit_code([problem(kind) for kind in kinds]), code)
        self.assertEqual(str(problem("x")), "a: x: m")
        self.assertEqual(str(errors.Problem("a", 3, "x", "m")), "a:3: x: m")

    def test_what_is_refused_is_told_in_200_characters(self):
        self.assertEqual(str(errors.refused(ValueError("x" * 201))), "not a record: " + "x" * 200)
        self.assertEqual(str(errors.refused(KeyError("a"), "no row")), "no row: no 'a'")
        kept = errors.Refused(errors.Problem.NUMBER, "n")
        self.assertIs(errors.refused(kept), kept)


class Readers(unittest.TestCase):
    def test_readers_end_with_whoever_started_them(self):
        """Two readers have full pipes, and the process that reads these is killed."""

        class Piece:
            def packed(self):
                return bytes(1 << 25)

        ours, theirs = os.pipe()
        with mock.patch.object(rows.Reader, "piece", lambda *_: Piece()):
            starter = os.fork()
            if not starter:
                made = reading.Processes(2, [None] * 8, keep=False)
                os.write(theirs, b" ".join(b"%d" % one.pid for one in made._processes))
                signal.pause()
        self.addCleanup(os.close, ours)
        os.close(theirs)
        readers = [int(text) for text in os.read(ours, 100).split()]
        self.assertEqual(len(readers), 2)
        os.kill(starter, signal.SIGKILL)
        os.waitpid(starter, 0)
        os.set_blocking(ours, True)
        self.assertEqual(os.read(ours, 1), b"", "the last of them closes it")


class Values(unittest.TestCase):
    def test_a_key_has_16_bytes_and_begins_with_its_moment(self):
        row = splitting.Splitter().split(records.parse(line(record(started_utc="2026-11-23T12:39:59.5+00:00"))))
        self.assertEqual([len(part) for part in (row.key, row.case, row.machine)], [16] * 3)
        self.assertEqual(row.key[:5], (261123123959).to_bytes(5, "big"))
        for odd in (None, "", "soon", "2026-11-23"):
            self.assertEqual(splitting._moment(odd), (261123).to_bytes(5, "big") if odd == "2026-11-23" else bytes(5))

    def test_equal_values_are_equal_bytes(self):
        one, other = "abc", "".join(["a", "bc"])
        for values in ((one, one), (other, one), (other, other), (sys.intern(other), "".join(["ab", "c"]))):
            self.assertEqual(splitting._written(values), splitting._written((one, "".join(["abc"]))))
        self.assertEqual(splitting._written(0.1), b"g" + struct.pack("<d", 0.1))


class Blobs(unittest.TestCase):
    def test_samples_and_documents_come_back(self):
        self.assertIsNone(rows._blob([]))
        self.assertEqual(rows.samples_of(rows._blob([1.5, 2.25])), [1.5, 2.25])
        self.assertEqual(rows.unpack(rows.pack([b"a", b"b c"])), [b"a", b"b c"])


if __name__ == "__main__":
    unittest.main()
