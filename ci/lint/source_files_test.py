"""Which files a run looks at, in small git trees."""

import os
import subprocess
import tempfile
import unittest

from ci.lint import source_files
from tools.processes.command import SurroundingsError, UsageError


class SourceFilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = os.path.join(folder.name, "tree")
        os.mkdir(self.root)
        self.write("a.cc", "int a;\n")
        self.write("defs/b.h", "int b;\n")
        self.write("defs/c.py", "c = 1\n")
        self.write("defs/start", "#!/usr/bin/env bash\n")
        self.write("defs/data", "no program\n")
        self.git("init", "-q", "-b", "main")
        self.commit()

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def git(self, *words):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", "-C", self.root, *identity, *words], check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "m")

    def choose(self, *named, everything=False, here=""):
        chosen = source_files.choose(self.root, os.path.join(self.root, here), named, everything)
        return chosen.cpp, chosen.python, chosen.shell

    def test_the_whole_tree_by_kind(self):
        self.write(".gitignore", "ignored.cc\n")
        self.write("ignored.cc", "int i;\n")
        self.assertEqual(self.choose(everything=True), (["a.cc", "defs/b.h"], ["defs/c.py"], ["defs/start"]))

    def test_nothing_changed_is_nothing(self):
        self.assertEqual(self.choose(), ([], [], []))

    def test_changed_staged_and_new_files_count_and_removed_and_ignored_ones_do_not(self):
        self.write("a.cc", "int changed;\n")
        self.write("defs/c.py", "c = 2\n")
        self.git("add", "defs/c.py")
        self.write("new file.cc", "int n;\n")
        self.write(".gitignore", "ignored.cc\n")
        self.write("ignored.cc", "int i;\n")
        os.unlink(os.path.join(self.root, "defs/b.h"))
        self.assertEqual(self.choose(), (["a.cc", "new file.cc"], ["defs/c.py"], []))

    def test_commits_of_the_branch_count_from_where_it_left_origin(self):
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
        self.write("a.cc", "int changed;\n")
        self.commit()
        self.assertEqual(self.choose(), (["a.cc"], [], []))
        chosen = source_files.choose(self.root, self.root, [], False)
        self.assertRegex(chosen.what, "^changed since [0-9a-f]{12}$")

    def test_named_files_and_folders_from_where_the_user_stands(self):
        self.assertEqual(self.choose("b.h", here="defs"), (["defs/b.h"], [], []))
        self.assertEqual(self.choose("../defs", here="defs"), (["defs/b.h"], ["defs/c.py"], ["defs/start"]))

    def test_a_link_is_not_followed(self):
        os.symlink("a.cc", os.path.join(self.root, "link.cc"))
        self.assertEqual(self.choose(everything=True)[0], ["a.cc", "defs/b.h"])

    def test_bad_names_are_told(self):
        outside = os.path.join(self.root, "..", "outside.cc")
        with open(outside, "w", encoding="utf-8"):
            pass
        with self.assertRaisesRegex(SurroundingsError, "missing.cc is not there"):
            self.choose("missing.cc")
        for name, text in ((outside, "is not in the tree at"),
                           ("defs/data", "no C\\+\\+, Python or shell file")):
            with self.subTest(name), self.assertRaisesRegex(UsageError, text):
                self.choose(name)

    def test_without_git_files_can_still_be_named(self):
        os.rename(os.path.join(self.root, ".git"), os.path.join(self.root, "gone"))
        os.environ["GIT_CEILING_DIRECTORIES"] = os.path.dirname(self.root)
        self.addCleanup(os.environ.pop, "GIT_CEILING_DIRECTORIES")
        self.assertEqual(self.choose("a.cc"), (["a.cc"], [], []))
        for everything in (False, True):
            with self.subTest(everything), self.assertRaisesRegex(SurroundingsError, "Without git, name the files"):
                self.choose(everything=everything)

    def test_a_tree_without_commits_is_looked_at_whole(self):
        os.rename(os.path.join(self.root, ".git"), os.path.join(self.root, "..", "gone"))
        self.git("init", "-q")
        self.assertEqual(self.choose()[0], ["a.cc", "defs/b.h"])


if __name__ == "__main__":
    unittest.main()
