#ifndef ASSAY_BENCHMARKS_HARNESS_PROCESSES_PROGRAM_MAIN_H_
#define ASSAY_BENCHMARKS_HARNESS_PROCESSES_PROGRAM_MAIN_H_

// ---------------------------------------------------------------------------------------------
// program_main.h: how every program of this suite starts and ends.
//
// Standard output is flushed at the end, and a run whose output could not be written does not end
// with 0. A status becomes a line "program: message" and an exit code (base/exit_code.h): kUsageError
// for InvalidArgument, else kSurroundings. An exception that nobody catches is a fault of the program:
// kProductWrong.
//
// Not for the tools that the build itself starts (defs/), nor for a test's helpers.
//
// Example:
//   absl::StatusOr<int> Main(const std::vector<std::string>& words);   // without the program's name
//   int main(int argc, char** argv) {
//     return processes::ProgramMain(argc, argv, {.name = "compare", .run = Main});
//   }
// ---------------------------------------------------------------------------------------------

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::processes {

struct Program {
  std::string_view name;  // begins each message
  std::function<absl::StatusOr<int>(const std::vector<std::string>& words)> run;  // the exit code
  // Ends the process without destroying static objects. LibTorch's take a tenth of a second, and may
  // not survive a GPU that an operator has broken.
  bool leaves_at_once = false;
};

// Returns the exit code.
int ProgramMain(int argc, char** argv, const Program& program);

// Prints `text`, as --help does; kRight.
int Print(std::string_view text);

}  // namespace assay::processes

#endif  // ASSAY_BENCHMARKS_HARNESS_PROCESSES_PROGRAM_MAIN_H_
