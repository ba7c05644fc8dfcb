#include "benchmarks/harness/runner/as_called.h"

#include <google/protobuf/text_format.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
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
           }
           measured {
             batch: 8
             inputs { name: "table" shape: 8 shape: 3 }
             inputs { name: "input" shape: 8 shape: 3 }
             outputs { name: "y" shape: 8 shape: 5 batched: true }
             outputs { name: "loss" }
           }
           referenced { batch: 2 }
           autocast_limits {
             dtype: BF16
             verify { rms_limit: 5e-2 }
           })pb",
      &c));
  *c.mutable_verified() = c.measured();
  return c;
}

TEST(AsCalled, IsTheCaseWhereNoFlagSaysOtherwise) {
  const absl::StatusOr<ResolvedCase> called = AsCalled(Case(), {}, /*compared=*/true);
  ASSERT_TRUE(called.ok()) << called.status();
  EXPECT_EQ(called->ShortDebugString().find("channels"), std::string::npos);
  EXPECT_EQ(called->measured().batch(), 8);
}

TEST(AsCalled, ABatchReplacesDimensionsThatAreTheBatchAndNoOthers) {
  const absl::StatusOr<ResolvedCase> called = AsCalled(Case(), {.batch = 17}, true);
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

TEST(AsCalled, ATrainingCaseTakesNoOtherBatchUnlessNothingIsCompared) {
  ResolvedCase c = Case();
  c.mutable_benchmark_case()->set_mode(TRAIN);
  EXPECT_THAT(AsCalled(c, {.batch = 3}, /*compared=*/true).status().message(),
              HasSubstr("depends on every row"));
  EXPECT_TRUE(AsCalled(c, {.batch = 3}, /*compared=*/false).ok());
  EXPECT_TRUE(AsCalled(c, {.batch = 8}, /*compared=*/true).ok());
}

TEST(AsCalled, AutocastIsJudgedByTheLimitsOfItsDtype) {
  const absl::StatusOr<ResolvedCase> called = AsCalled(Case(), {.autocast = BF16}, true);
  ASSERT_TRUE(called.ok()) << called.status();
  EXPECT_EQ(called->benchmark_case().verify().rms_limit(), 5e-2);
  EXPECT_THAT(AsCalled(Case(), {.autocast = FP16}, true).status().message(),
              HasSubstr("--autocast=fp16: there are no limits"));
}

TEST(AsCalled, AFlagTurnsATablesAutocastOff) {
  ResolvedCase c = Case();
  c.mutable_benchmark_case()->mutable_execution()->set_autocast(BF16);
  const absl::StatusOr<ResolvedCase> called = AsCalled(c, {.autocast = DTYPE_UNSPECIFIED}, true);
  ASSERT_TRUE(called.ok()) << called.status();
  EXPECT_EQ(called->benchmark_case().verify().rms_limit(), 1e-5);
}

}  // namespace
}  // namespace assay::runner
