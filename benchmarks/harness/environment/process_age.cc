#include "benchmarks/harness/environment/process_age.h"

#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace assay::environment {

std::optional<absl::Duration> AgeFrom(const std::string& stat, absl::Duration uptime,
                                      int64_t ticks_per_second) {
  // The second field, the program's name in parentheses, may hold anything.
  const size_t name_end = stat.rfind(") ");
  if (name_end == std::string::npos || ticks_per_second <= 0) return std::nullopt;
  const std::vector<std::string_view> fields =
      absl::StrSplit(std::string_view(stat).substr(name_end + 2), ' ');
  constexpr size_t kStartTime = 22 - 3;  // counted from the third
  int64_t ticks = 0;
  if (fields.size() <= kStartTime || !absl::SimpleAtoi(fields[kStartTime], &ticks))
    return std::nullopt;
  // It was cut off to a whole tick.
  const absl::Duration age = uptime - absl::Seconds((static_cast<double>(ticks) + 0.5) /
                                                    static_cast<double>(ticks_per_second));
  if (age <= absl::ZeroDuration()) return std::nullopt;
  return age;
}

std::optional<absl::Duration> ProcessAge() {
  // `bazel run` becomes the program that it starts, so the process would be as old as the build.
  if (std::getenv("BUILD_WORKSPACE_DIRECTORY") != nullptr) return std::nullopt;
  timespec now;
  std::string stat;
  std::ifstream file("/proc/self/stat");
  if (!std::getline(file, stat) || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return std::nullopt;
  return AgeFrom(stat, absl::DurationFromTimespec(now), sysconf(_SC_CLK_TCK));
}

}  // namespace assay::environment
