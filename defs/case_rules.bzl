"""Rules behind benchmarks(): the checked case set, and light targets around the family's one runner.

A thousand cases do not need a thousand links: a case target is a script of a few lines that starts the runner with the
case's binary protocol buffer. It finds its runfiles under `bazel run`, in tests, when executed directly, through a
symbolic link and in a copied tree.
"""

CaseSetInfo = provider(
    doc = "The cases of one family.",
    fields = {
        "json": "File: assay.Registry as JSON",
        "pb": "File: assay.Registry, binary",
    },
)

def label_text(label):
    """//package:name on every Bazel (str(label) is @//package:name on 7)."""
    return "//%s:%s" % (label.package, label.name)

_TOOL = attr.label(
    default = "//defs/compiler:compile_cases_here",
    executable = True,
    # "exec" would compile Abseil and the protos a second time, for the same machine.
    cfg = "target",
)

def _case_set_impl(ctx):
    pb = ctx.actions.declare_file(ctx.label.name + ".pb")
    js = ctx.actions.declare_file(ctx.label.name + ".json")
    request = ctx.actions.declare_file(ctx.label.name + ".request.textproto")
    ctx.actions.write(request, "".join([line + "\n" for line in ctx.attr.request]))
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = ["resolve", request.path, ctx.outputs.outs[0].dirname, pb.path, js.path] + [f.path for f in ctx.files.hand_written],
        inputs = [request] + ctx.files.hand_written,
        outputs = ctx.outputs.outs + [pb, js],
        mnemonic = "BenchmarkCases",
        progress_message = "Checking the benchmark cases of //%s" % ctx.label.package,
    )
    return [
        DefaultInfo(files = depset([pb, js]), runfiles = ctx.runfiles([pb])),
        CaseSetInfo(pb = pb, json = js),
    ]

case_set = rule(
    implementation = _case_set_impl,
    attrs = {
        "hand_written": attr.label_list(allow_files = [".textproto"]),
        "outs": attr.output_list(mandatory = True, doc = "<case>.pb, an assay.Registry with one case"),
        "request": attr.string_list(mandatory = True, doc = "assay.CaseSetRequest as text, an item on each line"),
        "_tool": _TOOL,
    },
)

def _case_registry_impl(ctx):
    pb = ctx.actions.declare_file(ctx.label.name + ".pb")
    js = ctx.actions.declare_file(ctx.label.name + ".json")
    left_out = ctx.actions.declare_file("left_out.txt")
    sets = [f[CaseSetInfo].pb for f in ctx.attr.families]
    ctx.actions.run(
        executable = ctx.executable._tool,
        arguments = ["merge", pb.path, js.path, left_out.path] + [f.path for f in sets],
        inputs = sets,
        outputs = [pb, js, left_out],
        mnemonic = "CaseRegistry",
        progress_message = "Merging the cases of %d families" % len(sets),
    )
    return [
        DefaultInfo(files = depset([pb, js, left_out]), runfiles = ctx.runfiles([pb, js])),
        CaseSetInfo(pb = pb, json = js),
        OutputGroupInfo(pb = depset([pb]), json = depset([js])),
    ]

case_registry = rule(
    implementation = _case_registry_impl,
    attrs = {
        "families": attr.label_list(providers = [CaseSetInfo]),
        "_tool": _TOOL,
    },
    doc = "Every case of the tree in one file. Also left_out.txt, the sentence that tools/bazel prints after a test run.",
)

def _path_list_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(out, "".join([file.short_path + "\n" for file in ctx.files.srcs]))
    return [DefaultInfo(files = depset([out]), runfiles = ctx.runfiles([out] + ctx.files.srcs))]

path_list = rule(
    implementation = _path_list_impl,
    attrs = {"srcs": attr.label_list(allow_files = True)},
    doc = "A text file with a line for each of srcs, none if there are none: its path below the root. They are its runfiles.",
)

FIND_RUNFILES = """#!/bin/sh
# {label}
if [ -n "$RUNFILES_DIR" ]; then r="$RUNFILES_DIR"
elif [ -n "$TEST_SRCDIR" ]; then r="$TEST_SRCDIR"
else
  case "$0" in /*) self="$0" ;; *) self="$PWD/$0" ;; esac
  r="$self.runfiles"
  while [ ! -d "$r" ] && [ -L "$self" ]; do
    l=$(readlink "$self"); case "$l" in /*) self="$l" ;; *) self="${{self%/*}}/$l" ;; esac
    r="$self.runfiles"
  done
  [ -d "$r" ] || {{ echo "$0: its runfiles are missing; start it with: tools/bazel run {label}" >&2; exit 2; }}
fi
case "$r" in /*) ;; *) r="$PWD/$r" ;; esac
w="$r/{workspace}"
"""

_SCRIPT = FIND_RUNFILES + """{start}"$w/{runner}" --case="$w/{case}"{files}{args} "$@"
"""

# Exit code 0 does not prove that a test did its work: a process that something ended early may have it, or one with
# another flag (--help). The runner writes a testimony once it has done the work on the case as declared.
_TESTIMONY = """s=$?
t=$(cat "$ASSAY_TESTIMONY" 2>/dev/null); rm -f "$ASSAY_TESTIMONY"
[ $s != 0 ] || [ "$t" = "{testimony}" ] || {{
  echo "{label}: CRASH: the runner ended with exit code 0 before it had come to: {testimony}" >&2; exit 1
}}
exit $s
"""

