#include "benchmarks/harness/sampling/device/host_facts.h"

#include <dirent.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay::sampling {
namespace {

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  if (file) text << file.rdbuf();
  return text.str();
}

// The second figure of schedstat (Documentation/scheduler/sched-stats): time on the run queue.
int64_t ThreadRunDelayNs(const std::string& path) {
  const std::string text = ReadText(path);
  const std::vector<std::string_view> words = absl::StrSplit(text, ' ');
  int64_t delay_ns = 0;
  return words.size() >= 2 && absl::SimpleAtoi(words[1], &delay_ns) ? delay_ns : -1;
}

int64_t RunDelayNs() {
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return -1;
  int64_t total_ns = -1;
  while (const dirent* entry = readdir(tasks)) {
    if (entry->d_name[0] == '.') continue;
    const int64_t delay_ns =
        ThreadRunDelayNs(absl::StrCat("/proc/self/task/", entry->d_name, "/schedstat"));
    if (delay_ns >= 0) total_ns = (total_ns < 0 ? 0 : total_ns) + delay_ns;
  }
  closedir(tasks);
  return total_ns;
}

int64_t PeakResidentBytes() {
  const std::string status = ReadText("/proc/self/status");
  for (std::string_view line : absl::StrSplit(status, '\n')) {
    if (!absl::StartsWith(line, "VmHWM:")) continue;
    const std::vector<std::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    int64_t kibibytes = 0;
    if (words.size() >= 2 && absl::SimpleAtoi(words[words.size() - 2], &kibibytes))
      return kibibytes * 1024;
  }
  return 0;
}

}  // namespace

int64_t StealNs(std::string_view proc_stat, int64_t ticks_per_second) {
  // cpu  user nice system idle iowait irq softirq steal ...
  const std::string_view line = proc_stat.substr(0, proc_stat.find('\n'));
  const std::vector<std::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  int64_t ticks = 0;
  if (words.size() < 9 || words[0] != "cpu" || !absl::SimpleAtoi(words[8], &ticks)) return -1;
  return ticks * (1'000'000'000 / ticks_per_second);
}

HostCounters ReadHostCounters() {
  HostCounters counters;
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  counters.page_faults = usage.ru_minflt + usage.ru_majflt;
  counters.run_delay_ns = RunDelayNs();
  counters.steal_ns = StealNs(ReadText("/proc/stat"), sysconf(_SC_CLK_TCK));
  return counters;
}

MemoryState ReadHostMemory() {
  MemoryState state;
  const struct mallinfo2 info = mallinfo2();
  state.host_live_bytes = static_cast<int64_t>(info.uordblks + info.hblkhd);
  state.host_peak_bytes = PeakResidentBytes();
  return state;
}

void ResetHostPeakMemory() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace assay::sampling
