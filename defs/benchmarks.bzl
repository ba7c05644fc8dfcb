"""benchmarks(): from a family's tables to its targets. The one macro that a benchmarks/<family>/BUILD.bazel calls.

For each case of the table, and for each hand-written <case>.textproto beside the BUILD file:
    :<case>                bazel run measures it (Google Benchmark's flags work)
    :<case>_smoke_test     builds the model small, runs it once, checks shapes and finiteness
    :<case>_accuracy_test  runs it and compares every output with the reference artifact
For the family:
    :<family>              alias of the default case
    :runner                the one binary behind all of them
    :cases                 every case resolved and checked, as binary protocol buffer and JSON
    :model_golden_test     with `goldens`: state, parameter count and FLOPs of each model are those of its reference.py
    :smoke_tests, :accuracy_tests, :tests

Example:

    benchmarks(
        cases = CASES,
        default_case = "resnet18_fp32_b1",
        implementation = IMPLEMENTATION,
        library = "//models/resnet",
        models = MODELS,
    )
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")
load("//artifacts:lock.bzl", "LOCK")
load(":case_rules.bzl", "case_binary", "case_set", "case_test")
load(":cases.bzl", "is_large", "skips_of")
load(":cuda.bzl", "if_cuda")
load(":textproto.bzl", "enum", "parameter_map", "textproto")
load(":tolerances.bzl", "DTYPES_WITH_LIMITS", "default_verify")
load(":variants.bzl", "check_parameters")

_VERIFIED_BATCH = 2  # defs/case_resolution.h says why

def _suffix(implementation, parameters):
    """What parameters add to a case's name, in the order of their declaration."""
    return "".join([
        "_%s%s" % (p.suffix, parameters[p.name])
        for p in implementation.parameters
        if p.suffix and p.name in parameters
    ])

def _case(implementation, row, model, dtype, batch, parameters, package):
    what = "//%s, cases() with model %r, dtype %r, batch %d" % (package, model, dtype, batch)
    check_parameters(what, implementation, parameters)
    unnamed = [p for p in parameters if not [s for s in implementation.parameters if s.name == p and s.suffix]]
    if unnamed:
        fail("%s: parameter %r has no suffix, so two cases would share a name; set it in the model" % (what, unnamed[0]))
    suffix = _suffix(implementation, parameters)
    limits = row.verify.get(dtype) if type(row.verify) == "dict" else row.verify
    limits = limits or default_verify(dtype)
    verified = (limits and limits.batch) or min(batch, _VERIFIED_BATCH)
    values = dict(parameters, model = model, dtype = dtype, batch = batch)
    tags = ["model=" + model, "dtype=" + dtype, "batch=%d" % batch]
    tags += ["%s=%s" % (k, v) for k, v in sorted(parameters.items())]
    tags += ["large"] if is_large(row, values) else []
    name = "%s_%s_b%d%s" % (model, dtype, batch, suffix)
    return struct(
        name = name,
        key = "%s_%s_b%d%s" % (model, dtype, verified, suffix) + ("_seed%d" % row.seed if row.seed else ""),
        skips = skips_of(row, values),
        tags = tags,
        text = textproto(struct(
            name = name,
            label = "//%s:%s" % (package, name),
            model = model,
            dtype = enum(dtype.upper()),
            batch = batch,
            parameters = parameter_map(what, parameters),
            verify = limits,
            skips = skips_of(row, values),
            tags = tags,
            seed = row.seed,
        )),
    )

def _table_cases(implementation, models, table, package):
    known = [m.name for m in models]
    result = []
    for row in table:
        for model in (row.models if row.models != None else known):
            if model not in known:
                fail("//%s, cases(): unknown model %r; one of %s" % (package, model, ", ".join(known)))
            for parameters in row.parameters:
                for dtype in row.dtypes:
                    for batch in row.batches:
                        result.append(_case(implementation, row, model, dtype, batch, parameters, package))
    return result

def _hand_written_case(file, package):
    """A case known by its file's name alone, because Bazel cannot read the file while it loads."""
    name = file[:-len(".textproto")]
    parts = name.split("_")
    tags, batch_at = ["hand_written"], -1
    for i in range(1, len(parts)):
        if batch_at < 0 and parts[i].startswith("b") and parts[i][1:].isdigit():
            batch_at = i
    if batch_at < 2:
        fail("//%s: %s must be called <model>_<dtype>_b<batch>[_...].textproto, like the case in it" % (package, file))
    model, dtype, batch = "_".join(parts[:batch_at - 1]), parts[batch_at - 1], int(parts[batch_at][1:])
    return struct(
        name = name,
        key = "_".join([model, dtype, "b%d" % min(batch, _VERIFIED_BATCH)] + parts[batch_at + 1:]),
        skips = [],
        tags = tags + ["model=" + model, "dtype=" + dtype, "batch=%d" % batch],
        text = None,
    )

