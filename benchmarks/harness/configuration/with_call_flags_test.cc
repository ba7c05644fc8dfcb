#include "benchmarks/harness/configuration/with_call_flags.h"

#include <google/protobuf/text_format.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::configuration {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ResolvedCase Case() {
  ResolvedCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(benchmark_case {
             name: "x_fp32_b8"
             model: "x"
             dtype: FP32
             batch: 8
             mode: EVAL
             verify { rms_limit: 1e-5 }
           }
           implementation {
             inputs { name: "table" shape: "8" shape: "3" }
             inputs { name: "input" shape: "batch" shape: "3" }
             targets { name: "labels" shape: "batch" }
             outputs { name: "y" shape: "batch" shape: "5" }
             unit: "row"
             units_per_call: "batch"
           }
           measured {
             batch: 8
             inputs { name: "table" shape: 8 shape: 3 }
             inputs { name: "input" shape: 8 shape: 3 }
             outputs { name: "y" shape: 8 shape: 5 batched: true }
             outputs { name: "loss" }
           }
           referenced { batch: 2 }
           execution_limits {
             dtype: BF16
             verify { rms_limit: 5e-2 }
           }
           execution_limits {
             dtype: FP32
             lowering: "int8_dynamic"
             verify { rms_limit: 0.2 }
           }
           execution_limits {
             dtype: FP32
             matmul_precision: HIGH
             verify { rms_limit: 1e-2 }
           }
           execution_limits {
             dtype: FP32
             matmul_precision: MEDIUM
             verify { rms_limit: 6e-2 }
           })pb",
      &c));
  *c.mutable_verified() = c.measured();
  return c;
}

// The same case, trained by two optimizers.
ResolvedCase TrainingCase() {
  ResolvedCase c = Case();
  BenchmarkCase& b = *c.mutable_benchmark_case();
  b.set_mode(TRAIN);
  b.mutable_training()->set_loss(OWN);
  b.mutable_training()->add_optimizers()->mutable_sgd();
  b.mutable_training()->add_optimizers()->mutable_adamw();
  for (Workload* workload : {c.mutable_measured(), c.mutable_verified()}) {
    for (const char* name : {"sgd.step3.loss", "adamw.step3.loss"})
      workload->add_outputs()->set_name(name);
  }
  return c;
}

TEST(WithCallFlags, IsTheCaseWhereNoFlagSaysOtherwise) {
  const absl::StatusOr<ResolvedCase> called = WithCallFlags(Case(), {}, Comparison::kMeasured, CPU);
  ASSERT_TRUE(called.ok()) << called.status();
  EXPECT_EQ(called->ShortDebugString().find("channels"), std::string::npos);
  EXPECT_EQ(called->measured().batch(), 8);
}

TEST(WithCallFlags, ABatchReplacesDimensionsThatAreTheBatchAndNoOthers) {
  const absl::StatusOr<ResolvedCase> called =
      WithCallFlags(Case(), {.batch = 17}, Comparison::kMeasured, CPU);
  ASSERT_TRUE(called.ok()) << called.status();
  EXPECT_EQ(called->benchmark_case().batch(), 17);
  for (const Workload* workload : {&called->measured(), &called->verified()}) {
    EXPECT_EQ(workload->batch(), 17);
    EXPECT_THAT(workload->inputs(0).shape(), ElementsAre(8, 3));
    EXPECT_THAT(workload->inputs(1).shape(), ElementsAre(17, 3));
    EXPECT_THAT(workload->outputs(0).shape(), ElementsAre(17, 5));
    EXPECT_THAT(workload->outputs(1).shape(), ElementsAre());
  }
  EXPECT_EQ(called->referenced().batch(), 2) << "the reference stays the case's";
}

TEST(WithCallFlags, ATrainingCaseTakesNoOtherBatchUnlessNothingIsCompared) {
  const ResolvedCase c = TrainingCase();
  EXPECT_THAT(WithCallFlags(c, {.batch = 3}, Comparison::kMeasured, CPU).status().message(),
              HasSubstr("depends on every row"));
  EXPECT_TRUE(WithCallFlags(c, {.batch = 3}, Comparison::kNone, CPU).ok());
  EXPECT_TRUE(WithCallFlags(c, {.batch = 8}, Comparison::kMeasured, CPU).ok());
}

