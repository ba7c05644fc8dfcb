"""benchmarks(): from a family's tables to its targets. The one macro that a benchmarks/<family>/BUILD.bazel calls.

For each case of the table, and for each hand-written <case>.textproto beside the BUILD file:
    :<case>                bazel run measures it (Google Benchmark's flags work)
    :<case>_smoke_test     builds the model small, runs it once, checks shapes and finiteness, and 16 bits against float64
    :<case>_accuracy_test  runs it and compares every output with the reference artifact
For the family:
    :<family>              alias of the default case
    :runner                the one binary behind all of them
    :cases                 every case resolved and checked, as binary protocol buffer and JSON
    :cases_test            smoke, accuracy and mutants of every case that runs by default, in one process
    :operator_cases_test   with `operators`: the same of operators, and each one's gradients are those of its values;
                           on a GPU :operator_cases_gpu_test, accuracy alone
    :<case>_mutants_test   for each model: what is wrong in one of three blocks fails by the limits of this case
    :model_golden_test     with `goldens`: state, parameter count and FLOPs of each model are those of its reference.py;
                           by its name alone, since //benchmarks:model_golden_test or :model_golden_extra_test
                           does it for all families of its tier
    :tests                 what bazel test //... runs of the cases, and with --config=large the large ones, each a test
    :smoke_tests, :accuracy_tests, :mutants_tests     those of each case alone

Tests cost what is distinct (case_tests.bzl). Cases that share a reference and an execution share one accuracy test, those
that are the same when small one smoke test. It has the name of one of them; the others' names are test suites of that one
test. An operator's case has no smoke test: its accuracy test needs no more than that would. A test whose work is done by
:cases_test, or by another, is there by its name, `bazel test :<case>_accuracy_test`, and not in //... . Which cases run by
default, the tables say: by left_out_by_default() (default_tier.bzl), or otherwise.

Example:

    benchmarks(
        cases = CASES,
        default_case = "resnet18_fp32_b1",
        library = "//models/resnet",
        lock = LOCK,
        models = MODELS,
    )
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load(":case_names.bzl", "case_identity", "case_key", "case_name", "execution_text", "parse_case_name", "reference_rows")
load(":case_rules.bzl", "case_binary", "case_set", "path_list")
load(":case_tests.bzl", "accuracy_groups", "are_large", "case_tests", "plain_cases", "where_tags")
load(":cases.bzl", "LOWERINGS", "is_large", "lowering_skips", "mode_of", "nondeterminism_of", "run_word", "skips_of")
load("//defs/build:cuda.bzl", "if_cuda", "libtorch_in_runfiles")
load(":operators.bzl", "operator_cases")
load(":textproto.bzl", "enum", "parameter_map", "textproto")
load(":tolerances.bzl", "DTYPES_WITH_LIMITS", "DTYPE_OF_PRECISION", "LOWERED_DTYPES", "default_verify", "lowering_limits", "precision_verify")
load(":variants.bzl", "check_parameters")

def _smoke_key(model, identity):
    """A key that differs for two smoke tests: the small model keeps few of a case's parameters, and never its batch."""
    small = [entry.key for entry in model.smoke_parameters] if model else []
    left = ["%s=%s" % item for item in sorted(identity.parameters.items()) if item[0] not in small]
    return repr([identity.model, identity.dtype, identity.run, execution_text(identity.execution), left])

def _case_tags(identity):
    tags = ["model=" + identity.model, "dtype=" + identity.dtype, "batch=%d" % identity.batch]
    tags += ["%s=%s" % item for item in sorted(identity.parameters.items())]
    tags += ["mode=" + mode_of(identity.run)] if identity.run else []
    words = execution_text(identity.execution)
    return tags + (["execution=" + words] if words else [])

def _execution_limits(row, identity):
    """The row's own limits for other executions: those that it has for a smaller dtype, and so for products rounded to it, and
    for lowerings."""
    if type(row.verify) != "dict":
        return []
    lowered = [lowering_limits(l, identity.dtype, own = row.verify[l]) for l in LOWERINGS if l in row.verify]
    if identity.dtype != "fp32":
        return lowered
    limits = [struct(dtype = enum(d.upper()), verify = row.verify[d]) for d in ("bf16", "fp16") if d in row.verify]
    limits += [
        struct(dtype = enum("FP32"), matmul_precision = enum(p.upper()), verify = row.verify[d])
        for p, d in DTYPE_OF_PRECISION.items()
        if d in row.verify
    ]
    return limits + lowered