def _check_unique(all_cases, package):
    seen = {}
    for case in all_cases:
        source = "a row of the case table" if case.text else case.name + ".textproto"
        if case.name in seen:
            fail("//%s: two cases are called %r: by %s and by %s" % (package, case.name, seen[case.name], source))
        seen[case.name] = source

def _check_models(models, package):
    seen = {}
    for m in models:
        if m.name in seen:
            fail("//%s: two models are called %r" % (package, m.name))
        seen[m.name] = True

def _case_targets(case, package, cuda_plugin):
    row = LOCK.get(case.key)
    blob = "//artifacts:blob_" + row["sha256"] if row else None
    on_cpu = [s for s in case.skips if s.device == enum("CPU")]

    # A case that its table skips on the CPU runs only where there is a GPU; //benchmarks:list shows the reason.
    tags = case.tags + (["gpu"] if on_cpu else []) + (["bucket"] if row and row["store"] == "bucket" else [])
    shared = dict(case = case.name + ".pb", cuda_plugin = cuda_plugin, runner = ":runner")
    cuda = if_cuda(["--device=cuda"], ["--device=cpu"])
    case_binary(name = case.name, fixed_args = cuda, reference = blob, tags = tags, **shared)
    case_test(
        name = case.name + "_smoke_test",
        size = "small",
        fixed_args = cuda + ["--action=smoke", "--threads=1"],
        tags = tags + ["smoke"],
        **shared
    )
    case_test(
        name = case.name + "_accuracy_test",
        size = "large" if "large" in tags else "medium",
        fixed_args = cuda + ["--action=verify", "--threads=1"],
        missing_reference = "" if row else (
            "//%s:%s has no row %r in artifacts/lock.bzl, so there is nothing to compare it with. Make the reference: " +
            "tools/bazel run //tools:generate_artifacts -- --filter='^%s$'"
        ) % (package, case.name, case.key, case.key),
        reference = blob,
        tags = tags + ["accuracy"],
        **shared
    )

def _golden_test(all_cases, models, library, goldens):
    """Compares one case of each model, the first in fp32 that is verified at two rows, with the model's golden."""
    chosen = []
    for m in models:
        of_model = [
            c.name + ".pb"
            for c in all_cases
            if "model=" + m.name in c.tags and "dtype=fp32" in c.tags and "batch=1" not in c.tags and "_train" not in c.name
        ]
        chosen += of_model[:1]
    cc_test(
        name = "model_golden_test",
        size = "medium",
        args = ["%s/%s" % (native.package_name(), name) for name in chosen],
        data = chosen + [goldens],
        deps = [library, "//benchmarks/harness/goldens:model_golden_test"],
    )

def benchmarks(implementation, models, cases, library, default_case, goldens = None):
    """Makes every target of a family; see the head of this file.

    Args:
      implementation: IMPLEMENTATION of models/<family>/variants.bzl.
      models: MODELS of it.
      cases: table of cases().
      library: C++ library that registers the implementation.
      default_case: name of the case that the family's own name means.
      goldens: testdata of the model's folder (model_family() names it so), written by
        //tools/goldens:model_goldens_update from its reference.py; None: there is none.
    """
    package = native.package_name()
    _check_models(models, package)
    files = native.glob(["*.textproto"], allow_empty = True)
    table = _table_cases(implementation, models, cases, package)
    all_cases = table + [_hand_written_case(f, package) for f in files]
    _check_unique(all_cases, package)
    names = [c.name for c in all_cases]
    if default_case not in names:
        fail("//%s: default_case %r is not one of its cases" % (package, default_case))

    case_set(
        name = "cases",
        default_verify = [textproto(struct(dtype = enum(d.upper()), verify = default_verify(d))) for d in DTYPES_WITH_LIMITS],
        family = textproto(struct(implementation = implementation, models = models)),
        hand_written = files,
        lock = json.encode({c.key: LOCK[c.key] for c in all_cases if c.key in LOCK}),
        outs = [n + ".pb" for n in names],
        table = [c.text for c in table],
        visibility = ["//visibility:public"],
    )
    cc_binary(
        name = "runner",
        visibility = ["//visibility:public"],
        deps = [library, "//benchmarks/harness/runner:main"],
    )
    cuda_plugin = if_cuda("//benchmarks/harness/sampling/cuda:libassay_cuda.so", None)
    for case in all_cases:
        _case_targets(case, package, cuda_plugin)
    if goldens:
        _golden_test(all_cases, models, library, goldens)
    native.alias(name = package.split("/")[-1], actual = default_case)
    native.test_suite(name = "smoke_tests", tests = [n + "_smoke_test" for n in names])
    native.test_suite(name = "accuracy_tests", tests = [n + "_accuracy_test" for n in names])
    native.test_suite(name = "tests", tests = [":smoke_tests", ":accuracy_tests"])
    script = implementation.reference_script
    native.filegroup(
        name = "reference_script",
        srcs = ["//%s:%s" % tuple(script.rsplit("/", 1))] if script else [],
        visibility = ["//visibility:public"],
    )
