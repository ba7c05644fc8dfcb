"""Numbers, defaults and limits at their edges: what mutants of them survived (//tools:mutate -- --family=python)."""

import contextlib
import hashlib
import io
import json
import os
import re
import signal
import sqlite3
import struct
import sys
import unittest
from unittest import mock

from tools.results import columns, database, errors, exporting, line_file, passed_over, program, query, reading, rows, secret_values, splitting, tallies
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
        self.assertIn("the footer of the suite's run night says that it is not complete", self.check(2, one, footer(planned="1")))
        self.check(0, footer(complete=True))
        said = self.check(2, one, footer(planned="2", complete=True))
        self.assertIn("of 2 planned configurations of the suite's run night there are 1, and 0 were done before it", said)
        self.write("a.jsonl", footer())
        self.expect(0, "import", "a.jsonl")
        (row,) = self.query("select planned, done_before, complete, started_utc, duration_s, flags from suite_runs")
        self.assertEqual(row, dict(planned=0, done_before=0, complete=0, started_utc=None, duration_s=None, flags=""))

    def test_what_is_missing_has_no_line_and_what_disagrees_has_one(self):
        one = record(launch__suite_run="night")
        self.assertIn("  runs.jsonl: missing: the suite's run night has no footer", self.check(2, one))
        self.assertIn("  runs.jsonl:2: missing: of 2 planned", self.check(2, one, footer(planned="2", complete=True)))
        self.assertIn("  runs.jsonl:2: missing: the footer", self.check(2, one, footer(planned="1")))

    def test_the_last_run_of_a_file_makes_good_what_was_cut_off(self):
        first, second = (record(launch__suite_run=name, started_utc="2026-11-2%dT00:00:00+00:00" % i) for i, name in enumerate("ab"))
        ends = [{"schema_version": 2, "suite_run": {"id": name, "planned": "1", "complete": True}} for name in "ab"]
        for lines, missing in (([first, second, ends[1]], ["a"]), ([first, ends[0], second], ["b"]), ([first, second], ["a", "b"])):
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
        for passed, of, code in ((3, 3, 0), (2, 3, 0), (1, 3, 1), (2, 4, 1), (3, 4, 0), (4, 3, 1), (1, 1, 0), (0, 1, 1)):
            self.write("runs.jsonl", record(verdict__runs=of, verdict__passed_runs=passed))
            self.expect(code, "check", "runs.jsonl")

    def test_worst_errors_are_0_where_an_output_says_none(self):
        self.write("runs.jsonl", record(verdict__outputs=[{"name": "a"}, {"name": "b", "max_error": 0.25}]), record(verdict__outputs=[]))
        self.expect(0, "import", "runs.jsonl")
        rows_of = self.query("select max_error, rms_error from runs order by id")
        self.assertEqual(rows_of, [{"max_error": 0.25, "rms_error": 0}, {"max_error": None, "rms_error": None}])

    def test_a_number_that_no_column_holds_is_a_number(self):
        for value, good in ((1.5, True), ("1.5", True), ("abc", False), ("NaN", False), ("-Infinity", False), ("", False)):
            document = {"verdict": {"outputs": [{"name": "NaN", "cosine": value}]}, "error": "Infinity"}
            if good:
                passed_over.refuse_words(document)
            else:
                with self.assertRaisesRegex(errors.Refused, r'"%s" is no number - at `\$.verdict.outputs\[0\].cosine`' % value):
                    passed_over.refuse_words(document)

    def test_which_word_is_no_number_of_json(self):
        for word in (b"NaN", b"Infinity", b"-Infinity"):
            with self.assertRaises(errors.Refused) as refused:
                records.parse(line(record(duration_s=1.5)).replace(b'"duration_s":1.5', b'"duration_s":' + word))
            self.assertIn("not JSON: %s (byte " % word.decode().lstrip("-"), str(refused.exception))
            self.assertIn("which JSON does not have; leave out a number that is not known", str(refused.exception))

    def test_what_the_schema_does_not_name_is_passed_over(self):
        passed_over.refuse_words({"environment": None, "verdict": "NaN", "unknown": {"a": "NaN"}, "measurements": ["NaN", [{"median_ns": 1}]]})

    def test_words_that_are_no_numbers_are_seen_behind_escapes(self):
        for text, code in ((b"NaN", 1), (b"\\u004eaN", 1), (b"-\\u0049nfinity", 1), (b"1\\u002e5", 0)):
            self.write("runs.jsonl", line(record(verdict__outputs=[{"name": "a", "cosine": "X"}])).replace(b'"X"', b'"%s"' % text))
            self.expect(code, "check", "runs.jsonl")

    def test_of_a_dictionary_refuses_what_cannot_be_written(self):
        made = {"schema_version": 2, "outcome": "PASS", "benchmark_case": {"name": "a"}}
        self.assertEqual(records.of(made).outcome, "PASS")
        for odd in ({"error": "\ud800"}, {"repetition": 1 << 70}, {"error": {1: 2}}, {"imported": {"fields": "\ud800"}}):
            with self.assertRaises(errors.BROKEN):
                records.of({**made, **odd})