def _case(implementation, model, row, identity, package):
    """One case of a table."""
    what = "//%s, cases() with model %r, dtype %r, batch %d" % (package, identity.model, identity.dtype, identity.batch)
    check_parameters(what, implementation, identity.parameters)
    for name in identity.parameters:
        if not [p for p in implementation.parameters if p.name == name and p.suffix]:
            fail("%s: parameter %r has no suffix, so two cases would share a name; set it in the model" % (what, name))
    limits = row.verify.get(identity.dtype) if type(row.verify) == "dict" else row.verify
    limits = limits or default_verify(identity.dtype)
    if identity.run == "train" and limits and limits.batch:
        fail("%s: verify(batch = %d): a training step depends on all of its rows" % (what, limits.batch))
    values = dict(
        identity.parameters,
        batch = identity.batch,
        dtype = identity.dtype,
        execution = execution_text(identity.execution) or "eager",
        mode = mode_of(identity.run),
        model = identity.model,
    )
    rows = reference_rows(identity, limits and limits.batch)
    name = case_name(implementation, identity)
    skips = skips_of(row, values, identity.execution)
    return struct(
        file = None,
        identity = identity,
        key = case_key(implementation, identity, rows),
        large = is_large(row, values),
        name = name,
        rows = rows,
        self_verified = False,
        execution_limits = _execution_limits(row, identity),
        skips = skips,
        smoke_key = _smoke_key(model, identity),
        tags = _case_tags(identity),
        message = struct(
            name = name,
            label = "//%s:%s" % (package, name),
            model = identity.model,
            dtype = enum(identity.dtype.upper()),
            batch = identity.batch,
            mode = enum(mode_of(identity.run).upper()) if identity.run else None,
            parameters = parameter_map(what, identity.parameters),
            verify = limits,
            skips = skips,
            nondeterministic = nondeterminism_of(row, values),
            seed = identity.seed,
            execution = identity.execution,
            training = row.run if identity.run == "train" else None,
            generation = row.run if mode_of(identity.run) == "generate" else None,
        ),
    )

def _table_cases(implementations, models, table, package):
    """Every case of a table, in its order."""
    result = []
    for row in table:
        for name in (row.models if row.models != None else [m for m in models]):
            if name not in models:
                fail("//%s, cases(): unknown model %r; one of %s" % (package, name, ", ".join(sorted(models))))
            for parameters in row.parameters:
                for dtype in row.dtypes:
                    for batch in row.batches:
                        for execution in row.executions:
                            identity = case_identity(
                                name,
                                dtype,
                                batch,
                                parameters,
                                row.seed,
                                run_word(row.run),
                                execution if execution_text(execution) else None,
                            )
                            result.append(_case(implementations[name], models[name], row, identity, package))
    return result

def _hand_written_case(file, implementations, models, package):
    """A case of which only the file's name is known, because Bazel cannot read the file while it loads."""
    name = file[:-len(".textproto")]
    identity, implementation = parse_case_name("//%s: %s" % (package, file), name, implementations)
    rows = reference_rows(identity)
    return struct(
        file = file,
        identity = identity,
        key = case_key(implementation, identity, rows),
        large = False,
        name = name,
        rows = rows,
        # Without models it can only be an operator's.
        self_verified = not implementations,
        execution_limits = [],
        skips = lowering_skips(identity.execution),
        smoke_key = _smoke_key(models.get(identity.model), identity),
        tags = ["hand_written"] + _case_tags(identity),
        # Without the dtype: only the file says whether it exists.
        message = struct(
            name = name,
            label = "//%s:%s" % (package, name),
            model = identity.model,
            batch = identity.batch,
            mode = enum(mode_of(identity.run).upper()) if identity.run else None,
            parameters = parameter_map(file, identity.parameters),
            seed = identity.seed,
            execution = identity.execution,
            skips = lowering_skips(identity.execution),
            generation = struct(new_tokens = int(identity.run[len("gen"):])) if mode_of(identity.run) == "generate" else None,
        ),
    )

def _check_unique(all_cases, package):
    seen = {}
    for case in all_cases:
        source = case.file or "a row of the case table"
        if case.name in seen:
            fail("//%s: two cases are called %r: by %s and by %s" % (package, case.name, seen[case.name], source))
        seen[case.name] = source

def _fields(message):
    return {k: getattr(message, k) for k in dir(message) if k not in ("to_json", "to_proto")}

