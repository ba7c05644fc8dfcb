#include "benchmarks/harness/runner/profiling.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/base/own_program.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/profile/operator_table.h"
#include "benchmarks/harness/profile/profiler.h"
#include "benchmarks/harness/profile/wrapped_command.h"
#include "benchmarks/harness/runner/benchmark_list.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"

namespace assay::runner {
namespace {

constexpr size_t kShownRows = 10;

std::string FolderOf(const std::string& case_name, const ProfileSettings& settings) {
  if (!settings.folder.empty()) return settings.folder;
  return absl::StrCat(case_name, ".profile");
}

std::string Absolute(const std::string& path) { return std::filesystem::absolute(path).string(); }

std::string Reason(const absl::Status& status) {
  if (absl::IsResourceExhausted(status)) return "no space left";
  if (absl::IsPermissionDenied(status)) return "no permission to write there";
  return std::string(status.message());
}

// Checks that the folder exists or can be made, and has room for the smallest profile.
absl::Status CheckFolder(std::string_view flag, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  absl::Status writable = error ? absl::UnavailableError(error.message()) : absl::OkStatus();
  if (writable.ok()) {
    const std::string probe = absl::StrCat(folder, "/.probe.", getpid());
    writable = tensor_files::WriteFileAtomically(probe, std::string(1 << 16, ' '));
    unlink(probe.c_str());
  }
  if (writable.ok()) return writable;
  return absl::UnavailableError(absl::StrCat("profile folder ", folder, ": ", Reason(writable),
                                             "; name another, as --", flag));
}

// Enters the snapshot's path, or the reason why there is none.
absl::Status WriteSnapshot(sampling::Device& device, const absl::Status& begun,
                           const std::string& folder, Profile& kept, std::ostream& out) {
  absl::StatusOr<std::string> snapshot = begun.ok() ? device.MemorySnapshot() : begun;
  if (!snapshot.ok()) {
    out << absl::StrFormat("%-10s%-9s%s\n", "profile", "memory", snapshot.status().message());
    return absl::OkStatus();
  }
  const std::string path = absl::StrCat(folder, "/snapshot.pickle");
  if (absl::Status written = tensor_files::WriteFileAtomically(path, *snapshot); !written.ok())
    return written;
  kept.set_snapshot(Absolute(path));
  out << absl::StrFormat("%-10s%-9s%s\n", "profile", "memory", path);
  return absl::OkStatus();
}

absl::Status WriteFiles(profile::Profiled& profiled, const std::string& case_name,
                        const std::string& folder, Profile& kept) {
  using tensor_files::WriteFileAtomically;
  const std::string trace = absl::StrCat(folder, "/trace.json");
  const std::string operators = absl::StrCat(folder, "/operators");
  const profile::OperatorTable& table = profiled.table;
  const std::string text =
      absl::StrCat(profile::StepLines(table), "\n",
                   profile::TableText(table, std::numeric_limits<size_t>::max()));
  absl::Status written = profiled.SaveTrace(trace);
  if (written.ok()) written = WriteFileAtomically(operators + ".txt", text);
  if (written.ok()) written = WriteFileAtomically(operators + ".csv", profile::TableCsv(table));
  if (written.ok())
    written = WriteFileAtomically(operators + ".json", profile::TableJson(table, case_name));
  kept.set_trace(Absolute(trace));
  kept.set_operators(Absolute(operators + ".json"));
  return written;
}

absl::StatusOr<Profile> TakeTrace(const ProfiledCase& p, const profile::ProfileOptions& options,
                                  Profile kept, std::ostream& out) {
  const std::string folder = FolderOf(p.c.benchmark_case().name(), p.settings.profile);
  const absl::Status history = p.device.StartMemoryHistory();
  const absl::StatusOr<std::unique_ptr<profile::Profiled>> profiled =
      profile::ProfileSteps(options, p.device, WorkOf(p.steps));
  if (!profiled.ok()) return profiled.status();
  out << profile::StepLines((*profiled)->table)
      << profile::TableText((*profiled)->table, kShownRows);
  absl::Status written = WriteFiles(**profiled, options.case_name, folder, kept);
  if (written.ok()) {
    out << absl::StrFormat(
        "%-10s%-9s%s/trace.json (ui.perfetto.dev opens it), operators.txt, "
        "operators.csv, operators.json\n",
        "profile", "written", folder);
    written = WriteSnapshot(p.device, history, folder, kept, out);
  }
  if (!written.ok()) return Ended(RECORD_FAILED, written.message());
  return kept;
}

// The command that runs this program again with the same arguments as a tool's child, which only
// emits the ranges.
std::vector<std::string> ChildCommand(const ProfiledCase& p) {
  std::vector<std::string> command = {base::OwnProgram()};
  configuration::FlagValues values = p.line.values;
  for (const char* ours : {"nsys", "ncu", "record"}) values.erase(ours);
  values["only-ranges"] = "true";
  const std::vector<std::string> words = configuration::FlagWords(values);
  command.insert(command.end(), words.begin(), words.end());
  for (const auto& [name, value] : p.line.backend_flags) {
    command.push_back(absl::StrCat("--", name, "=", value));
  }
  for (const std::string& argument : p.line.benchmark_arguments) {
    if (absl::StartsWith(argument, "--")) command.push_back(argument);
  }
  return command;
}

absl::StatusOr<Profile> TakeByTool(const ProfiledCase& p, const profile::ProfileOptions& options,
                                   Profile kept, std::ostream& out) {
  const profile::WrappedChild child = {
      .tool = *p.settings.profile.tool,
      .cuda = options.cuda,
      .case_name = options.case_name,
      .ranges = profile::RangesOf(options),
      .report = absl::StrCat(FolderOf(p.c.benchmark_case().name(), p.settings.profile), "/",
                             options.case_name),
      .command = ChildCommand(p)};
  const std::string report = profile::ReportPath(child);
  const std::string_view tool = profile::ToolName(child.tool);
  unlink(report.c_str());  // a report of an earlier run would be taken for this one's
  const absl::StatusOr<int> code = processes::RunShown(profile::WrappedCommand(child));
  if (!code.ok()) return Ended(RECORD_FAILED, code.status().message());
  if (*code != 0) return Ended(RECORD_FAILED, absl::StrCat(tool, " ended with exit code ", *code));
  if (access(report.c_str(), R_OK) != 0)
    return Ended(RECORD_FAILED, absl::StrCat(tool, " ended without writing ", report));
  out << absl::StrFormat("%-10s%-9s%s\n", "profile", "written", report);
  kept.set_trace(Absolute(report));
  return kept;
}

}  // namespace

profile::ProfileOptions StepsOf(const ProfiledCase& p) {
  const BenchmarkCase& b = p.c.benchmark_case();
  profile::ProfileOptions options = {.case_name = b.name(),
                                     .steps = {},
                                     .calls = p.settings.profile.calls,
                                     .cuda = p.settings.device == CUDA};
  for (const BenchmarkSpec& spec : BenchmarksOf(p.settings, p.c, p.device)) {
    const absl::StatusOr<bool> wanted = MatchesFilter(spec.Name(b.name()), p.settings.filter);
    if (wanted.ok() && *wanted && !absl::c_linear_search(options.steps, spec.step))
      options.steps.push_back(spec.step);
  }
  return options;
}

profile::WorkOf WorkOf(MeasuredSteps& steps) {
  return [&steps](std::string_view name) -> absl::StatusOr<sampling::TimedWork*> {
    const absl::StatusOr<MeasuredStep> made = steps.For(name);
    if (!made.ok()) return made.status();
    return made->workload;
  };
}

absl::Status CheckProfile(const ResolvedCase& c, const Settings& settings) {
  const ProfileSettings& profile = settings.profile;
  const std::string& name = c.benchmark_case().name();
  if (profile.tool) {
    const char* path = std::getenv("PATH");
    const absl::Status there = profile::CheckInstalled(*profile.tool, path == nullptr ? "" : path);
    if (!there.ok()) return there;
  }
  absl::Status writable;
  if (profile.any())
    writable = CheckFolder(
        absl::StrCat(profile.tool ? profile::ToolName(*profile.tool) : "profile", "=DIR"),
        FolderOf(name, profile));
  if (writable.ok() && profile.capture)
    writable = CheckFolder("capture-trace=DIR", TraceFolder(name, profile));
  if (writable.ok() && !profile.timeline_path.empty())
    writable = CheckFolder("memory-timeline=FILE",
                           std::filesystem::path(Absolute(profile.timeline_path)).parent_path());
  return writable;
}

std::string TraceFolder(const std::string& case_name, const ProfileSettings& settings) {
  if (!settings.capture_folder.empty()) return settings.capture_folder;
  return absl::StrCat(case_name, ".traces");
}

absl::StatusOr<Profile> TakeProfile(const ProfiledCase& p, std::ostream& out) {
  const profile::ProfileOptions options = StepsOf(p);
  Profile kept;
  *kept.mutable_steps() = {options.steps.begin(), options.steps.end()};
  kept.set_calls(options.calls);
  if (p.settings.profile.tool) return TakeByTool(p, options, std::move(kept), out);
  return TakeTrace(p, options, std::move(kept), out);
}

absl::Status CallOnlyInRanges(const ProfiledCase& p) {
  absl::Status called = profile::CallInRanges(StepsOf(p), p.device, WorkOf(p.steps));
  return called.ok() ? Ended(NOT_VERIFIED, "") : called;
}

}  // namespace assay::runner
