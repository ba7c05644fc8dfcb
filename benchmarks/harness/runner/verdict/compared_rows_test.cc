#include "benchmarks/harness/runner/verdict/compared_rows.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <google/protobuf/text_format.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(DrawnRows, AreAscendingAndEndWithTheLast) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<int64_t> rows = DrawnRows(100, 7, seed);
    ASSERT_EQ(rows.size(), 7u);
    EXPECT_EQ(rows.back(), 99);
    EXPECT_GE(rows.front(), 0);
    for (size_t i = 1; i < rows.size(); ++i) EXPECT_LT(rows[i - 1], rows[i]);
  }
  EXPECT_THAT(DrawnRows(100, 1, 0), ElementsAre(99));
  EXPECT_NE(DrawnRows(100, 7, 0), DrawnRows(100, 7, 1));
  EXPECT_EQ(DrawnRows(100, 7, 3), DrawnRows(100, 7, 3));
}

TEST(DrawnRows, AreAllWhereThereAreNoMore) {
  EXPECT_THAT(DrawnRows(3, 3, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(DrawnRows(3, 8, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(DrawnRows(0, 0, 0), IsEmpty());
}

TEST(RepeatedRows, BeginWithTheKnownAndRepeatThem) {
  const std::vector<int64_t> rows = RepeatedRows(64, 2, 0);
  ASSERT_EQ(rows.size(), 64u);
  EXPECT_EQ(rows[0], 0);
  EXPECT_EQ(rows[1], 1);
  for (const int64_t row : rows) EXPECT_TRUE(row == 0 || row == 1);
  const std::vector<int64_t> repeated(rows.begin() + 2, rows.end());
  EXPECT_THAT(repeated, Contains(0));
  EXPECT_THAT(repeated, Contains(1));
}

TEST(RowsOfInputs, AreTakenAlongWhatDiffers) {
  Workload all, some;
  for (Workload* workload : {&all, &some}) {
    const int64_t batch = workload == &all ? 3 : 2;
    for (const auto& shape : {std::vector<int64_t>{batch, 2}, {4, batch}, {5}}) {
      TensorSpec& input = *workload->add_inputs();
      *input.mutable_shape() = {shape.begin(), shape.end()};
    }
  }
  const execution::Tensors inputs = {at::arange(6).view({3, 2}), at::arange(12).view({4, 3}),
                                     at::arange(5)};
  const execution::Tensors rows = RowsOfInputs(inputs, all, some, {2, 0});
  EXPECT_TRUE(at::equal(rows[0], at::stack({inputs[0][2], inputs[0][0]})));
  EXPECT_TRUE(at::equal(rows[1], at::stack({inputs[1].select(1, 2), inputs[1].select(1, 0)}, 1)));
  EXPECT_TRUE(at::equal(rows[2], inputs[2]));
}

// Bags of 2, 0 and 3 elements by offsets, and of 1 + 0, 2 + 1 and 0 + 1 by lengths.
TEST(RowsOfInputs, TakeTheBagsOfTheRows) {
  Workload all;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"(inputs { name: "indices" shape: 5 bags: "offsets" }
         inputs { name: "offsets" shape: 3 distribution { bag_offsets { bag_size: 3 spread: 3 } } }
         inputs { name: "lengths" shape: 3 shape: 2 distribution { integers { limit: 3 } } }
         inputs { name: "values" shape: 5 shape: 2 bags: "lengths" })",
      &all));
  Workload some = all;
  for (TensorSpec& input : *some.mutable_inputs()) input.set_shape(0, 4);
  const at::Tensor values = at::arange(10).view({5, 2});
  const execution::Tensors inputs = {at::arange(5), at::tensor({0, 2, 2}, at::kInt),
                                     at::tensor({1, 0, 2, 1, 0, 1}).view({3, 2}), values};
  const execution::Tensors rows = RowsOfInputs(inputs, all, some, {2, 0, 1, 2});
  EXPECT_TRUE(at::equal(rows[0], at::tensor({2, 3, 4, 0, 1, 2, 3, 4})));
  EXPECT_TRUE(at::equal(rows[1], at::tensor({0, 3, 5, 5}, at::kInt)));
  EXPECT_TRUE(at::equal(rows[2], at::tensor({0, 1, 1, 0, 2, 1, 0, 1}).view({4, 2})));
  EXPECT_TRUE(at::equal(rows[3], values.index_select(0, at::tensor({4, 0, 1, 2, 3, 4}))));
}

}  // namespace
}  // namespace assay::runner
