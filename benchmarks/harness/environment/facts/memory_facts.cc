#include "benchmarks/harness/environment/facts/memory_facts.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/environment/facts/fact.h"
#include "benchmarks/harness/environment/machine/root_files.h"

namespace assay::environment {
namespace {

constexpr double kGibibyte = 1 << 30;
constexpr int64_t kQuietSwappiness = 10;
constexpr uint64_t kAddressesFixed = 0x0040000;  // ADDR_NO_RANDOMIZE, personality(2)

std::vector<int> OnlineNodes(const std::string& root) {
  return ParseCpuList(ReadFile(root, "sys/devices/system/node/online"));
}

// The nodes on whose CPUs this process may run.
std::vector<int> NodesInReach(const std::string& root) {
  const std::vector<int> allowed =
      ParseCpuList(LineValue(ReadFile(root, "proc/self/status"), "Cpus_allowed_list", ':'));
  std::vector<int> nodes;
  for (int node : OnlineNodes(root)) {
    const std::vector<int> cpus = ParseCpuList(
        ReadFile(root, absl::StrCat("sys/devices/system/node/node", node, "/cpulist")));
    if (absl::c_any_of(cpus, [&](int cpu) { return absl::c_binary_search(allowed, cpu); })) {
      nodes.push_back(node);
    }
  }
  return nodes;
}

void AddNuma(const std::string& root, Environment& e) {
  const std::vector<int> nodes = OnlineNodes(root);
  if (nodes.size() == 1) return AddGood("numa", "1 node", e);
  const std::vector<int> reach = NodesInReach(root);
  if (reach.empty()) return AddUnknown("numa", "unknown", "numactl --hardware", e);
  AddJudged("numa", reach.size() == 1,
            absl::StrFormat("runs on %d of %d nodes", reach.size(), nodes.size()),
            absl::StrFormat("numactl --cpunodebind=%d --membind=%d COMMAND", reach[0], reach[0]),
            e);
}

void AddNumaBalancing(const std::string& root, Environment& e) {
  if (OnlineNodes(root).size() == 1) return AddGood("numa_balancing", "nothing to balance", e);
  const std::optional<int64_t> on = ReadNumber(root, "proc/sys/kernel/numa_balancing");
  if (!on) {
    return AddUnknown("numa_balancing", "unknown", "cat /proc/sys/kernel/numa_balancing", e);
  }
  AddJudged("numa_balancing", *on == 0, *on == 0 ? "off" : "on",
            "echo 0 | sudo tee /proc/sys/kernel/numa_balancing", e);
}

void AddAslr(const std::string& root, Environment& e) {
  uint64_t personality = 0;
  if (absl::SimpleHexAtoi(ReadLine(root, "proc/self/personality"), &personality) &&
      (personality & kAddressesFixed) != 0) {
    return AddGood("aslr", "off for this process", e);
  }
  const std::optional<int64_t> level = ReadNumber(root, "proc/sys/kernel/randomize_va_space");
  if (!level) return AddUnknown("aslr", "unknown", "cat /proc/sys/kernel/randomize_va_space", e);
  AddJudged("aslr", *level == 0,
            *level == 0   ? "off"
            : *level == 1 ? "on, but not the heap"
                          : "on",
            "setarch -R COMMAND, or for every process: "
            "echo 0 | sudo tee /proc/sys/kernel/randomize_va_space",
            e);
}

// With "always" the kernel makes huge pages where it finds room, which differs from process to
// process; with "madvise" a program asks for them, and gets the same each time.
void AddHugePages(const std::string& root, Environment& e) {
  for (std::string_view choice :
       absl::StrSplit(ReadLine(root, "sys/kernel/mm/transparent_hugepage/enabled"), ' ')) {
    if (!absl::ConsumePrefix(&choice, "[") || !absl::ConsumeSuffix(&choice, "]")) continue;
    return AddJudged("huge_pages", choice != "always", choice,
                     "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled", e);
  }
  AddUnknown("huge_pages", "unknown", "cat /sys/kernel/mm/transparent_hugepage/enabled", e);
}

void JudgeFreeMemory(const std::string&, Environment& e) {
  if (e.memory_bytes() == 0 || e.memory_available_bytes() == 0) {
    return AddUnknown("memory", "unknown", "free -h", e);
  }
  const int64_t wanted = std::max(e.memory_bytes() / 10,
                                  std::min(static_cast<int64_t>(kGibibyte), e.memory_bytes() / 2));
  AddJudged("memory", e.memory_available_bytes() >= wanted,
            absl::StrFormat("%.1f of %.1f GiB available", e.memory_available_bytes() / kGibibyte,
                            e.memory_bytes() / kGibibyte),
            "stop what holds it: ps -eo pid,rss,comm --sort=-rss | head", e);
}

struct Swap {
  double total_gib = 0, used_gib = 0;
};

std::optional<Swap> ReadSwap(const std::string& root) {
  const std::string meminfo = ReadFile(root, "proc/meminfo");
  int64_t total_kib = 0, free_kib = 0;
  const std::string total = LineValue(meminfo, "SwapTotal", ':');
  const std::string free = LineValue(meminfo, "SwapFree", ':');
  if (!absl::SimpleAtoi(absl::StripSuffix(total, " kB"), &total_kib) ||
      !absl::SimpleAtoi(absl::StripSuffix(free, " kB"), &free_kib) || free_kib > total_kib) {
    return std::nullopt;
  }
  return Swap{total_kib * 1024 / kGibibyte, (total_kib - free_kib) * 1024 / kGibibyte};
}

void AddSwap(const std::string& root, Environment& e) {
  const std::optional<Swap> swap = ReadSwap(root);
  if (!swap) return AddUnknown("swap", "unknown", "swapon --show", e);
  if (swap->total_gib == 0) return AddGood("swap", "none", e);
  // Pages of sleeping daemons in swap do no harm.
  AddJudged("swap", swap->used_gib <= 0.01 * e.memory_bytes() / kGibibyte,
            absl::StrFormat("%.1f of %.1f GiB used", swap->used_gib, swap->total_gib),
            "sudo swapoff -a", e);
}

void AddSwappiness(const std::string& root, Environment& e) {
  const std::optional<int64_t> swappiness = ReadNumber(root, "proc/sys/vm/swappiness");
  const std::optional<Swap> swap = ReadSwap(root);
  if (!swappiness || !swap) {
    return AddUnknown("swappiness", "unknown", "cat /proc/sys/vm/swappiness", e);
  }
  const bool no_swap = swap->total_gib == 0;
  AddJudged("swappiness", no_swap || *swappiness <= kQuietSwappiness,
            absl::StrCat(*swappiness, no_swap ? ", without swap" : ""),
            absl::StrCat("sudo sysctl vm.swappiness=", kQuietSwappiness), e);
}

}  // namespace

void AddMemoryFacts(const std::string& root, Environment& environment) {
  for (auto add : {AddNuma, AddNumaBalancing, AddAslr, AddHugePages, JudgeFreeMemory, AddSwap,
                   AddSwappiness}) {
    add(root, environment);
  }
}

}  // namespace assay::environment
