#include "ci/certify/cheat_goals.h"

#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/runner/cheats/cheats.h"
#include "benchmarks/harness/sampling/mutants/mutants.h"

namespace assay::certify {
namespace {

Goal Caught(const std::string& name, bool caught, const std::string& detail) {
  return {.id = "G9",
          .what = absl::StrCat("caught where it is timed: ", name),
          .measured = caught ? 1.0 : 0.0,
          .bound = Bound::kAtLeast,
          .wanted = 1,
          .detail = caught ? "" : detail};
}

}  // namespace

std::vector<Goal> CheatGoals() {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / absl::StrCat("assay-cheats-", getpid());
  fs::create_directory(folder);
  std::vector<Goal> goals;
  int unclean = 0;
  std::string doubted;
  for (const runner::CheatResult& cheat : runner::RunCheats(folder)) {
    goals.push_back(Caught(cheat.name, cheat.caught, cheat.detail));
    unclean += !cheat.twin_clean;
    if (!cheat.twin_clean) absl::StrAppend(&doubted, cheat.detail, "; ");
  }
  std::error_code left;
  fs::remove_all(folder, left);
  // The one that only a clock shows is a mutant of the engine's.
  for (const sampling::MutantResult& mutant : sampling::RunMutants(/*seed=*/1)) {
    if (mutant.caught_by != "cpu_within_threads") continue;
    goals.push_back(Caught(mutant.name, mutant.caught, mutant.detail));
    unclean += !mutant.twin_clean;
  }
  goals.push_back({.id = "G9",
                   .what = "honest twins of these that are flagged",
                   .measured = static_cast<double>(unclean),
                   .wanted = 0,
                   .detail = doubted});
  return goals;
}

}  // namespace assay::certify
