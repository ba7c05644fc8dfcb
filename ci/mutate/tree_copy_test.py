"""The copy is the tree as it is, whatever a run before left in it; the tree is never written to."""

import os
import subprocess
import tempfile
import unittest

from tools.processes.command import SurroundingsError
from ci.mutate import tree_copy
from ci.mutate.tree_copy import Lock, TreeCopy


class TreeCopyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, self.copied = os.path.join(folder.name, "tree"), os.path.join(folder.name, "cache", "copy")
        self.write("a/x.cc", "x")
        self.write(".gitignore", "/ignored\n/user.bazelrc\n")
        os.symlink("a/x.cc", os.path.join(self.root, "link"))
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "m")
        self.copy = TreeCopy(self.root, self.copied)

    def git(self, *words):
        subprocess.run(["git", "-C", self.root, *words], check=True, capture_output=True)

    def write(self, path, text, root=""):
        path = os.path.join(root or self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def files(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.copied)
                      for folder, _, names in os.walk(self.copied) for name in names)

    def test_what_is_not_committed_and_the_users_rc_file_belong_to_it_and_what_git_ignores_does_not(self):
        self.write("a/x.cc", "changed")
        self.write("new.cc", "new")
        self.assertFalse(self.copy.has_disk_cache())
        self.write("user.bazelrc", "build --disk_cache=x")
        self.write("ignored", "big")
        self.copy.refresh()
        self.assertTrue(self.copy.has_disk_cache())
        self.assertEqual([".gitignore", "a/x.cc", "link", "new.cc", "user.bazelrc"], self.files())
        self.assertEqual(b"changed", self.copy.read("a/x.cc"))
        self.assertEqual("a/x.cc", os.readlink(os.path.join(self.copied, "link")))

    def test_a_mutant_that_a_killed_run_left_is_undone_and_other_files_stay_untouched(self):
        digest = self.copy.refresh()
        before = os.stat(os.path.join(self.copied, ".gitignore")).st_mtime_ns
        self.copy.write("a/x.cc", b"mutant")
        self.write("left/over", "", self.copied)
        self.assertEqual(digest, self.copy.refresh())
        self.assertEqual([".gitignore", "a/x.cc", "link"], self.files())
        self.assertEqual(b"x", self.copy.read("a/x.cc"))
        self.assertEqual(before, os.stat(os.path.join(self.copied, ".gitignore")).st_mtime_ns)

    def test_restore_undoes_a_mutant_and_the_tree_never_had_it(self):
        self.copy.refresh()
        self.copy.write("a/x.cc", b"mutant")
        with open(os.path.join(self.root, "a/x.cc"), encoding="utf-8") as f:
            self.assertEqual("x", f.read())
        self.write("a/x.cc", "what somebody edits meanwhile")
        self.copy.restore("a/x.cc")
        self.assertEqual(b"x", self.copy.read("a/x.cc"))

    def test_the_digest_is_of_names_and_content(self):
        first = self.copy.refresh()
        self.write("a/x.cc", "y")
        second = self.copy.refresh()
        os.rename(os.path.join(self.root, "a/x.cc"), os.path.join(self.root, "a/y.cc"))
        self.assertEqual(3, len({first, second, self.copy.refresh()}))

    def test_documents_and_known_equivalents_leave_the_digest_as_it_was(self):
        first = self.copy.refresh()
        self.write("docs/data/mutation.md", "a table")
        self.write("ci/mutate/equivalent.json", "[]")
        self.assertEqual(first, self.copy.refresh())
        self.assertEqual(b"[]", self.copy.read("ci/mutate/equivalent.json"))

    def test_a_file_that_became_a_folder_and_one_that_is_gone(self):
        self.write("b", "file")
        self.copy.refresh()
        os.remove(os.path.join(self.root, "b"))
        os.remove(os.path.join(self.root, "link"))
        self.write("b/c", "in it")
        self.copy.refresh()
        self.assertEqual([".gitignore", "a/x.cc", "b/c"], self.files())

    def test_a_tree_with_changes_says_so(self):
        self.assertRegex(tree_copy.commit(self.root), "^[0-9a-f]{12}$")
        self.write("a/x.cc", "changed")
        self.assertRegex(tree_copy.commit(self.root), r"^[0-9a-f]{12}\+changes$")

    def test_without_git_it_is_refused(self):
        with self.assertRaisesRegex(SurroundingsError, "git says"):
            TreeCopy(os.path.dirname(self.root), self.copied).refresh()

    def test_a_second_run_in_one_folder_is_refused_and_names_the_first(self):
        first = Lock(self.copied)
        with self.assertRaisesRegex(SurroundingsError, "process %d" % os.getpid()):
            Lock(self.copied)
        first.release()
        Lock(self.copied).release()


if __name__ == "__main__":
    unittest.main()
