"""Counts what can be counted of a text that is hard to read, and fails where a count has grown.

    python3 ci/words.py                     the counts beside their limits; exit code 1 where one is above its limit
    python3 ci/words.py docs_sentences      the places of one count, one a line
    python3 ci/words.py --update            lowers the limits to today's counts; it raises none

The limits stand in ci/words.tsv: name, limit, count of 2026-11-28 (before the pages were rewritten), and what is counted. A limit
with "=" before it is fixed, and no update lowers it. A sentence
that begins with "Of", "Who", "Those", "With which", "Neither" or "Behind" has its object first, and a reader must read it twice. A
sentence of more than 35 words holds several thoughts. A count can see no more than that: a text below all limits may still be bad.
"""

import os
import re
import subprocess
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_LIMITS = "ci/words.tsv"
_MOST_WORDS = 35
_FIRST = "Of|Who|Those|With which|Neither|Behind"
_MORE = _FIRST + "|What|Where|That|So|Also"
_C = (".cc", ".h", ".cu", ".proto")
_PYTHON = (".py", ".bzl", ".bazel")
_MARK = re.compile(r"\]\([^)]*\)|[*_\[\]]|<[^>]*>")  # a link's target, emphasis, HTML
_ITEM = re.compile(r"^\s*(?:[-*]|\d+\.) ")
_END = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?<=[.!?])[)\"]?\s+")


def _sentences(lines):
    """[(line number, sentence)] of the lines [(number, text)] of one paragraph."""
    number, text = lines[0][0], " ".join(line.strip() for _, line in lines)
    text = re.sub(r"`[^`]*`", "Code", text)
    return [(number, sentence.strip()) for sentence in _END.split(_MARK.sub(" ", text)) if sentence.strip()]


def sentences(text):
    """[(line number of its paragraph, sentence)] of a Markdown text: prose, items of lists and cells of tables, no code."""
    found, paragraph, inside = [], [], False
    for number, line in enumerate(text.splitlines() + [""], 1):
        fence = line.lstrip().startswith("```")
        alone = fence or inside or not line.strip() or line.startswith(("#", "|", "    ", "<!--"))
        if paragraph and (alone or _ITEM.match(line)):
            found += _sentences(paragraph)
            paragraph = []
        if fence:
            inside = not inside
        elif not inside and line.startswith("|"):
            for cell in line.strip().strip("|").split(" | "):
                found += _sentences([(number, cell)])
        elif not alone:
            paragraph.append((number, line if paragraph else _ITEM.sub("", line)))
    return found


def words(sentence):
    return len([word for word in sentence.split() if re.search(r"\w", word)])


def long_sentences(text):
    return [(n, "%d words: %s" % (words(s), s)) for n, s in sentences(text) if words(s) > _MOST_WORDS]


def object_first(text):
    """Sentences of a Markdown text whose first word is one of the list, or that ask what they then answer: What ... is."""
    return [(n, s) for n, s in sentences(text) if re.match(r"(?:%s)\s+[a-z]|What [^?]*\b(?:is|are)\b[^?]*$" % _FIRST, s)]


def comments(text, first, python=False):
    """[(line number, line)] of lines of comments and docstrings that begin with one of the words `first`."""
    begin = re.compile(r'^\s*(?:%s)\s*(?:%s)\s+[a-z`"]' % ('#|"""|' if python else "//+!?", first))
    return [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if begin.match(line)]


def _lines(text):
    return [(n, line) for n, line in enumerate(text.splitlines(), 1)]


def _page(path):
    return bool(re.fullmatch(r"docs/(?!README)[^/]+\.md", path))


def _document(path):
    return path in ("README.md", "CONTRIBUTING.md") or bool(re.fullmatch(r"docs/.+\.md", path))


def _other_document(path):
    return path.endswith(".md") and not _document(path)


# name -> (which files, what is found in one: [(line number, text)])
COUNTS = {
    "readme_lines": (lambda path: path == "README.md", _lines),
    "contributing_lines": (lambda path: path == "CONTRIBUTING.md", _lines),
    "pages": (_page, lambda text: [(1, "a page")]),
    "docs_sentences": (_document, long_sentences),
    "docs_object_first": (_document, object_first),
    "other_sentences": (_other_document, long_sentences),
    "other_object_first": (_other_document, object_first),
    "c_comments": (lambda path: path.endswith(_C), lambda text: comments(text, _FIRST)),
    "c_comments_wide": (lambda path: path.endswith(_C), lambda text: comments(text, _MORE)),
    "python_comments": (lambda path: path.endswith(_PYTHON), lambda text: comments(text, _FIRST, python=True)),
    "python_comments_wide": (lambda path: path.endswith(_PYTHON), lambda text: comments(text, _MORE, python=True)),
}


def found(texts, name):
    """["path:line: text", ...] of one count in {path: text}."""
    chosen, find = COUNTS[name]
    return ["%s:%d: %s" % (path, n, text) for path in sorted(texts) if chosen(path) for n, text in find(texts[path])]


def limits(text):
    """[[name, limit, count before, what], ...] of ci/words.tsv; ValueError where it does not have each count once."""
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    if [row[0] for row in rows] != list(COUNTS) or any(len(row) != 4 for row in rows):
        raise ValueError("%s: four columns a line, and the lines are %s" % (_LIMITS, ", ".join(COUNTS)))
    return rows


def report(rows, texts):
    """(lines, whether no count is above its limit)"""
    lines, good = [], True
    for name, limit, before, what in rows:
        count = len(found(texts, name))
        lines.append("%-21s %5d  limit %5s  before %5s  %s" % (name, count, limit, before, what))
        if count > int(limit.lstrip("=")):
            good = False
            lines.append("    above its limit: write it plainer; python3 ci/words.py %s names the places" % name)
    return lines, good


def updated(text, texts):
    """ci/words.tsv with the limits that are above today's counts lowered to them."""
    lines = []
    for line in text.splitlines():
        cells = line.split("\t")
        if cells[0] in COUNTS and not cells[1].startswith("="):
            cells[1] = str(min(int(cells[1]), len(found(texts, cells[0]))))
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


def _read(path):
    with open(os.path.join(_ROOT, path), encoding="utf-8") as f:
        return f.read()


def _texts():
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.md"] + ["*" + end for end in _C + _PYTHON]
    paths = subprocess.run(listed, cwd=_ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout.split("\0")
    return {path: _read(path) for path in paths if path and os.path.isfile(os.path.join(_ROOT, path))}


def main(arguments):
    texts, text = _texts(), _read(_LIMITS)
    if arguments == ["--update"]:
        with open(os.path.join(_ROOT, _LIMITS), "w", encoding="utf-8") as f:
            f.write(updated(text, texts))
        return 0
    if arguments and not (len(arguments) == 1 and arguments[0] in COUNTS):
        print("usage: python3 ci/words.py [--update | %s]" % " | ".join(COUNTS), file=sys.stderr)
        return 3
    lines, good = (found(texts, arguments[0]), True) if arguments else report(limits(text), texts)
    print("\n".join(lines))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
