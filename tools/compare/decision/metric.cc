#include "tools/compare/decision/metric.h"

#include "absl/strings/str_format.h"
#include "benchmarks/harness/output/output.h"

namespace assay::compare {

std::string MetricName(Metric metric) {
  switch (metric) {
    case Metric::kWall:
      return "wall";
    case Metric::kCpu:
      return "cpu";
    case Metric::kMin:
      return "min";
    case Metric::kInstructions:
      return "instructions";
  }
  return "";
}

std::string_view MetricText(Metric metric) {
  switch (metric) {
    case Metric::kWall:
      return "median wall time of a call";
    case Metric::kCpu:
      return "CPU time of a call, on one thread unless a side has --threads; waiting for a CPU is "
             "not in it";
    case Metric::kMin:
      return "shortest sample of a process, on one thread unless a side has --threads";
    case Metric::kInstructions:
      return "instructions of a call in user space, on one thread unless a side has --threads";
  }
  return "";
}

double ValueOf(const Measurement& m, Metric metric) {
  if (metric == Metric::kCpu) return m.cpu_ns();
  if (metric == Metric::kInstructions) return m.instructions_per_call();
  return metric == Metric::kMin ? m.minimum_ns() : m.median_ns();
}

std::string ValueText(double value, Metric metric) {
  return metric == Metric::kInstructions ? absl::StrFormat("%.4g M", value * 1e-6)
                                         : output::TimeText(value);
}

bool Concerns(std::string_view flag, Metric metric) {
  if (metric == Metric::kWall) return true;
  const std::string_view name = flag.substr(0, flag.find(':'));
  // Both look at what other programs took. The clock is found by timing a loop, which they interrupt.
  if (name == "cpu_contention" || name == "clock_held") return false;
  // The CPU time of one call is as good as that of two; its shortest wall time is its only one.
  return metric == Metric::kMin || name != "samples";
}

}  // namespace assay::compare
