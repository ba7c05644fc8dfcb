// Tests programs with one fault each, against a reference made by the float64 export.
#include "benchmarks/harness/runner/verdict/accuracy.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>

#include <filesystem>
#include <functional>
#include <sstream>
#include <vector>

#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/programs/program_decorator.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/rule_flag.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "benchmarks/harness/runner/verdict/truth.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using execution::Tensors;
using execution::TensorsRef;
using testing::ElementsAre;
using testing::HasSubstr;

// A fault: it sees a call's inputs and may change its output.
using Fault = std::function<void(TensorsRef inputs, at::Tensor& output)>;

class Faulty final : public execution::ProgramDecorator {
 public:
  Faulty(execution::Program& inner, Fault fault)
      : ProgramDecorator(inner), fault_(std::move(fault)) {}

  Tensors Outputs(TensorsRef inputs) override {
    Tensors outputs = inner().Outputs(inputs);
    if (fault_) fault_(inputs, outputs[0]);
    return outputs;
  }

 private:
  const Fault fault_;
};

class AccuracyTest : public ::testing::Test {
 protected:
  AccuracyTest() {
    for (const char* size : {"batch", "5"})
      case_.mutable_implementation()->mutable_inputs(0)->add_shape(size);
    EXPECT_TRUE(Export(case_, {.reference = path_}).ok());
    case_.mutable_reference()->set_sha256(base::Sha256Hex(*tensor_files::ReadFile(path_, 1 << 20)));
    program_ = *execution::SeededProgram(case_, case_.verified());
  }

  void SetRule(const char* text) {
    const absl::StatusOr<ResolvedCase> judged = WithRule(case_, *ParseRule(text));
    ASSERT_TRUE(judged.ok()) << judged.status();
    case_ = *judged;
  }

  Execution& Called() { return *case_.mutable_benchmark_case()->mutable_execution(); }

  Verdict Judge(const AccuracySettings& settings, Fault fault = {}) {
    const absl::StatusOr<AccuracyChecks> asked = AccuracyChecks::Open(settings, case_);
    EXPECT_TRUE(asked.ok()) << asked.status();
    Faulty program(*program_, std::move(fault));
    const auto executable = execution::Load({.c = case_, .device = at::kCPU}, program);
    EXPECT_TRUE(executable.ok()) << executable.status();
    return Verify(case_, **executable, at::kCPU, path_,
                  asked->Options(case_, **executable, at::kCPU, false, {}, said_));
  }

  const std::string folder_ = tensor_files::TestFolder();
  const std::string path_ = folder_ + "/reference.safetensors";
  ResolvedCase case_ = SmallMlpCase();
  std::unique_ptr<execution::Program> program_;
  std::ostringstream said_;
};

// A fault that only a call of one row shows.
void WrongAlone(TensorsRef inputs, at::Tensor& output) {
  if (inputs[0].size(0) == 1) output.add_(0.1);
}

TEST_F(AccuracyTest, ARowAloneEqualsTheSameRowOfTheBatch) {
  const Verdict verdict = Judge({.batch_invariance = true});
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  ASSERT_EQ(verdict.checks_size(), 1);
  EXPECT_EQ(verdict.checks(0).status(), CHECK_OK);
  EXPECT_THAT(verdict.checks(0).detail(), HasSubstr("of batch 2; row 1: probabilities "));
}

TEST_F(AccuracyTest, ARowThatDependsOnTheBatchIsFlaggedAndFails) {
  const Verdict verdict = Judge({.batch_invariance = true}, WrongAlone);
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  ASSERT_EQ(verdict.checks_size(), 1);
  EXPECT_EQ(verdict.checks(0).status(), CHECK_FLAGGED);
  EXPECT_THAT(verdict.message(), HasSubstr("check batch_invariance: rows alone"));
  EXPECT_EQ(Judge({}, WrongAlone).outcome(), PASS) << "nobody asked";
}

