#include "benchmarks/harness/runner/usage.h"

namespace assay::runner {

std::string_view UsageText() {
  return R"(Measures one benchmark case, after comparing its outputs with the reference.

  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --benchmark_format=json
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --modes=wall,throughput --budget=5 --record=runs.jsonl
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --benchmark_repetitions=5 --threads=1
  tools/bazel test //benchmarks/resnet:resnet50_fp32_b8_accuracy_test
  tools/bazel run //benchmarks:list                    every case there is

What is measured
  --modes=LIST      wall        one call until its result is there: the latency that a user sees
                    throughput  many calls in a row: calls a second
                    cold        one call after the cache was overwritten
                    hot         many calls between two events of the device's own clock (CUDA)
                    default: wall and throughput on the CPU; wall, cold and hot on CUDA
  --budget=SECONDS  sampling time of each mode, default 1. Sampling ends sooner when the 95 % interval of the
                    median is within 0.25 %, and later when there are fewer than 6 samples.
                    --benchmark_min_time means the same.
  --threads=N       threads of one operator; default: the number of cores
  --allocator=NAME  retain (default): memory that a call frees stays with the process, as with CUDA's caching
                    allocator; default: glibc's policy, whose page faults are then part of each call
  --device=NAME     cpu, or cuda in a build with --config=cuda

What is compared
  --verify=off      measure only; recorded as NOT_VERIFIED
  --action=NAME     measure (default), verify (only compare), smoke (small model, one call, shapes and finiteness)

What is kept
  --record=FILE     appends one JSON line: every sample, the verdict, the machine, versions and flags
  --benchmark_out=FILE, --benchmark_out_format=json|csv|console     Google Benchmark's file

Google Benchmark's flags work: --benchmark_filter, --benchmark_list_tests, --benchmark_format, --benchmark_repetitions,
--benchmark_report_aggregates_only, --benchmark_counters_tabular and the rest. In its table Time is the median wall time of
a call, CPU the CPU time of a call over all threads, Iterations the samples taken; ci% is half the width of the median's
95 % interval in percent of the median; p10 and p90 are in the unit of Time; GFLOP/s counts convolutions, matrix
products and attention, two operations a multiply-add.

For tools
  --export_state=FILE --export_inputs=FILE --export_reference=FILE --case_name=LABEL

Exit code: 0 right; 1 the product is wrong (an output differs, a crash); 2 the surroundings are (no such device, reference
not to be had, record not writable, interrupted); 3 the command line is.
)";
}

}  // namespace assay::runner
