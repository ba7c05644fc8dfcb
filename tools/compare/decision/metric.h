// -----------------------------------------------------------------------------
// File: metric.h
// -----------------------------------------------------------------------------
//
// The figure of a process that compare makes ratios of.
//
//   wall   median wall time of a call. It is what a user waits for, and it is refused where other
//          programs took the CPUs meanwhile.
//   cpu    CPU time of a call: what all threads of the process used while samples were taken, divided
//          by their calls. Time in which a thread waited for a CPU is not in it.
//   min    the shortest sample. A call of less than a time slice (a few milliseconds) is not always
//          interrupted, even on a busy machine.
//   instructions
//          those that a call executes in user space, on all threads. Other programs hardly change them.
//          They say nothing of memory, caches and the clock, and many machines do not count them.
//
// Under cpu, min and instructions a case runs on one thread unless its side says otherwise. Threads meet after each
// part of a call, and one that waits for another keeps its CPU busy: on two CPUs with four other
// programs a call that needs 0.4 ms of CPU time used 0.9 to 33 ms with two threads. So these
// compare the work of a call, and say nothing of how well it uses several CPUs.
//
// A check that speaks of disturbed wall times does not flag them: see Concerns(). docs/compare.md has
// how often they erred on a busy machine, comparing a case with itself.
//
// Not for a GPU's times: there cpu is refused, since the CPU only waits for the work.

#ifndef ASSAY_TOOLS_COMPARE_DECISION_METRIC_H_
#define ASSAY_TOOLS_COMPARE_DECISION_METRIC_H_

#include <string>
#include <string_view>

#include "defs/proto/record.pb.h"

namespace assay::compare {

enum class Metric { kWall, kCpu, kMin, kInstructions };

std::string MetricName(Metric metric);       // "wall", ...
std::string_view MetricText(Metric metric);  // for the head of a report

// Nanoseconds of one call, or instructions; 0 where the record does not have it.
double ValueOf(const Measurement& m, Metric metric);
std::string ValueText(double value, Metric metric);  // "12.3 ms", "12.3 M"

// Whether a check that flagged wall times flags this figure, too. `flag` begins with the check's name.
bool Concerns(std::string_view flag, Metric metric);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_DECISION_METRIC_H_
