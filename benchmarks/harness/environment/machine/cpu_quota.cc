#include "benchmarks/harness/environment/machine/cpu_quota.h"

#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/environment/machine/root_files.h"

namespace assay::environment {
namespace {

bool Exists(const std::string& root, std::string_view path) {
  std::error_code error;
  return std::filesystem::exists(absl::StrCat(root, "/", path), error);
}

// CPUs that the group in `folder` grants; absent where it sets no limit.
std::optional<double> GrantedBy(const std::string& root, const std::string& folder) {
  double allowed_us = 0, period_us = 0;
  const std::vector<std::string> parts =
      absl::StrSplit(ReadLine(root, absl::StrCat(folder, "/cpu.max")), ' ');
  if (parts.size() == 2) {
    if (!absl::SimpleAtod(parts[0], &allowed_us) || !absl::SimpleAtod(parts[1], &period_us))
      return std::nullopt;
  } else {
    allowed_us = ReadNumber(root, absl::StrCat(folder, "/cpu.cfs_quota_us")).value_or(-1);
    period_us = ReadNumber(root, absl::StrCat(folder, "/cpu.cfs_period_us")).value_or(0);
  }
  if (!std::isfinite(allowed_us) || !(allowed_us > 0) || !(period_us > 0)) return std::nullopt;
  return allowed_us / period_us;
}

// The path in the line "0::/path" of version 2, or "4:cpu,cpuacct:/path" of version 1.
std::string GroupPath(const std::string& root, bool version_2) {
  for (std::string_view line : absl::StrSplit(ReadFile(root, "proc/self/cgroup"), '\n')) {
    const std::vector<std::string_view> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    const std::vector<std::string_view> controllers = absl::StrSplit(parts[1], ',');
    if (version_2 ? parts[0] == "0" : absl::c_linear_search(controllers, "cpu")) {
      return std::string(parts[2]);
    }
  }
  return "/";
}

}  // namespace

CpuQuota ReadCpuQuota(const std::string& root) {
  CpuQuota quota;
  const bool version_1 = Exists(root, "sys/fs/cgroup/cpu");
  const std::string base = version_1 ? "sys/fs/cgroup/cpu" : "sys/fs/cgroup";
  quota.known = version_1 || Exists(root, "sys/fs/cgroup/cgroup.controllers") ||
                Exists(root, "sys/fs/cgroup/cpu.max");
  // Inside a container the path may be the host's, which is not mounted: such folders are empty,
  // and the walk ends at a group that exists.
  std::filesystem::path path = GroupPath(root, !version_1);
  for (bool at_top = false; !at_top; path = path.parent_path()) {
    at_top = path == path.parent_path();
    const std::string folder = at_top ? base : absl::StrCat(base, path.string());
    const std::optional<double> cpus = GrantedBy(root, folder);
    if (!cpus || *cpus >= quota.cpus) continue;
    quota.cpus = *cpus;
    const std::string stat = ReadFile(root, absl::StrCat(folder, "/cpu.stat"));
    quota.throttled_periods = 0;
    (void)absl::SimpleAtoi(LineValue(stat, "nr_throttled", ' '), &quota.throttled_periods);
  }
  return quota;
}

}  // namespace assay::environment
