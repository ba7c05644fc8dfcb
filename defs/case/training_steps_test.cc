#include "defs/case/training_steps.h"

#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "absl/strings/match.h"

namespace assay {
namespace {

using ::testing::ElementsAre;

Training ParsedTraining(const std::string& text) {
  Training training;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &training));
  return training;
}

std::vector<std::string> Names(const std::vector<ExpectedOutput>& outputs) {
  std::vector<std::string> names;
  for (const ExpectedOutput& output : outputs) names.push_back(output.name());
  return names;
}

TEST(TrainingOutputs, AreThoseOfTheFirstAndTheThirdStepForEachOptimizer) {
  ExpectedOutput logits;
  logits.set_name("logits");
  logits.set_dtype(BF16);
  logits.add_shape(8);
  logits.set_batched(true);
  const auto outputs =
      TrainingOutputs({logits}, ParsedTraining("optimizers { sgd {} } optimizers { adamw {} }"),
                      /*keeps_statistics=*/false, FP32);
  EXPECT_THAT(
      Names(outputs),
      ElementsAre("step1.loss", "step1.logits", "step1.gradients", "step1.gradient_norms",
                  "sgd.step1.parameters", "sgd.step1.update_norms", "sgd.step3.loss",
                  "sgd.step3.logits", "sgd.step3.gradients", "sgd.step3.gradient_norms",
                  "sgd.step3.parameters", "sgd.step3.update_norms", "adamw.step1.parameters",
                  "adamw.step1.update_norms", "adamw.step3.loss", "adamw.step3.logits",
                  "adamw.step3.gradients", "adamw.step3.gradient_norms", "adamw.step3.parameters",
                  "adamw.step3.update_norms"));
  EXPECT_EQ(outputs[0].dtype(), FP32);
  EXPECT_EQ(outputs[0].shape_size(), 0);
  EXPECT_EQ(outputs[1].dtype(), BF16);
  EXPECT_EQ(outputs[1].shape(0), 8);
  EXPECT_FALSE(outputs[1].batched());
  EXPECT_EQ(outputs[2].shape(0), -1);
}

TEST(TrainingOutputs, HaveTheBuffersThatTrainingUpdates) {
  const auto names =
      Names(TrainingOutputs({}, ParsedTraining("optimizers { adam {} }"), true, FP32));
  EXPECT_EQ(std::count(names.begin(), names.end(), "step1.buffers"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "adam.step3.buffers"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "adam.step1.buffers"), 0);
}

TEST(SetLimitFactors, AreForElementsOfGradientsAlone) {
  Workload workload;
  for (const char* name :
       {"step1.loss", "step1.gradients", "step1.gradient_norms", "sgd.step3.gradients"})
    workload.add_outputs()->set_name(name);
  VerifyParameters limits;
  limits.set_gradient_factor(10);
  SetLimitFactors(limits, workload);
  std::vector<double> factors;
  for (const ExpectedOutput& output : workload.outputs()) factors.push_back(output.limit_factor());
  EXPECT_THAT(factors, ElementsAre(0, 10, 0, 10));
}

TEST(TrainingOutputs, HoldEachNormToAShareOfItself) {
  for (const ExpectedOutput& output :
       TrainingOutputs({}, ParsedTraining("optimizers { adam {} }"), false, FP32))
    EXPECT_EQ(output.least_share() > 0, absl::EndsWith(output.name(), "_norms")) << output.name();
}

TEST(IsOfAnotherOptimizer, TellsAdamFromAdamw) {
  const Training adamw = ParsedTraining("optimizers { adamw {} }");
  EXPECT_FALSE(IsOfAnotherOptimizer("step1.loss", adamw));
  EXPECT_FALSE(IsOfAnotherOptimizer("adamw.step3.loss", adamw));
  EXPECT_TRUE(IsOfAnotherOptimizer("adam.step3.loss", adamw));
  EXPECT_TRUE(IsOfAnotherOptimizer("sgd.step1.parameters", adamw));
  EXPECT_FALSE(IsOfAnotherOptimizer("logits", adamw));
}

TEST(OptimizerName, IsThatOfItsKind) {
  const Training training = ParsedTraining(
      "optimizers { sgd {} } optimizers { adam {} } optimizers { adamw {} } optimizers {}");
  std::vector<std::string> names;
  for (const Optimizer& optimizer : training.optimizers())
    names.push_back(OptimizerName(optimizer));
  EXPECT_THAT(names, ElementsAre("sgd", "adam", "adamw", ""));
}

TEST(ReadsTargets, OnlyWhereTheLossHasThem) {
  EXPECT_TRUE(ReadsTargets(ParsedTraining("loss: OWN")));
  EXPECT_TRUE(ReadsTargets(ParsedTraining("loss: CROSS_ENTROPY")));
  EXPECT_FALSE(ReadsTargets(ParsedTraining("loss: SUM")));
  EXPECT_FALSE(ReadsTargets(ParsedTraining("loss: MEAN")));
  EXPECT_FALSE(ReadsTargets({}));
}

}  // namespace
}  // namespace assay