def _case_executable_impl(ctx):
    exe = ctx.actions.declare_file(ctx.label.name)
    action = getattr(ctx.attr, "action", "")
    data = [ctx.file.case, ctx.executable.runner]
    files = ""
    if ctx.file.reference:
        data.append(ctx.file.reference)
        files += ' --locked-reference="$w/%s"' % ctx.file.reference.short_path
    if ctx.file.cuda_plugin:
        data.append(ctx.file.cuda_plugin)
        files += ' --cuda-plugin="$w/%s"' % ctx.file.cuda_plugin.short_path
    if ctx.attr.missing_reference:
        ctx.actions.run_shell(
            outputs = [exe],
            command = 'echo "$1" >&2; exit 1',
            arguments = [ctx.attr.missing_reference],
            mnemonic = "MissingReference",
            progress_message = "Looking for the reference of %s" % label_text(ctx.label),
        )
    else:
        text = _SCRIPT.format(
            label = label_text(ctx.label),
            workspace = ctx.workspace_name,
            runner = ctx.executable.runner.short_path,
            case = ctx.file.case.short_path,
            files = files,
            args = "".join([" " + a for a in ctx.attr.fixed_args + (["--action=" + action] if action else [])]),
            start = 'export ASSAY_TESTIMONY="${TEST_TMPDIR:-/tmp}/testimony.$$"\n' if action else "exec ",
        )
        if action:
            case = "//%s:%s" % (ctx.label.package, ctx.file.case.basename[:-len(".pb")])
            text += _TESTIMONY.format(label = label_text(ctx.label), testimony = action + " " + case)
        ctx.actions.write(exe, text, is_executable = True)
    runfiles = ctx.runfiles(data).merge(ctx.attr.runner[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = exe, runfiles = runfiles)]

_CASE_ATTRS = {
    "case": attr.label(mandatory = True, allow_single_file = [".pb"]),
    "cuda_plugin": attr.label(allow_single_file = True),
    "fixed_args": attr.string_list(doc = "before the user's"),
    "missing_reference": attr.string(doc = "build error of a case that has no lock row; empty: it has one or needs none"),
    "reference": attr.label(allow_single_file = True),
    "runner": attr.label(mandatory = True, executable = True, cfg = "target"),
}

case_binary = rule(implementation = _case_executable_impl, attrs = _CASE_ATTRS, executable = True)
case_test = rule(
    implementation = _case_executable_impl,
    attrs = dict(_CASE_ATTRS, action = attr.string(mandatory = True, doc = "verify or smoke: what the runner has to testify")),
    test = True,
)

# The paths in CASES.txt are relative to the runfiles, wherever this is started.
_CASES_SCRIPT = FIND_RUNFILES + """cd "$w" && unset BUILD_WORKING_DIRECTORY && exec "./{main}" "./{runner}" "./{cases}" "$@"
"""

def _line(ctx, test, cases, references):
    """The line for one of the `tests` that //benchmarks/harness/runner/series:cases_test_main reads."""
    name, action, case = test.split(" ")[:3]
    words = ["//%s:%s" % (ctx.label.package, name), action, "//%s:%s" % (ctx.label.package, case)]
    words.append("--case=" + cases[case].short_path)
    if case in references:
        words.append("--locked-reference=" + references[case].short_path)
    if ctx.file.cuda_plugin:
        words.append("--cuda-plugin=" + ctx.file.cuda_plugin.short_path)
    return " ".join(words + ctx.attr.fixed_args + ["--action=" + action] + test.split(" ")[3:])

def _cases_test_impl(ctx):
    cases = {file.basename[:-len(".pb")]: file for file in ctx.files.cases}
    references = {}
    for target, names in ctx.attr.references.items():
        for name in names.split(" "):
            references[name] = target[DefaultInfo].files.to_list()[0]
    list_file = ctx.actions.declare_file(ctx.label.name + ".txt")
    ctx.actions.write(list_file, "".join([_line(ctx, test, cases, references) + "\n" for test in ctx.attr.tests]))
    exe = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.write(exe, is_executable = True, content = _CASES_SCRIPT.format(
        label = label_text(ctx.label),
        workspace = ctx.workspace_name,
        main = ctx.executable._main.short_path,
        runner = ctx.executable.runner.short_path,
        cases = list_file.short_path,
    ))
    data = [list_file, ctx.executable._main, ctx.executable.runner] + cases.values() + references.values()
    data += [ctx.file.cuda_plugin] if ctx.file.cuda_plugin else []
    runfiles = ctx.runfiles(data).merge(ctx.attr.runner[DefaultInfo].default_runfiles)
    return [DefaultInfo(executable = exe, runfiles = runfiles)]

cases_test = rule(
    implementation = _cases_test_impl,
    attrs = {
        "cases": attr.label_list(mandatory = True, allow_files = [".pb"]),
        "cuda_plugin": attr.label(allow_single_file = True),
        "fixed_args": attr.string_list(doc = "of all cases"),
        "references": attr.label_keyed_string_dict(allow_files = True, doc = "blob -> names of the cases that are compared with it"),
        "runner": attr.label(mandatory = True, executable = True, cfg = "target"),
        "tests": attr.string_list(mandatory = True, doc = "TEST ACTION CASE [FLAG...]: the test of the case alone, and what the runner has to testify"),
        "_main": attr.label(default = "//benchmarks/harness/runner/series:cases_test_main", executable = True, cfg = "target"),
    },
    doc = "Many cases in one process of the family's runner (benchmarks/harness/runner/series/case_series.h).",
    test = True,
)
