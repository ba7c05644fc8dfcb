"""Import: each record once, whatever is read again; lines that are wrong stay out, with their place."""

import itertools
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import unittest
from unittest import mock

from tools.results import exporting, importing, line_file, rows, synthetic, tallies
from tools.results.test_files import ProgramTest, hostile_lines, line, real_record, record


def numbered(count, start=0):
    return [
        record(started_utc="2026-11-22T%02d:%02d:%02d+00:00" % (n // 3600, n // 60 % 60, n % 60))
        for n in range(start, start + count)
    ]


class OnceTest(ProgramTest):
    def count(self):
        return self.query("select count(*) as n from runs")[0]["n"]

    def test_importing_twice_changes_nothing(self):
        self.write("runs.jsonl", *numbered(3))
        self.expect(0, "import", "runs.jsonl")
        before = self.query("select * from results")
        self.assertIn("0 new records, 0 known", self.expect(0, "import", "runs.jsonl"))
        self.assertEqual(self.query("select * from results"), before)

    def test_a_copy_of_a_file_brings_nothing(self):
        self.write("runs.jsonl", *numbered(3))
        self.write("copy.jsonl", *numbered(3))
        self.expect(0, "import", "runs.jsonl", "copy.jsonl")
        self.assertIn("copy.jsonl: assay, 0 new records, 3 known", self.out)

    def test_duplicate_rows_are_one_record_with_its_own_document(self):
        first, second = numbered(2)
        self.write("runs.jsonl", first, first, second, first)
        self.assertIn("2 new records, 2 known", self.expect(0, "import", "runs.jsonl"))
        self.expect(0, "export", "--format=assay", "--output=out.jsonl")
        self.assertEqual(self.read("out.jsonl").count("\n"), 2)
        self.assertIn(second["started_utc"], self.read("out.jsonl").splitlines()[1])

    def test_the_order_of_fields_makes_no_other_record(self):
        made = real_record()
        self.write("runs.jsonl", made, dict(reversed(list(made.items()))))
        self.assertIn("1 new records, 1 known", self.expect(0, "import", "runs.jsonl"))

    def test_numbers_as_strings_nulls_and_spaces_make_no_other_record(self):
        made = real_record()
        made["benchmark_case"].update(batch=1, operator_call=None)
        made["measurements"][0].update(calls_per_sample=1, preset=None, p99_ns=None, peak_device_bytes=None)
        made["measurements"][1].update(peak_host_bytes=int(made["measurements"][1]["peak_host_bytes"]))
        self.write("runs.jsonl", real_record(), made, json.dumps(real_record()).encode() + b"\n")
        self.assertIn("1 new records, 2 known", self.expect(0, "import", "runs.jsonl"))

    def test_flagged_is_what_any_writer_of_json_says(self):
        want = self.flagged(real_record())
        self.assertIn({"mode": "wall", "flagged": "clock_held cpu_contention"}, want)
        turned, said = real_record(), real_record()
        for measurement in turned["measurements"]:
            measurement["checks"] = [dict(reversed(list(check.items()))) for check in measurement["checks"]]
        for measurement in said["measurements"]:
            measurement["checks"][0]["detail"] = 'not "CHECK_FLAGGED", nor "status":"CHECK_FLAGGED"'
        for other in (
            turned,
            said,
            json.dumps(real_record()).encode() + b"\n",
            line(real_record()).replace(b"CHECK_FLAGGED", b"\\u0043HECK_\\u0046LAGGED"),
        ):
            self.assertEqual(self.flagged(other), want)

    def flagged(self, content):
        self.write("flagged.jsonl", content)
        self.expect(0, "import", "flagged.jsonl", "--database=flagged.sqlite")
        sql = "select mode, flagged from results"
        found = json.loads(self.expect(0, "query", sql, "--database=flagged.sqlite", "--format=json"))
        os.remove(self.path("flagged.sqlite"))
        return found

    def test_another_figure_makes_another_record(self):
        made = real_record()
        made["measurements"][1]["p99_ns"] += 1
        self.write("runs.jsonl", real_record(), made)
        self.assertIn("2 new records", self.expect(0, "import", "runs.jsonl"))

    def test_a_file_that_grew_is_read_from_where_it_ended(self):
        self.write("runs.jsonl", *numbered(3))
        self.expect(0, "import", "runs.jsonl")
        self.write("runs.jsonl", *numbered(5))
        self.assertIn("2 new records, 0 known", self.expect(0, "import", "runs.jsonl"))
        self.assertEqual([row["line"] for row in self.query("select line from runs order by line")], [1, 2, 3, 4, 5])

    def test_a_file_whose_old_part_changed_is_read_whole(self):
        self.write("runs.jsonl", *numbered(3))
        self.expect(0, "import", "runs.jsonl")
        self.write("runs.jsonl", *numbered(5, start=1))
        self.assertIn("3 new records, 2 known", self.expect(0, "import", "runs.jsonl"))

    def test_many_pieces_keep_order_and_places(self):
        self.write("runs.jsonl", b"".join(synthetic.lines(600, samples=False)), b"{}\n")
        with mock.patch.object(line_file, "_PIECE", 1 << 20):
            self.assertGreater(os.path.getsize(self.path("runs.jsonl")), 4 * line_file._PIECE)
            self.assertIn("600 new records", self.expect(1, "import", "runs.jsonl"))
        self.assertIn("runs.jsonl:601: malformed", self.err)
        rows = self.query("select id, line from runs order by id")
        self.assertEqual([(row["id"], row["line"]) for row in rows], [(n, n) for n in range(1, 601)])
        blocks = self.query("select first, last from documents order by first")
        self.assertEqual([block["last"] + 1 for block in blocks], [block["first"] for block in blocks[1:]] + [601])
        self.expect(0, "export", "--format=assay", "--output=out.jsonl")
        self.expect(0, "import", "out.jsonl")
        self.assertIn("0 new records, 600 known", self.out)

    def test_columns_alone_give_the_same_figures(self):
        self.write("runs.jsonl", *numbered(2))
        self.expect(0, "import", "runs.jsonl", "--samples=no")
        self.assertEqual(self.query("select count(*) as n from documents")[0]["n"], 0)
        self.expect(0, "export", "--format=assay", "--output=out.jsonl")
        self.assertIn("2 records come from columns alone", self.err)
        self.expect(0, "import", "out.jsonl", "--database=again.sqlite", "--samples=no")
        sql = "select r.*, x.* from records r join measurements x on x.id >= r.first and x.id < r.behind"
        a, b = (sqlite3.connect(self.path(name)).execute(sql).fetchall() for name in ("results.sqlite", "again.sqlite"))
        self.assertEqual(
            [[*row[4:-2], row[-1]] for row in a], [[*row[4:-2], row[-1]] for row in b], "but for counts of samples"
        )
        self.assertIn("0 new records, 2 known", self.expect(0, "import", "out.jsonl"))


class TalliesTest(ProgramTest):
    def test_are_what_counting_all_rows_finds(self):
        lines = [json.loads(one) for one in synthetic.lines(500, samples=False, suite_run="night")]
        for one in lines:
            one["environment"]["git_commit"] = "a" * 40  # so that there are few groups, of several records each
        none = record(outcome="TIMEOUT", measurements=[], started_utc="2026-11-23T00:00:00+00:00")
        unknown = record(measurements=[{"mode": "wall"}], started_utc="2026-11-23T00:00:01+00:00", launch={})
        self.write("a.jsonl", *lines[:300], none, lines[3], unknown)
        self.write("b.jsonl", *lines[200:], real_record(), none)
        with mock.patch.object(tallies, "_MOST_KEPT", 50):
            self.expect(0, "import", "a.jsonl", "b.jsonl")
        by = "case_name, dtype, git_commit, torch_version, outcome, mode, step, preset"
        want = self.query(
            "select %s, flagged is not null as flagged, count(*) as count, count(median_ns) as medians, total(median_ns)"
            " as sum_ns, min(median_ns) as min_ns, max(median_ns) as max_ns from results"
            " group by 1, 2, 3, 4, 5, 6, 7, 8, 9 order by 1, 2, 3, 4, 5, 6, 7, 8, 9" % by
        )
        got = self.query(
            "select %s, flagged, count, medians, sum_ns, min_ns, max_ns from summary order by 1, 2, 3, 4, 5, 6, 7, 8, 9"
            % by
        )
        self.assertGreater(sum(row["count"] for row in want), 2 * len(want))
        for one, other in itertools.zip_longest(got, want):
            self.assertAlmostEqual(
                one.pop("sum_ns"), other.pop("sum_ns"), delta=1e-9 * one["count"] * (one["max_ns"] or 0)
            )
            self.assertEqual(one, other)
        counted = (
            "select suite_run, count(*) as records, min(started_utc) as started_utc from runs where suite_run <> ''"
        )
        self.assertEqual(
            self.query(
                "select suite_run, sum(count) as records, min(started_utc) as started_utc from run_tallies"
                " where suite_run <> '' group by 1"
            ),
            self.query(counted + " group by 1"),
        )
        self.assertEqual(
            {(row["outcome"], row["runs"], row["partial"]) for row in self.query("outcomes")},
            {
                (row["outcome"], row["runs"], row["partial"])
                for row in self.query(
                    "select outcome, count(*) as runs, sum(partial) as partial from runs group by device, torch_version, 1"
                )
            },
        )


class RefusedTest(ProgramTest):
    def refused(self, *contents):
        good = numbered(1)[0]
        self.write("runs.jsonl", good, *contents, numbered(2)[1])
        code, out, err = self.run_program("import", "runs.jsonl")
        self.assertIn("2 new records, 0 known, 0 footers, %d refused" % len(contents), out + err)
        return code, err

    def test_wrong_lines_stay_out_and_the_others_come_in(self):
        negative, slow, words = real_record(), real_record(), real_record()
        negative["measurements"][0]["median_ns"] = -1.0
        slow["measurements"][1]["samples_ns"][2] = -0.5
        words["measurements"][0]["median_ns"] = "NaN"
        code, err = self.refused(
            b'{"schema_version": 2, "outcome": "PASS", \n',
            b"[1, 2]\n",
            b"null\n",
            negative,
            slow,
            words,
            line(real_record()).replace(b'"median_ns":35414', b'"median_ns":NaN'),
            line(real_record()).replace(b'"median_ns":35414', b'"median_ns":1e999'),
            record(outcome="PERFECT"),
            record(benchmark_case=7),
            record(benchmark_case__batch="many"),
            b"\xff\xfe\n",
            record(measurements=[{"samples_ns": "fast"}]),
            record(measurements=[{"checks": {"name": "warm"}}]),
            record(measurements=[{"checks": [{"name": 7, "status": "CHECK_FLAGGED"}]}]),
            record(environment__memory_bytes=str(1 << 63)),
            record(benchmark_case__dtype=32),
        )
        self.assertEqual(code, 1)
        for number, what in (
            (2, "malformed: not JSON"),
            (3, "malformed: not a record"),
            (4, "malformed: not a record"),
            (5, "bad number: not a record: Expected `float` >= 0.0 - at `$.measurements[0].median_ns`"),
            (6, "bad number: not a record: Expected `float` >= 0.0 - at `$.measurements[1].samples_ns[2]`"),
            (7, "bad number: not a record: Expected `float` >= 0.0 - at `$.measurements[0].median_ns`"),
            (8, "malformed: not JSON: NaN (byte "),
            (9, "bad number: not a record: Number out of range - at `$.measurements[1].median_ns`"),
            (10, "malformed: not a record: unknown outcome 'PERFECT'"),
            (11, "malformed"),
            (12, "malformed"),
            (13, "malformed"),
            (14, "malformed: not a record: Expected `array`, got `str` - at `$.measurements[0].samples_ns`"),
            (15, "malformed: not a record: Expected `array` - at `$.measurements[...].checks`"),
            (16, "malformed: not a record: Expected `str`, got `int` - at `$.measurements[...].checks[0].name`"),
            (17, "malformed: not a record: Expected `int` <= 9223372036854775807 - at `$.environment.memory_bytes`"),
            (18, "malformed: not a record: Expected `str`, got `int` - at `$.benchmark_case.dtype`"),
        ):
            self.assertIn("runs.jsonl:%d: %s" % (number, what), err)

    def test_what_the_reader_in_c_plus_plus_refuses_is_refused_here_too(self):
        lines = hostile_lines()
        self.assertGreater(len(lines), 20)
        code, err = self.refused(*lines)
        self.assertEqual(code, 1)
        for number, hostile in enumerate(lines[:20], 2):  # as many as are printed
            self.assertRegex(err, r"runs\.jsonl:%d: (malformed|bad number): " % number, hostile)
        self.assertIn('bad number: not a record: "NaN" is no number - at `$.verdict.outputs[0].cosine`', err)
        self.assertIn('"Infinity" is no number - at `$.peaks[0].per_s`', err)
        self.assertIn('"NaN" is no number - at `$.benchmark_case.parameters["rate"].real`', err)

    def test_no_odd_line_costs_another(self):
        def with_more(text, **fields):
            return line(record(error="MORE", **fields)).replace(b'"MORE"', text)

        def footer(planned):
            return b'{"schema_version":2,"suite_run":{"id":"night","planned":%s}}\n' % planned

        def nested(depth):
            return b"[" * depth + b"]" * depth

        parameters = {"benchmark_case__parameters": {"rate": "MORE"}}
        odd = {
            "nested deeper than any reader goes": with_more(b'"", "of_tomorrow": ' + nested(5000)),
            "nested deeper than what is written again": with_more(b'"", "of_tomorrow": ' + nested(500)),
            "no UTF-8 where no column is": with_more(b'"", "of_tomorrow": ["\xff\xfe"]'),
            "an infinity where no column is": with_more(b'"", "of_tomorrow": 1e999'),
            "5000 digits": with_more(b'"", "of_tomorrow": ' + b"7" * 5000),
            "half of a letter": with_more(b'"\\ud800"'),
            "nested parameters": line(record(**parameters)).replace(b'"MORE"', nested(900)),
            "infinite parameters": line(record(**parameters)).replace(b'"MORE"', b"1e999"),
            "planned 2^70": footer(b'"%d"' % 2**70),
            "planned 5000 digits": footer(b'"%s"' % (b"7" * 5000)),
            "planned below zero": footer(b"-1"),
            "a nested footer": footer(b"1").replace(b'"id"', b'"x": %s, "id"' % nested(500)),
            "a list": b"[1]\n",
            "an infinity": b"1e999\n",
            "brackets alone": b"[" * 100000 + b"\n",
            "zeros": b"\0" * 1000 + b"\n",
        }
        for what, one in odd.items():
            with self.subTest(what):
                self.assertEqual(self.refused(one)[0], 1)
                os.remove(self.path("results.sqlite"))
                self.assertIn("2 records, 2 of no suite, 0 footers; ", self.expect(1, "check", "runs.jsonl"))
                self.assertRegex(self.out, r"runs\.jsonl:2: (malformed|bad number): ")

    def test_a_byte_order_mark_costs_no_record(self):
        self.write("runs.jsonl", b"\xef\xbb\xbf", *numbered(2), b"\xef\xbb\xbf", record(error="\ufeff of a text"))
        self.assertIn("3 records", self.expect(0, "check", "runs.jsonl"))
        self.assertIn("3 new records, 0 known, 0 footers, 0 refused", self.expect(0, "import", "runs.jsonl"))
        self.assertEqual(self.query("select error from runs where error is not null")[0]["error"], "\ufeff of a text")
        for name in ("google_benchmark.json", "openxla.json", "hud.json", "benchmark_result_4711_1700000000.json"):
            self.copy(name)
            self.write("marked", b"\xef\xbb\xbf", self.read(name).encode())
            self.assertIn(" 0 refused", self.expect(0, "import", "marked", "--database=other.sqlite"))

    def test_a_null_is_a_field_that_is_absent_and_goes_out_so(self):
        nulls = dict.fromkeys(("measurements", "environment", "verdict", "launch", "flags"))
        checks = record(measurements=[{"mode": "wall", "median_ns": 5.0, "checks": None}], benchmark_case__tags=None)
        footer = {"schema_version": 2, "suite_run": {"id": "night", "planned": None}}
        self.write("runs.jsonl", record(**nulls), checks, footer)
        self.assertIn("2 new records, 0 known, 1 footers, 0 refused", self.expect(0, "import", "runs.jsonl"))
        for form in exporting.FORMATS:
            self.expect(0, "export", "--format=" + form, "--output=out")
            self.assertNotIn("left out: ", self.err, form)

    def test_a_record_too_odd_for_a_format_costs_no_other_there(self):
        bare = {"schema_version": 2, "outcome": "PASS", "measurements": [{"mode": "wall"}]}
        odd = record(imported={"format": "param", "fields": "[" * 5000})
        self.write("runs.jsonl", *numbered(1), bare, odd)
        self.expect(0, "import", "runs.jsonl")
        self.expect(0, "export", "--format=google_benchmark", "--output=out")
        self.assertIn("left out: 2 records, the first of them None of None: not a record: no 'benchmark_case'", self.err)
        self.assertIn("1 records written", self.err)

    def test_text_that_reads_like_a_number_comes_in(self):
        variables = {"real": "NaN", "per_s": "Infinity"}
        self.write("runs.jsonl", record(error="NaN", flags=["Infinity", "a \\ b"], environment__variables=variables))
        self.assertIn("1 new records", self.expect(0, "import", "runs.jsonl"))

    def test_another_schema_version_is_of_the_surroundings(self):
        code, err = self.refused(record(schema_version=1), record(schema_version=3), {"outcome": "PASS"})
        self.assertEqual(code, 2)
        self.assertIn("runs.jsonl:3: other schema: schema version 3, and this program reads 2", err)

    def test_a_torn_last_line_is_left_for_the_next_time(self):
        whole = line(numbered(2)[1])
        self.write("runs.jsonl", numbered(1)[0], whole[:700])
        self.expect(2, "import", "runs.jsonl")
        self.assertIn("runs.jsonl:2: torn line", self.err)
        self.assertIn("1 new records", self.out)
        self.write("runs.jsonl", numbered(1)[0], whole)
        self.assertIn("1 new records, 0 known", self.expect(0, "import", "runs.jsonl"))

    def test_a_file_with_nothing_but_a_torn_line(self):
        self.write("runs.jsonl", line(real_record())[:5000])
        self.expect(2, "import", "runs.jsonl")
        self.assertIn("runs.jsonl:1: torn line", self.err)

    def test_an_empty_file(self):
        self.write("runs.jsonl")
        self.assertIn("0 new records", self.expect(0, "import", "runs.jsonl"))


class SuiteTest(ProgramTest):
    def test_a_run_without_a_footer_is_partial_until_it_comes(self):
        lines = list(synthetic.lines(4, samples=False, suite_run="night"))
        self.write("runs.jsonl", *lines[:3], real_record())
        self.expect(0, "import", "runs.jsonl")
        self.assertEqual([row["partial"] for row in self.query("select partial from runs order by id")], [1, 1, 1, 0])
        self.write("runs.jsonl", *lines[:3], real_record(), lines[3], synthetic.footer("night", 4))
        self.assertIn("1 new records, 0 known, 1 footers", self.expect(0, "import", "runs.jsonl"))
        self.assertEqual([row["partial"] for row in self.query("select distinct partial from runs")], [0])
        self.expect(0, "export", "--format=assay", "--output=out.jsonl")
        self.assertEqual(self.read("out.jsonl").count('"suite_run":{'), 1)

    def test_a_footer_that_says_incomplete_leaves_it_partial(self):
        self.write(
            "runs.jsonl",
            *synthetic.lines(3, samples=False, suite_run="night"),
            synthetic.footer("night", 9, complete=False),
        )
        self.expect(0, "import", "runs.jsonl")
        self.assertEqual(self.query("select distinct partial from runs")[0]["partial"], 1)
        self.assertIn("partial", self.expect(0, "query", "suites"))


class SurroundingsTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("runs.jsonl", *numbered(2))

    def start(self, *words, limit=None):
        environment = {**os.environ, "BUILD_WORKING_DIRECTORY": self.folder, "PYTHONPATH": os.pathsep.join(sys.path)}

        def limited():
            if limit:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.Popen(
            [sys.executable, "-s", "-S", "-m", "tools.results", *words],
            env=environment,
            preexec_fn=limited,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_a_database_that_is_none(self):
        self.write("results.sqlite", b"not a database, but longer than a header of one hundred bytes " * 4)
        self.expect(2, "import", "runs.jsonl")
        self.assertIn("results.sqlite: not an SQLite database", self.err)
        self.expect(2, "query", "latest")

    def test_an_empty_database(self):
        self.write("results.sqlite")
        self.expect(2, "query", "latest")
        self.assertIn("no import into it has ended well", self.err)
        self.expect(0, "import", "runs.jsonl")

    def test_somebody_elses_database(self):
        sqlite3.connect(self.path("results.sqlite")).execute("CREATE TABLE mine (x)")
        self.expect(2, "import", "runs.jsonl")
        self.assertIn("an SQLite database of something else", self.err)
        tables = sqlite3.connect(self.path("results.sqlite")).execute("SELECT name FROM sqlite_master").fetchall()
        self.assertEqual(tables, [("mine",)])

    def test_another_layout(self):
        self.expect(0, "import", "runs.jsonl")
        connection = sqlite3.connect(self.path("results.sqlite"))
        connection.execute("PRAGMA user_version = 99")
        connection.commit()
        self.expect(2, "query", "latest")
        self.assertIn("layout 99", self.err)

    def test_a_database_of_before_a_column_is_read_and_takes_no_more(self):
        """`headline` is a field of a measurement, `node` one of a machine."""
        self.expect(0, "import", "runs.jsonl")
        self.expect(0, "query", "latest")
        latest = self.out
        connection = sqlite3.connect(self.path("results.sqlite"))
        for statement in (
            "DROP VIEW runs",
            "DROP VIEW results",
            "DROP VIEW served",
            "DROP VIEW summary",
            "ALTER TABLE measurements DROP COLUMN headline",
            "ALTER TABLE machines DROP COLUMN node",
        ):
            connection.execute(statement)
        connection.commit()
        self.expect(0, "query", "latest")
        self.assertEqual(self.out, latest)
        self.expect(0, "query", "select count(*), count(headline), count(node) from results")
        self.assertRegex(self.out, r"\b[1-9]\d* +0 +0\b")
        self.expect(0, "export", "--format=assay", "--output=back.jsonl")
        self.write("more.jsonl", b"".join(synthetic.lines(2, samples=False)))
        self.expect(2, "import", "more.jsonl")
        self.assertIn("did not know node, headline; it can be read; import into a new one", self.err)

    def test_a_folder_that_is_missing(self):
        self.expect(2, "import", "runs.jsonl", "--database=nowhere/results.sqlite")
        self.assertIn("nowhere", self.err)

    def test_a_file_that_is_missing_leaves_no_database(self):
        self.expect(2, "import", "runs.jsonl", "walks.jsonl")
        self.assertIn("walks.jsonl: no such file; nothing was imported", self.err)
        self.assertFalse(os.path.exists(self.path("results.sqlite")))

    def test_a_full_disk_takes_back_the_whole_import(self):
        self.expect(0, "import", "runs.jsonl")
        self.write("more.jsonl", b"".join(synthetic.lines(600, samples=False)))
        process = self.start("import", "more.jsonl", limit=200000)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 2, out + err)
        self.assertIn("nothing of this import is in it", err)
        self.assertEqual(self.query("select count(*) as n from runs")[0]["n"], 2)
        self.assertIn("600 new records", self.expect(0, "import", "more.jsonl"))

    def test_two_imports_at_once_both_come_in(self):
        self.write("a.jsonl", b"".join(synthetic.lines(300, samples=False, seed=1)))
        self.write("b.jsonl", b"".join(synthetic.lines(300, samples=False, seed=2)))
        both = [self.start("import", name) for name in ("a.jsonl", "b.jsonl")]
        for process in both:
            out, err = process.communicate()
            self.assertEqual(process.returncode, 0, out + err)
        self.assertEqual(
            self.query("select count(*) as n, count(distinct key) as k from records"), [{"n": 600, "k": 600}]
        )

    def test_an_import_waits_for_a_reader(self):
        self.expect(0, "import", "runs.jsonl")
        reader = sqlite3.connect(self.path("results.sqlite"), check_same_thread=False)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM records").fetchone()
        timer = threading.Timer(0.3, reader.rollback)
        timer.start()
        self.write("runs.jsonl", *numbered(4))
        self.assertIn("2 new records", self.expect(0, "import", "runs.jsonl"))
        timer.join()

    def test_a_process_that_fails_or_dies_takes_back_the_whole_import(self):
        self.expect(0, "import", "runs.jsonl")
        self.write("more.jsonl", b"".join(synthetic.lines(600, samples=False)))
        whole = rows.Reader.piece

        def gone(reader, piece):
            if piece.offset > 3 << 20:
                os._exit(9)
            return whole(reader, piece)

        def unreadable(reader, piece):
            if piece.offset > 3 << 20:
                raise OSError(5, "Input/output error")
            return whole(reader, piece)

        for fails, words in ((gone, "the process that read it was ended"), (unreadable, "Input/output error")):
            with (
                mock.patch.object(rows.Reader, "piece", fails),
                mock.patch("os.sched_getaffinity", return_value={0, 1}),
            ):
                self.expect(2, "import", "more.jsonl")
            self.assertIn(words, self.err)
            self.assertEqual(self.query("select count(*) as n from runs")[0]["n"], 2)

    def test_interrupted_nothing_is_left(self):
        self.expect(0, "import", "runs.jsonl")
        self.write("more.jsonl", *numbered(9))
        whole = importing.Importer._store

        def interrupt(*arguments):
            whole(*arguments)
            raise KeyboardInterrupt

        importing.Importer._store = interrupt
        try:
            self.expect(130, "import", "more.jsonl")
        finally:
            importing.Importer._store = whole
        self.assertEqual(self.query("select count(*) as n from runs")[0]["n"], 2)


if __name__ == "__main__":
    unittest.main()