def _requested(case, large):
    """A RequestedCase of case_set.proto."""
    return struct(
        benchmark_case = struct(tags = case.tags + (["large"] if large else []), **_fields(case.message)),
        execution_limits = case.execution_limits,
        dtype = case.identity.dtype if case.file else None,
        file = case.file,
        key = case.key,
        rows = case.rows,
    )

def _artifact(key, row):
    return struct(key = key, sha256 = row["sha256"], size_bytes = row["size"], provenance = row["provenance"])

_DEFAULT_LIMITS = [
    struct(dtype = enum(d.upper()), verify = default_verify(d))
    for d in DTYPES_WITH_LIMITS
] + [
    lowering_limits(lowering, dtype)
    for lowering, dtype in LOWERED_DTYPES
] + [
    struct(dtype = enum("FP32"), matmul_precision = enum(p.upper()), verify = precision_verify(p))
    for p in DTYPE_OF_PRECISION
]

def _request(package, family, cases, lock):
    """The lines of a CaseSetRequest (case_set.proto) to //defs:compile_cases: the text form, an item on each."""
    items = [struct(package = package), struct(family = family)]
    items += [struct(cases = [case]) for case in cases]
    items += [struct(lock = [_artifact(key, row)]) for key, row in lock.items()]
    items += [struct(default_limits = [limits]) for limits in _DEFAULT_LIMITS]
    return [textproto(item).replace("\n", " ") for item in items]

def _by_name(what, items, package):
    """A dict from name to item; fails if two share a name."""
    result = {}
    for item in items:
        if item.name in result:
            fail("//%s: two %s are called %r" % (package, what, item.name))
        result[item.name] = item
    return result

def _implementations_of(models, package):
    """The implementations of the models, each once."""
    found = {}
    for model in models:
        name = model.implementation.name
        if found.setdefault(name, model.implementation) != model.implementation:
            fail("//%s: two implementations are called %r" % (package, name))
    return list(found.values())

def _family(implementations, models):
    """The message Family; a model names its implementation there."""
    named = [struct(**dict(_fields(m), implementation = m.implementation.name)) for m in models]
    return struct(implementations = implementations, models = named)

def _references(all_cases, lock, package):
    """A dict from case to struct(label of its blob, tags), without cases that have no row in the lock."""
    embedded = native.glob(["blobs/*.safetensors"], allow_empty = True)
    result = {}
    for case in all_cases:
        row = lock.get(case.key)
        if row:
            file = "blobs/" + row["sha256"] + ".safetensors"
            if package.startswith("benchmarks/"):
                label = "//artifacts:blob_" + row["sha256"]
            else:
                label = file if file in embedded else "@assay_blobs//:" + row["sha256"]
            result[case.name] = struct(blob = label, tags = ["bucket"] if row["store"] == "bucket" else [])
    return result

_NO_REFERENCE = struct(blob = None, tags = [])

def _binaries(groups, references, shared, device):
    """The cases themselves, each `large` where its accuracy test is."""
    for group in groups:
        for case in group:
            found = references.get(case.name, _NO_REFERENCE)
            case_binary(
                name = case.name,
                case = case.name + ".pb",
                fixed_args = device,
                reference = found.blob,
                tags = case.tags + where_tags(case, group) + found.tags,
                **shared
            )

def _check_lock(lock, package):
    """Fails if the lock is missing or is no lock."""
    if lock == None:
        if native.glob(["lock.bzl"], allow_empty = True):
            fail('//%s: lock.bzl is here and benchmarks() does not get it; add load(":lock.bzl", "LOCK") and lock = LOCK' % package)
        return {}
    if type(lock) != "dict":
        fail("//%s: lock is a %s; it is the LOCK of lock.bzl, which //tools:generate_artifacts writes" % (package, type(lock)))
    return lock

def _golden_test(of_models, libraries, goldens):
    """Compares each model with its golden. //benchmarks:model_golden_test does it for all families of a tier in one process."""
    cc_library(
        name = "implementations",
        visibility = ["//benchmarks:__pkg__"],
        deps = libraries,
    )
    path_list(
        name = "golden_cases",
        srcs = [c.name + ".pb" for c in of_models] if goldens else [],
        visibility = ["//benchmarks:__pkg__"],
    )
    native.filegroup(
        name = "goldens",
        srcs = [goldens] if goldens else [],
        visibility = ["//benchmarks:__pkg__"],
    )
    if goldens:
        cc_test(
            name = "model_golden_test",
            size = "medium",
            args = ["$(rootpath :golden_cases)"],
            data = [":golden_cases", ":goldens"],
            tags = ["manual"],
            deps = [":implementations", "//benchmarks/harness/goldens:model_golden_test"],
        )

