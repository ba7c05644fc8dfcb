#include "benchmarks/harness/programs/timed_inputs.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <cstddef>
#include <limits>

#include "gtest/gtest.h"

namespace assay::execution {
namespace {

// x, which is float32 and drawn from 0 to 1, and index, of whole numbers below 100.
Workload TwoInputs() {
  Workload workload;
  TensorSpec& x = *workload.add_inputs();
  x.set_name("x");
  x.set_dtype(FP32);
  x.add_shape(4);
  x.mutable_distribution()->mutable_uniform()->set_high(1);
  TensorSpec& index = *workload.add_inputs();
  index.set_name("index");
  index.set_dtype(INT64);
  index.add_shape(4);
  index.mutable_distribution()->mutable_integers()->set_limit(100);
  return workload;
}

TEST(TimedAsGiven, DrawsFiniteFloatsAlone) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensors as_given = TimedAsGiven({at::ones({2}), at::full({2}, -infinity),
                                         at::ones({2}, at::kLong), at::ones({2}, at::kInt),
                                         at::ones({2}, at::kBool), at::ones({}, at::kBFloat16)});
  const bool given[] = {false, true, true, true, true, false};
  ASSERT_EQ(as_given.size(), 6U);
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(as_given[i].defined(), given[i]) << i;
}

TEST(TimedInputs, PutsAGivenTensorInThePlaceOfADrawnOne) {
  const at::Tensor index = at::arange(4, at::kLong);
  const Tensors as_given = {at::Tensor(), index};
  const auto first = TimedInputs(TwoInputs(), {}, at::kCPU, as_given);
  const auto second = TimedInputs(TwoInputs(), {}, at::kCPU, as_given, /*set=*/1);
  ASSERT_TRUE(first.ok() && second.ok()) << first.status() << second.status();
  EXPECT_TRUE(at::equal(first->at(1), index));
  EXPECT_TRUE(at::equal(second->at(1), index));
  EXPECT_FALSE(at::equal(first->at(0), second->at(0))) << "what is not given is drawn for each set";
  EXPECT_FALSE(first->at(1).is_same(index)) << "a call may write to its inputs";
  first->at(1).zero_();
  EXPECT_TRUE(at::equal(index, at::arange(4, at::kLong)));
}

TEST(TimedInputs, DrawsAllWhereNothingIsGiven) {
  const auto first = TimedInputs(TwoInputs(), {}, at::kCPU, {});
  const auto second = TimedInputs(TwoInputs(), {}, at::kCPU, {}, /*set=*/1);
  ASSERT_TRUE(first.ok() && second.ok()) << first.status() << second.status();
  for (size_t i = 0; i < 2; ++i) EXPECT_FALSE(at::equal(first->at(i), second->at(i))) << i;
}

TEST(TimedInputSets, LeavesOutASetThatEqualsTheFirst) {
  Workload workload = TwoInputs();
  const auto sets = [&](const Tensors& as_given) {
    const auto made = TimedInputSets(workload, {}, at::kCPU, as_given, /*count=*/3);
    EXPECT_TRUE(made.ok()) << made.status();
    return made.ok() ? made->size() : 0;
  };
  const at::Tensor x = at::ones({4}), index = at::ones({4}, at::kLong);
  EXPECT_EQ(sets({}), 3);
  EXPECT_EQ(sets({at::Tensor(), index}), 3);
  EXPECT_EQ(sets({x, at::Tensor()}), 3);
  EXPECT_EQ(sets({x, index}), 1) << "all are given";
  auto& uniform = *workload.mutable_inputs(0)->mutable_distribution()->mutable_uniform();
  uniform.set_low(1);
  uniform.set_high(1 + 1e-12);
  EXPECT_EQ(sets({at::Tensor(), index}), 1) << "a mask of ones: each number drawn is 1";
}

}  // namespace
}  // namespace assay::execution
