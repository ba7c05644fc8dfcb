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

// Two kinds of facts are left out on purpose: those that are the same for every sample of a process
// (aslr, huge_pages, numa, smt), and those that only might do harm (swappiness, idle_states).
constexpr Consequence kConsequences[] = {
    {"governor", FACT_BAD, "the CPU's clock follows the load"},
    {"governor", FACT_UNKNOWN, "the CPU's clock may change unseen"},
    {"turbo", FACT_BAD, "the CPU's clock depends on heat and on the other cores"},
    {"thermal_throttling", FACT_BAD, "heat has slowed the CPU"},
    {"temperature", FACT_BAD, "heat may slow the CPU"},
    {"load", FACT_BAD, "other work competes for the CPU"},
    {"threads", FACT_BAD, "threads wait for each other"},
    {"steal", FACT_BAD, "the host gives the CPU to others"},
    {"cpu_quota", FACT_BAD, "the kernel stops the process when its share is used up"},
    {"launch_blocking", FACT_BAD, "every GPU launch is waited for"},
    {"memory", FACT_BAD, "the machine may swap"},
    {"swap", FACT_BAD, "memory comes back from disk"},
    {"gpu_clock_lock", FACT_BAD, "the GPU's clock follows heat and power"},
    {"gpu_throttling", FACT_BAD, "the GPU runs below its clock"},
    {"gpu_mig", FACT_BAD, "other slices of the GPU take part of both"},
    {"gpu_temperature", FACT_BAD, "heat may slow the GPU"},
    {"gpu_processes", FACT_BAD, "other work competes for the GPU"},
    {"gpu_utilization", FACT_BAD, "other work competes for the GPU"},
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
