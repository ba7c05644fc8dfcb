#include "defs/case/case_steps.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ResolvedCase Classifier() {
  ResolvedCase c;
  c.mutable_model()->mutable_image_preset()->set_crop(224);
  c.mutable_implementation()->set_unit("image");
  c.mutable_implementation()->set_units_per_call("2*batch");
  c.mutable_measured()->set_batch(8);
  return c;
}

ResolvedCase Training(bool scaler = false) {
  ResolvedCase c = Classifier();
  c.mutable_benchmark_case()->set_mode(TRAIN);
  c.mutable_benchmark_case()->mutable_execution()->set_grad_scaler(scaler);
  return c;
}

ResolvedCase Generating() {
  ResolvedCase c;
  c.mutable_benchmark_case()->set_mode(GENERATE);
  c.mutable_implementation()->set_unit("token");
  c.mutable_implementation()->set_units_per_call("batch*length");
  c.mutable_measured()->set_batch(2);
  (*c.mutable_measured()->mutable_parameters())["length"].set_integer(64);
  (*c.mutable_measured()->mutable_parameters())["new_tokens"].set_integer(16);
  return c;
}

ResolvedCase Operator() {
  ResolvedCase c;
  c.mutable_benchmark_case()->mutable_operator_call()->set_backward(true);
  return c;
}

// The names of the steps that have a property.
template <typename Property>
std::vector<std::string> With(ResolvedCase c, Property property) {
  SetSteps(c);
  std::vector<std::string> names;
  for (const StepSpec& step : c.steps()) {
    if ((step.*property)()) names.push_back(step.name());
  }
  return names;
}

TEST(SetSteps, OneStepStandsForTheCase) {
  EXPECT_THAT(With(Classifier(), &StepSpec::headline), ElementsAre("forward"));
  EXPECT_THAT(With(Training(), &StepSpec::headline), ElementsAre("train_step"));
  EXPECT_THAT(With(Generating(), &StepSpec::headline), ElementsAre("generate"));
  EXPECT_THAT(With(Operator(), &StepSpec::headline), ElementsAre("backward"));
  EXPECT_THAT(With(ResolvedCase(), &StepSpec::headline), ElementsAre("forward"));
}

TEST(SetSteps, SaysWhatIsMeasuredByDefault) {
  EXPECT_THAT(With(Classifier(), &StepSpec::by_default), ElementsAre("forward"));
  EXPECT_THAT(With(Training(), &StepSpec::by_default),
              ElementsAre("forward", "backward", "optimizer", "train_step"));
  EXPECT_THAT(With(Operator(), &StepSpec::by_default), ElementsAre("backward"));
}

TEST(SetSteps, SaysWhatIsPreparedAndWhatMakesState) {
  EXPECT_THAT(With(Classifier(), &StepSpec::prepared), ElementsAre("preprocess", "postprocess"));
  EXPECT_THAT(With(Training(), &StepSpec::prepared), ElementsAre("backward"));
  EXPECT_THAT(With(Training(/*scaler=*/true), &StepSpec::prepared),
              ElementsAre("backward", "optimizer"));
  EXPECT_THAT(With(Operator(), &StepSpec::prepared), ElementsAre("backward"));
  EXPECT_THAT(With(Training(), &StepSpec::makes_state), ElementsAre("optimizer", "train_step"));
  EXPECT_THAT(With(Operator(), &StepSpec::copies), ElementsAre("h2d", "d2h"));
}

TEST(SetSteps, CountsUnitsWhereACallCompletesSome) {
  EXPECT_THAT(With(Training(), &StepSpec::units_per_call),
              ElementsAre("forward", "backward", "train_step"));
  EXPECT_THAT(With(Classifier(), &StepSpec::units_per_call),
              ElementsAre("preprocess", "forward", "postprocess"));
  EXPECT_THAT(With(Operator(), &StepSpec::units_per_call), ElementsAre());
  ResolvedCase c = Classifier();
  SetSteps(c);
  SetSteps(c);  // again, as after flags
  ASSERT_EQ(c.steps_size(), 5);
  EXPECT_EQ(c.steps(1).unit(), "image");
  EXPECT_EQ(c.steps(1).units_per_call(), 16);
}

TEST(SetSteps, AGenerationCompletesTokens) {
  ResolvedCase c = Generating();
  SetSteps(c);
  EXPECT_EQ(FindStep(c, "prefill", CPU)->units_per_call(), 128);
  EXPECT_EQ(FindStep(c, "decode", CPU)->units_per_call(), 2);
  EXPECT_EQ(FindStep(c, "generate", CPU)->units_per_call(), 32);
  EXPECT_THAT(With(c, &StepSpec::by_default), ElementsAre("prefill", "decode", "generate"));
}

TEST(FindStep, NamesTheStepsThereAre) {
  ResolvedCase c;
  SetSteps(c);
  const auto problem = [&](std::string_view step, DeviceType device) {
    return std::string(FindStep(c, step, device).status().message());
  };
  EXPECT_EQ(FindStep(c, "forward", CPU)->name(), "forward");
  EXPECT_TRUE(FindStep(c, "h2d", CUDA)->copies());
  EXPECT_THAT(problem("backward", CPU),
              HasSubstr("step backward: the case's program has forward; gradients belong to"));
  EXPECT_EQ(problem("backward", CUDA), problem("backward", CPU));
  EXPECT_THAT(problem("h2d", CPU), HasSubstr("on the CPU nothing is copied"));
  EXPECT_THAT(problem("preprocess", CPU), HasSubstr("has forward; photographs belong to"));
  EXPECT_THAT(problem("decode", CPU), HasSubstr("has forward; new tokens belong to"));
}

TEST(CheckStepName, KnowsTheStepsOfAllCases) {
  for (ResolvedCase c : {Classifier(), Training(), Generating(), Operator()}) {
    SetSteps(c);
    for (const StepSpec& step : c.steps())
      EXPECT_TRUE(CheckStepName(step.name()).ok()) << step.name();
  }
  EXPECT_THAT(CheckStepName("Forward").message(), HasSubstr("one of forward, backward"));
}

}  // namespace
}  // namespace assay
