"""The base class of the checks in ci/checks/. A check is a method that runs commands; its docstring is the name that CI
prints.

    from ci.check import BAZEL, Check

    class Help(Check):
        def test_names_the_commands(self):
            'bazel: help names the commands'
            self.expect([BAZEL, "help"], "Available commands")

A check leaves nothing behind: its scratch folder and its packages go with it, also on Ctrl-C, and it fails where a
program left a file in the temporary folder. It never moves, changes or deletes a file of the checkout: to show Bazel
another tree it copies the part in question (copied()), so that even SIGKILL leaves the checkout whole.
"""

import os
import shutil
import stat
import subprocess
import tempfile
import unittest

__unittest = True  # so that a traceback ends in the check's own line

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BAZEL = os.path.join("tools", "bazel")
# These stay, one for all processes of a user: PyTorch's cache, made when it is imported, and the locks of devices.
_STAYS = ("torchinductor_", "assay-%d" % os.getuid())


def program(target, *arguments):
    """The command that runs a program of this tree, without Bazel's own talk."""
    return [BAZEL, "run", "--noshow_progress", "--ui_event_filters=-info,-stdout,-stderr", target, "--", *arguments]


def first_then_checkout(folder):
    """The flag by which Bazel takes packages out of `folder`, and out of the checkout those that are not there."""
    return "--package_path=%s:%%workspace%%" % folder


def remove(folder):
    """A folder with all that is in it, read-only folders too (Bazel's and pip's)."""
    for path, _, _ in os.walk(folder):
        os.chmod(path, stat.S_IRWXU)
    shutil.rmtree(folder)


class Check(unittest.TestCase):
    maxDiff = None
    # Whether it may run while others do: it leaves the tree alone, and builds in an output base of its own, or at the beginning.
    beside = False

    def run(self, result=None):
        try:
            return super().run(result)
        finally:
            self.doCleanups()  # unittest forgets them on Ctrl-C

    def setUp(self):
        folder = tempfile.mkdtemp(prefix="assay_check_")
        self.addCleanup(remove, folder)
        self.scratch = os.path.join(folder, "scratch")
        self._temporary = os.path.join(folder, "tmp")
        os.mkdir(self.scratch)
        os.mkdir(self._temporary)

    def tearDown(self):
        left = [name for name in os.listdir(self._temporary) if not name.startswith(_STAYS)]
        self.assertEqual(left, [], "left in the temporary folder")

    def expect(self, words, *texts, code=0, cwd=ROOT, **variables):
        """Runs a command and returns its output; fails unless it ends with `code` and prints all of `texts`."""
        environment = dict(os.environ, TMPDIR=self._temporary, **variables)
        done = subprocess.run(words, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                              encoding="utf-8", errors="replace")
        said = done.stdout + done.stderr
        wrong = [] if done.returncode == code else ["exit code %d, expected %d" % (done.returncode, code)]
        wrong += ["not said: " + text for text in texts if text not in said]
        if wrong:
            self.fail("\n%s\n+ %s\n%s" % (said, " ".join(words), "\n".join(wrong)))
        return done

    def own_bazel(self):
        """The words that begin a command of Bazel with an output base of its own, which goes at the end."""
        bazel = [BAZEL, "--output_base=" + os.path.join(self.scratch, "base")]
        self.addCleanup(self.expect, [*bazel, "shutdown"])
        return bazel

    def package(self, folder, build_file):
        """Makes a package that is removed at the end; fails where there is one already."""
        os.makedirs(folder)
        self.addCleanup(remove, folder)
        self.write(os.path.join(folder, "BUILD.bazel"), build_file)

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def read(self, path):
        with open(path, encoding="utf-8") as f:
            return f.read()

    def copied(self, folder, without=""):
        """Copies the files that git knows below a folder of the checkout to the same place in a tree of its own;
        returns that tree.

        `without` is a path whose files are left out.
        """
        tree = os.path.join(self.scratch, "tree")
        known = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", folder],
                               cwd=ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
        for path in known.split("\0"):
            source, target = os.path.join(ROOT, path), os.path.join(tree, path)
            if not os.path.isfile(source) or (without and path.startswith(without + "/")):
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)
        return tree
