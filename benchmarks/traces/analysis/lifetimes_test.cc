#include "benchmarks/traces/analysis/lifetimes.h"

#include <vector>

#include "benchmarks/traces/graph/test_nodes.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

TEST(TensorLives, KnowWhoMadeAndUsedATensor) {
  const NodeList nodes = {
      Operator(5, "aten::linear", 1, {Tensor(3, 4, {2})}, {Tensor(8, 9, {2})}),
      Operator(6, "aten::mm", 5, {Tensor(3, 4, {2})}, {Tensor(8, 9, {2})}),
      Operator(10, "aten::relu", 1, {Tensor(8, 9, {2})}, {Tensor(11, 12, {2})}),
      Operator(13, "aten::add", 1, {Tensor(8, 9, {2}), Tensor(11, 12, {2})}, {Tensor(14, 15, {2})}),
      // The address of tensor 11 and its storage is used again.
      Operator(16, "aten::empty", 1, {}, {Tensor(11, 12, {7})})};
  const TraceTree tree(nodes);
  const std::vector<TensorLife> lives = TensorLives(tree, FindStorages(tree));
  ASSERT_EQ(lives.size(), 5u);
  EXPECT_EQ(lives[0].id, 3);
  EXPECT_EQ(lives[0].made, kNoNode);  // an argument of the program
  EXPECT_EQ(lives[0].uses, 2);
  EXPECT_EQ(lives[1].id, 8);
  EXPECT_EQ(lives[1].made, 1u);  // by mm, inside linear
  EXPECT_EQ(lives[1].first_use, 2u);
  EXPECT_EQ(lives[1].last_use, 3u);
  EXPECT_EQ(BytesOf(*lives[1].like), 8);
  EXPECT_EQ(lives[4].id, 11);
  EXPECT_EQ(lives[4].made, 4u);
  EXPECT_EQ(lives[4].uses, 0);
}

}  // namespace
}  // namespace assay::traces
