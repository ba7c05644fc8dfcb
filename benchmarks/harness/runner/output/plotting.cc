#include "benchmarks/harness/runner/output/plotting.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/runner/given/workspace.h"
#include "benchmarks/harness/runner/verdict/run_status.h"

namespace assay::runner {
namespace {

constexpr char kReport[] = "//tools:report";

}  // namespace

absl::Status CheckPlot(const std::string& label, const std::string& path) {
  if (!Workspace().empty()) return absl::OkStatus();
  return UsageError(absl::StrCat("--plot: ", kReport,
                                 " is built in the workspace; start the case as: tools/bazel run ",
                                 label, " -- --plot=", path));
}

absl::Status Plot(const Record& record, const std::string& path) {
  const absl::StatusOr<std::string> folder = NewFolder("plot");
  if (!folder.ok()) return folder.status();
  const absl::Cleanup remove = [&folder] {
    std::error_code error;
    std::filesystem::remove_all(*folder, error);
  };
  const std::string file = absl::StrCat(*folder, "/", record.benchmark_case().name(), ".jsonl");
  if (const absl::Status written = record::Append(file, record); !written.ok())
    return Ended(RECORD_FAILED, written.message());
  const std::string format = path.substr(path.rfind('.') + 1);
  std::vector<std::string> command = {Workspace() + "/tools/bazel",
                                      "run",
                                      "--noshow_progress",
                                      "--ui_event_filters=-info",
                                      "--show_result=0",
                                      kReport,
                                      "--",
                                      file,
                                      "--format=" + format,
                                      "--out=" + std::filesystem::absolute(path).string()};
  if (format != "html") command.emplace_back("--report=samples");
  const absl::StatusOr<int> code = processes::RunShown(command);
  if (!code.ok()) return Ended(RECORD_FAILED, code.status().message());
  if (*code == 0) return absl::OkStatus();
  return Ended(RECORD_FAILED,
               absl::StrCat("--plot=", path, ": there is no picture; why stands above"));
}

}  // namespace assay::runner