class Lines(ProgramTest):
    def test_a_line_has_a_longest_length(self):
        with mock.patch.multiple(line_file, _PIECE=8, _LONGEST_LINE=32):
            for length, good in ((31, True), (32, False), (100, False)):
                self.write("a", b"x" * (length - 1) + b"\n" + b"b\n" * 8)
                file = line_file.LineFile(self.path("a"))
                if good:
                    self.assertEqual(b"".join(piece.read()[0] for piece in file.pieces()), b"x" * (length - 1) + b"\n" + b"b\n" * 8)
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
        self.write("runs.jsonl", b"\xef\xbb\xbf" + line(real_record()), b"\n", b"  \n", b"\xef\xbb\xbf" + line(record(outcome="TIMEOUT")))
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
            self.assertEqual(found, [(1, modes[0], 2, 2, medians[0]), (1, modes[1], 2, 2, medians[1]), (2, "", 1, 0, 0.0)])
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


class Words(ProgramTest):
    def test_no_flag_is_cut_short(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        for words in (["--databas=results.sqlite", "query", "latest"], ["query", "latest", "--databas=results.sqlite"], ["query", "latest", "--form=csv"]):
            self.expect(3, *words)
            self.assertIn("--", self.err)

    def test_json_has_letters_as_they_are(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        self.assertEqual(self.expect(0, "query", "select 'ü' as a, x'0a' as b", "--format=json"), '[\n {"a": "ü", "b": "0a"}\n]\n')

    def test_a_check_asks_no_database(self):
        self.write("runs.jsonl", real_record())
        self.expect(3, "check", "runs.jsonl", "--database=a.sqlite")
        self.assertIn("unrecognized arguments: --database=a.sqlite", self.err)

    def test_a_question_is_one_argument(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        self.assertEqual(self.expect(0, "query", "select 1 as a"), "a\n1\n")
        for words in (["select", "1"], ["select 1", "as a"], [" latests "], ["latest", "more"], ["history"]):
            self.expect(3, "query", *words)
            self.assertIn("query: ", self.err)
        self.expect(3, "query")
        self.assertIn("want SQL or a question by name", self.err)
        self.expect(3, "query", "-- nothing at all")
        self.assertIn("nothing was asked", self.err)

    def test_the_list_needs_no_database(self):
        said = self.expect(0, "query", "--list")
        for word in ("latest", "history", "case_name", "units_per_s", "columns of the view `results`"):
            self.assertIn(word, said)
        lines = database.described().splitlines()
        self.assertLessEqual(max(map(len, lines)), 110)
        self.assertEqual({re.match(" *", one)[0] for one in lines}, {" " * 2, " " * 15})
        for one, following in zip(lines, lines[1:]):  # a line ends where the next name has no room
            if one.endswith(","):
                self.assertGreater(len(one) + 1 + len(following.split()[0]), 110)

    def test_at_most_three_names_that_are_near(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        for sql, says in (
            ("select * from ruxy", "\ndid you mean runs?"),  # half of the letters
            ("select * from ruxyz", "\ntables: runs, results, summary, suite_runs,"),
            ("select peak_byte from runs", "did you mean leaked_bytes or peak_host_bytes or peak_device_bytes?"),
            ("select r.lin from runs r", "did you mean line"),
            ("select zzzzz from runs", "\ncolumns: partial, source, line, measurement, case_name"),
        ):
            self.expect(3, "query", sql)
            self.assertIn(says, self.err)

    def test_columns_have_the_types_of_their_fields(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        connection = sqlite3.connect(self.path("results.sqlite"))
        self.addCleanup(connection.close)
        types = {columns.TEXT: "TEXT", columns.REAL: "REAL"}
        for table, own in (("cases", columns.CASE), ("machines", columns.MACHINE), ("records", columns.RECORD), ("measurements", columns.MEASUREMENT)):
            made = dict(connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,)))
            self.assertEqual({name: made[name] for name, *_ in own}, {name: types.get(kind, "INTEGER") for name, kind, *_ in own})
        (page,) = connection.execute("PRAGMA page_size").fetchone()
        self.assertEqual(page, 8192)
        # A database with another number is refused: it changes with the tables, and with nothing else.
        self.assertEqual(connection.execute("PRAGMA user_version").fetchone(), (8,))
        with open(self.path("results.sqlite"), "rb") as f:
            self.assertEqual(f.read(72)[68:], b"ASSY")

    def test_where_sqlite_stopped(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        for sql, place in (("select 'a", (1, 8)), ("select 1\nfrom runs where )", (2, 17)), ("select # from runs", (1, 8)), ("select 1 from from runs from x", (1, 15))):
            self.expect(3, "query", sql)
            self.assertIn("line %d, column %d\n" % place, self.err)
        self.assertEqual(query._place(mock.Mock(), "select 1", "nowhere", "x"), 0)
        for sql, place, where in (("\nab", 2, ["2, column 2", "  ab", "   ^"]), ("\na", 0, ["1, column 1", "  ", "  ^"]), ("ab\ncd\nef", 4, ["2, column 2", "  cd", "   ^"]), ("ab\ncd", 3, ["2, column 1", "  cd", "  ^"])):
            self.assertEqual(query._pointed(sql, place, "m"), "query: m, line " + "\n".join(where))
        with mock.patch.object(query.sqlite3, "Error", ValueError):
            connection = mock.Mock(**{"execute.side_effect": ValueError("other")})
            self.assertEqual(query._place(connection, "a from b from c from", "from", "x"), 16)
            self.assertEqual(query._place(connection, "a-b xa-b", "a-b", "x"), 0)
            self.assertEqual(query._place(connection, "#b x#b", "#b", "x"), 4)

    def test_a_name_that_does_not_stand_in_the_question(self):
        said = query.explained(None, "select 1", "no such column: zzzz")
        self.assertTrue(said.startswith("query: no such column: zzzz, line 1, column 1\n  select 1\n  ^\ncolumns: "), said)

    def test_a_table_has_as_many_rows_as_it_may(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        sql = "with recursive c(x) as (select 1 union all select x + 1 from c where x < %d) select x from c"
        with mock.patch.object(query, "_TABLE_ROWS", 3):
            for count, more in ((3, ""), (4, "and 1 rows more; --format=csv or json has all of them")):
                said = self.expect(0, "query", sql % count).splitlines()
                self.assertEqual(said[:4] + ([more] if more else []), said)
        self.assertEqual(len(self.expect(0, "query", sql % 10000).splitlines()), 10001)
        self.assertEqual(len(self.expect(0, "query", sql % 10001).splitlines()), 10002)

    def test_wrong_lines_of_an_import_are_told_at_once(self):
        class Log(list):
            def write(self, text):
                self.append(text)

            def flush(self):
                self.append("flushed")

        self.write("runs.jsonl", real_record(), b"{\n")
        log = Log()
        self.assertEqual(program.main(["import", "runs.jsonl"], {"BUILD_WORKING_DIRECTORY": self.folder}, io.StringIO(), log), 1, log)
        self.assertIn("runs.jsonl:2: malformed", log[0], log)
        both = Log()
        self.assertEqual(program.main(["import", "runs.jsonl", "--database=b.sqlite"], {"BUILD_WORKING_DIRECTORY": self.folder}, both, both), 1, both)
        said = "".join(both).split("flushed")
        self.assertIn("assay, 1 new records", said[0])
        self.assertTrue(said[1].startswith("runs.jsonl:2: malformed"), both)
        self.assertEqual(log[-1], "flushed")


class Exports(ProgramTest):
    def test_places_of_secrets_are_named(self):
        self.write("runs.jsonl", record(environment__variables={"HF_TOKEN": "abc"}, error="TOKEN=abcdef", outcome="CRASH"))
        self.expect(0, "import", "runs.jsonl")
        self.expect(0, "export", "--format=assay", "--output=out")
        (told,) = [said for said in self.err.splitlines() if "secrets" in said]
        self.assertEqual(told.partition(": secrets")[2], " taken out of 1 records: environment.variables.HF_TOKEN, error")

    def test_the_other_half_of_a_run_is_left_out_and_another_run_of_that_name_is_not(self):
        stem = "inductor_huggingface_float32_inference_cuda_"
        self.write(stem + "performance.csv", b"dev,name,batch_size,speedup,abs_latency\ncuda,m,8,1.5,4.0\n")
        self.write(stem + "accuracy.csv", b"dev,name,batch_size,accuracy\ncuda,m,8,pass\n")
        self.expect(0, "import", stem + "performance.csv", stem + "accuracy.csv")
        names = self.query("select distinct case_name from runs")
        self.assertEqual(len(names), 1)
        self.expect(0, "export", "--format=dynamo_csv", "--output=out")
        self.assertEqual(self.read("out").count("\n"), 2)
        self.write("own.jsonl", record(benchmark_case__name=names[0]["case_name"], benchmark_case__model="own"))
        self.expect(0, "import", "own.jsonl")
        self.expect(0, "export", "--format=dynamo_csv", "--output=out")
        self.assertEqual([row.split(",")[1] for row in self.read("out").splitlines()], ["name", "m", names[0]["case_name"]])

    def test_what_the_database_says_of_its_errors(self):
        for said, code, want in (
            ("database is locked", 2, "a.sqlite: another program has held it for 600 s; try again when it is done"),
            ("file is not a database", 2, "a.sqlite: not an SQLite database; name another with --database"),
            ("disk I/O error", 2, "a.sqlite: disk I/O error; nothing of this import is in it; free some space (in TMPDIR too), then import again"),
            ("database or disk is full", 2, "nothing of this import is in it"),
            ("attempt to write a readonly database", 2, "is /b a folder that you may write to?"),
            ("unable to open database file", 2, "is /b a folder that you may write to?"),
            ("odd", 2, "a.sqlite: odd"),
        ):
            stop = database._failed("/b/a.sqlite", sqlite3.Error(said))
            self.assertEqual(stop.code, code)
            self.assertIn(want, str(stop))


class Called(ProgramTest):
    def test_two_configurations_differ_and_one_does_not(self):
        made = [record(configuration={"digest": "d%d" % i, "settings": {"batch": str(i), "threads": "2", "device": "cpu"}}, started_utc="2026-11-2%dT00:00:00+00:00" % i) for i in (1, 4)]
        for runs, want in ((made, {"batch=1", "batch=4"}), (made[:1], {None})):
            self.write("a.jsonl", *runs)
            self.expect(0, "import", "a.jsonl", "--database=%d.sqlite" % len(runs))
            rows_of = json.loads(self.expect(0, "query", "latest", "--format=json", "--database=%d.sqlite" % len(runs)))
            self.assertEqual({row["called"] for row in rows_of}, want)


class Secrets(unittest.TestCase):
    def test_fields_of_other_suites_are_no_variables(self):
        # KEY and AUTH are secrets among variables, and else words as any other.
        kept = {"key": "runs/1.json", "rows": [[1, {"key": "a", "env": {"AUTH": "abc"}}]]}
        cleaned, places = secret_values.without_secrets({"imported": {"fields": json.dumps(kept)}, "key": "k"})
        got = json.loads(cleaned["imported"]["fields"])
        self.assertEqual((got["key"], cleaned["key"]), ("runs/1.json", "k"))
        self.assertEqual(got["rows"][0][1], {"key": "a", "env": {"AUTH": "***"}})
        self.assertEqual(places, ["imported.fields.rows[0][1].env.AUTH"])

    def test_letters_of_other_suites_stay_as_they_are(self):
        record_of = {"imported": {"fields": '{"rows": [[1, {"name": "ü"}]]}'}}
        self.assertEqual(secret_values.without_secrets(record_of), (record_of, []))

    def test_samples_are_passed_over_and_words_are_not(self):
        token = "HF_TOKEN=hf_abcdef"
        for value, want in (([1.0, token, 2.0], [1.0, token, 2.0]), ([token, 2.0], ["HF_TOKEN=***", 2.0]), ([2.0, token], [2.0, "HF_TOKEN=***"]), ([], [])):
            self.assertEqual(secret_values.without_secrets({"a": value})[0], {"a": want})

    def test_an_empty_secret_is_none(self):
        for value, places in (("", []), (0, []), (None, []), ("x", ["environment.variables.HF_TOKEN"])):
            record_of = {"environment": {"variables": {"HF_TOKEN": value}}}
            cleaned, found = secret_values.without_secrets(record_of)
            self.assertEqual((cleaned == record_of, found), (not places, places))


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


class Parquet(ProgramTest):
    def test_types_and_groups(self):
        import pyarrow.parquet

        self.write("runs.jsonl", real_record(), record(measurements=[], outcome="TIMEOUT", started_utc="2026-11-23T00:00:00+00:00"))
        self.expect(0, "import", "runs.jsonl")
        for samples in ("yes", "no"):
            with mock.patch.object(exporting, "_ROWS", 2):
                self.expect(0, "export", "--format=parquet", "--output=out", "--samples=" + samples)
            self.assertIn("3 measurements written", self.err)
            file = pyarrow.parquet.ParquetFile(self.path("out"))
            self.assertEqual([file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)], [2, 1])
            table = file.read().to_pylist()
            self.assertEqual([row.get("samples_ns") for row in table][2], None)
            if samples == "yes":
                self.assertEqual([row["samples_ns"] for row in table[:2]], [m["samples_ns"] for m in real_record()["measurements"]])
            self.assertEqual([row["median_ns"] for row in table], [m["median_ns"] for m in real_record()["measurements"]] + [None])
            self.assertEqual([row["partial"] for row in table], [False] * 3)
            self.assertEqual([row["id"] for row in table], [1, 1, 2])


class Readers(unittest.TestCase):
    def test_readers_end_with_whoever_started_them(self):
        """Of two readers, whose pipes are full, when the process that reads these is killed."""

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
