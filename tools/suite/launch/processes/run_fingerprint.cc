#include "tools/suite/launch/processes/run_fingerprint.h"

#include <filesystem>
#include <map>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/text/message_bytes.h"

namespace assay::suite {
namespace {

// The path in a flag that names a file to read; empty for any other flag.
std::string ReadPath(std::string_view flag) {
  while (!flag.empty() && flag[0] == '-') flag.remove_prefix(1);
  const size_t equals = flag.find('=');
  if (equals == std::string_view::npos) return "";
  std::string name(flag.substr(0, equals));
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  for (const std::string_view reads :
       {"weights", "inputs", "prompt_ids", "reference", "compare_outputs", "module"}) {
    if (name == reads) return std::string(flag.substr(equals + 1));
  }
  return "";
}

// Appends a part with its length before it, so that no other parts give the same text.
void Add(std::string& text, std::string_view part) {
  absl::StrAppend(&text, part.size(), ":", part, "\n");
}

}  // namespace

Fingerprints::Fingerprints(const Environment& machine, const RunOptions& options,
                           FileDigests& digests)
    : digests_(digests) {
  Add(common_, "assay 1");
  for (const std::string& part :
       {machine.cpu_model(), absl::StrCat(machine.cpu_count()), machine.kernel(),
        machine.gpu_name(), machine.gpu_driver(), absl::StrCat(options.memory_limit_bytes),
        absl::StrJoin(options.cpus, ","), absl::StrCat(options.numa_node),
        absl::StrCat(options.processes)}) {
    Add(common_, part);
  }
  if (options.in_process) Add(common_, "in process");
  const std::map<std::string, std::string> variables(machine.variables().begin(),
                                                     machine.variables().end());
  for (const auto& [name, value] : variables) Add(common_, absl::StrCat(name, "=", value));
  // Nobody knows what other variables change, so all that were asked for count.
  for (const std::string& variable : options.variables) Add(common_, variable);
  const auto preloaded = variables.find("LD_PRELOAD");
  if (preloaded == variables.end()) return;
  // A library that is loaded first may be another one at the same path.
  for (const std::string_view path :
       absl::StrSplit(preloaded->second, absl::ByAnyChar(": "), absl::SkipEmpty())) {
    const absl::StatusOr<std::string> digest = digests_.OfFile(std::string(path));
    // A name without a folder is the loader's to find.
    Add(common_, digest.ok() ? *digest : "not there");
  }
}

absl::StatusOr<std::string> Fingerprints::Of(const PlannedRun& configuration,
                                             const std::string& program) {
  std::string text = common_;
  Add(text, base::MessageBytes(configuration.benchmark_case));
  Add(text, configuration.label);
  Add(text, configuration.skip_reason);
  for (const std::string& flag : configuration.flags) {
    Add(text, flag);
    const std::string path = ReadPath(flag);
    std::error_code ignored;
    if (path.empty() || !std::filesystem::exists(path, ignored)) continue;
    const absl::StatusOr<std::string> digest = std::filesystem::is_directory(path, ignored)
                                                   ? digests_.OfFolder(path)
                                                   : digests_.OfFile(path);
    if (!digest.ok()) return digest.status();
    Add(text, *digest);
  }
  if (!program.empty()) {
    const absl::StatusOr<std::string> digest = digests_.OfProgram(program);
    if (!digest.ok()) return digest.status();
    Add(text, *digest);
  }
  return base::Sha256Hex(text);
}

}  // namespace assay::suite
