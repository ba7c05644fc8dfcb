"""Tests what ci/words.py counts, on made-up texts: a count that has grown fails, and limits only go down."""

import unittest

from ci import words

_LONG = "One word and " * 12 + "an end."


class Sentences(unittest.TestCase):
    def test_prose_items_and_cells_are_read_and_code_is_not(self):
        text = "# A heading\nOne here. Two\nhere.\n\n- Three.\n- Four.\n\n| Five. Six. | seven |\n|---|---|\n```sh\n# Not this.\n```\n    nor this\n"
        self.assertEqual([s for _, s in words.sentences(text) if words.words(s)],
                         ["One here.", "Two here.", "Three.", "Four.", "Five.", "Six.", "seven"])

    def test_a_link_and_a_code_span_count_as_what_is_read(self):
        ((number, sentence),) = words.sentences("\nSee [the page](docs/a.md#b) on `a b c d`.")
        self.assertEqual((number, words.words(sentence)), (2, 5))

    def test_a_long_sentence_is_found_with_its_line(self):
        self.assertEqual([n for n, _ in words.long_sentences("Short.\n\n" + _LONG)], [3])
        self.assertEqual(words.long_sentences("One word and " * 11 + "an end."), [])

    def test_a_sentence_with_the_object_first_is_found(self):
        for text in ("Of several runs the last counts.", "Good. Those that fail are named.", "What is left is removed.", "| Who waits holds it. | b |"):
            self.assertEqual(len(words.object_first(text)), 1, text)
        for text in ("The last of several runs counts.", "What is it?", "Office hours.", "`Of course`"):
            self.assertEqual(words.object_first(text), [], text)


class Comments(unittest.TestCase):
    def test_comments_of_each_language(self):
        text = "// Of a run.\nint x;  // Of this nobody speaks.\n  /// Who waits.\n// The file of a run.\n// What it is.\n"
        self.assertEqual([n for n, _ in words.comments(text, words._FIRST)], [1, 3])
        self.assertEqual([n for n, _ in words.comments(text, words._MORE)], [1, 3, 5])
        text = '# Of a run.\nx = 1\n"""Those that fail.\n\n    Neither is here.\n"""\nOf = 3\n'
        self.assertEqual([n for n, _ in words.comments(text, words._FIRST, python=True)], [1, 3, 5])


class Limits(unittest.TestCase):
    def setUp(self):
        self.texts = {"README.md": "a\nb\n", "docs/a.md": "Of this.\n", "docs/README.md": "", "docs/data/b.md": "Of that.\n"}
        self.rows = [[name, "2", "9", "what"] for name in words.COUNTS]

    def test_a_count_above_its_limit_fails_with_the_command_that_names_the_places(self):
        self.assertTrue(words.report(self.rows, self.texts)[1])
        self.texts["docs/c.md"] = "Of more.\n"
        lines, good = words.report(self.rows, self.texts)
        self.assertFalse(good)
        self.assertIn("python3 ci/words.py docs_object_first", "\n".join(lines))
        self.assertEqual(words.found(self.texts, "docs_object_first")[1], "docs/c.md:1: Of more.")

    def test_pages_are_without_index_and_data(self):
        self.assertEqual(words.found(self.texts, "pages"), ["docs/a.md:1: a page"])

    def test_an_update_lowers_and_never_raises(self):
        text = "# a comment\n" + "".join("\t".join(row) + "\n" for row in self.rows)
        self.texts["README.md"] = "1\n2\n3\n"
        now = {row[0]: int(row[1]) for row in words.limits(words.updated(text, self.texts))}
        self.assertEqual((now["readme_lines"], now["pages"], now["c_comments"]), (2, 1, 0))

    def test_a_fixed_limit_stays_and_holds(self):
        text = "".join("\t".join([name, "=1", "9", "what"]) + "\n" for name in words.COUNTS)
        self.assertEqual(words.updated(text, self.texts), text)
        lines, good = words.report(words.limits(text), self.texts)
        self.assertFalse(good)
        self.assertEqual(sum("above its limit" in line for line in lines), 2)  # README.md has two lines, two sentences begin with Of

    def test_a_count_without_a_limit_is_refused(self):
        with self.assertRaisesRegex(ValueError, "four columns"):
            words.limits("readme_lines\t1\t1\twhat\n")


if __name__ == "__main__":
    unittest.main()
