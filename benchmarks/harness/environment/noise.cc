#include "benchmarks/harness/environment/noise.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace assay::environment {
namespace {

struct Consequence {
  std::string_view fact;
  FactState state;
  std::string_view text;
};

// Left out on purpose: what is the same for every sample of a process (aslr, huge_pages, numa, smt)
// and what only may do harm (swappiness, idle_states).
constexpr Consequence kConsequences[] = {
    {"governor", BAD, "the CPU's clock follows the load"},
    {"governor", UNKNOWN, "the CPU's clock may change unseen"},
    {"turbo", BAD, "the CPU's clock depends on heat and on the other cores"},
    {"thermal_throttling", BAD, "heat has slowed the CPU"},
    {"temperature", BAD, "heat may slow the CPU"},
    {"load", BAD, "other work competes for the CPU"},
    {"threads", BAD, "threads wait for each other"},
    {"steal", BAD, "the host gives the CPU to others"},
    {"cpu_quota", BAD, "the kernel stops the process when its share is used up"},
    {"launch_blocking", BAD, "every GPU launch is waited for"},
    {"memory", BAD, "the machine may swap"},
    {"swap", BAD, "memory comes back from disk"},
    {"gpu_clock_lock", BAD, "the GPU's clock follows heat and power"},
    {"gpu_throttling", BAD, "the GPU runs below its clock"},
    {"gpu_mig", BAD, "other slices of the GPU take part of both"},
    {"gpu_temperature", BAD, "heat may slow the GPU"},
    {"gpu_processes", BAD, "other work competes for the GPU"},
    {"gpu_utilization", BAD, "other work competes for the GPU"},
};

}  // namespace

std::vector<std::string> NoiseOf(const Environment& environment) {
  std::vector<std::string> noise;
  for (const MachineFact& fact : environment.facts()) {
    for (const Consequence& consequence : kConsequences) {
      if (fact.name() != consequence.fact || fact.state() != consequence.state) continue;
      const std::string subject = absl::StrReplaceAll(fact.name(), {{"_", " "}});
      noise.push_back(absl::StrCat(subject, " ", fact.value(), ": ", consequence.text));
    }
  }
  return noise;
}

}  // namespace assay::environment
