#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_BENCHMARK_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_BENCHMARK_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// benchmark_program.h: what main() of a program does that measures and verifies: it reads the
// flags, opens the case, verifies it, measures it, writes one record, and exits with the outcome's
// code (0 right, 1 the product is wrong, 2 the machine lacks something, 3 usage).
//
// Each program gets its case in its own way: a runner's was made by the build (runner.cc),
// //tools:run_model makes one from a model that is a file.
//
// Example:
//   int main(int argc, char** argv) { RunProgram(argc, argv, {.open = OpenCaseFile}); }
// ---------------------------------------------------------------------------------------------

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/command_line.h"
#include "benchmarks/harness/runner/given/given_files.h"
#include "benchmarks/harness/runner/settings.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

struct OpenedCase {
  ResolvedCase resolved;
  std::unique_ptr<execution::Program> program = {};  // nullptr: it is made of the case
  std::optional<GivenReference> reference = {};      // of a program that is brought
};

struct CaseSource {
  base::FlagTable flags = {};                  // beside those of every runner
  std::string usage = {};                      // --help begins with it
  std::vector<std::string_view> refused = {};  // flags of a case that --help leaves out
  // Called once for each command line, whose settings it may change. InvalidArgument and
  // UsageError() end the run with exit code 3, other errors by their outcome (run_status.h).
  std::function<absl::StatusOr<OpenedCase>(const CommandLine& line, Settings& settings)> open;
};

// Reads the case that --case and --case-name name.
absl::StatusOr<OpenedCase> OpenCaseFile(const CommandLine& line, Settings& settings);

// Ends the process.
[[noreturn]] void RunProgram(int argc, char** argv, const CaseSource& source);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_BENCHMARK_PROGRAM_H_
