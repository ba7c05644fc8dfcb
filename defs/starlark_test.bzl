"""starlark_test(): holds what functions of this folder return against what they should.

Not for: functions that fail() on a mistake (ci/checks/bad_definitions.py). Example:

    starlark_test(
        name = "cases_bzl_test",
        equal = {"an unlowered case is skipped nowhere": (lowering_skips(execution()), [])},
    )
"""

load("@rules_shell//shell:sh_test.bzl", "sh_test")
load(":textproto.bzl", "textproto")

def starlark_test(name, equal):
    """A test that fails where two values of a pair differ; it prints both.

    Args:
      name: of the test.
      equal: what is claimed -> (value, what it should be), each a struct of messages' fields or a list of such.
    """
    words = []
    for claim, (got, want) in equal.items():
        words += [claim] + [textproto(struct(value = value)) for value in (got, want)]
    sh_test(
        name = name,
        size = "small",
        srcs = ["//defs:starlark_test.sh"],
        args = [repr(word.replace("\n", " ")) for word in words],
    )
