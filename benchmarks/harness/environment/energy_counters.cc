#include "benchmarks/harness/environment/energy_counters.h"

#include <linux/perf_event.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/environment/machine/machine.h"
#include "benchmarks/harness/environment/machine/root_files.h"

namespace assay::environment {
namespace {

constexpr std::string_view kPowercap = "sys/class/powercap";
constexpr std::string_view kPmu = "sys/bus/event_source/devices/power";

// Only others than root lack the right to read a file of mode 0400, as these have been since Linux
// 5.10 of 2020.
bool IsForRootAlone(const std::string& path) {
  struct stat state = {};
  return stat(path.c_str(), &state) == 0 && (state.st_mode & S_IROTH) == 0;
}

std::optional<uint64_t> ReadCount(const std::string& root, const std::string& path) {
  const std::optional<int64_t> count = ReadNumber(root, path);
  if (!count || *count < 0) return std::nullopt;
  return static_cast<uint64_t>(*count);
}

// Adds the counters of powercap's zones; else says why there are none. Zones of intel-rapl-mmio are
// the same packages, read in another way.
std::string AddPowercap(const std::string& root, std::vector<EnergyCounter>& found) {
  std::string why = "there is no /sys/class/powercap/intel-rapl:*";
  for (const std::string& zone : NamesIn(root, kPowercap)) {
    std::string_view number = zone;
    if (!absl::ConsumePrefix(&number, "intel-rapl:")) continue;
    const std::string folder = absl::StrCat(kPowercap, "/", zone, "/");
    std::string name = ReadLine(root, folder + "name");
    const bool of_memory = name == "dram", of_platform = name == "psys";
    if (!of_memory && !of_platform && !absl::StartsWith(name, "package")) continue;
    if (of_memory) name = absl::StrCat("dram-", number.substr(0, number.find(':')));
    const std::string file = folder + "energy_uj";
    if (!ReadCount(root, file)) {
      why = IsForRootAlone(absl::StrCat(root, "/", file))
                ? "only root may read /sys/class/powercap/intel-rapl:*/energy_uj; sudo chmod a+r "
                  "opens them until the next start"
                : absl::StrCat("/", file, " holds no number");
      continue;
    }
    found.push_back({.name = name,
                     .in_sum = !of_platform,
                     .joules_per_count = 1e-6,
                     .range = ReadCount(root, folder + "max_energy_range_uj").value_or(0),
                     .read = [root, file] { return ReadCount(root, file); }});
  }
  return found.empty() ? why : "";
}

// Adds the counters of perf's PMU; else says why there are none. The PMU's file lists one CPU of
// each processor.
std::string AddPmu(const EnergySources& sources, std::vector<EnergyCounter>& found) {
  const std::string& root = sources.root;
  const std::string folder = absl::StrCat(kPmu, "/");
  const std::optional<uint64_t> type = ReadCount(root, folder + "type");
  if (!type) return "there is no PMU \"power\"";
  std::string why = "the PMU \"power\" counts no package";
  struct Event {
    const char *file, *name;
    bool in_sum;
  };
  for (const Event& event :
       {Event{"events/energy-pkg", "package-", true}, Event{"events/energy-ram", "dram-", true},
        Event{"events/energy-psys", "psys", false}}) {
    const std::string text = ReadLine(root, folder + event.file);
    uint64_t config = 0;
    double scale = 0;
    if (!absl::SimpleHexAtoi(absl::StripPrefix(text, "event="), &config) ||
        !absl::SimpleAtod(ReadLine(root, absl::StrCat(folder, event.file, ".scale")), &scale))
      continue;
    int processor = 0;
    for (const int cpu : ParseCpuList(ReadLine(root, folder + "cpumask"))) {
      const absl::StatusOr<PmuReader> reader =
          sources.open_pmu(static_cast<uint32_t>(*type), config, cpu);
      if (!reader.ok()) {
        why = std::string(reader.status().message());
        break;
      }
      found.push_back({.name = event.in_sum ? absl::StrCat(event.name, processor++) : event.name,
                       .in_sum = event.in_sum,
                       .joules_per_count = scale,
                       .read = *reader});
      if (!event.in_sum) break;
    }
  }
  return found.empty() ? why : "";
}

void AddRapl(const EnergySources& sources, EnergyCounters& counters) {
  const std::string by_file = AddPowercap(sources.root, counters.found);
  if (by_file.empty()) return;
  const std::string by_pmu = AddPmu(sources, counters.found);
  if (by_pmu.empty()) return;
  const bool is_virtual = IsVirtualMachine(sources.root).value_or(false);
  counters.missing.push_back(
      absl::StrCat("RAPL: ", by_file, ", and ", by_pmu,
                   is_virtual ? "; this is a virtual machine, and its host hides them" : ""));
}

void AddGpu(const GpuChoice& choice, EnergyCounters& counters) {
  const absl::StatusOr<GpuEnergyReader> reader = OpenGpuEnergy(choice);
  if (reader.ok()) {
    counters.found.push_back({.name = "gpu-0", .joules_per_count = 1e-3, .read = *reader});
  } else {
    counters.missing.push_back(absl::StrCat("GPU: ", reader.status().message()));
  }
}

}  // namespace

absl::StatusOr<PmuReader> OpenPmu(uint32_t type, uint64_t config, int cpu) {
  perf_event_attr attributes = {};
  attributes.size = sizeof(attributes);
  attributes.type = type;
  attributes.config = config;
  const auto opened = syscall(SYS_perf_event_open, &attributes, /*pid=*/-1, cpu, /*group_fd=*/-1,
                              PERF_FLAG_FD_CLOEXEC);
  if (opened < 0) {
    const bool refused = errno == EACCES || errno == EPERM;
    return absl::UnavailableError(absl::StrCat(
        "the PMU \"power\" ", refused
                                  ? "needs CAP_PERFMON, or sudo sysctl kernel.perf_event_paranoid=0"
                                  : absl::StrCat("cannot be opened: ", std::strerror(errno))));
  }
  const std::shared_ptr<const int> fd(new int(static_cast<int>(opened)), [](const int* held) {
    close(*held);
    delete held;
  });
  return [fd]() -> std::optional<uint64_t> {
    uint64_t count = 0;
    if (read(*fd, &count, sizeof(count)) != sizeof(count)) return std::nullopt;
    return count;
  };
}

EnergyCounters OpenEnergyCounters(const EnergySources& sources) {
  EnergyCounters counters;
  AddRapl(sources, counters);
  if (sources.gpu) AddGpu(*sources.gpu, counters);
  return counters;
}

double JoulesBetween(const EnergyCounter& counter, uint64_t before, uint64_t after) {
  const uint64_t counts = after >= before ? after - before : counter.range - before + after;
  return static_cast<double>(counts) * counter.joules_per_count;
}

}  // namespace assay::environment
