// The certificate: --help says how to call it.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "benchmarks/harness/processes/program_main.h"
#include "ci/certify/engine_goals.h"
#include "ci/certify/goal.h"
#include "ci/certify/known_misses.h"
#include "ci/certify/options.h"
#include "ci/certify/process_goals.h"
#include "ci/certify/report.h"
#include "ci/certify/simulated_goals.h"

namespace assay::certify {
namespace {

// As BUILD.bazel's data lays them out; `bazel run` starts this in the runfiles folder.
Programs InRunfiles(const std::string& self, const std::string& python) {
  const std::string sampling = "benchmarks/harness/sampling/";
  return {.self = self,
          .list = "benchmarks/list",
          .measured_case = {"benchmarks/mlp/runner", "--case=benchmarks/registry.pb",
                            "--case-name=//benchmarks/mlp:mlp_fp32_b64", "--verify=off"},
          .compare = "tools/compare/compare",
          .subject = "ci/certify/spread_subject",
          .python_subject = python,
          .allocation_test = sampling + "allocation_test",
          .tests = {sampling + "unity_test", sampling + "allocation_test",
                    sampling + "mutants/mutants_test"},
          .kernel = "tools/kernel/kernel",
          .cheats = "benchmarks/operators/kernel/libcheats.so"};
}

// This program measures on the CPU; what the same goal asks of a GPU has a test of its own.
std::vector<Goal> WithGpu(std::vector<Goal> goals, const std::string& what) {
  const std::string id = goals.front().id;
  goals.push_back(
      NotRun(id, what + " on a GPU",
             "ci/gpu_bundle.sh pack, then ci/gpu_bundle.sh run first on a machine with a GPU"));
  return goals;
}

std::vector<Goal> Run(const std::string& goal, const Programs& programs, const Options& o) {
  if (goal == "G1") {
    std::vector<Goal> goals = OverheadGoals(o.quick);
    goals.push_back(AllocationGoal(programs));
    return goals;
  }
  if (goal == "G2") return WithGpu(NullReadingGoals(programs, o.quick), "an empty kernel");
  if (goal == "G3") return WithGpu(KnownCostGoals(o.quick), "kernels of known cost");
  if (goal == "G4") return SpreadGoals(programs, o.quick);
  if (goal == "G5") return EfficiencyGoals(o.quick);
  if (goal == "G6") {
    std::vector<Goal> goals = FalseAlarmGoals(o.quick);
    for (Goal& real : RealComparisonGoals(programs, o.real ? 20 : 0)) goals.push_back(real);
    return goals;
  }
  if (goal == "G7") return PowerGoals(o.quick);
  if (goal == "G8") return CoverageGoals(o.quick);
  if (goal == "G9") {
    std::vector<Goal> goals = MutantGoals(o.quick);
    for (Goal& cheat : KernelCheatGoals(programs)) goals.push_back(std::move(cheat));
    return goals;
  }
  if (goal == "G11") return StartGoals(programs, o.quick);
  if (goal == "G12") return RecordGoals(o.quick);
  if (goal == "G13") return StopRuleGoals(o.quick);
  if (goal == "G14") return PhysicsGoals(o.quick);
  if (goal == "G15") return ThroughputGoals(o.quick);
  return FlakeGoals(programs, o.flakes);
}

// A person's path begins where the person is, which `bazel run` leaves.
std::string KnownMissesFile(const std::string& given) {
  if (given.empty()) return "ci/certify/known_misses.textproto";
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  return (std::filesystem::path(folder == nullptr ? "" : folder) / given).string();
}

absl::StatusOr<int> Main(const char* program, const std::vector<std::string>& words) {
  const absl::StatusOr<Options> options = ParseOptions(words);
  if (!options.ok()) return options.status();
  if (options->help) return processes::Print(UsageText());
  if (options->null_reading) {
    std::printf("%.6f\n", NullReadingNs());
    return 0;
  }
  const absl::StatusOr<KnownMissTable> known =
      ReadKnownMisses(KnownMissesFile(options->known_misses), AllGoals());
  if (!known.ok()) return known.status();
  const Programs programs = InRunfiles(program, options->python);
  std::vector<Goal> goals;
  for (const std::string& goal : options->goals) {
    std::cerr << "certify: " << goal << " ..." << std::flush;
    const absl::Time start = absl::Now();
    for (Goal& row : Run(goal, programs, *options)) goals.push_back(std::move(row));
    std::cerr << " "
              << absl::FormatDuration(absl::Trunc(absl::Now() - start, absl::Milliseconds(1)))
              << "\n";
  }
  MarkKnownMisses(*known, goals);
  std::cout << Report(goals, options->format) << std::flush;
  return ExitCodeOf(goals);
}

}  // namespace
}  // namespace assay::certify

int main(int argc, char** argv) {
  const auto run = [argv](const std::vector<std::string>& words) {
    return assay::certify::Main(argv[0], words);
  };
  return assay::processes::ProgramMain(argc, argv, {.name = "certify", .run = run});
}
