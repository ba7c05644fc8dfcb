#include "tools/compare/decision/metric.h"

namespace assay::compare {

std::string MetricName(Metric metric) {
  return metric == Metric::kCpu ? "cpu" : metric == Metric::kMin ? "min" : "wall";
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
  }
  return "";
}

double ValueOf(const Measurement& m, Metric metric) {
  if (metric == Metric::kCpu) return m.cpu_ns();
  return metric == Metric::kMin ? m.minimum_ns() : m.median_ns();
}

bool Concerns(std::string_view flag, Metric metric) {
  if (metric == Metric::kWall) return true;
  const std::string_view name = flag.substr(0, flag.find(':'));
  // Both look at what other programs took. The clock is found by timing a loop, which they interrupt.
  if (name == "cpu_contention" || name == "clock_held") return false;
  // The CPU time of one call is as good as that of two; its shortest wall time is its only one.
  return metric != Metric::kCpu || name != "samples";
}

}  // namespace assay::compare
