"""Other suites' names of outcomes.

    outcome_names.name_in(TORCH_DYNAMO, "FAIL_SHAPE")    # "fail_accuracy"
    outcome_names.from_name_in(TORCH_DYNAMO, "OOM")      # "OUT_OF_MEMORY"; None for a name that it does not have

A suite is a pair: its names, and its name for a run that gave nothing, for outcomes without a name of their own. Of several
names for one outcome the first is written. PARAM checks no outputs and has no names.
"""

import re

# pytorch/xla benchmarks/verifier.py since 2024-07: VerificationCode. "EXCEPTION_RAISED" is any failure of the run under test.
PYTORCH_XLA = (
    (
        ("PASS", "PASS"),
        ("FAIL_ACCURACY", "FAIL"),
        ("FAIL_SHAPE", "FAIL"),
        ("FAIL_DTYPE", "FAIL"),
        ("FAIL_NONFINITE", "FAIL"),
        ("NONDETERMINISTIC_BASELINE", "NONDETERMINISTIC_EAGER_RUN"),
        ("FAIL_ARTIFACT", "EAGER_FAILED"),
        ("CRASH", "EXCEPTION_RAISED"),
        ("SKIPPED_DECLARED", "VERIFIER_SKIPPED"),
        ("NOT_VERIFIED", "VERIFIER_DIDNT_RUN"),
        ("ARTIFACT_UNAVAILABLE", "VERIFIER_DIDNT_RUN"),
        ("NO_DEVICE", "VERIFIER_DIDNT_RUN"),
        ("TIMEOUT", "VERIFIER_DIDNT_RUN"),
        ("INTERRUPTED", "VERIFIER_DIDNT_RUN"),
    ),
    "EXCEPTION_RAISED",
)

# The same until 2024-07.
PYTORCH_XLA_2024 = (
    (
        ("PASS", "PASS"),
        ("FAIL_ACCURACY", "FAIL"),
        ("FAIL_SHAPE", "FAIL"),
        ("FAIL_DTYPE", "FAIL"),
        ("FAIL_NONFINITE", "FAIL"),
        ("NONDETERMINISTIC_BASELINE", "NONDETERMINISTIC_EAGER_RUN"),
        ("CRASH", "VERIFICATION_FAILED"),
        ("FAIL_ARTIFACT", "CANNOT_PROCEED_WITH_VERIFICATION"),
        ("ARTIFACT_UNAVAILABLE", "CANNOT_PROCEED_WITH_VERIFICATION"),
        ("NO_DEVICE", "NO_OUTPUT_PROVIDED"),
        ("TIMEOUT", "NO_OUTPUT_PROVIDED"),
        ("INTERRUPTED", "NO_OUTPUT_PROVIDED"),
        ("SKIPPED_DECLARED", "SKIP_VERIFICATION"),
        ("NOT_VERIFIED", "SKIP_VERIFICATION"),
    ),
    "VERIFICATION_FAILED",
)

# pytorch/pytorch benchmarks/dynamo: the accuracy column. Intel's intel-xpu-backend-for-triton runs these scripts.
TORCH_DYNAMO = (
    (
        ("PASS", "pass"),
        ("SKIPPED_DECLARED", "pass_due_to_skip"),
        ("FAIL_ACCURACY", "fail_accuracy"),
        ("FAIL_ACCURACY", "not_bitwise_equivalent"),
        ("FAIL_SHAPE", "fail_accuracy"),
        ("FAIL_DTYPE", "fail_accuracy"),
        ("FAIL_NONFINITE", "fail_accuracy"),
        ("NONDETERMINISTIC_BASELINE", "eager_two_runs_differ"),
        ("OUT_OF_MEMORY", "OOM"),
        ("OUT_OF_MEMORY", "eager_1st_run_OOM"),
        ("OUT_OF_MEMORY", "eager_2nd_run_OOM"),
        ("TIMEOUT", "timeout"),
        ("CRASH", "fail_to_run"),
        ("CRASH", "eager_1st_run_fail"),
        ("CRASH", "eager_2nd_run_fail"),
        ("CRASH", "eager_fail_to_run"),
        ("CRASH", "model_fail_to_load"),
        ("CRASH", "infra_error"),
        ("CRASH", "worker_fail"),
    ),
    "fail_to_run",
)

# openxla-benchmark: a result has metrics or an "error", no more.
OPENXLA = (
    (
        ("NOT_VERIFIED", "metrics"),
        ("PASS", "metrics"),
        ("CRASH", "error"),
    ),
    "error",
)


def name_in(suite, outcome):
    names, failed_run = suite
    return next((name for known, name in names if known == outcome), failed_run)


def from_name_in(suite, name):
    found = next((outcome for outcome, known in suite[0] if known == name), None)
    if not found and suite is TORCH_DYNAMO and re.fullmatch(r"fail_batch_invariance_at_[1-9]\d*", name):
        return "FAIL_ACCURACY"
    return found
