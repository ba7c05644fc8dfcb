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

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/interrupts.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/runner/series/case_series.h"

namespace assay::runner {
namespace {

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  if (words.size() != 2) {
    return absl::InvalidArgumentError(
        "usage: cases_test_main RUNNER CASES.txt; a case alone takes flags: tools/bazel test "
        "//PACKAGE:CASE_accuracy_test --test_arg=FLAG");
  }
  const absl::StatusOr<std::vector<SeriesCase>> cases = ReadSeriesCases(words[1]);
  if (!cases.ok()) return absl::InvalidArgumentError(cases.status().message());
  // Bazel sends SIGTERM when a test's time is up.
  const std::atomic<bool>& interrupted = processes::CatchInterrupts();
  // Bazel's own folder for a test's files: it is made anew each time, so nothing stays after SIGKILL.
  const char* const of_test = std::getenv("TEST_TMPDIR");
  std::string folder =
      absl::StrCat(of_test == nullptr ? std::filesystem::temp_directory_path().string() : of_test,
                   "/assay_cases_XXXXXX");
  if (mkdtemp(folder.data()) == nullptr)
    return absl::UnavailableError(absl::StrCat("cannot make ", folder));
  const int code =
      RunCases(*cases, {.runner = words[0], .folder = folder}, &interrupted, std::cout);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return code;
}

}  // namespace
}  // namespace assay::runner

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv,
                                       {.name = "cases_test", .run = assay::runner::Main});
}
