"""The files in ci/workflows are right by the schemas of GitHub, GitLab and Buildkite, and what they run is there."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

from ruamel.yaml import YAML

_FOLDER = "ci/workflows"
_SCHEMAS = {
    "github.yml": "github-workflows",
    "github_comment.yml": "github-workflows",
    "github_gpu.yml": "github-workflows",
    "gitlab.yml": "gitlab-ci",
    "buildkite.yml": "buildkite",
}
_COMMENT = "github_comment.yml"  # which gates nothing: it writes what the gate found
_GATES = [name for name in _SCHEMAS if name != _COMMENT]
_THEIRS = "ci/expected/gpu.toml"  # which each says that the reader writes


def _read(name):
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as f:
        return f.read()


def _check(schema, path):
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor." + schema, path]
    return subprocess.run(words, capture_output=True, text=True)


def _commands(value, inside=""):
    """The texts of all that is run: of `run`, `script`, `after_script` and `commands`."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _commands(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _commands(inner, inside)
    elif isinstance(value, str) and inside in ("run", "script", "after_script", "commands"):
        yield value


class WorkflowsTest(unittest.TestCase):
    def test_each_file_has_a_schema(self):
        self.assertEqual(sorted(os.listdir(_FOLDER)), sorted(_SCHEMAS))

    def test_schemas(self):
        for name, schema in _SCHEMAS.items():
            done = _check(schema, os.path.join(_FOLDER, name))
            self.assertEqual(done.returncode, 0, name + "\n" + done.stdout + done.stderr)

    def test_a_mistake_is_found(self):
        for name, right, wrong in (
            ("github.yml", "runs-on:", "runs_on:"),
            ("github.yml", "  - uses:", "  - use:"),
            ("github_gpu.yml", "timeout-minutes: 180", "timeout-minutes: long"),
            ("gitlab.yml", "tags: [gpu]", "tags: {gpu: 1}"),
            ("buildkite.yml", "concurrency: 1", "concurrency: one"),
        ):
            text = _read(name)
            self.assertIn(right, text)
            with tempfile.NamedTemporaryFile("w", suffix=".yml") as f:
                f.write(text.replace(right, wrong))
                f.flush()
                self.assertNotEqual(_check(_SCHEMAS[name], f.name).returncode, 0, "%s: %s" % (name, wrong))

    def test_commands(self):
        with open("tools/gate/program.py", encoding="utf-8") as f:
            flags = set(re.findall(r'add\(\s*"(--[\w-]+)"', f.read()))
        for name in _SCHEMAS:
            commands = list(_commands(YAML(typ="safe").load(_read(name))))
            self.assertEqual(any("ci/gate_suite.sh" in command for command in commands), name in _GATES, name)
            for command in commands:
                shell = re.sub(r"\$\{\{.*?\}\}", "x", command)
                done = subprocess.run(["bash", "-n"], input=shell, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), command)
                for path in re.findall(r"(?<![\w./])ci/[\w./]+", command):
                    self.assertTrue(os.path.exists(path) or path == _THEIRS, path)
                if "gate_suite.sh" in command:
                    self.assertLessEqual(set(re.findall(r"(?<= )--[\w-]+", command)), flags, command)

    def test_a_schedule_runs_everything(self):
        for name in _GATES:
            text = _read(name)
            self.assertEqual("schedule" in text and "ASSAY_EVERY" in text, ".ci/run" in text, name)
        with open("ci/changes.py", encoding="utf-8") as f:
            self.assertIn('environment.get("ASSAY_EVERY")', f.read())

    def test_each_file_compares_times(self):
        """A wall time gates by //tools:compare alone, and a gate on a GPU takes what it decided."""
        with open("tools/compare/settings.cc", encoding="utf-8") as f:
            flags = {"--" + name.replace("_", "-") for name in re.findall(r'\{"([\w-]+)", ', f.read())}
        for name in _GATES:
            commands = list(_commands(YAML(typ="safe").load(_read(name))))
            compares = [command for command in commands if "//tools:compare" in command]
            self.assertTrue(compares, name)
            for command in compares:
                given = set(re.findall(r"(?<= )--[\w-]+", command.partition("//tools:compare --")[2]))
                self.assertLessEqual({"--gate", "--json", "--baseline", "--candidate", "--cases"}, given, command)
                self.assertLessEqual(given, flags | {"--config"}, command)
            for command in commands:
                if _THEIRS in command:
                    self.assertIn("--compared=", command, name)

    def comment(self, answers):
        """(what was asked of `gh`, how the step ended). `answers`: some of the words that are asked -> shell that answers."""
        (command,) = _commands(YAML(typ="safe").load(_read(_COMMENT)))
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "gh"), "w", encoding="utf-8") as f:
                f.write('#!/bin/sh\necho "$*" >> %s/asked\ncase "$*" in\n' % folder)
                f.writelines('*"%s"*) %s ;;\n' % item for item in answers.items())
                f.write("esac\n")
            os.chmod(f.name, 0o700)
            environment = {"PATH": "%s:%s" % (folder, os.environ["PATH"]), "GH_REPO": "o/r", "RUN": "7", "HEAD": "abc"}
            # As GitHub runs it.
            done = subprocess.run(["bash", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
            with open(os.path.join(folder, "asked"), encoding="utf-8") as f:
                return f.read(), done

    def test_a_pull_request_has_one_comment(self):
        post, patch = "--method=POST repos/o/r/issues/12/comments ", "--method=PATCH repos/o/r/issues/comments/345 "
        asked, done = self.comment({"pr list": "echo 12"})
        self.assertEqual((done.returncode, post in asked, "PATCH" in asked), (0, True, False), done.stderr)
        self.assertIn("run download 7 --name=comment", asked)
        self.assertIn('select(.headRefOid == "abc")', asked)
        asked, done = self.comment({"pr list": "echo 12", "--paginate": "echo 345"})
        self.assertEqual((done.returncode, patch in asked, "POST" in asked), (0, True, False), done.stderr)
        for answers in ({"run download": "exit 1"}, {}):  # no comment, or a newer commit
            asked, done = self.comment(answers)
            self.assertEqual((done.returncode, "--method" in asked), (0, False), done.stdout)
        for answers in ({"pr list": "exit 1"}, {"pr list": "echo 12", "--paginate": "exit 1"}, {"pr list": "echo 12", "POST": "exit 1"}):
            self.assertNotEqual(self.comment(answers)[1].returncode, 0, answers)

    def test_the_comment_begins_with_the_mark_that_is_looked_for(self):
        with open("tools/gate/comment.py", encoding="utf-8") as f:
            (mark,) = re.findall(r'^MARK = "(.*)"$', f.read(), re.M)
        self.assertIn('startswith("%s")' % mark, _read(_COMMENT))
        self.assertIn("workflows: [%s]\n" % YAML(typ="safe").load(_read("github.yml"))["name"], _read(_COMMENT))

    def test_what_can_write_runs_nothing_of_a_pull_request(self):
        for name in _SCHEMAS:
            text = _read(name)
            self.assertFalse("write" in re.findall(r"^  [\w-]+: (\w+)", text, re.M) and "uses:" in text, name)

    def test_actions_are_pinned_by_their_commit(self):
        for name in _SCHEMAS:
            for action in re.findall(r"uses: *(.*)", _read(name)):
                self.assertRegex(action, r"^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d", name)


if __name__ == "__main__":
    unittest.main()
