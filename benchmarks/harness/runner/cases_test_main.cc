// cases_test_main RUNNER CASES.txt: the program of every :cases_test (case_series.h).
//
// Exit codes: 0 every case came to its verdict; 1 a case is wrong or was lost; 2 the machine lacks
// something; 3 usage.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/processes/interrupts.h"
#include "benchmarks/harness/runner/case_series.h"

namespace assay::runner {
namespace {

int Main(const std::vector<std::string>& words) {
  if (words.size() != 3) {
    std::cerr << "usage: cases_test_main RUNNER CASES.txt; a case alone takes flags: tools/bazel "
                 "test //PACKAGE:CASE_accuracy_test --test_arg=FLAG\n";
    return base::kUsageError;
  }
  const absl::StatusOr<std::vector<SeriesCase>> cases = ReadSeriesCases(words[2]);
  if (!cases.ok()) {
    std::cerr << cases.status().message() << "\n";
    return base::kUsageError;
  }
  // Bazel sends SIGTERM when a test's time is up.
  const std::atomic<bool>& interrupted = processes::CatchInterrupts();
  std::string folder = (std::filesystem::temp_directory_path() / "assay_cases_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::cerr << "cannot make " << folder << "\n";
    return base::kSurroundings;
  }
  const int code =
      RunCases(*cases, {.runner = words[1], .folder = folder}, &interrupted, std::cout);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return code;
}

}  // namespace
}  // namespace assay::runner

int main(int argc, char** argv) { return assay::runner::Main({argv, argv + argc}); }
