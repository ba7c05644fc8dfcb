"""Finds the commands, links and paths of the tree in a Markdown file, and says which links and paths lead nowhere.

Commands are what a reader types: each line of a ```sh block, each line after `$ ` of a ```console block, whose other lines
are output, and in prose what stands in backticks and begins with tools/bazel. Links are to files of the tree, with or without
an #anchor as GitHub makes it of a heading; addresses on the web are not checked. A path is a word in backticks that begins
with a folder of the tree's root, not with Bazel's links to what it built, or with //.

    for line, command in commands(text): ...
    print("\\n".join(problems(root, "README.md", text)))
"""

import os
import re

_LANGUAGES = ("console", "cpp", "python", "sh", "text", "toml")
_LINK = re.compile(r"\]\(([^)\s]+)\)")  # its end: the words of a link may begin on the line before
_SPAN = re.compile(r"(?<![`*])`([^`\n]+)`(?![`*])")  # not in bold: so docs/adding.md names files that a reader makes
_PATH = re.compile(r"(?!\.\./)[\w.-]+(/[\w.-]+)+/?")
_LABEL = re.compile(r"//([\w.-]+(?:/[\w.-]+)*)(:[\w.-]+)?")


def _blocks(text):
    """(language, [(number, line), ...]) of each fenced block; prose has the language None."""
    language, lines = None, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            yield language, lines
            language, lines = (line[3:] if language is None else None), []
        else:
            lines.append((number, line))
    yield language, lines


def commands(text):
    """[(line number, command)]; ValueError where a block has no language, so that nothing in it goes untyped."""
    found = []
    for language, lines in _blocks(text):
        if language is not None and language not in _LANGUAGES:
            raise ValueError("a block is called %r; one of %s" % (language, ", ".join(_LANGUAGES)))
        if language == "sh":
            found += [(number, line) for number, line in lines if line.strip()]
        elif language == "console":
            found += [(number, line[2:]) for number, line in lines if line.startswith("$ ")]
        elif language is None:
            spans = [(number, span) for number, line in lines for span in _SPAN.findall(line)]
            found += [(number, span) for number, span in spans if span.startswith("tools/bazel ")]
    return found


def outputs(text):
    """[(line number, command, [lines that it prints])] of each command of a console block."""
    found = []
    for language, lines in _blocks(text):
        for number, line in lines if language == "console" else ():
            if line.startswith("$ "):
                found.append((number, line[2:], []))
            elif found:
                found[-1][2].append(line)
    return found


def files(text):
    """[(path, text)] of the files that a reader makes: a block after a line that begins with its path in bold."""
    return re.findall(r"^\*\*`([^`]+)`\*\*.*?^```\w*\n(.*?)^```$", text, re.M | re.S)


def _prose(text):
    return [pair for language, lines in _blocks(text) if language is None for pair in lines]


def anchors(text):
    """The anchors of a file's headings."""
    found = []
    for _, line in _prose(text):
        heading = re.match(r"#+ +(.*)", line)
        if heading:
            slug = re.sub(r"[^\w\- ]", "", heading.group(1).strip().lower()).replace(" ", "-")
            found.append(slug)
    return {slug + ("-%d" % found[:i].count(slug) if slug in found[:i] else "") for i, slug in enumerate(found)}


def _link_problem(root, path, target):
    """Why a link leads nowhere, or None."""
    if re.match(r"[a-z]+:", target):
        return None
    name, _, anchor = target.partition("#")
    file = os.path.normpath(os.path.join(root, os.path.dirname(path), name)) if name else os.path.join(root, path)
    if not os.path.exists(file):
        return "there is no file %s" % target
    if anchor:
        with open(file, encoding="utf-8") as f:
            if anchor not in anchors(f.read()):
                return "no heading makes the anchor of %s" % target
    return None


def _span_problem(root, path, span):
    """Why a word in backticks names nothing, or None; what does not look like a path of the tree is none."""
    label = _LABEL.fullmatch(span)
    if label:
        there = os.path.exists(os.path.join(root, label.group(1), "BUILD.bazel")) or label.group(1).endswith("...")
        return None if there else "there is no package %s" % span
    if not _PATH.fullmatch(span) or span.startswith("bazel-") or not os.path.isdir(os.path.join(root, span.split("/")[0])):
        return None
    return None if os.path.exists(os.path.join(root, span)) else "there is no %s" % span


def problems(root, path, text):
    """["README.md:3: there is no file x", ...] of the file `path` of the tree `root`."""
    found = []
    for number, line in _prose(text):
        wrong = [_link_problem(root, path, target) for target in _LINK.findall(_SPAN.sub("", line))]
        wrong += [_span_problem(root, path, span) for span in _SPAN.findall(line)]
        found += ["%s:%d: %s" % (path, number, message) for message in wrong if message]
    return found
