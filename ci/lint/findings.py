"""Runs each pinned checker on files of the tree; findings are lines "path:line:column: text".

    findings = clang_format(program, root, ["defs/compiler/utf8.cc"])

A checker that fails otherwise than by findings raises SurroundingsError.
"""

import json
import os
import re
from urllib.parse import unquote, urlparse

from tools.processes.command import SurroundingsError, last_lines, run

_ASPECT = "//ci/lint:clang_tidy.bzl%clang_tidy"
_AT_ONCE = 200  # files on a command line


def _run(words, root, paths, expected):
    """Standard output and errors of a program over all paths; it may end only with one of the `expected` codes."""
    said = []
    for start in range(0, len(paths), _AT_ONCE):
        done = run([*words, *paths[start:start + _AT_ONCE]], root)
        if done.code not in expected:
            text = last_lines(done.errors or done.out)
            raise SurroundingsError("%s ended with %d:\n%s" % (os.path.basename(words[0]), done.code, text))
        said += (done.out + done.errors).splitlines()
    return said


def clang_format(program, root, paths):
    """One line a file: what is to be changed is not worth reading."""
    found = {}
    for line in _run([program, "--dry-run", "-Werror"], root, paths, (0, 1)):
        match = re.match(r"(.+?):(\d+):\d+: error: code should be clang-formatted", line)
        if match:
            found.setdefault(match[1], "%s:%s: not formatted; tools/bazel run //tools:format" % (match[1], match[2]))
    return sorted(found.values())


def ruff(program, root, paths):
    words = [program, "check", "--quiet", "--no-cache", "--output-format=concise"]
    return [line for line in _run(words, root, paths, (0, 1)) if re.match(r".+:\d+:\d+: ", line)]


def shellcheck(program, root, paths):
    return _run([program, "--severity=warning", "--format=gcc"], root, paths, (0, 1))


def _outputs(events):
    """Paths of the files that Bazel's build event protocol (JSON, a line an event) names."""
    for line in events.splitlines():
        for file in json.loads(line).get("namedSetOfFiles", {}).get("files", []):
            yield unquote(urlparse(file.get("uri", "")).path)


def clang_tidy(bazel, targets, events_path):
    """(findings, files that were looked at): clang-tidy as actions of Bazel, which runs what changed (clang_tidy.bzl)."""
    if not targets:
        return [], set()
    bazel.run("build", "--keep_going", "--aspects=" + _ASPECT, "--output_groups=clang_tidy",
              "--build_event_json_file=" + events_path, *targets)
    with open(events_path, encoding="utf-8") as f:
        paths = sorted(set(_outputs(f.read())))
    found, looked_at = {}, set()
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as f:
            name, *lines = f.read().split("\n")
        looked_at.add(name)
        for text in _blocks(lines):
            found.setdefault(text)  # a header's finding comes from each file that includes it
    return sorted(found), looked_at


def _blocks(lines):
    """Each finding with its notes and its lines of source."""
    block = []
    for line in lines:
        line = re.sub(r"^(\S*/execroot/[^/]+/|\./)", "", line)
        if re.match(r"\S+:\d+:\d+: (error|warning): ", line) and block:
            yield "\n".join(block)
            block = []
        if line:
            block.append(line)
    if block:
        yield "\n".join(block)
