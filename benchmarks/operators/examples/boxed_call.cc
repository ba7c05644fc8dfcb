// A program that uses the suite as a library: how much longer does a call of an operator by its
// name take than a call of the C++ function?
//
//   tools/bazel run -c opt //benchmarks/operators/examples:boxed_call
#include <ATen/Parallel.h>
#include <ATen/ops/add.h>
#include <ATen/ops/rand.h>
#include <c10/core/InferenceMode.h>

#include <functional>
#include <iostream>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/statistics/intervals/summary.h"

namespace {

using assay::execution::BindOperator;
using assay::execution::BoundOperator;
namespace sampling = assay::sampling;
namespace statistics = assay::statistics;

// Takes samples until the median is known to 0.25 %, or for three seconds, and prints it.
absl::StatusOr<double> MedianNs(const char* name, const std::function<void()>& call) {
  sampling::CpuDevice device;
  const absl::StatusOr<sampling::SampleSet> set =
      sampling::Measure(device, sampling::Mode::kThroughput, call, {});
  if (!set.ok()) return set.status();
  const absl::StatusOr<statistics::Summary> summary = statistics::Summarize(set->samples_ns);
  if (!summary.ok()) return summary.status();
  std::cout << absl::StreamFormat("%-8s %8.1f ns   %d samples\n", name, summary->median,
                                  set->samples_ns.size());
  for (const sampling::Check& check : set->checks) {
    if (check.status == sampling::CheckStatus::kFlagged)
      std::cout << "         FLAGGED " << check.name << ": " << check.detail << "\n";
  }
  return summary->median;
}

absl::Status Run() {
  at::set_num_threads(1);
  const c10::InferenceMode inference;
  const at::Tensor a = at::rand({4, 4}), b = at::rand({4, 4});
  const absl::StatusOr<BoundOperator> add = BindOperator("aten::add", {.positional = {a, b}});
  if (!add.ok()) return add.status();
  const absl::StatusOr<double> direct = MedianNs("direct", [&] { at::add(a, b); });
  if (!direct.ok()) return direct.status();
  const absl::StatusOr<double> boxed = MedianNs("by name", [&] {
    c10::Stack stack = add->arguments;
    add->handle.callBoxed(stack);
  });
  if (!boxed.ok()) return boxed.status();
  std::cout << absl::StreamFormat("%-8s %8.1f ns\n", "over", *boxed - *direct);
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status ran = Run();
  if (!ran.ok()) std::cerr << "boxed_call: " << ran.message() << "\n";
  return ran.ok() ? 0 : 2;
}