def _operators_test(libraries):
    """One test of all operators' cases in one process; a new operator gets it without a line."""
    cc_test(
        name = "operator_cases_test",
        size = "medium",
        args = ["%s/cases.pb" % native.package_name()],
        data = [":cases"],
        tags = ["libtorch"],
        deps = libraries + ["//benchmarks/harness/runner:operator_cases"],
    )

def benchmarks(default_case, library = [], cases = [], goldens = None, lock = None, models = [], operators = []):
    """Makes every target of a family; see the head of this file.

    Args:
      default_case: name of the case that the family's own name means.
      library: C++ library that registers the implementations, or a list of such; operators need none.
      cases: table of cases().
      goldens: :testdata of the model's folder (model_family() makes it), which //ci/goldens:model_goldens_update
        writes from its reference.py; None: there is none.
      lock: LOCK of lock.bzl beside the table; None until there is one.
      models: MODELS of variants.bzl.
      operators: table of operator().
    """
    package = native.package_name()
    lock = _check_lock(lock, package)
    named_models = _by_name("models", models, package)
    implementations = _implementations_of(models, package)
    implementation_of = {m.name: m.implementation for m in models}
    files = native.glob(["*.textproto"], allow_empty = True)
    all_cases = _table_cases(implementation_of, named_models, cases, package)
    all_cases += [_hand_written_case(f, implementation_of, named_models, package) for f in files]
    all_cases += operator_cases(operators, package)
    _check_unique(all_cases, package)
    names = [c.name for c in all_cases]
    if default_case not in names:
        fail("//%s: default_case %r is not one of its cases" % (package, default_case))

    groups = accuracy_groups(all_cases)
    large = {c.name: True for group in groups if are_large(group) for c in group}
    case_set(
        name = "cases",
        hand_written = files,
        outs = [n + ".pb" for n in names],
        request = _request(
            package,
            _family(implementations, models),
            [_requested(c, large.get(c.name, False)) for c in all_cases],
            {c.key: lock[c.key] for c in all_cases if c.key in lock},
        ),
        visibility = ["//visibility:public"],
    )
    libraries = library if type(library) == "list" else [library]
    if [c for c in all_cases if c.identity.execution and c.identity.execution.backend]:
        libraries = libraries + ["//benchmarks/backends:torchscript"]
    if operators:
        _operators_test(libraries)
    # A golden's inputs have two rows (ci/goldens/model_goldens.py).
    _golden_test([c for c in plain_cases(all_cases, models) if c.rows > 1], libraries, goldens)
    cc_binary(
        name = "runner",
        # On another machine LibTorch is where the runfiles have it (tools/suite/cluster/staging.h).
        linkopts = if_cuda(libtorch_in_runfiles(package, cuda = True), libtorch_in_runfiles(package, cuda = False)),
        visibility = ["//visibility:public"],
        deps = libraries + ["//benchmarks/harness/runner:main"],
    )
    shared = dict(
        cuda_plugin = if_cuda("//benchmarks/harness/sampling/cuda:libassay_cuda.so", None),
        runner = ":runner",
        visibility = ["//visibility:public"],
    )
    device = if_cuda(["--default-device=cuda"], ["--default-device=cpu"])
    references = _references(all_cases, lock, package)
    _binaries(groups, references, shared, device)
    case_tests(all_cases, groups, large, models, bool(operators), references, package, shared, device)
    short = package.split("/")[-1]
    if native.existing_rule(short):
        fail(("//%s: %r is the name by which `bazel run //%s` starts the default case; call the other target of that name, and " +
              "the .cc file of a model_family, something else, such as %r") % (package, short, package, short + "_model"))
    native.alias(name = short, actual = default_case)
    scripts = {i.reference_script: True for i in implementations if i.reference_script}
    native.filegroup(
        name = "reference_script",
        srcs = ["//%s:%s" % tuple(script.rsplit("/", 1)) for script in scripts],
        visibility = ["//visibility:public"],
    )

    # The package's test in //tools/artifacts/locks reads this.
    native.filegroup(
        name = "lock_files",
        srcs = native.glob(["lock.bzl", "blobs/*.safetensors"], allow_empty = True),
        visibility = ["//visibility:public"],
    )
