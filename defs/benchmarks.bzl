"""benchmarks(): from a family's tables to its targets. The one macro that a benchmarks/<family>/BUILD.bazel calls.

For each case of the table, and for each hand-written <case>.textproto beside the BUILD file:
    :<case>                bazel run measures it (Google Benchmark's flags work)
    :<case>_smoke_test     builds the model small, runs it once, checks shapes and finiteness
    :<case>_accuracy_test  runs it and compares every output with the reference artifact
For the family:
    :<family>              alias of the default case
    :runner                the one binary behind all of them
    :cases                 every case resolved and checked, as binary protocol buffer and JSON
    :operator_cases_test   with `operators`: wrong outputs of each operator fail, and its gradients are those of its values
    :<case>_mutants_test   for each model: what is wrong in one of three blocks fails by the limits of this case
    :model_golden_test     with `goldens`: state, parameter count and FLOPs of each model are those of its reference.py
    :smoke_tests, :accuracy_tests, :tests

Tests cost what is distinct: cases that share a reference and an execution share one accuracy test, those that are the
same when small one smoke test. It has the name of one of them; the others' names are test suites of that one test. An
operator's case has no smoke test: its accuracy test needs no more than that would.

Example:

    benchmarks(
        cases = CASES,
        default_case = "resnet18_fp32_b1",
        implementations = [IMPLEMENTATION],
        library = "//models/resnet",
        lock = LOCK,
        models = MODELS,
    )
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")
load(":case_names.bzl", "case_identity", "case_key", "case_name", "execution_text", "parse_case_name", "reference_rows")
load(":case_rules.bzl", "case_binary", "case_set", "case_test")
load(":cases.bzl", "is_large", "skips_of")
load(":cuda.bzl", "if_cuda")
load(":operators.bzl", "operator_cases")
load(":textproto.bzl", "enum", "parameter_map", "textproto")
load(":tolerances.bzl", "DTYPES_WITH_LIMITS", "default_verify")
load(":variants.bzl", "check_parameters")

def _smoke_key(model, identity):
    """What tells two smoke tests apart: the model made small has few of a case's parameters left, and never its batch."""
    small = [entry.key for entry in model.smoke_parameters] if model else []
    left = ["%s=%s" % item for item in sorted(identity.parameters.items()) if item[0] not in small]
    return repr([identity.model, identity.dtype, identity.train, execution_text(identity.execution), left])

def _case_tags(identity):
    tags = ["model=" + identity.model, "dtype=" + identity.dtype, "batch=%d" % identity.batch]
    tags += ["%s=%s" % item for item in sorted(identity.parameters.items())]
    tags += ["mode=train"] if identity.train else []
    words = execution_text(identity.execution)
    return tags + (["execution=" + words] if words else [])

def _autocast_limits(row, identity):
    """Limits of the row's own under autocast: those that it has for a smaller dtype."""
    if identity.dtype != "fp32" or type(row.verify) != "dict":
        return []
    return [struct(dtype = enum(d.upper()), verify = row.verify[d]) for d in ("bf16", "fp16") if d in row.verify]

