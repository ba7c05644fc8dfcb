#include "benchmarks/harness/execution/repeatability.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::execution {
namespace {

// An operator whose gradient is added atomically on CUDA.
BenchmarkCase Gather() {
  BenchmarkCase c;
  Nondeterminism& declared = *c.add_nondeterministic();
  declared.set_device(CUDA);
  declared.set_reason("CUDA's scatter_add adds atomically");
  declared.add_outputs("self.grad");
  return c;
}

TEST(Repeatability, OfACaseThatDeclaresNothingIsThatOfBits) {
  for (const at::Device device : {at::kCPU, at::kCUDA}) {
    EXPECT_FALSE(RepeatabilityOf({}, device).MayDiffer());
    EXPECT_FALSE(RepeatabilityOf({}, device).MayDiffer("result"));
  }
}

TEST(Repeatability, IsDeclaredForOutputsOnADevice) {
  const Repeatability calls = RepeatabilityOf(Gather(), at::kCUDA);
  EXPECT_EQ(calls.reason, "CUDA's scatter_add adds atomically");
  EXPECT_TRUE(calls.MayDiffer("self.grad"));
  EXPECT_FALSE(calls.MayDiffer("result")) << "values are copied";
  EXPECT_FALSE(RepeatabilityOf(Gather(), at::kCPU).MayDiffer());
}

TEST(Repeatability, IsDeclaredForAllOutputsWhereNoneIsNamed) {
  BenchmarkCase c = Gather();
  c.mutable_nondeterministic(0)->clear_outputs();
  EXPECT_TRUE(RepeatabilityOf(c, at::kCUDA).MayDiffer("result"));
}

TEST(Repeatability, OfTrainingOnCudaIsThatOfTheLimits) {
  BenchmarkCase c;
  c.set_mode(TRAIN);
  EXPECT_TRUE(RepeatabilityOf(c, at::kCUDA).MayDiffer("sgd.step3.parameters"));
  EXPECT_THAT(RepeatabilityOf(c, at::kCUDA).reason, testing::HasSubstr("backward passes on CUDA"));
  EXPECT_FALSE(RepeatabilityOf(c, at::kCPU).MayDiffer());
  for (const CaseMode mode : {EVAL, GENERATE}) {
    c.set_mode(mode);
    EXPECT_FALSE(RepeatabilityOf(c, at::kCUDA).MayDiffer());
  }
}

TEST(Repeatability, OfADeterministicExecutionIsThatOfBits) {
  BenchmarkCase c = Gather();
  c.set_mode(TRAIN);
  c.mutable_execution()->set_deterministic(true);
  EXPECT_FALSE(RepeatabilityOf(c, at::kCUDA).MayDiffer());
  EXPECT_FALSE(RepeatabilityOf(c, at::kCUDA).MayDiffer("self.grad"));
}

TEST(Repeatability, ReasonsAreAllSaid) {
  BenchmarkCase c = Gather();
  c.set_mode(TRAIN);
  const Repeatability calls = RepeatabilityOf(c, at::kCUDA);
  EXPECT_THAT(calls.reason, testing::StartsWith("CUDA's scatter_add adds atomically; backward"));
  EXPECT_TRUE(calls.MayDiffer("result"));
}

}  // namespace
}  // namespace assay::execution
