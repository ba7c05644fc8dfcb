#include "benchmarks/harness/environment/noise.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace assay::environment {
namespace {

constexpr double kQuietLoadPerCpu = 0.25;
constexpr int64_t kGibibyte = int64_t{1} << 30;

std::string LoadNoise(const Environment& e) {
  if (e.cpu_count() == 0 || e.load_1m() <= kQuietLoadPerCpu * e.cpu_count()) return "";
  return absl::StrFormat("load %.1f on %d %s: other work competes for the CPU", e.load_1m(),
                         e.cpu_count(), e.cpu_count() == 1 ? "core" : "cores");
}

std::string GovernorNoise(const Environment& e) {
  if (e.governor() == "performance") return "";
  if (e.governor().empty()) return "governor unknown: the CPU's clock may change unseen";
  return absl::StrCat("governor ", e.governor(), ": the CPU's clock follows the load");
}

std::string MemoryNoise(const Environment& e) {
  if (e.memory_bytes() == 0 || e.memory_available_bytes() == 0) return "";
  const int64_t wanted = std::max(e.memory_bytes() / 10, std::min(kGibibyte, e.memory_bytes() / 2));
  if (e.memory_available_bytes() >= wanted) return "";
  return absl::StrFormat("%.1f of %.1f GiB of memory available: the machine may swap",
                         static_cast<double>(e.memory_available_bytes()) / kGibibyte,
                         static_cast<double>(e.memory_bytes()) / kGibibyte);
}

std::string ThreadNoise(const Environment& e) {
  if (e.cpu_count() == 0 || e.threads() <= e.cpu_count()) return "";
  return absl::StrFormat("%d threads on %d %s: threads wait for each other", e.threads(),
                         e.cpu_count(), e.cpu_count() == 1 ? "core" : "cores");
}

std::string LaunchNoise(const Environment& e) {
  const auto found = e.variables().find("CUDA_LAUNCH_BLOCKING");
  if (found == e.variables().end() || found->second.empty() || found->second == "0") return "";
  return absl::StrCat("CUDA_LAUNCH_BLOCKING=", found->second, ": every GPU launch is waited for");
}

}  // namespace

std::vector<std::string> NoiseOf(const Environment& environment) {
  std::vector<std::string> noise;
  for (std::string sentence :
       {LoadNoise(environment), GovernorNoise(environment), MemoryNoise(environment),
        ThreadNoise(environment), LaunchNoise(environment)}) {
    if (!sentence.empty()) noise.push_back(std::move(sentence));
  }
  return noise;
}

}  // namespace assay::environment
