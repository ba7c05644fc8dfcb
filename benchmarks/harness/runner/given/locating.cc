#include "benchmarks/harness/runner/given/locating.h"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "absl/cleanup/cleanup.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/runner/given/workspace.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "defs/case/program_kinds.h"

namespace assay::runner {
namespace {

constexpr std::string_view kProgram = "//tools:locate";

}  // namespace

absl::Status CheckLocatable(const ResolvedCase& c) {
  if (const std::string_view why = KindOf(c).why_not_located; !why.empty())
    return UsageError(absl::StrCat("--locate: ", why));
  if (c.implementation().reference_script().empty()) {
    return UsageError(absl::StrCat(
        "--locate: implementation ", c.implementation().name(),
        " is compared with its own float64 run; without another implementation in Python "
        "(reference_script, docs/adding.md) there is nothing to hold its layers against"));
  }
  if (Workspace().empty()) {
    return UsageError(absl::StrCat(
        "--locate: ", kProgram, " is built in the workspace; start the case as: tools/bazel run ",
        c.benchmark_case().label(), " -- --locate"));
  }
  return absl::OkStatus();
}

absl::Status Locate(const ResolvedCase& c, const std::string& mistake) {
  const absl::Status possible = CheckLocatable(c);
  if (!possible.ok()) return possible;
  const absl::StatusOr<std::string> folder = NewFolder("locate");
  if (!folder.ok()) return folder.status();
  const absl::Cleanup remove = [&folder] {
    std::error_code error;
    std::filesystem::remove_all(*folder, error);
  };
  const absl::StatusOr<std::string> script = BuiltProgram("--locate", kProgram, *folder);
  if (!script.ok()) return script.status();
  const absl::Status written = Export(c, {.layers = *folder, .mistake = mistake});
  if (absl::IsInvalidArgument(written)) return UsageError(written.message());
  if (!written.ok()) return written;
  return Ended(ARTIFACT_UNAVAILABLE,
               processes::ReplaceBy({*script, "--delete", *folder}).message());
}

}  // namespace assay::runner
