#ifndef ASSAY_BENCHMARKS_HARNESS_PROCESSES_OTHER_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_PROCESSES_OTHER_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// other_program.h: hands work over to another program, which the user sees: it runs as a child, or in
// this process's place.
//
// Not for a program whose output is read: child_process.h.
//
// Example:
//   absl::StatusOr<int> code = processes::RunShown({"nsys", "profile", "--output=a", "program"});
//   return processes::ReplaceBy({"tools/bazel", "run", "//a:b"});   // returns only where that fails
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::processes {

// Starts the program, searched in PATH, and waits for its end. Its output goes to standard error, since
// this process's standard output may be JSON. It stays in this process's group, so that Ctrl-C reaches
// both. Returns the exit code, or 128 + n where signal n ended it.
// Unavailable if it cannot be started.
absl::StatusOr<int> RunShown(const std::vector<std::string>& words);

// This process becomes the program, searched in PATH, with this environment and the same open files.
// Returns only where it cannot be started: Unavailable, naming the program.
absl::Status ReplaceBy(std::vector<std::string> words);

}  // namespace assay::processes

#endif  // ASSAY_BENCHMARKS_HARNESS_PROCESSES_OTHER_PROGRAM_H_
