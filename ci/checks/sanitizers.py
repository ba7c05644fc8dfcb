"""Runs the sanitizers over code that reads bytes from outside and over code that has threads.

The whole is `tools/bazel test --config=asan //benchmarks/harness/... //defs/... //tools/...`, and --config=tsan (docs/testing.md);
here are the tests that link neither LibTorch nor the protos, so that a machine of two cores is done in minutes.
"""

from ci.check import Check

_FUZZERS = ["case_definitions", "checkpoint_index", "npy", "npz", "param_config", "reference_blob", "safetensors"]
# These prove how long something takes, and what the writer refuses. In a sanitizer they take as long as all others together.
_COSTS = "*.ManyTensorsTakeLinearTime:*.HostileNamesCostLittle:*.TheWriterRefusesWhatNoReaderWouldTake"
_ENGINE = ["measure_test", "presets_test", "stop_rule_test", "validity_test", "warmup_test"]


class Sanitizers(Check):
    """They compile for minutes, while other checks wait for clocks and servers."""

    beside = True

    def bazel_test(self, *words, says):
        self.expect([*self.own_bazel(), "test", "--experimental_convenience_symlinks=ignore", *words], says)

    def test_address_and_undefined_behaviour(self):
        'sanitizers: readers of outside bytes make no memory error and no undefined behaviour'
        self.bazel_test("--config=asan", "--test_filter=-" + _COSTS, "//benchmarks/harness/text:untrusted_text_test",
                        "//benchmarks/harness/tensor_files:unity_test",
                        *("//ci/fuzz:%s_fuzz_test" % name for name in _FUZZERS), says="9 tests pass")

    def test_threads(self):
        'sanitizers: engine, watchdog and compare\'s child processes have no data race'
        self.bazel_test("--config=tsan", "//benchmarks/harness/processes:watchdog_test",
                        "//benchmarks/harness/sampling/device:cpu_clock_test", "//benchmarks/harness/processes:child_process_test",
                        *("//benchmarks/harness/sampling:" + name for name in _ENGINE), says="8 tests pass")
