"""//tools:lint: looks for mistakes in C++, Python and shell files of the tree, by pinned programs.

  tools/bazel run //tools:lint                      what you changed; where nothing is changed, the whole tree
  tools/bazel run //tools:lint -- --all             the whole tree; with --fast as well: without clang-tidy, in seconds
  tools/bazel run //tools:lint -- defs tools/bazel  files and folders

C++: clang-format, and clang-tidy with .clang-tidy on the targets that hold the files. Python: ruff with ruff.toml. Shell:
shellcheck, from its warnings on. What changed is told by git: since this branch left origin's, or since HEAD where there is
no origin. Bazel keeps what clang-tidy said, so a second run looks only at what changed since; the first run on the whole
tree takes minutes. Starlark is not looked at.

Exit code: 0 clean; 1 something was found; 2 the machine or the setup (no git, a program that cannot be had); 3 the command line.
"""

import os
import sys
import tempfile

from artifacts.fetch.ending import OK
from ci.lint import findings, source_files
from tools.processes.command import FINDINGS, Bazel, UsageError, has_toolkit, parser, run_program, workspace


def parser_of_files(name, doc):
    made = parser(name, doc)
    made.add_argument("names", nargs="*", metavar="NAME", help="a file or folder (default: what changed)")
    made.add_argument("--all", action="store_true", dest="everything", help="the whole tree")
    return made


def choose(arguments, root, environment):
    if arguments.names and arguments.everything:
        raise UsageError("--all and %s: which?" % arguments.names[0])
    here = environment.get("BUILD_WORKING_DIRECTORY") or os.getcwd()
    return source_files.choose(root, here, arguments.names, arguments.everything)


def label_of(root, path):
    """The label of a source file; "" where no package holds it."""
    folder = os.path.dirname(path)
    while True:
        if any(os.path.exists(os.path.join(root, folder, name)) for name in ("BUILD.bazel", "BUILD")):
            return "//%s:%s" % (folder, os.path.relpath(path, folder or "."))
        if not folder:
            return ""
        folder = os.path.dirname(folder)


def _tidy(bazel, root, chosen, everything, environment):
    """(findings, files looked at) of clang-tidy."""
    toolkit = has_toolkit(environment)
    labels = [label for label in (label_of(root, path) for path in chosen.cpp) if label]
    if everything:
        targets = bazel.cc_targets(toolkit)
    else:
        targets = bazel.cc_targets_of(labels, toolkit) if labels else []
    with tempfile.TemporaryDirectory(prefix="assay_lint_") as folder:
        return findings.clang_tidy(bazel, targets, os.path.join(folder, "events.json"))


def main(words, environment, out):
    flags = parser_of_files("lint", __doc__)
    flags.add_argument("--fast", action="store_true", help="without clang-tidy, whose first look takes minutes")
    arguments = flags.parse_args(words)
    root = workspace(environment)
    chosen = choose(arguments, root, environment)
    everything = arguments.everything
    if chosen.empty():
        print("lint: nothing %s, so the whole tree" % chosen.what, file=out, flush=True)
        everything = True
        chosen = source_files.choose(root, root, [], True)
    bazel = Bazel(root)
    checks = [(findings.clang_format, "clang_format", chosen.cpp), (findings.ruff, "ruff", chosen.python),
              (findings.shellcheck, "shellcheck", chosen.shell)]
    checks = [check for check in checks if check[2]]
    programs = bazel.programs([name for _, name, _ in checks])
    found = []
    for check, name, paths in checks:
        found += check(programs[name], root, paths)
    tidies = chosen.cpp and not arguments.fast
    tidy, looked_at = _tidy(bazel, root, chosen, everything, environment) if tidies else ([], set())
    found += tidy
    for text in found:
        print(text, file=out)
    left_out = [path for path in chosen.cpp if tidies and not path.endswith(".h") and path not in looked_at]
    if left_out:
        print("lint: clang-tidy left out %d files, which no target holds that can be built here: %s" %
              (len(left_out), " ".join(left_out)), file=out)
    verdict = "%d findings" % len(found) if found else "clean"
    print("lint: %d C++ files (clang-tidy: %s), %d Python files, %d shell files %s: %s" %
          (len(chosen.cpp), "none, because of --fast" if arguments.fast else len(looked_at), len(chosen.python), len(chosen.shell), chosen.what, verdict), file=out)
    return FINDINGS if found else OK


if __name__ == "__main__":
    sys.exit(run_program("lint", main))
