"""Every row names the commit that explains it; a dirty tree is refused, or recorded as one."""

import os
import shutil
import subprocess
import tempfile
import unittest

from tools.artifacts.generate import workspace
from tools.artifacts.generate.errors import SurroundingsError
from tools.artifacts.generate.test_cases import entry
from tools.artifacts.generate.test_program import ProgramTest


def make_repository(folder):
    """A repository with one commit; returns a function that runs git there."""

    def git(*arguments):
        command = ["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e@example.com", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "first")
    return git


@unittest.skipUnless(shutil.which("git"), "no git")
class CommitTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_row_22_uncommitted_changes_are_refused_but_those_of_the_lock_and_its_blobs(self):
        git = make_repository(self.folder)
        for folder in ("artifacts/blobs", "OUT/bucket", "benchmarks/mlp", "theirs/x"):
            os.makedirs(os.path.join(self.folder, folder))
        own = ("benchmarks/mlp/lock.bzl", "theirs/x/lock.bzl", "artifacts/blobs/x.safetensors", "OUT/bucket/y.pt2")
        for name in own:
            open(os.path.join(self.folder, name), "w").close()
        head = git("rev-parse", "HEAD")[:12]
        self.assertEqual(head, workspace.commit(self.folder, allow_dirty=False))
        for name in ("model.cc", "artifacts/repositories.bzl"):
            open(os.path.join(self.folder, name), "w").close()
            with self.assertRaisesRegex(SurroundingsError, name + "(.|\n)*--allow-dirty"):
                workspace.commit(self.folder, allow_dirty=False)
        self.assertEqual(head + "+dirty", workspace.commit(self.folder, allow_dirty=True))

    def test_without_git_there_is_no_commit_and_that_must_be_allowed(self):
        with self.assertRaisesRegex(SurroundingsError, "--allow-dirty"):
            workspace.commit(self.folder, allow_dirty=False)
        self.assertEqual("", workspace.commit(self.folder, allow_dirty=True))


@unittest.skipUnless(shutil.which("git"), "no git")
class RecordedCommitTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.repository = shutil.copytree(self.tree, os.path.join(self.root, "repository"))
        self.git = make_repository(self.repository)
        self.git("add", ".")
        self.git("commit", "-q", "-m", "Bazel")

    def run_in_tree(self, *flags):
        return self.run_program(*flags, uncommitted=(), BUILD_WORKSPACE_DIRECTORY=self.repository)

    def head(self):
        return self.git("rev-parse", "HEAD")[:12]

    def make_dirty(self):
        open(os.path.join(self.repository, "model.cc"), "w").close()

    def test_a_dirty_tree_is_refused_before_anything_is_built_or_computed(self):
        self.make_dirty()
        code, out, err = self.run_in_tree()
        self.assertEqual((2, {}), (code, self.snapshot()))
        self.assertIn("model.cc", err)
        self.assertEqual(0, self.run_in_tree("--dry-run")[0])
        self.assertEqual([], self.built())

    def test_a_new_row_has_its_commit_and_says_if_the_tree_was_dirty(self):
        self.run_in_tree()
        first = self.head()
        self.assertEqual(first, self.lock()["toy_fp32_b2"].commit)
        self.make_dirty()
        self.cases({"toy_fp32_b2": [1.0, 2.0, 4.0], "b": [1.0, 5.0]}, entry(), entry("b", depth=2))
        self.assertEqual(0, self.run_in_tree("--allow-dirty")[0])
        self.assertEqual([first + "+dirty", first], [self.lock()[key].commit for key in ("b", "toy_fp32_b2")])

    def test_a_row_without_an_explaining_commit_gets_the_one_that_reproduces_it_and_keeps_it(self):
        self.make_dirty()
        self.run_program()  # no git: no commit
        self.assertEqual("", self.lock()["toy_fp32_b2"].commit)
        self.run_in_tree("--allow-dirty")
        self.assertEqual("", self.lock()["toy_fp32_b2"].commit)  # a dirty tree explains nothing
        self.git("add", ".")
        self.git("commit", "-q", "-m", "model")
        self.cases({"toy_fp32_b2": [1.0, 2.0, 4.0 + 1e-13]}, entry())
        self.run_in_tree()
        explained = self.head()
        self.assertEqual(explained, self.lock()["toy_fp32_b2"].commit)
        self.git("commit", "-q", "--allow-empty", "-m", "later")
        before = self.snapshot()
        self.run_in_tree()
        self.assertEqual(before, self.snapshot())
        self.cases({"toy_fp32_b2": [1.0, 2.0, 4.1]}, entry())
        self.run_in_tree("--accept-drift=why")
        self.assertEqual(self.head(), self.lock()["toy_fp32_b2"].commit)


if __name__ == "__main__":
    unittest.main()
