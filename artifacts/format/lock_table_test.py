"""The lock is read back as written, and what is not a lock is refused with its line."""

import os
import tempfile
import tracemalloc
import unittest

from artifacts.format import lock_table
from artifacts.format.lock_table import LockError, Row

ROW = Row("0123456789abcdef" * 4, 4096, "embedded", "torchvision 0.26.0, float64, torch 2.11.0")
OTHER = ROW._replace(sha256="f" * 64)


def text_of(key="a", **fields):
    """A lock of one row, unchecked."""
    fields = {"sha256": ROW.sha256, "size": 1, "store": "embedded", "provenance": "p", **fields}
    body = ", ".join('"%s": %s' % (n, v if isinstance(v, int) else '"%s"' % v) for n, v in fields.items())
    return 'LOCK = {\n"%s": {%s},\n}\n' % (key, body)


class LockTableTest(unittest.TestCase):
    def refuses(self, text, *words):
        with self.subTest(text=text[:80]), self.assertRaises(LockError) as caught:
            lock_table.parse(text)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_what_is_rendered_is_parsed(self):
        table = {
            "b_fp32_b2": ROW._replace(commit="0123456789ab"),
            "a_fp32_b2_s8": OTHER._replace(store="bucket", size=1, commit="0123456789ab+dirty"),
            "b_fp32_b2.inputs": OTHER._replace(role="inputs", size=1, store="bucket"),
            "c": ROW._replace(provenance='replaced: "why" \\ not, naïvely'),
        }
        self.assertEqual(table, lock_table.parse(lock_table.render(table)))
        self.assertEqual({}, lock_table.parse(lock_table.render({})))

    def test_rows_are_sorted_and_one_line_each_and_name_only_what_they_have(self):
        text = lock_table.render({"b": ROW, "a": ROW, "c": ROW._replace(commit="0123456789ab")})
        rows = [line for line in text.splitlines() if line.startswith("    ")]
        self.assertEqual(['    "a":', '    "b":', '    "c":'], [row.split(" {")[0] for row in rows])
        self.assertEqual([False, False, True], ["commit" in row for row in rows])

    def test_python_and_starlark_would_read_the_same(self):
        table = {"a": ROW._replace(provenance='"quoted" \\ and # not a comment', commit="0123456789ab"), "b": ROW}
        scope = {}
        exec(lock_table.render(table), scope)
        self.assertEqual(table, {key: Row(**fields) for key, fields in scope["LOCK"].items()})

    def test_objects_are_named_by_digest_and_kind(self):
        self.assertEqual(ROW.sha256 + ".safetensors", ROW.object_name)
        self.assertEqual(ROW.sha256 + ".safetensors", ROW._replace(role="weights").object_name)
        self.assertEqual(ROW.sha256 + ".pt2", ROW._replace(role="module").object_name)
        self.assertEqual(ROW.sha256 + ".onnx", ROW._replace(role="onnx").object_name)

    def test_an_exported_file_is_found_by_what_it_depends_on(self):
        digest = "0123456789abcdef" * 4
        key = "toy_fp32_b2.%s.aoti" % digest
        table = lock_table.parse(lock_table.render({"toy_fp32_b2": ROW, key: ROW._replace(role="aoti", sha256="a" * 64)}))
        self.assertEqual("toy_fp32_b2", lock_table.case_key(key, table[key]))
        self.assertEqual("a" * 64, lock_table.find_exported(table, digest, "aoti").sha256)
        self.assertIsNone(lock_table.find_exported(table, digest, "onnx"))
        self.assertIsNone(lock_table.find_exported(table, "f" * 64, "aoti"))
        for wrong in ("toy_fp32_b2.aoti", "toy.fp32.%s.aoti" % digest, "toy_fp32_b2.%s.aoti" % digest[1:]):
            with self.assertRaisesRegex(LockError, "KEY.DIGEST.aoti"):
                lock_table.render({wrong: ROW._replace(role="aoti")})

    def test_nothing_but_a_literal_table_is_believed(self):
        for words, text in [
            ("line 1: the end where LOCK = {", ""),
            ("line 1: 'import' where LOCK = {", "import os"),
            ("line 1: 'LOCK' where LOCK = {", "LOCK"),
            ("line 1: 'LOCK' where LOCK = {", " LOCK = {}"),
            ("line 1: 'LOCK' where LOCK = {", "LOCK = dict()"),
            ("line 2: 'LOCK' where LOCK = {", "# a comment\n LOCK = {}"),
            ("line 2: 'f' where { is", 'LOCK = {\n"a": f(),\n}'),
            ("line 1: cannot read '**x", "LOCK = {**x}"),
            ("line 2: cannot read '<<<<", "LOCK = {\n<<<<<<< HEAD\n"),
            ("line 2: the end", "LOCK = {\n"),
            ("line 3: '}' where", 'LOCK = {\n"a": {"size"\n}}'),
            ("line 2: cannot read", 'LOCK = {\n"a\n": {}}'),
            ("'{' where", 'LOCK = {"a": {"size": {}}}'),
            ("after the table", "LOCK = {}\nLOCK = {}"),
            ("no sha256", 'LOCK = {"a": {"size": 0}}'),
        ]:
            self.refuses(text, words)

    def test_row_23_what_is_there_twice_is_refused_with_both_lines(self):
        one = text_of().split("\n")[1]
        self.refuses("LOCK = {\n%s\n\n%s\n}" % (one, one), "line 4: key 'a' is there twice, first on line 2")
        self.refuses('LOCK = {"a": {"size": 1,\n"size": 1}}', "line 2: 'a' has field 'size' twice")

    def test_row_24_fields_that_this_version_does_not_know_are_named(self):
        self.refuses(text_of(colour="red"), 'line 2: "a": unknown field \'colour\'', "sha256")
        for name in ("sha256", "size", "store", "provenance"):
            text = lock_table.render({"a": ROW}).replace('"%s": ' % name, '"commit": ', 1)
            self.refuses(text, '"a": no %s' % name)

    def test_row_25_what_is_not_plain_text_is_refused_with_its_line(self):
        self.refuses("\ufeff" + text_of(), "line 1: a byte order mark")
        self.refuses(text_of().replace("\n", "\r\n"), "line 1: a carriage return")
        self.refuses(text_of(provenance="a\0b"), "line 2: a NUL")
        self.refuses(text_of(provenance="x" * (10 << 20)), "line 2: ", "characters, more than")
        self.refuses("LOCK = {\n\n" + " " * (10 << 20), "line 3: ")

    def test_row_25_depth_bombs_end_in_a_line_and_not_in_the_stack(self):
        for bomb in ("{", "[", "(", "-", "not ", "lambda:", '{"a":', "1+", "x.", 'f"{'):
            lines = (bomb * (4000 // len(bomb)) + "\n") * 100
            self.refuses("LOCK = " + lines, "line ")
            self.refuses('LOCK = {"a": ' + lines, "line ")

    def test_row_25_a_huge_file_is_not_read_into_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lock.bzl")
            with open(path, "wb") as f:
                f.truncate(1 << 40)  # sparse
            tracemalloc.start()
            try:
                with self.assertRaisesRegex(LockError, "lock.bzl: more than"):
                    lock_table.read(path)
                self.assertLess(tracemalloc.get_traced_memory()[1], 64 << 20)
            finally:
                tracemalloc.stop()
            with open(path, "wb") as f:
                f.write(text_of().encode().replace(b'"p"', b'"\xff"'))
            with self.assertRaisesRegex(LockError, "lock.bzl: line 2: byte 0xff is not UTF-8"):
                lock_table.read(path)

    def test_row_26_keys_that_are_no_name_everywhere_are_refused(self):
        bad = ["../x", "/abs", "a/b", "a\\\\b", "Upper", ".hidden", "a..b", "end.", "-flag", "", "a b", "é", "a:b"]
        bad += ["con", "nul.x", "com1", "lpt9.txt", "x" * 201, "a\\n"]
        for key in bad:
            self.refuses(text_of(key=key), "line 2")
        for key in ("con_fp32", "x" * 200, "a.b-c_d", "0"):
            lock_table.parse(text_of(key=key))
        for key in ("a\0b", "a\nb", 7, "\udcff"):
            with self.subTest(key=key), self.assertRaises(LockError):
                lock_table.render({key: ROW})

    def test_row_28_digests_sizes_and_stores_that_cannot_be(self):
        for field, value in [
            ("sha256", "0" * 63),
            ("sha256", "0" * 65),
            ("sha256", "A" * 64),
            ("sha256", "g" * 64),
            ("sha256", 7),
            ("size", 0),
            ("size", -1),
            ("size", lock_table.MAX_BLOB_BYTES + 1),
            ("size", "4096"),
            ("store", "moon"),
            ("provenance", ""),
            ("provenance", "two\\nlines"),
            ("provenance", "x" * 2001),
            ("commit", "0123"),
            ("commit", "0123456789AB"),
            ("commit", "0123456789ab+clean"),
            ("role", "weights"),
            ("role", "poem"),
        ]:
            self.refuses(text_of(**{field: value}), "line 2")
        self.refuses(text_of().replace('"size": 1,', '"size": %s,' % ("9" * 5000)), "line 2: 999", "not a number")
        self.refuses(text_of().replace('"size": 1,', '"size": True,'), "line 2: 'True' where")
        with self.assertRaises(LockError):
            lock_table.render({"a": ROW._replace(size=True)})

    def test_row_28_a_digest_has_one_size_and_one_kind(self):
        a, b = text_of("a").split("\n")[1], text_of("b", size=2).split("\n")[1]
        self.refuses("LOCK = {\n%s\n%s\n}" % (a, b), 'line 3: "b" says', "2 bytes", '"a" (line 2)')
        with self.assertRaisesRegex(LockError, "pt2"):
            lock_table.render({"a": ROW, "a.module": ROW._replace(role="module")})

    def test_a_role_and_the_end_of_its_key_belong_together(self):
        lock_table.parse(text_of(key="a.module", role="module"))
        self.refuses(text_of(key="a.inputs", role="module"), "keys of role module end in .module")
        self.refuses(text_of(key="a.inputs"), "keys of role inputs end in .inputs")

    def test_writing_the_same_table_does_not_touch_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lock.bzl")
            lock_table.write(path, {"a": ROW})
            os.utime(path, (1, 1))
            lock_table.write(path, {"a": ROW})
            self.assertEqual(1, os.stat(path).st_mtime)
            lock_table.write(path, {"a": ROW, "b": ROW})
            self.assertEqual({"a": ROW, "b": ROW}, lock_table.read(path))
            self.assertEqual(["lock.bzl"], os.listdir(folder))


if __name__ == "__main__":
    unittest.main()
