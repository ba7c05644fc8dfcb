#include "benchmarks/operators/param/tool_batches.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/profile/range_name.h"
#include "benchmarks/harness/profile/wrapped_command.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/text/shell_text.h"

namespace assay::param {
namespace {

constexpr int64_t kLongestText = 1 << 20;

const ToolSettings& Asked(const Settings& settings) {
  return settings.ncu.asked ? settings.ncu : settings.nsys;
}

// More arguments for the tool: the words of a file, as PARAM reads them.
absl::StatusOr<std::vector<std::string>> ToolArguments(const ToolSettings& tool) {
  if (tool.arguments.empty()) return std::vector<std::string>();
  absl::StatusOr<std::string> text = tensor_files::ReadFile(tool.arguments, kLongestText);
  if (!text.ok()) return text.status();
  return std::vector<std::string>(
      absl::StrSplit(*text, absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty()));
}

// The command line of this batch's child.
std::vector<std::string> ChildCommand(Settings settings, const std::string& child) {
  if (settings.batch_cuda_device >= 0)
    settings.as_given.push_back(absl::StrCat("--device=cuda:", settings.batch_cuda_device));
  std::vector<std::string> command = ChildWords(settings);
  command.insert(command.begin(), child);
  return command;
}

absl::StatusOr<BatchReport> ReadReport(const std::string& path) {
  const absl::StatusOr<std::string> text = tensor_files::ReadFile(path, kLongestText);
  if (!text.ok()) return text.status();
  const Json json = Json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return absl::DataLossError(absl::StrCat(path, " is no report"));
  return BatchReport{.items = json["items"],
                     .start_run_id = json["start_run_id"],
                     .end_run_id = json["end_run_id"]};
}

}  // namespace

std::string ReportText(const BatchReport& report) {
  return LineText({{"items", report.items},
                   {"start_run_id", report.start_run_id},
                   {"end_run_id", report.end_run_id}});
}

absl::Status CheckTool(const Settings& settings) {
  const ToolSettings& tool = Asked(settings);
  if (!tool.asked) return absl::OkStatus();
  if (absl::Status read = ToolArguments(tool).status(); !read.ok()) return read;
  const std::string_view name =
      profile::ToolName(settings.ncu.asked ? profile::Tool::kNcu : profile::Tool::kNsys);
  if (!tool.program.empty()) {
    if (access(tool.program.c_str(), X_OK) == 0) return absl::OkStatus();
    return absl::NotFoundError(
        absl::StrCat("--", name, "-bin=", tool.program, ": there is no such program"));
  }
  const char* path = std::getenv("PATH");
  return profile::CheckInstalled(settings.ncu.asked ? profile::Tool::kNcu : profile::Tool::kNsys,
                                 path == nullptr ? "" : path);
}

absl::Status RunToolBatches(const Settings& settings, const std::string& child,
                            absl::FunctionRef<void(const Json& line)> keep) {
  const ToolSettings& tool = Asked(settings);
  absl::StatusOr<std::vector<std::string>> arguments = ToolArguments(tool);
  if (!arguments.ok()) return arguments.status();
  profile::WrappedChild wrapped = {
      .tool = settings.ncu.asked ? profile::Tool::kNcu : profile::Tool::kNsys,
      .program = tool.program,
      .arguments = *std::move(arguments),
      .cuda = absl::StartsWith(settings.device, "cuda"),
      .case_name = kBatchRange,
      .ranges = {profile::RangeName(kCallRange, "forward"),
                 profile::RangeName(kCallRange, "backward")}};
  const std::string name(profile::ToolName(wrapped.tool));
  const std::string stem = absl::StrCat(absl::StripSuffix(settings.output, ".json"), "_", name);
  Settings batch = settings;
  batch.batch_report = stem + ".batch";
  const absl::Cleanup remove = [&] { unlink(batch.batch_report.c_str()); };
  for (int number = 0;; ++number) {
    wrapped.report = absl::StrCat(stem, "_", number);
    wrapped.command = ChildCommand(batch, child);
    unlink(batch.batch_report.c_str());
    unlink(profile::ReportPath(wrapped).c_str());
    const std::vector<std::string> command = profile::WrappedCommand(wrapped);
    const absl::StatusOr<int> code = processes::RunShown(command);
    if (!code.ok()) return code.status();
    const absl::StatusOr<BatchReport> report = ReadReport(batch.batch_report);
    if (!report.ok()) {
      return absl::UnavailableError(absl::StrCat("the batch from input ", batch.first_item,
                                                 " on ended under ", name, " with exit code ",
                                                 *code, " before it was through"));
    }
    if (report->items == 0) return absl::OkStatus();
    if (*code != 0 || access(profile::ReportPath(wrapped).c_str(), R_OK) != 0) {
      return absl::UnavailableError(absl::StrCat(name, " ended with exit code ", *code,
                                                 " and without ", profile::ReportPath(wrapped)));
    }
    keep(ToolLine({.tool = name,
                   .file = profile::ReportPath(wrapped),
                   .command = absl::StrJoin(command, " ",
                                            [](std::string* out, const std::string& word) {
                                              out->append(base::ShellWord(word));
                                            }),
                   .config = settings.config,
                   .start_run_id = report->start_run_id,
                   .end_run_id = report->end_run_id}));
    if (report->items < settings.run_batch_size) return absl::OkStatus();
    batch.first_item += static_cast<int>(report->items);
  }
}

}  // namespace assay::param
