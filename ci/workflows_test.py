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
    "github_gpu.yml": "github-workflows",
    "gitlab.yml": "gitlab-ci",
    "buildkite.yml": "buildkite",
}
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
            self.assertTrue(any("ci/gate_suite.sh" in command for command in commands), name)
            for command in commands:
                shell = re.sub(r"\$\{\{.*?\}\}", "x", command)
                done = subprocess.run(["bash", "-n"], input=shell, capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""), command)
                for path in re.findall(r"(?<![\w./])ci/[\w./]+", command):
                    self.assertTrue(os.path.exists(path) or path == _THEIRS, path)
                if "gate_suite.sh" in command:
                    self.assertLessEqual(set(re.findall(r"(?<= )--[\w-]+", command)), flags, command)

    def test_each_file_compares_times(self):
        """A wall time gates by //tools:compare alone, and a gate on a GPU takes what it decided."""
        with open("tools/compare/settings.cc", encoding="utf-8") as f:
            flags = {"--" + name.replace("_", "-") for name in re.findall(r'\{"([\w-]+)", ', f.read())}
        for name in _SCHEMAS:
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

    def test_actions_are_pinned_by_their_commit(self):
        for name in _SCHEMAS:
            for action in re.findall(r"uses: *(.*)", _read(name)):
                self.assertRegex(action, r"^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d", name)


if __name__ == "__main__":
    unittest.main()
