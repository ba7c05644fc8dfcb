#include "benchmarks/harness/profile/wrapped_command.h"

#include <unistd.h>

#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/sampling/device/device.h"

namespace assay::profile {
namespace {

// Escapes the characters that have a meaning in ncu's filters.
std::string NcuWord(std::string_view name) {
  std::string word;
  for (const char c : name) {
    if (absl::StrContains("/,@[]+*\\", c)) word += '\\';
    word += c;
  }
  return word;
}

std::string ProgramOf(const WrappedChild& child) {
  return child.program.empty() ? std::string(ToolName(child.tool)) : child.program;
}

std::vector<std::string> NsysCommand(const WrappedChild& child) {
  std::vector<std::string> command = {ProgramOf(child), "profile"};
  if (child.cuda) {
    command.insert(command.end(),
                   {"--trace=cuda,nvtx,cudnn,cublas,osrt", "--capture-range=nvtx",
                    absl::StrCat("--nvtx-capture=", child.case_name, "@", sampling::kRangeDomain),
                    "--capture-range-end=stop",
                    // Without it, only strings that are registered with NVTX begin a capture.
                    "--env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0"});
  } else {
    command.insert(command.end(), {"--trace=osrt", "--sample=process-tree"});
  }
  command.insert(command.end(),
                 {"--force-overwrite=true", absl::StrCat("--output=", child.report)});
  return command;
}

std::vector<std::string> NcuCommand(const WrappedChild& child) {
  // By default ncu locks the clocks to their base. Its times would then be of another clock than the
  // measured ones; and a borrowed GPU is left as it is.
  std::vector<std::string> command = {ProgramOf(child), "--clock-control", "none", "--nvtx"};
  for (const std::string& range : child.ranges) {
    command.insert(command.end(),
                   {"--nvtx-include", absl::StrCat(sampling::kRangeDomain, "@", NcuWord(range))});
  }
  command.insert(command.end(), {"--force-overwrite", "--export", child.report});
  return command;
}

}  // namespace

std::string_view ToolName(Tool tool) {
  switch (tool) {
    case Tool::kNsys:
      return "nsys";
    case Tool::kNcu:
      return "ncu";
  }
  std::abort();
}

absl::Status CheckInstalled(Tool tool, std::string_view path) {
  for (const std::string_view folder : absl::StrSplit(path, ':', absl::SkipEmpty())) {
    if (access(absl::StrCat(folder, "/", ToolName(tool)).c_str(), X_OK) == 0)
      return absl::OkStatus();
  }
  const bool systems = tool == Tool::kNsys;
  return absl::NotFoundError(absl::StrCat(
      "--", ToolName(tool), ": there is no ", ToolName(tool), " on PATH; install ",
      systems ? "NVIDIA's package nsight-systems-cli" : "NVIDIA's package nsight-compute",
      ", or add the folder that has it to PATH"));
}

std::string ReportPath(const WrappedChild& child) {
  return absl::StrCat(child.report, child.tool == Tool::kNsys ? ".nsys-rep" : ".ncu-rep");
}

std::vector<std::string> WrappedCommand(const WrappedChild& child) {
  std::vector<std::string> command =
      child.tool == Tool::kNsys ? NsysCommand(child) : NcuCommand(child);
  command.insert(command.end(), child.arguments.begin(), child.arguments.end());
  command.insert(command.end(), child.command.begin(), child.command.end());
  return command;
}

}  // namespace assay::profile
