"""The tests of a family's cases, for defs/benchmarks.bzl, which says what each is.

Each computation is tested once. Cases that share a reference and an execution share one accuracy test. Cases that are
the same when small share one smoke test. A mutants test first verifies the right program, so it replaces the accuracy
test of the same case. Each process takes 0.15 to 0.3 s to start LibTorch, so one process runs all default tests of a
family, :cases_test. A test that another one covers still has a target, to be run by name. It is tagged `manual`, so
that //... does not run it a second time.
"""

load(":case_names.bzl", "execution_text")
load(":case_rules.bzl", "case_test", "cases_test")
load(":cases.bzl", "mode_of")
load("//defs/build:cuda.bzl", "ON_GPU", "if_cuda")
load("//defs/build:tiers.bzl", "tier_tags")
load(":textproto.bzl", "enum")

def skipped_on_cpu(case):
    return bool([s for s in case.skips if s.device == enum("CPU")])

def _groups(cases_by_key):
    """The cases that one test stands for, out of (key, case) pairs."""
    groups = {}
    for key, case in cases_by_key:
        groups.setdefault(key, []).append(case)
    return groups.values()

def _accuracy_key(case):
    return case.key + " " + execution_text(case.identity.execution)

def accuracy_groups(all_cases):
    """Groups of cases that share an accuracy test: a list of lists."""
    return _groups([(_accuracy_key(c), c) for c in all_cases])

def are_large(group):
    return not [c for c in group if not c.large]

def where_tags(case, group):
    """Tags that decide by default whether the group's test, which runs `case`, is run."""
    return (["large"] if are_large(group) else []) + (["gpu"] if skipped_on_cpu(case) else [])

def _representative(group, all_rows = True):
    """The case whose test stands for the group: preferably one that runs by default, on any device, with all of the
    reference's rows, or with few of them."""
    best, best_rank = None, None
    for case in group:
        other_rows = (case.identity.batch >= case.rows) != all_rows
        rank = (4 if skipped_on_cpu(case) else 0) + (2 if other_rows else 0) + (1 if case.large else 0)
        if best == None or rank < best_rank:
            best, best_rank = case, rank
    return best

def _test(kind, case, tags, group = [], action = "verify", args = [], size = "medium", reference = None, missing_reference = ""):
    """One test of one case. `group`: the cases that it stands for."""
    return struct(
        name = "%s_%s_test" % (case.name, kind),
        kind = kind,
        case = case,
        group = group or [case],
        action = action,
        args = args,
        size = size,
        reference = reference,
        missing_reference = missing_reference,
        tags = case.tags + tags + [kind],
        by_default = not [t for t in tags if t in ("large", "gpu", "bucket", "slow_on_cpu")],
    )

def _smoke_tests(all_cases):
    result = []
    for group in _groups([(c.smoke_key, c) for c in all_cases if not c.self_verified]):
        chosen = _representative(group)
        result.append(_test("smoke", chosen, where_tags(chosen, group), group = group, action = "smoke", size = "small"))
    return result

def _missing_reference(case, package):
    return ("//%s:%s has no row %r in %s/lock.bzl, so there is nothing to compare it with. Make the reference: " +
            "tools/bazel run //tools:generate_artifacts -- --filter='^%s$'") % (package, case.name, case.key, package, case.key)

# Parameters of a model that takes images; a smoke test sets one of them.
_OF_IMAGES = ["height", "resolution"]

def _accuracy_tests(groups, models, references, package):
    result = []
    sizes = {m.name: [entry.key for entry in m.smoke_parameters] for m in models}
    in_float32 = {g[0].key: True for g in groups if g[0].identity.dtype == "fp32" and not are_large(g)}
    for group in groups:
        # If float32 compares all rows, one row is enough for float64, which takes twice as long, and for bf16. On a processor
        # without AVX-512 bf16 takes 20 times as long, so image models use the small program that the smoke test compares.
        dtype, model = group[0].identity.dtype, group[0].identity.model
        repeats = dtype in ("fp64", "bf16") and group[0].identity.run != "train" and group[0].key.replace("_%s_" % dtype, "_fp32_") in in_float32
        slow = repeats and dtype == "bf16" and [p for p in _OF_IMAGES if p in sizes.get(model, [])]
        chosen = _representative(group, all_rows = not repeats)
        found = references.get(chosen.name)

        # Training keeps many copies of the weights, gigabytes of a large model's, so each of its tests takes two cores.
        alone = ["cpu:2"] if are_large(group) and chosen.identity.run == "train" else []
        result.append(_test(
            "accuracy",
            chosen,
            where_tags(chosen, group) + (["slow_on_cpu"] if slow else []) + (found.tags if found else []) + alone,
            group = group,
            size = "large" if are_large(group) else "small" if chosen.self_verified else "medium",
            reference = found.blob if found else None,
            missing_reference = "" if found or chosen.self_verified else _missing_reference(chosen, package),
        ))
    return result

