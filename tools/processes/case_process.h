// -----------------------------------------------------------------------------
// File: case_process.h
// -----------------------------------------------------------------------------
//
// One process that runs one case, and what came of it: its record, or why there is none.
//
// A process speaks through the record that it appends to --record=FILE, whose line is ended only
// when it is whole. A process that ends without one has crashed, whatever its exit code: an exit(0)
// in the middle of a run is not a pass. A process that says nothing of memory, but died for want of
// it, is told by the kernel's count and by what it printed last.
//
// Not for what the record says of speed (compare/measured_process.h, suite/launch/).
//
//   CaseProcess process = assay::processes::RunCase(
//       {.arguments = {"bazel-bin/benchmarks/mlp/mlp_fp32_b64"}}, "out/record.jsonl", &interrupted);
//   if (process.outcome == PASS) Use(process.record);

#ifndef ASSAY_TOOLS_PROCESSES_CASE_PROCESS_H_
#define ASSAY_TOOLS_PROCESSES_CASE_PROCESS_H_

#include <atomic>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/record/record_file.h"
#include "defs/proto/record.pb.h"

namespace assay::processes {

struct CaseProcess {
  Outcome outcome = OUTCOME_UNSPECIFIED;  // unspecified: it refused its command line
  std::string message = {};               // where it is no pass: what a person needs to know
  ChildEnd end = {};
  // As the process wrote it, so that its outcome may be another one: what was measured before a
  // timeout is there. Without an outcome: the process left none.
  Record record = {};

  bool HasRecord() const { return record.outcome() != OUTCOME_UNSPECIFIED; }
};

// Adds --record=record_path to the command. The file stays, for the caller to remove.
CaseProcess RunCase(ChildCommand command, const std::string& record_path,
                    const std::atomic<bool>* interrupted);

// Judges a process by how it ended and by the file that it left.
CaseProcess Judge(const ChildEnd& end, const absl::StatusOr<record::RecordFile>& file);

// `message`, and the last lines that the process printed.
std::string WithOutput(std::string message, const ChildEnd& end);

}  // namespace assay::processes

#endif  // ASSAY_TOOLS_PROCESSES_CASE_PROCESS_H_
