#include "benchmarks/operators/judge/value_leaves.h"

#include <ATen/ops/zeros.h>

#include <cmath>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace assay::operators {
namespace {

std::string Paths(const torch::jit::Stack& stack) {
  return absl::StrJoin(LeavesOf(stack), " ", [](std::string* out, const Leaf& leaf) {
    absl::StrAppend(out, leaf.position, leaf.element);
  });
}

TEST(LeavesOf, OpensListsAndTuples) {
  const at::Tensor tensor = at::zeros({2});
  EXPECT_EQ(Paths({tensor, 2, "word", c10::IValue()}), "0 1 2 3");
  EXPECT_EQ(Paths({std::vector<int64_t>{4, 5}, std::vector<double>{0.5}, true}),
            "0[0] 0[1] 1[0] 2");
  EXPECT_EQ(Paths({std::vector<at::Tensor>{tensor, at::Tensor()}}), "0[0] 0[1]");
  EXPECT_EQ(Paths({std::make_tuple(tensor, std::vector<int64_t>{1, 2})}), "0[0] 0[1][0] 0[1][1]");
  EXPECT_EQ(Paths({std::vector<int64_t>{}}), "") << "an empty list holds nothing";
  EXPECT_EQ(LeavesOf({std::vector<int64_t>{4, 5}})[1].value.toInt(), 5);
}

TEST(SameValue, IsEqualityWithNanEqualToItself) {
  EXPECT_TRUE(SameValue(2, 2));
  EXPECT_FALSE(SameValue(2, 3));
  EXPECT_FALSE(SameValue(2, 2.0)) << "an integer is no float";
  EXPECT_TRUE(SameValue(std::nan(""), std::nan("")));
  EXPECT_FALSE(SameValue(std::nan(""), 1.0));
  EXPECT_TRUE(SameValue(c10::IValue(), c10::IValue()));
}

}  // namespace
}  // namespace assay::operators
