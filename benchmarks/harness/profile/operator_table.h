#ifndef ASSAY_BENCHMARKS_HARNESS_PROFILE_OPERATOR_TABLE_H_
#define ASSAY_BENCHMARKS_HARNESS_PROFILE_OPERATOR_TABLE_H_

// ---------------------------------------------------------------------------------------------
// operator_table.h: sums up the time of profiled calls by operator, from a profiler's events.
//
// Columns are those of torch.profiler's table, which Intel's recipe prints. What they mean here:
//   self CPU      an event's own span without the spans of its children on the same thread
//   CPU total     its span; of an operator inside one of its own name only the outer span counts
//   self device   the device time of what the event itself launched, by correlation id
//   device total  that and its children's; a step's range has also what other threads launched
// Percentages are of the sum of the column's self times. Only events inside the ranges of the steps
// count, without warm-up and preparation.
//
// Not for: LibTorch's events (profiler.h turns those into these).
//
// Example:
//   OperatorTable table = MakeOperatorTable(events, {"mlp_fp32_b8/forward"});
//   std::cout << TableText(table, /*most_rows=*/10);
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"

namespace assay::profile {

enum class EventKind {
  kRange,     // opened by name around other host events
  kOperator,  // on the host
  kLaunch,    // a host call that starts a kernel or a graph
  kHostCall,  // any other call of the device's runtime library
  kKernel,    // on the device
  kCopy,      // on the device: a copy or a memset
};

struct ProfiledEvent {
  std::string name;
  EventKind kind = EventKind::kOperator;
  uint64_t thread = 0;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  uint64_t correlation = 0;  // of a range or an operator; 0: none
  uint64_t linked = 0;       // the correlation of the operator that made this happen; 0: unknown
};

struct OperatorRow {
  std::string name;
  int64_t calls = 0;
  int64_t self_cpu_ns = 0;
  int64_t cpu_ns = 0;
  int64_t self_device_ns = 0;
  int64_t device_ns = 0;
};

struct KernelRow {
  std::string name;
  int64_t calls = 0;
  int64_t device_ns = 0;
};

// Counts over all profiled calls of one step.
struct StepCounts {
  std::string range;
  int64_t calls = 0;
  int64_t operators = 0;  // calls of operators, including those inside others
  int64_t launches = 0;
  int64_t kernels = 0;  // more than launches where graphs are launched
  int64_t copies = 0;
  int64_t cpu_ns = 0;     // sum of the range's spans
  int64_t device_ns = 0;  // of kernels and copies
};

struct OperatorTable {
  std::vector<StepCounts> steps;   // in the order asked for
  std::vector<OperatorRow> rows;   // by self device time where there is any, else by self CPU time
  std::vector<KernelRow> kernels;  // what ran on the device, by time
  int64_t self_cpu_ns = 0;         // sums over the rows
  int64_t self_device_ns = 0;
};

// `ranges`: the names of the steps' ranges, of which no two are open at the same time.
OperatorTable MakeOperatorTable(absl::Span<const ProfiledEvent> events,
                                absl::Span<const std::string> ranges);

// For people: the steps' counts for one call, then the rows, at most `most_rows` of them.
std::string StepLines(const OperatorTable& table);
std::string TableText(const OperatorTable& table, size_t most_rows);

// All rows; times in nanoseconds, in JSON the steps' counts and the kernels too.
std::string TableCsv(const OperatorTable& table);
std::string TableJson(const OperatorTable& table, std::string_view case_name);

}  // namespace assay::profile

#endif  // ASSAY_BENCHMARKS_HARNESS_PROFILE_OPERATOR_TABLE_H_
