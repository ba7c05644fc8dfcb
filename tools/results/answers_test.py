"""Words, answers and exports at their edges: what mutants of them survived (//tools:mutate -- --family=python)."""

import io
import json
import re
import sqlite3
import unittest
from unittest import mock

from tools.results import columns, database, exporting, program, query, secret_values
from tools.results.test_files import ProgramTest, real_record, record


class Words(ProgramTest):
    def test_no_flag_is_cut_short(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        for words in (
            ["--databas=results.sqlite", "query", "latest"],
            ["query", "latest", "--databas=results.sqlite"],
            ["query", "latest", "--form=csv"],
        ):
            self.expect(3, *words)
            self.assertIn("--", self.err)

    def test_json_has_letters_as_they_are(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        self.assertEqual(
            self.expect(0, "query", "select 'ü' as a, x'0a' as b", "--format=json"), '[\n {"a": "ü", "b": "0a"}\n]\n'
        )

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
            ("select * from ruxyz", "\ntables: runs, results, summary, served, suite_runs,"),
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
        for table, own in (
            ("cases", columns.CASE),
            ("machines", columns.MACHINE),
            ("records", columns.RECORD),
            ("measurements", columns.MEASUREMENT),
            ("rates", columns.SERVED),
        ):
            made = dict(connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,)))
            self.assertEqual(
                {name: made[name] for name, *_ in own}, {name: types.get(kind, "INTEGER") for name, kind, *_ in own}
            )
        (page,) = connection.execute("PRAGMA page_size").fetchone()
        self.assertEqual(page, 8192)
        # A database with another number is refused: it changes with the tables, and with nothing else.
        self.assertEqual(connection.execute("PRAGMA user_version").fetchone(), (8,))
        with open(self.path("results.sqlite"), "rb") as f:
            self.assertEqual(f.read(72)[68:], b"ASSY")

    def test_where_sqlite_stopped(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl")
        for sql, place in (
            ("select 'a", (1, 8)),
            ("select 1\nfrom runs where )", (2, 17)),
            ("select # from runs", (1, 8)),
            ("select 1 from from runs from x", (1, 15)),
        ):
            self.expect(3, "query", sql)
            self.assertIn("line %d, column %d\n" % place, self.err)
        self.assertEqual(query._place(mock.Mock(), "select 1", "nowhere", "x"), 0)
        for sql, place, where in (
            ("\nab", 2, ["2, column 2", "  ab", "   ^"]),
            ("\na", 0, ["1, column 1", "  ", "  ^"]),
            ("ab\ncd\nef", 4, ["2, column 2", "  cd", "   ^"]),
            ("ab\ncd", 3, ["2, column 1", "  cd", "  ^"]),
        ):
            self.assertEqual(query._pointed(sql, place, "m"), "query: m, line " + "\n".join(where))
        with mock.patch.object(query.sqlite3, "Error", ValueError):
            connection = mock.Mock(**{"execute.side_effect": ValueError("other")})
            self.assertEqual(query._place(connection, "a from b from c from", "from", "x"), 16)
            self.assertEqual(query._place(connection, "a-b xa-b", "a-b", "x"), 0)
            self.assertEqual(query._place(connection, "#b x#b", "#b", "x"), 4)

    def test_a_name_that_does_not_stand_in_the_question(self):
        said = query.explained(None, "select 1", "no such column: zzzz")
        self.assertTrue(
            said.startswith("query: no such column: zzzz, line 1, column 1\n  select 1\n  ^\ncolumns: "), said
        )

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
        self.assertEqual(
            program.main(["import", "runs.jsonl"], {"BUILD_WORKING_DIRECTORY": self.folder}, io.StringIO(), log), 1, log
        )
        self.assertIn("runs.jsonl:2: malformed", log[0], log)
        both = Log()
        self.assertEqual(
            program.main(
                ["import", "runs.jsonl", "--database=b.sqlite"], {"BUILD_WORKING_DIRECTORY": self.folder}, both, both
            ),
            1,
            both,
        )
        said = "".join(both).split("flushed")
        self.assertIn("assay, 1 new records", said[0])
        self.assertTrue(said[1].startswith("runs.jsonl:2: malformed"), both)
        self.assertEqual(log[-1], "flushed")


class Exports(ProgramTest):
    def test_places_of_secrets_are_named(self):
        self.write(
            "runs.jsonl", record(environment__variables={"HF_TOKEN": "abc"}, error="TOKEN=abcdef", outcome="CRASH")
        )
        self.expect(0, "import", "runs.jsonl")
        self.expect(0, "export", "--format=assay", "--output=out")
        (told,) = [said for said in self.err.splitlines() if "secrets" in said]
        self.assertEqual(
            told.partition(": secrets")[2], " taken out of 1 records: environment.variables.HF_TOKEN, error"
        )

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
        self.assertEqual(
            [row.split(",")[1] for row in self.read("out").splitlines()], ["name", "m", names[0]["case_name"]]
        )

    def test_what_the_database_says_of_its_errors(self):
        for said, code, want in (
            ("database is locked", 2, "a.sqlite: another program has held it for 600 s; try again when it is done"),
            ("file is not a database", 2, "a.sqlite: not an SQLite database; name another with --database"),
            (
                "disk I/O error",
                2,
                "a.sqlite: disk I/O error; nothing of this import is in it; free some space (in TMPDIR too), then import again",
            ),
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
        made = [
            record(
                configuration={"digest": "d%d" % i, "settings": {"batch": str(i), "threads": "2", "device": "cpu"}},
                started_utc="2026-11-2%dT00:00:00+00:00" % i,
            )
            for i in (1, 4)
        ]
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
        for value, want in (
            ([1.0, token, 2.0], [1.0, token, 2.0]),
            ([token, 2.0], ["HF_TOKEN=***", 2.0]),
            ([2.0, token], [2.0, "HF_TOKEN=***"]),
            ([], []),
        ):
            self.assertEqual(secret_values.without_secrets({"a": value})[0], {"a": want})

    def test_an_empty_secret_is_none(self):
        for value, places in (("", []), (0, []), (None, []), ("x", ["environment.variables.HF_TOKEN"])):
            record_of = {"environment": {"variables": {"HF_TOKEN": value}}}
            cleaned, found = secret_values.without_secrets(record_of)
            self.assertEqual((cleaned == record_of, found), (not places, places))


class Parquet(ProgramTest):
    def test_types_and_groups(self):
        import pyarrow.parquet

        self.write(
            "runs.jsonl",
            real_record(),
            record(measurements=[], outcome="TIMEOUT", started_utc="2026-11-23T00:00:00+00:00"),
        )
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
                self.assertEqual(
                    [row["samples_ns"] for row in table[:2]], [m["samples_ns"] for m in real_record()["measurements"]]
                )
            self.assertEqual(
                [row["median_ns"] for row in table], [m["median_ns"] for m in real_record()["measurements"]] + [None]
            )
            self.assertEqual([row["partial"] for row in table], [False] * 3)
            self.assertEqual([row["id"] for row in table], [1, 1, 2])


if __name__ == "__main__":
    unittest.main()
