#include "benchmarks/harness/runner/cheats/cheats.h"

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <string>
#include <vector>

#include "benchmarks/harness/runner/cheats/subjects.h"
#include "benchmarks/harness/runner/verdict/timed_check.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "defs/proto/record.pb.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

TEST(Cheats, AreCaughtAndTheirHonestTwinsAreNot) {
  const std::vector<CheatResult> cheats = RunCheats(tensor_files::TestFolder());
  EXPECT_EQ(cheats.size(), 49u);
  for (const CheatResult& cheat : cheats) {
    EXPECT_TRUE(cheat.caught) << cheat.name << ": " << cheat.detail;
    EXPECT_TRUE(cheat.twin_clean) << cheat.name << ": " << cheat.detail;
  }
}

// The status of the check in each measurement of a training case, where its whole step cheats.
std::vector<CheckStatus> WeightsOf(const Cheat& cheat, int code) {
  const std::string folder = tensor_files::TestFolder();
  const absl::StatusOr<Subject> subject = WithReference(TrainingSubject(), folder);
  EXPECT_TRUE(subject.ok()) << subject.status();
  const absl::StatusOr<CheatedRun> run =
      RunCheat(*subject, folder, {"optimizer", "train_step"}, "train_step", cheat);
  EXPECT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(run->code, code) << run->printed;
  std::vector<CheckStatus> found;
  for (const Measurement& m : run->record.measurements()) {
    for (const Check& check : m.checks()) {
      if (check.name() == kWeightsCheck) found.push_back(check.status());
    }
  }
  return found;
}

TEST(TimedWeights, AreThoseThatWereVerified) {
  EXPECT_EQ(WeightsOf([](const CheatedCall& call) { return call.Honest(); }, 0),
            std::vector<CheckStatus>({CHECK_OK, CHECK_OK}));
}

TEST(TimedWeights, ThatDriftAwayAreFlagged) {
  const Cheat drifts = [](const CheatedCall& call) {
    const c10::NoGradGuard no_grad;
    if (!call.verified) call.honest.State().at(0).tensor.mul_(1 + 1e-5);
    const c10::AutoGradMode gradients(true);
    return call.Honest();
  };
  EXPECT_EQ(WeightsOf(drifts, 0), std::vector<CheckStatus>({CHECK_OK, CHECK_FLAGGED}));
}

}  // namespace
}  // namespace assay::runner
