"""//tools:format: has the pinned clang-format rewrite C++ files of the tree.

  tools/bazel run //tools:format                      what you changed, as //tools:lint takes it
  tools/bazel run //tools:format -- --all             the whole tree
  tools/bazel run //tools:format -- defs/compiler/utf8.cc      files and folders

Python's layout is its writer's: no formatter's output is what the tree has. Exit codes: 0, 2 and 3 as of //tools:lint.
"""

import sys

from artifacts.fetch.ending import OK
from ci.lint import findings
from tools.processes.command import Bazel, SurroundingsError, last_lines, run, run_program, workspace
from ci.lint.lint import choose, parser_of_files


def main(words, environment, out):
    arguments = parser_of_files("format", __doc__).parse_args(words)
    root = workspace(environment)
    chosen = choose(arguments, root, environment)
    if chosen.cpp:
        program = Bazel(root).programs(["clang_format"])["clang_format"]
        wrong = [line.split(":")[0] for line in findings.clang_format(program, root, chosen.cpp)]
        done = run([program, "-i", *wrong], root) if wrong else None
        if done and done.code:
            raise SurroundingsError("clang-format ended with %d:\n%s" % (done.code, last_lines(done.errors)))
        for path in wrong:
            print(path, file=out)
    print("format: %d C++ files %s, %d rewritten" % (len(chosen.cpp), chosen.what, len(wrong) if chosen.cpp else 0), file=out)
    return OK


if __name__ == "__main__":
    sys.exit(run_program("format", main))
