#include "benchmarks/traces/replay/seeded_storage.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/max.h>
#include <ATen/ops/min.h>

#include <vector>

#include "benchmarks/traces/graph/test_nodes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

TEST(SeededStorage, KeepsToItsLimits) {
  const at::Tensor indices = SeededStorage(at::kLong, 1000, {.seed = 1, .name = "a", .limit = 7});
  EXPECT_EQ(indices.min().item<int64_t>(), 0);
  EXPECT_EQ(indices.max().item<int64_t>(), 6);
  EXPECT_LT(SeededStorage(at::kFloat, 1000, {.name = "a"}).min().item<float>(), -0.9f);
  const at::Tensor variance = SeededStorage(at::kHalf, 1000, {.name = "a", .positive = true});
  EXPECT_GE(variance.min().item<float>(), 0.0f);
  EXPECT_LE(variance.max().item<float>(), 1.0f);
  EXPECT_EQ(SeededStorage(at::kBool, 10, {.name = "a"}).scalar_type(), at::kBool);
}

TEST(SeededStorage, DependsOnSeedAndNameAlone) {
  const at::Tensor a = SeededStorage(at::kFloat, 10, {.seed = 1, .name = "a"});
  EXPECT_TRUE(at::equal(a, SeededStorage(at::kFloat, 10, {.seed = 1, .name = "a"})));
  EXPECT_FALSE(at::equal(a, SeededStorage(at::kFloat, 10, {.seed = 2, .name = "a"})));
  EXPECT_FALSE(at::equal(a, SeededStorage(at::kFloat, 10, {.seed = 1, .name = "b"})));
}

TraceValue Longs(int64_t id, int64_t storage, std::vector<int64_t> sizes) {
  return Tensor(id, storage, std::move(sizes), "long int", 8);
}

// The limit of the first storage.
int64_t LimitOf(const NodeList& nodes) {
  const TraceTree tree(nodes);
  std::vector<size_t> calls;
  for (size_t i = 0; i < nodes.size(); ++i) calls.push_back(i);
  const auto needed = NeededValues(tree, FindStorages(tree), calls);
  const auto found = needed.find(0);
  return found == needed.end() ? SeededValues().limit : found->second.limit;
}

TEST(NeededValues, KeepsIndicesInsideWhatTheyIndex) {
  EXPECT_EQ(LimitOf({Operator(9, "aten::gather", 1, {Longs(2, 3, {4})})}), 2);
  EXPECT_EQ(LimitOf({Operator(8, "aten::neg", 1, {Longs(2, 3, {4})}),
                     Operator(9, "aten::embedding", 1, {Tensor(4, 5, {11, 8}), Longs(2, 3, {4})})}),
            11);
  EXPECT_EQ(
      LimitOf({Operator(8, "aten::neg", 1, {Longs(2, 3, {4})}),
               Operator(9, "aten::gather", 1, {Tensor(4, 5, {11, 8}), Int(-1), Longs(2, 3, {4})})}),
      8);
  TraceValue none;
  EXPECT_EQ(LimitOf({Operator(8, "aten::neg", 1, {Longs(2, 3, {4})}),
                     Operator(9, "aten::index", 1,
                              {Tensor(4, 5, {11, 8}), List({none, Longs(2, 3, {4})})})}),
            8);
  EXPECT_EQ(
      LimitOf({Operator(8, "aten::neg", 1, {Longs(2, 3, {2})}),
               Operator(9, "aten::nll_loss_forward", 1, {Tensor(4, 5, {2, 5}), Longs(2, 3, {2})})}),
      5);
}

TEST(NeededValues, FollowsIndicesToWhatTheyAreMadeOf) {
  EXPECT_EQ(LimitOf({Operator(8, "aten::clone", 1, {Longs(2, 3, {4})}, {Longs(6, 7, {4})}),
                     Operator(9, "aten::embedding", 1, {Tensor(4, 5, {11, 8}), Longs(6, 7, {4})})}),
            11);
}

TEST(NeededValues, TakesTheLowestLimit) {
  EXPECT_EQ(LimitOf({Operator(8, "aten::neg", 1, {Longs(2, 3, {4})}),
                     Operator(9, "aten::embedding", 1, {Tensor(4, 5, {11, 8}), Longs(2, 3, {4})}),
                     Operator(12, "aten::embedding", 1, {Tensor(7, 5, {6, 8}), Longs(2, 3, {4})})}),
            6);
}

TEST(NeededValues, VariancesAreNotNegative) {
  const NodeList nodes = {
      Operator(9,
               "aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
               "Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) "
               "-> Tensor",
               1,
               {Tensor(2, 20, {4}), Tensor(3, 21, {4}), Tensor(4, 22, {4}), Tensor(5, 23, {4}),
                Tensor(6, 24, {4})})};
  const TraceTree tree(nodes);
  const auto needed = NeededValues(tree, FindStorages(tree), {0});
  ASSERT_EQ(needed.count(4), 1u);
  EXPECT_TRUE(needed.at(4).positive);
  EXPECT_EQ(needed.count(3), 0u);
}

}  // namespace
}  // namespace assay::traces