def _case(implementation, model, row, identity, package):
    """One case of a table."""
    what = "//%s, cases() with model %r, dtype %r, batch %d" % (package, identity.model, identity.dtype, identity.batch)
    check_parameters(what, implementation, identity.parameters)
    for name in identity.parameters:
        if not [p for p in implementation.parameters if p.name == name and p.suffix]:
            fail("%s: parameter %r has no suffix, so two cases would share a name; set it in the model" % (what, name))
    limits = row.verify.get(identity.dtype) if type(row.verify) == "dict" else row.verify
    limits = limits or default_verify(identity.dtype)
    if identity.train and limits and limits.batch:
        fail("%s: verify(batch = %d): a training step depends on all of its rows" % (what, limits.batch))
    values = dict(
        identity.parameters,
        batch = identity.batch,
        dtype = identity.dtype,
        execution = execution_text(identity.execution) or "eager",
        mode = "train" if identity.train else "eval",
        model = identity.model,
    )
    rows = reference_rows(identity, limits and limits.batch)
    name = case_name(implementation, identity)
    return struct(
        file = None,
        identity = identity,
        key = case_key(implementation, identity, rows),
        large = is_large(row, values),
        name = name,
        rows = rows,
        in_place = False,
        autocast_limits = _autocast_limits(row, identity),
        skips = skips_of(row, values),
        smoke_key = _smoke_key(model, identity),
        tags = _case_tags(identity),
        message = struct(
            name = name,
            label = "//%s:%s" % (package, name),
            model = identity.model,
            dtype = enum(identity.dtype.upper()),
            batch = identity.batch,
            mode = enum("TRAIN") if identity.train else None,
            parameters = parameter_map(what, identity.parameters),
            verify = limits,
            skips = skips_of(row, values),
            seed = identity.seed,
            execution = identity.execution,
            training = row.train,
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
                                row.train != None,
                                execution if execution_text(execution) else None,
                            )
                            result.append(_case(implementations[name], models[name], row, identity, package))
    return result

def _hand_written_case(file, implementations, models, package):
    """A case known by its file's name alone, because Bazel cannot read the file while it loads."""
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
        in_place = not implementations,
        autocast_limits = [],
        skips = [],
        smoke_key = _smoke_key(models.get(identity.model), identity),
        tags = ["hand_written"] + _case_tags(identity),
        # The dtype is not in it: only the file says whether it exists.
        message = struct(
            name = name,
            label = "//%s:%s" % (package, name),
            model = identity.model,
            batch = identity.batch,
            mode = enum("TRAIN") if identity.train else None,
            parameters = parameter_map(file, identity.parameters),
            seed = identity.seed,
            execution = identity.execution,
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

def _request(case, large):
    """What //defs:compile_cases gets of one case: its name, its reference, and a BenchmarkCase as text."""
    tags = case.tags + (["large"] if large else [])
    return json.encode(struct(
        autocast_limits = [textproto(limits) for limits in case.autocast_limits],
        dtype = case.identity.dtype,
        file = case.file or "",
        key = case.key,
        name = case.name,
        rows = case.rows,
        text = textproto(struct(tags = tags, **_fields(case.message))),
    ))

def _by_name(what, items, package):
    """name -> item, where no two share a name."""
    result = {}
    for item in items:
        if item.name in result:
            fail("//%s: two %s are called %r" % (package, what, item.name))
        result[item.name] = item
    return result

def _implementation_of_models(implementations, models, package):
    """model -> its implementation."""
    for model in models.values():
        if model.implementation not in implementations:
            fail("//%s: model %r has implementation %r, which is not one of the package's: %s" %
                 (package, model.name, model.implementation, ", ".join(sorted(implementations)) or "none"))
    return {name: implementations[model.implementation] for name, model in models.items()}

def _skipped_on_cpu(case):
    return bool([s for s in case.skips if s.device == enum("CPU")])

def _groups(cases_by_key):
    """key -> the cases that one test stands for, out of (key, case) pairs."""
    groups = {}
    for key, case in cases_by_key:
        groups.setdefault(key, []).append(case)
    return groups.values()

def _test_groups(all_cases):
    """Cases that share an accuracy test."""
    return _groups([(c.key + " " + execution_text(c.identity.execution), c) for c in all_cases])

def _representative(group):
    """The case whose test stands for all of them: by default, on any device, with all of the reference's rows."""
    best, best_rank = None, None
    for case in group:
        rank = (4 if _skipped_on_cpu(case) else 0) + (2 if case.identity.batch < case.rows else 0) + (1 if case.large else 0)
        if best == None or rank < best_rank:
            best, best_rank = case, rank
    return best

def _are_large(group):
    return not [c for c in group if not c.large]

def _where_tags(case, group):
    """Tags that decide by default whether the group's test, which runs `case`, is run."""
    return (["large"] if _are_large(group) else []) + (["gpu"] if _skipped_on_cpu(case) else [])

def _name_after(group, chosen, suffix):
    """The chosen case's test under the names of the others; without tags, which would choose among the suite's tests."""
    for case in group:
        if case.name != chosen.name:
            native.test_suite(name = case.name + suffix, tests = [chosen.name + suffix])
    return chosen.name + suffix

def _references(all_cases, lock, package):
    """case -> struct(label of its blob, tags); a case without a row in the lock is not in it."""
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

def _missing_reference(case, package):
    return ("//%s:%s has no row %r in %s/lock.bzl, so there is nothing to compare it with. Make the reference: " +
            "tools/bazel run //tools:generate_artifacts -- --filter='^%s$'") % (package, case.name, case.key, package, case.key)

def _smoke_tests(all_cases, shared, device):
    names = []
    for group in _groups([(c.smoke_key, c) for c in all_cases if not c.in_place]):
        chosen = _representative(group)
        case_test(
            name = chosen.name + "_smoke_test",
            size = "small",
            case = chosen.name + ".pb",
            action = "smoke",
            fixed_args = device + ["--threads=1"],
            tags = chosen.tags + _where_tags(chosen, group) + ["smoke"],
            **shared
        )
        names.append(_name_after(group, chosen, "_smoke_test"))
    return names

def _accuracy_tests(groups, references, package, shared, device):
    """One for each reference and execution; also the cases' binaries, whose `large` is that of their accuracy test."""
    names = []
    for group in groups:
        for case in group:
            found = references.get(case.name, _NO_REFERENCE)
            case_binary(
                name = case.name,
                case = case.name + ".pb",
                fixed_args = device,
                reference = found.blob,
                tags = case.tags + _where_tags(case, group) + found.tags,
                **shared
            )
        chosen = _representative(group)
        found = references.get(chosen.name, _NO_REFERENCE)

        # Training keeps many copies of the weights, gigabytes of a large model's: one test for two cores.
        alone = ["cpu:2"] if _are_large(group) and chosen.identity.train else []
        case_test(
            name = chosen.name + "_accuracy_test",
            size = "large" if _are_large(group) else "small" if chosen.in_place else "medium",
            case = chosen.name + ".pb",
            action = "verify",
            fixed_args = device + ["--threads=1"],
            missing_reference = "" if found.blob or chosen.in_place else _missing_reference(chosen, package),
            reference = found.blob,
            tags = chosen.tags + _where_tags(chosen, group) + found.tags + ["accuracy"] + alone,
            **shared
        )
        names.append(_name_after(group, chosen, "_accuracy_test"))
    return names

def _mutants_tests(plain_cases, models, large, references, shared, device):
    """Proves of each model that its limits find a fault; by default of each implementation's first.

    One without a reference has nothing to prove.
    """
    first = {}
    for m in models:
        first.setdefault(m.implementation, m.name)
    for case in plain_cases:
        found = references.get(case.name)
        if not found:
            continue
        is_large = case.name in large or case.identity.model not in first.values()
        case_test(
            name = case.name + "_mutants_test",
            size = "large" if is_large else "medium",
            case = case.name + ".pb",
            action = "verify",
            fixed_args = device + ["--threads=1", "--check=mutants"],
            reference = found.blob,
            tags = case.tags + (["large"] if is_large else []) + found.tags + ["mutants"],
            **shared
        )

def _check_lock(lock, package):
    """Fails where the lock was forgotten, or is none."""
    if lock == None:
        if native.glob(["lock.bzl"], allow_empty = True):
            fail('//%s: lock.bzl is here and benchmarks() does not get it; add load(":lock.bzl", "LOCK") and lock = LOCK' % package)
        return {}
    if type(lock) != "dict":
        fail("//%s: lock is a %s; it is the LOCK of lock.bzl, which //tools:generate_artifacts writes" % (package, type(lock)))
    return lock

def _plain_cases(all_cases, models):
    """One case of each model, the first in fp32 that calls it plainly with all rows."""
    chosen = []
    for m in models:
        chosen += [
            c
            for c in all_cases
            if c.identity.model == m.name and c.identity.dtype == "fp32" and c.identity.batch >= c.rows and
               not c.identity.train and not execution_text(c.identity.execution)
        ][:1]
    return chosen

def _golden_test(plain_cases, libraries, goldens):
    """Compares each model with its golden."""
    files = [c.name + ".pb" for c in plain_cases]
    cc_test(
        name = "model_golden_test",
        size = "medium",
        args = ["%s/%s" % (native.package_name(), name) for name in files],
        data = files + [goldens],
        deps = libraries + ["//benchmarks/harness/goldens:model_golden_test"],
    )

def _operators_test(libraries):
    """One test of all operators' cases in one process, so that a new one is under it without a line."""
    cc_test(
        name = "operator_cases_test",
        size = "medium",
        args = ["%s/cases.pb" % native.package_name()],
        data = [":cases"],
        tags = ["libtorch"],
        deps = libraries + ["//benchmarks/harness/runner:operator_cases"],
    )

def benchmarks(default_case, library = [], cases = [], goldens = None, implementations = [], lock = None, models = [], operators = []):
    """Makes every target of a family; see the head of this file.

    Args:
      default_case: name of the case that the family's own name means.
      library: C++ library that registers the implementations, or a list of such; operators need none.
      cases: table of cases().
      goldens: :testdata of the model's folder (model_family() makes it), which //tools/goldens:model_goldens_update
        writes from its reference.py; None: there is none.
      implementations: what models/<family>/variants.bzl declares; none where all cases are operators'.
      lock: LOCK of lock.bzl beside the table; None until there is one.
      models: MODELS of variants.bzl.
      operators: table of operator().
    """
    package = native.package_name()
    lock = _check_lock(lock, package)
    named_implementations = _by_name("implementations", implementations, package)
    named_models = _by_name("models", models, package)
    implementation_of = _implementation_of_models(named_implementations, named_models, package)
    files = native.glob(["*.textproto"], allow_empty = True)
    all_cases = _table_cases(implementation_of, named_models, cases, package)
    all_cases += [_hand_written_case(f, implementation_of, named_models, package) for f in files]
    all_cases += operator_cases(operators, package)
    _check_unique(all_cases, package)
    names = [c.name for c in all_cases]
    if default_case not in names:
        fail("//%s: default_case %r is not one of its cases" % (package, default_case))

    groups = _test_groups(all_cases)
    large = {c.name: True for group in groups if _are_large(group) for c in group}
    case_set(
        name = "cases",
        cases = [_request(c, large.get(c.name, False)) for c in all_cases],
        default_verify = [textproto(struct(dtype = enum(d.upper()), verify = default_verify(d))) for d in DTYPES_WITH_LIMITS],
        family = textproto(struct(implementations = implementations, models = models)),
        hand_written = files,
        lock = json.encode({c.key: lock[c.key] for c in all_cases if c.key in lock}),
        outs = [n + ".pb" for n in names],
        visibility = ["//visibility:public"],
    )
    libraries = library if type(library) == "list" else [library]
    if operators:
        _operators_test(libraries)
    if goldens:
        _golden_test(_plain_cases(all_cases, models), libraries, goldens)
    cc_binary(
        name = "runner",
        visibility = ["//visibility:public"],
        deps = libraries + ["//benchmarks/harness/runner:main"],
    )
    shared = dict(
        cuda_plugin = if_cuda("//benchmarks/harness/sampling/cuda:libassay_cuda.so", None),
        runner = ":runner",
        visibility = ["//visibility:public"],
    )
    device = if_cuda(["--device=cuda"], ["--device=cpu"])
    smoke_tests = _smoke_tests(all_cases, shared, device)
    if smoke_tests:  # an empty suite would be all tests of the package
        native.test_suite(name = "smoke_tests", tests = smoke_tests)
    references = _references(all_cases, lock, package)
    accuracy_tests = _accuracy_tests(groups, references, package, shared, device)
    _mutants_tests(_plain_cases(all_cases, models), models, large, references, shared, device)
    native.test_suite(name = "accuracy_tests", tests = accuracy_tests)
    native.test_suite(name = "tests", tests = ([":smoke_tests"] if smoke_tests else []) + [":accuracy_tests"])
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

    # What the package's test in //tools/artifacts/locks reads.
    native.filegroup(
        name = "lock_files",
        srcs = native.glob(["lock.bzl", "blobs/*.safetensors"], allow_empty = True),
        visibility = ["//visibility:public"],
    )