def _mutants_tests(plain_cases, models, large, references):
    """The tests that a model's limits find a fault: one for each model that has a reference; each implementation's
    first runs by default.
    """
    first = {}
    for m in models:
        first.setdefault(m.implementation.name, m.name)
    result = []
    for case in plain_cases:
        found = references.get(case.name)
        if found:
            is_large = case.name in large or case.identity.model not in first.values()
            result.append(_test(
                "mutants",
                case,
                (["large"] if is_large else []) + found.tags,
                args = ["--check=mutants"],
                size = "large" if is_large else "medium",
                reference = found.blob,
            ))
    return result

def plain_cases(all_cases, models, mode = "eval"):
    """One case of each model, the first in fp32, or else in fp64, that calls it plainly with all rows; models without one are left out."""
    chosen = []
    for m in models:
        plain = [
            c
            for c in all_cases
            if c.identity.model == m.name and c.identity.dtype in ("fp32", "fp64") and c.identity.batch >= c.rows and
               mode_of(c.identity.run) == mode and not execution_text(c.identity.execution)
        ]
        chosen += ([c for c in plain if c.identity.dtype == "fp32"] or plain)[:1]
    return chosen

def _without_repetition(tests):
    """The tests without those that repeat another.

    If one reference has an accuracy test and a mutants test, it keeps the latter. It keeps only float32's smoke tests of cases that are
    verified by default: sizes are the same in every dtype, and verifying says more about the other dtypes.
    """
    mutants = {_accuracy_key(t.case): t for t in tests if t.kind == "mutants"}
    verified = {_accuracy_key(t.case): True for t in tests if t.kind != "smoke" and t.by_default}
    result = []
    for test in tests:
        key = _accuracy_key(test.case)
        if test.kind == "smoke":
            repeats = test.by_default and key in verified and test.case.identity.dtype != "fp32"
        else:
            repeats = test.kind == "accuracy" and key in mutants and mutants[key].by_default == test.by_default
        if not repeats:
            result.append(test)
    return result

def _one_process(name, tests, tags, shared, device):
    """The test of many cases in one process."""
    references = {}
    for test in tests:
        if test.reference:
            references.setdefault(test.reference, []).append(test.case.name)
    cases_test(
        name = name,
        size = "medium",
        timeout = "long",
        cases = sorted({test.case.name + ".pb": True for test in tests}),
        exec_properties = if_cuda(ON_GPU, {}),
        fixed_args = device + ["--threads=1"],
        references = {blob: " ".join(names) for blob, names in references.items()},
        tags = tags,
        tests = [" ".join([test.name, test.action, test.case.name] + test.args) for test in tests],
        **shared
    )

def _alone(test, manual, shared, device):
    """The test of one case, and the names of the others for which it stands."""
    case_test(
        name = test.name,
        size = test.size,
        case = test.case.name + ".pb",
        action = test.action,
        exec_properties = if_cuda(ON_GPU, {}),
        fixed_args = device + ["--threads=1"] + test.args,
        missing_reference = test.missing_reference,
        reference = test.reference,
        tags = test.tags + (["manual"] if manual else []),
        **shared
    )
    for case in test.group:
        if case.name != test.case.name:
            # The suite has no tags of the case: they would filter the suite's tests.
            native.test_suite(name = "%s_%s_test" % (case.name, test.kind), tests = [test.name], tags = ["manual"])

def case_tests(all_cases, groups, large, models, operators_test, references, package, shared, device):
    """Makes the tests of all cases.

    Args:
      all_cases: as defs/benchmarks.bzl has them.
      groups: their accuracy_groups().
      large: names of those that are large.
      models: MODELS of variants.bzl.
      operators_test: whether :operator_cases_test verifies what operators' cases run by default, on the CPU.
      references: case -> struct(blob, tags).
      package: its name.
      shared: arguments of all tests.
      device: the flag that says on which.
    """
    tests = _smoke_tests(all_cases) + _accuracy_tests(groups, models, references, package) + \
            _mutants_tests(
                plain_cases(all_cases, models) + plain_cases(all_cases, models, "generate"),
                models,
                large,
                references,
            )
    needed = _without_repetition(tests)
    on_gpu = [t for t in needed if t.by_default and t.case.self_verified and operators_test]
    together = [t for t in needed if t.by_default and not (t.case.self_verified and operators_test)]
    if together:
        _one_process("cases_test", together, ["accuracy", "mutants", "smoke"] + tier_tags(), shared, device)
    if on_gpu:
        _one_process("operator_cases_gpu_test", on_gpu, ["accuracy", "gpu"], shared, device)
    alone = {test.name: True for test in needed if not test.by_default}
    names = {}
    for test in tests:
        _alone(test, test.name not in alone, shared, device)
        names.setdefault(test.kind + "_tests", []).append(test.name)
    for suite, of_kind in names.items():
        native.test_suite(name = suite, tests = of_kind, tags = ["manual"])
    everything = (["cases_test"] if together else []) + (["operator_cases_gpu_test"] if on_gpu else []) + alone.keys()
    if everything:  # an empty suite would mean all tests of the package
        native.test_suite(name = "tests", tests = everything)