TEST(WithCallFlags, AutocastIsJudgedByTheLimitsOfItsDtype) {
  const absl::StatusOr<ResolvedCase> called =
      WithCallFlags(Case(), {.autocast = BF16}, Comparison::kMeasured, CPU);
  ASSERT_TRUE(called.ok()) << called.status();
  EXPECT_EQ(called->benchmark_case().verify().rms_limit(), 5e-2);
  EXPECT_THAT(
      WithCallFlags(Case(), {.autocast = FP16}, Comparison::kMeasured, CPU).status().message(),
      HasSubstr("--autocast=fp16: there are no limits"));
}

// The limit of a case that is called so on a device.
double LimitOf(const CallFlags& flags, DeviceType device, const ResolvedCase& c = Case()) {
  const absl::StatusOr<ResolvedCase> called =
      WithCallFlags(c, flags, Comparison::kMeasured, device);
  return called.ok() ? called->benchmark_case().verify().rms_limit() : -1;
}

TEST(WithCallFlags, RoundedProductsAreJudgedByLimitsOfTheirOwn) {
  EXPECT_EQ(LimitOf({.matmul_precision = HIGHEST}, CUDA), 1e-5);
  EXPECT_EQ(LimitOf({.matmul_precision = HIGH}, CUDA), 1e-2) << "TF32";
  EXPECT_EQ(LimitOf({.matmul_precision = MEDIUM}, CUDA), 1e-2) << "TF32 too";
  EXPECT_EQ(LimitOf({.matmul_precision = HIGH}, CPU), 1e-5) << "nothing is rounded";
  EXPECT_EQ(LimitOf({.matmul_precision = MEDIUM}, CPU), 6e-2) << "bf16";
}

TEST(WithCallFlags, WhatRoundsMoreThanProductsDecides) {
  EXPECT_EQ(LimitOf({.autocast = BF16, .matmul_precision = HIGH}, CUDA), 5e-2);
  EXPECT_EQ(LimitOf({.lowering = "int8_dynamic", .matmul_precision = MEDIUM}, CPU), 0.2);
  EXPECT_EQ(LimitOf({.lowering = "merged_branches", .matmul_precision = HIGH}, CUDA), 1e-2);
  ResolvedCase float64 = Case();
  float64.mutable_benchmark_case()->set_dtype(FP64);
  EXPECT_EQ(LimitOf({.matmul_precision = HIGH}, CUDA, float64), 1e-5) << "float64 stays float64";
}

TEST(WithCallFlags, AFlagTurnsATablesAutocastOff) {
  ResolvedCase c = Case();
  c.mutable_benchmark_case()->mutable_execution()->set_autocast(BF16);
  const absl::StatusOr<ResolvedCase> called =
      WithCallFlags(c, {.autocast = DTYPE_UNSPECIFIED}, Comparison::kMeasured, CPU);
  ASSERT_TRUE(called.ok()) << called.status();
  EXPECT_EQ(called->benchmark_case().verify().rms_limit(), 1e-5);
}

TEST(WithCallFlags, ALoweringHasItsLimitsOrThoseOfTheDtype) {
  const auto limit = [](const CallFlags& flags) {
    const absl::StatusOr<ResolvedCase> called =
        WithCallFlags(Case(), flags, Comparison::kMeasured, CPU);
    return called.ok() ? called->benchmark_case().verify().rms_limit() : -1;
  };
  EXPECT_EQ(limit({.lowering = "int8_dynamic"}), 0.2);
  EXPECT_EQ(limit({.lowering = "merged_branches"}), 1e-5);
  EXPECT_EQ(limit({.lowering = "merged_branches", .autocast = BF16}), 5e-2);
  EXPECT_THAT(
      WithCallFlags(TrainingCase(), {.lowering = "int8_dynamic"}, Comparison::kMeasured, CPU)
          .status()
          .message(),
      HasSubstr("--lowering=int8_dynamic: it is for inference, and the case trains"));
  EXPECT_THAT(WithCallFlags(Case(), {.lowering = "int8_dynamic", .autocast = BF16},
                            Comparison::kMeasured, CPU)
                  .status()
                  .message(),
              HasSubstr("takes no --autocast"));
  EXPECT_THAT(WithCallFlags(Case(), {.backend = "torchscript", .lowering = "int8_dynamic"},
                            Comparison::kMeasured, CPU)
                  .status()
                  .message(),
              HasSubstr("cannot trace int8_dynamic"));
}

