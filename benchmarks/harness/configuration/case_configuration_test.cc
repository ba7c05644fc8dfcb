#include "benchmarks/harness/configuration/case_configuration.h"

#include <set>
#include <string>

#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::configuration {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A training case in float32 of four rows, which every flag fits.
ResolvedCase FourRows() {
  ResolvedCase c;
  BenchmarkCase& b = *c.mutable_benchmark_case();
  b.set_name("small_fp32_b4_train");
  b.set_label("//small:small_fp32_b4_train");
  b.set_model("small");
  b.set_dtype(FP32);
  b.set_batch(4);
  b.set_mode(TRAIN);
  b.mutable_training()->add_optimizers()->mutable_sgd()->set_learning_rate(0.1);
  b.mutable_training()->add_optimizers()->mutable_adamw()->set_learning_rate(0.1);
  c.mutable_measured()->set_batch(4);
  return c;
}

// How the program would call it; nothing is compared, so nothing is refused for want of a reference.
Configuration Made(const FlagValues& values, ResolvedCase c = FourRows()) {
  CallFlags flags = CallFlagsOf(values);
  // A training step cannot do without gradients, nor with a back end that only calls forward: what
  // the flag would write into the case is written here.
  Execution& execution = *c.mutable_benchmark_case()->mutable_execution();
  if (flags.no_grad) execution.set_no_grad(*flags.no_grad);
  if (!flags.backend.empty()) execution.set_backend(flags.backend);
  if (flags.lowering) execution.set_lowering(*flags.lowering);
  flags.no_grad.reset();
  flags.backend.clear();
  flags.lowering.reset();
  if (!execution.backend().empty() || !execution.lowering().empty())
    return ConfigurationOf(c, values, {});
  const absl::StatusOr<ResolvedCase> called = WithCallFlags(c, flags, Comparison::kNone, CPU);
  EXPECT_TRUE(called.ok()) << called.status();
  return ConfigurationOf(*called, values, {});
}

TEST(ConfigurationOf, EachFlagThatCanChangeANumberMakesAnotherOne) {
  std::set<std::string> digests = {Made({}).digest()};
  int in_configuration = 0, beside = 0;
  for (const FlagSpec* flag : CaseFlags()) {
    if (!flag->in_plan()) continue;
    const Configuration with = Made({{flag->name, flag->example}});
    if (flag->in_configuration()) {
      ++in_configuration;
      EXPECT_EQ(with.settings().at(flag->name), flag->example);
      EXPECT_TRUE(digests.insert(with.digest()).second) << flag->name;
    } else {
      ++beside;
      EXPECT_EQ(with.digest(), Made({}).digest()) << flag->name;
    }
  }
  EXPECT_GT(in_configuration, 15);
  EXPECT_GT(beside, 5);
}

TEST(ConfigurationOf, ADefaultThatIsGivenChangesNothing) {
  EXPECT_EQ(Made({{"threads", "0"}, {"memory-format", "contiguous"}, {"batch", "4"}}).digest(),
            Made({}).digest());
  EXPECT_EQ(Made({{"optimizer", "sgd"}}).digest(), Made({}).digest()) << "the case's first";
}

TEST(ConfigurationOf, NamesAndLimitsAreNoPartAndWhatIsMeasuredIs) {
  ResolvedCase named = FourRows();
  named.mutable_benchmark_case()->set_name("another");
  named.mutable_benchmark_case()->set_label("//small:another");
  named.mutable_benchmark_case()->add_tags("large");
  named.mutable_benchmark_case()->add_skips()->set_reason("no kernel");
  named.mutable_benchmark_case()->add_nondeterministic()->set_reason("adds atomically");
  named.mutable_benchmark_case()->mutable_verify()->set_rms_limit(1);
  EXPECT_EQ(Made({}, named).digest(), Made({}).digest());
  ResolvedCase seeded = FourRows();
  seeded.mutable_benchmark_case()->set_seed(7);
  EXPECT_NE(Made({}, seeded).subject(), Made({}).subject());
  ResolvedCase shaped = FourRows();
  shaped.mutable_measured()->add_inputs()->add_shape(3);
  EXPECT_NE(Made({}, shaped).subject(), Made({}).subject());
  ResolvedCase faster = FourRows();
  faster.mutable_benchmark_case()
      ->mutable_training()
      ->mutable_optimizers(0)
      ->mutable_sgd()
      ->set_momentum(0.9);
  EXPECT_NE(Made({}, faster).subject(), Made({}).subject());
}

TEST(ConfigurationDifferences, NameEachSettingAndBothValues) {
  EXPECT_THAT(ConfigurationDifferences(Made({}), Made({})), IsEmpty());
  EXPECT_THAT(ConfigurationDifferences(Made({}), Made({{"threads", "1"}, {"optimizer", "adamw"}})),
              ElementsAre("optimizer: sgd against adamw", "threads: 0 against 1"));
  Configuration weighted = ConfigurationOf(FourRows(), {}, {{"weights", "abc"}});
  const Configuration frozen =
      ConfigurationOf(FourRows(), {}, {{"backend.torchscript_freeze", "true"}});
  EXPECT_THAT(
      ConfigurationDifferences(weighted, frozen),
      ElementsAre("backend.torchscript_freeze:  against true", "weights: abc against seeded"));
}

}  // namespace
}  // namespace assay::configuration
