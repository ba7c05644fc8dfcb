"""//tools:compile_commands: writes compile_commands.json at the root of the tree, for clangd and other readers of C++.

  tools/bazel run //tools:compile_commands

What Bazel would start for each C++ file of the tree, with paths that hold from the tree's root; headers that are made
(defs/*.pb.h) are made first. Run it again when BUILD files change. clangd takes a header's flags from a neighbour.
kernels.cu is left out: nvcc's command line is none that clangd could follow; so are CUDA's .cc files where no toolkit is.
"""

import json
import os
import sys

from artifacts.fetch.ending import OK
from artifacts.format import atomic_file
from tools.processes.command import Bazel, SurroundingsError, has_toolkit, parser, run_program, workspace

_NAME = "compile_commands.json"
# GCC's own, which clang takes for an error; and what only concerns outputs.
_DROPPED = ("-fno-canonical-system-headers", "-Wno-free-nonheap-object", "-Wunused-but-set-parameter", "-MD", "-c", "-Werror")
_DROPPED_WITH_VALUE = ("-MF", "-o")
_DROPPED_PREFIXES = ("-frandom-seed=",)


def _absolute(path, info):
    """Bazel starts a compiler elsewhere: external/ and bazel-out/ are not the tree's, the rest is."""
    if path.startswith("external/"):
        return os.path.join(info["output_base"], path)
    if path.startswith("bazel-out/"):
        return os.path.join(info["output_path"], path[len("bazel-out/"):])
    return path


def _argument(word, info):
    for flag in ("-I", "-isystem", "-iquote"):
        if word.startswith(flag) and len(word) > len(flag):
            return flag + _absolute(word[len(flag):], info)
    return _absolute(word, info)


def _arguments(words, info):
    kept, skip = [], False
    for word in words:
        if skip or word in _DROPPED or word.startswith(_DROPPED_PREFIXES):
            skip = False
        elif word in _DROPPED_WITH_VALUE:
            skip = True
        else:
            kept.append(_argument(word, info))
    return kept


def convert(aquery, root, info):
    """The entries, one a source file, out of the parsed JSON of `bazel aquery --output=jsonproto`.

    A file that is compiled several times (with -fPIC, with other defines) has its first command.
    """
    entries = {}
    for action in aquery.get("actions", []):
        words = action["arguments"]
        source = words[words.index("-c") + 1]
        if not source.startswith(("external/", "bazel-out/")):
            entries.setdefault(source, {"directory": root, "file": source, "arguments": _arguments(words, info)})
    return [entries[source] for source in sorted(entries)]


def main(words, environment, out):
    parser("compile_commands", __doc__).parse_args(words)
    root = workspace(environment)
    bazel = Bazel(root)
    targets = bazel.cc_targets(has_toolkit(environment))
    bazel.run("build", "--output_groups=compilation_prerequisites_INTERNAL_", *targets)
    text = bazel.run("aquery", "--output=jsonproto", 'mnemonic("CppCompile", %s)' % " + ".join(targets))
    try:
        entries = convert(json.loads(text), root, bazel.info())
    except (KeyError, ValueError) as error:
        raise SurroundingsError("tools/bazel aquery said what cannot be read: %r" % error) from None
    path = os.path.join(root, _NAME)
    atomic_file.write(path, (json.dumps(entries, indent=1) + "\n").encode())
    print("compile_commands: %d files in %s" % (len(entries), path), file=out)
    return OK


if __name__ == "__main__":
    sys.exit(run_program("compile_commands", main))