std::string TrainingProblem(const CallFlags& flags, Comparison comparison = Comparison::kMeasured) {
  return std::string(WithCallFlags(TrainingCase(), flags, comparison, CPU).status().message());
}

TEST(WithCallFlags, ATrainingCaseKeepsTheOptimizerThatIsMeasured) {
  auto called = WithCallFlags(TrainingCase(), {}, Comparison::kMeasured, CPU);
  ASSERT_TRUE(called.ok()) << called.status();
  EXPECT_TRUE(called->benchmark_case().training().optimizers(0).has_sgd());
  EXPECT_EQ(called->verified().outputs_size(), 3);
  EXPECT_EQ(called->verified().outputs(2).name(), "sgd.step3.loss");
  called = WithCallFlags(TrainingCase(), {.optimizer = "adamw"}, Comparison::kAllOptimizers, CPU);
  ASSERT_TRUE(called.ok()) << called.status();
  EXPECT_EQ(called->benchmark_case().training().optimizers_size(), 1);
  EXPECT_TRUE(called->benchmark_case().training().optimizers(0).has_adamw());
  EXPECT_EQ(called->verified().outputs(2).name(), "adamw.step3.loss");
  called = WithCallFlags(TrainingCase(), {}, Comparison::kAllOptimizers, CPU);
  EXPECT_EQ(called->verified().outputs_size(), 4) << "a test compares both";
}

TEST(WithCallFlags, RefusesWhatATrainingCaseCannotBeComparedWith) {
  EXPECT_THAT(TrainingProblem({.optimizer = "lion"}),
              HasSubstr("--optimizer=lion: the case has sgd, adamw"));
  EXPECT_THAT(TrainingProblem({.accumulation = 3}), HasSubstr("batch 8 cannot be cut"));
  EXPECT_THAT(TrainingProblem({.accumulation = 0}), HasSubstr("--accumulation=0"));
  EXPECT_EQ(TrainingProblem({.accumulation = 4}), "");
  EXPECT_THAT(TrainingProblem({.clip_norm = 1}), HasSubstr("computed with 0; add --verify=off"));
  EXPECT_EQ(TrainingProblem({.clip_norm = 1}, Comparison::kNone), "");
  EXPECT_THAT(TrainingProblem({.clip_norm = -1}, Comparison::kNone), HasSubstr("--clip-norm=-1"));
  EXPECT_THAT(TrainingProblem({.no_grad = true}), HasSubstr("needs gradients"));
  ResolvedCase normalises = TrainingCase();
  normalises.mutable_implementation()->set_keeps_statistics(true);
  EXPECT_THAT(
      WithCallFlags(normalises, {.accumulation = 4}, Comparison::kMeasured, CPU).status().message(),
      HasSubstr("normalises over the batch"));
  EXPECT_TRUE(WithCallFlags(normalises, {.accumulation = 4}, Comparison::kNone, CPU).ok());
}

TEST(WithCallFlags, ScalesGradientsWithHalfPrecisionUnlessToldOtherwise) {
  const auto scaled = [](const CallFlags& flags) {
    const auto called = WithCallFlags(TrainingCase(), flags, Comparison::kNone, CPU);
    return called.ok() && called->benchmark_case().execution().grad_scaler();
  };
  EXPECT_TRUE(scaled({.autocast = FP16}));
  EXPECT_FALSE(scaled({.autocast = BF16}));
  EXPECT_FALSE(scaled({.autocast = FP16, .grad_scaler = false}));
  EXPECT_TRUE(scaled({.grad_scaler = true}));
}

TEST(WithCallFlags, TrainingFlagsBelongToTrainingCases) {
  for (const CallFlags& flags : {CallFlags{.optimizer = "sgd"}, CallFlags{.accumulation = 2},
                                 CallFlags{.grad_scaler = true}, CallFlags{.clip_norm = 1}}) {
    EXPECT_THAT(WithCallFlags(Case(), flags, Comparison::kNone, CPU).status().message(),
                HasSubstr("it belongs to cases named ..._train"));
  }
}

}  // namespace
}  // namespace assay::configuration