TEST_F(AccuracyTest, TheWholeBatchIsTheOneThatIsTimed) {
  Workload& measured = *case_.mutable_measured();
  measured.set_batch(5);
  measured.mutable_inputs(0)->set_shape(0, 5);
  measured.mutable_outputs(0)->set_shape(0, 5);
  const Verdict verdict = Judge({.batch_invariance = true}, [](TensorsRef inputs, at::Tensor& y) {
    if (inputs[0].size(0) == 2) y.narrow(0, 1, 1).mul_(1 + 1e-6);  // within the limits
  });
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  EXPECT_THAT(verdict.checks(0).detail(), HasSubstr("of batch 5; row 4: probabilities "));
  EXPECT_THAT(verdict.checks(0).detail(), HasSubstr(" and 4: probabilities max |Δ|"));
}

TEST_F(AccuracyTest, ALastRowAndANaNThatOnlyTheTimedBatchHasAreFlagged) {
  Workload& measured = *case_.mutable_measured();
  measured.set_batch(200);
  measured.mutable_inputs(0)->set_shape(0, 200);
  measured.mutable_outputs(0)->set_shape(0, 200);
  const auto judge = [&](int64_t row, float by) {
    return Judge({.batch_invariance = true}, [=](TensorsRef inputs, at::Tensor& y) {
      if (inputs[0].size(0) == 200) y[row].add_(by);
    });
  };
  EXPECT_EQ(judge(199, 0).outcome(), PASS);
  EXPECT_EQ(judge(199, 0.1).outcome(), FAIL_ACCURACY);
  const Verdict nan = judge(130, NAN);
  EXPECT_EQ(nan.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(nan.message(), HasSubstr("probabilities is not finite at [130, 0]"));
}

TEST_F(AccuracyTest, ACallOfOneRowThatCrashesIsACrash) {
  const Verdict verdict = Judge({.batch_invariance = true}, [](TensorsRef inputs, at::Tensor& y) {
    if (inputs[0].size(0) == 1) y = y.view({7, 7});
  });
  EXPECT_EQ(verdict.outcome(), CRASH);
  EXPECT_EQ(verdict.checks(0).status(), CHECK_NOT_RUN);
  EXPECT_THAT(verdict.checks(0).detail(), HasSubstr("shape '[7, 7]' is invalid"));
}

TEST_F(AccuracyTest, BitwiseComparesWithThePlainExecution) {
  Called().set_memory_format(CHANNELS_LAST);  // nothing here has four dimensions
  const Verdict equal = Judge({.bitwise = true});
  EXPECT_EQ(equal.outcome(), PASS) << equal.message();
  EXPECT_EQ(equal.checks(0).detail(), "against plain eager; probabilities bit-equal");
  int calls = 0;  // the first is the plain one
  const Verdict off = Judge({.bitwise = true}, [&](TensorsRef, at::Tensor& y) {
    if (++calls > 1) y.mul_(1 + 1e-6);
  });
  EXPECT_EQ(off.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(off.checks(0).status(), CHECK_FLAGGED);
  EXPECT_EQ(off.outputs(0).outcome(), PASS) << "to the reference it is close enough";
}

TEST_F(AccuracyTest, ThePlainExecutionIsAsDeterministicAsTheOther) {
  Called().set_memory_format(CHANNELS_LAST);
  for (const bool deterministic : {true, false}) {
    Called().set_deterministic(deterministic);
    std::vector<bool> seen;
    Judge({.bitwise = true}, [&](TensorsRef, at::Tensor&) {
      seen.push_back(at::globalContext().deterministicAlgorithms());
    });
    EXPECT_THAT(seen, testing::Each(deterministic));
  }
}

TEST_F(AccuracyTest, MutantsFailByTheLimitsThatTheProgramPasses) {
  const Verdict found = Judge({.mutants = true});
  EXPECT_EQ(found.outcome(), PASS) << found.message();
  ASSERT_EQ(found.checks_size(), 3);
  for (const Check& check : found.checks()) {
    EXPECT_THAT(check.name(), testing::StartsWith("mutant scaled_"));
    EXPECT_EQ(check.status(), CHECK_OK);
    EXPECT_THAT(check.detail(), testing::StartsWith("FAIL_ACCURACY, max |Δ| "));
  }
  SetRule("relative_to_std:rms=1,max=1");
  const Verdict survived = Judge({.mutants = true});
  EXPECT_EQ(survived.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(survived.checks(0).status(), CHECK_FLAGGED);
  EXPECT_THAT(survived.message(), HasSubstr("limits do not tell it from what is right"));
}

TEST_F(AccuracyTest, MutantsOfWhatIsWrongProveNothing) {
  const Verdict verdict = Judge({.mutants = true}, [](TensorsRef, at::Tensor& y) { y.add_(0.1); });
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(verdict.checks(0).status(), CHECK_NOT_RUN);
  EXPECT_EQ(verdict.checks(0).detail(), "what is right did not pass: FAIL_ACCURACY");
}

TEST_F(AccuracyTest, AutocastIsNotBitEqualToPlainEager) {
  Called().set_autocast(BF16);
  SetRule("relative_to_std:rms=1,max=1");
  const Verdict verdict = Judge({.bitwise = true});
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(verdict.outputs(0).outcome(), PASS) << verdict.message();
}

TEST_F(AccuracyTest, DynamoSameForgivesWhatThePlainExecutionDoesToo) {
  SetRule("dynamo_same:1e-3");
  const Fault wrong = [](TensorsRef, at::Tensor& y) { y.add_(0.1); };
  EXPECT_EQ(Judge({}, wrong).outcome(), FAIL_ACCURACY)
      << "the plain execution itself is held against float64";
  Called().set_memory_format(CHANNELS_LAST);
  EXPECT_EQ(Judge({}, wrong).outcome(), PASS);
  int calls = 0;
  EXPECT_EQ(Judge({},
                  [&](TensorsRef, at::Tensor& y) {
                    if (++calls > 1) y.add_(0.1);
                  })
                .outcome(),
            FAIL_ACCURACY)
      << "the baseline is right and this is not";
}

TEST_F(AccuracyTest, TheMajorityOfRunsDecides) {
  int calls = 0;  // two in a run
  const auto fail_in_run = [&](int run) {
    calls = 0;
    return [&calls, run](TensorsRef, at::Tensor& y) {
      if (calls++ / 2 == run) y.add_(0.1);
    };
  };
  const Verdict one = Judge({}, fail_in_run(0));
  EXPECT_EQ(one.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(one.runs(), 0);
  const Verdict three = Judge({.runs = 3}, fail_in_run(0));
  EXPECT_EQ(three.outcome(), PASS) << three.message();
  EXPECT_EQ(three.runs(), 3);
  EXPECT_EQ(three.passed_runs(), 2);
  EXPECT_EQ(Judge({.runs = 3}, [](TensorsRef, at::Tensor& y) { y.add_(0.1); }).passed_runs(), 0);
}

TEST_F(AccuracyTest, OutputsOfTwoBuildsAreCompared) {
  EXPECT_EQ(Judge({.save_outputs = folder_}).outcome(), PASS);
  EXPECT_THAT(said_.str(), HasSubstr("outputs   saved    " + folder_ + "/mlp_fp32_b2.safetensors"));
  const AccuracySettings compare = {.compare_outputs = folder_};
  const Verdict same = Judge(compare);
  EXPECT_EQ(same.outcome(), PASS) << same.message();
  EXPECT_THAT(same.checks(0).detail(), HasSubstr("probabilities bit-equal"));
  const Verdict close = Judge(compare, [](TensorsRef, at::Tensor& y) { y.mul_(1 + 1e-6); });
  EXPECT_EQ(close.outcome(), PASS) << close.message();
  EXPECT_THAT(close.checks(0).detail(), HasSubstr("probabilities max |Δ|"));
  SetRule("cosine:0.5");  // the reference allows anything; the saved output differs
  const Fault reversed = [](TensorsRef, at::Tensor& y) { y = -y; };
  EXPECT_EQ(Judge(compare, reversed).checks(0).status(), CHECK_FLAGGED);
}

TEST_F(AccuracyTest, WhatCannotBeSavedIsNoPass) {
  const std::string gone = folder_ + "/gone";
  std::filesystem::create_directory(gone);
  const Verdict verdict = Judge(
      {.save_outputs = gone}, [&](TensorsRef, at::Tensor&) { std::filesystem::remove_all(gone); });
  EXPECT_EQ(verdict.outcome(), RECORD_FAILED);
  EXPECT_THAT(verdict.message(), HasSubstr(gone));
}

TEST_F(AccuracyTest, FilesAreLookedAtBeforeAnythingIsCalled) {
  EXPECT_THAT(AccuracyChecks::Open({.save_outputs = folder_ + "/none"}, case_).status().message(),
              HasSubstr("/none: there is no folder"));
  EXPECT_THAT(
      AccuracyChecks::Open({.compare_outputs = "none.safetensors"}, case_).status().message(),
      HasSubstr("--compare-outputs=none.safetensors: "));
}

TEST(ExpectedOf, AutocastsTypeIsExpectedWhereAnOutputOfTheCasesTypeHasIt) {
  ResolvedCase c = SmallMlpCase();
  c.mutable_benchmark_case()->set_dtype(FP32);
  Workload workload;
  for (const Dtype dtype : {FP32, FP32, INT64, FP16, FP32, FP32})
    workload.add_outputs()->set_dtype(dtype);
  const at::Tensor narrow = at::zeros({1}, at::kBFloat16), wide = at::zeros({1}, at::kFloat);
  const std::vector<at::Tensor> outputs = {narrow, wide, narrow, narrow, at::Tensor()};
  const auto types = [&](const std::vector<at::Tensor>& of) {
    std::vector<Dtype> found;
    for (const ExpectedOutput& output : ExpectedOf(c.benchmark_case(), workload, of))
      found.push_back(output.dtype());
    return found;
  };
  EXPECT_THAT(types(outputs), ElementsAre(FP32, FP32, INT64, FP16, FP32, FP32));
  c.mutable_benchmark_case()->mutable_execution()->set_autocast(BF16);
  EXPECT_THAT(types(outputs), ElementsAre(BF16, FP32, INT64, FP16, FP32, FP32));
  EXPECT_THAT(types(Tensors(8, narrow)), ElementsAre(BF16, BF16, INT64, FP16, BF16, BF16));
  EXPECT_THAT(types({}), ElementsAre(FP32, FP32, INT64, FP16, FP32, FP32));
}

TEST(WithAccuracyFlags, RefusesToCompareBitsWhereTwoCallsMayDiffer) {
  ResolvedCase c = SmallMlpCase();
  c.mutable_benchmark_case()->set_mode(TRAIN);
  Execution& execution = *c.mutable_benchmark_case()->mutable_execution();
  execution.set_memory_format(CHANNELS_LAST);
  EXPECT_TRUE(WithAccuracyFlags(c, {.bitwise = true}, at::kCPU).ok());
  EXPECT_THAT(WithAccuracyFlags(c, {.bitwise = true}, at::kCUDA).status().message(),
              HasSubstr("in no fixed order; add --deterministic"));
  execution.set_deterministic(true);
  EXPECT_TRUE(WithAccuracyFlags(c, {.bitwise = true}, at::kCUDA).ok());
}

TEST(WithAccuracyFlags, RefusesWhatCannotBeAskedOfTheCase) {
  const ResolvedCase c = SmallMlpCase();
  const auto refusal = [](const ResolvedCase& asked_of, const AccuracySettings& settings) {
    return std::string(WithAccuracyFlags(asked_of, settings, at::kCPU).status().message());
  };
  EXPECT_TRUE(WithAccuracyFlags(c, {.batch_invariance = true}, at::kCPU).ok());
  EXPECT_THAT(refusal(c, {.bitwise = true}), HasSubstr("plain eager, which this is"));
  ResolvedCase training = c;
  training.mutable_benchmark_case()->set_mode(TRAIN);
  EXPECT_THAT(refusal(training, {.batch_invariance = true}), HasSubstr("depends on every row"));
  ResolvedCase one = c;
  one.mutable_measured()->set_batch(1);
  EXPECT_TRUE(WithAccuracyFlags(one, {.batch_invariance = true}, at::kCPU).ok());
  one.mutable_verified()->set_batch(1);
  EXPECT_THAT(refusal(one, {.batch_invariance = true}), HasSubstr("the batch is 1"));
  ResolvedCase unbatched = c;
  unbatched.mutable_verified()->mutable_outputs(0)->set_batched(false);
  EXPECT_THAT(refusal(unbatched, {.batch_invariance = true}), HasSubstr("no output has the batch"));
  EXPECT_THAT(refusal(c, {.rule = *ParseRule("iou")}), HasSubstr("no boolean outputs"));
}

}  // namespace
}  // namespace assay::runner
