#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/tensor.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

constexpr int64_t kNodes = 6, kFeatures = 8, kClasses = 3;

Parameters Network(const std::string& kind, int64_t heads = 1) {
  Parameters parameters;
  parameters.Set("convolution", kind);
  parameters.Set("nodes", kNodes);
  parameters.Set("edges", 9);
  parameters.Set("in_channels", kFeatures);
  parameters.Set("hidden_channels", 16);
  parameters.Set("out_channels", kClasses);
  parameters.Set("num_layers", 2);
  parameters.Set("heads", heads);
  return parameters;
}

class GraphsTest : public testing::TestWithParam<std::string> {
 protected:
  GraphsTest() : model_(CreateOrDie("graph_network", Network(GetParam()))) {
    FillInFloat64(*model_);
  }

  // Logits of one graph.
  at::Tensor Logits(const std::vector<int64_t>& source, const std::vector<int64_t>& target) {
    return model_->Forward(
        {SeededFloats({1, kNodes, kFeatures}), Edges(source), Edges(target)})[0][0];
  }

  static at::Tensor Edges(const std::vector<int64_t>& nodes) {
    return at::tensor(nodes, at::kLong).unsqueeze(0);
  }

  const std::unique_ptr<Model> model_;
};

TEST_P(GraphsTest, AGraphWithoutEdgesHasFiniteLogits) {
  const at::Tensor logits = Logits({}, {});
  EXPECT_EQ(logits.sizes(), at::IntArrayRef({kNodes, kClasses}));
  EXPECT_TRUE(at::isfinite(logits).all().item<bool>());
}

TEST_P(GraphsTest, ANodeIsChangedByTheNodesBeforeItAlone) {
  const at::Tensor with = Logits({0, 1, 4}, {1, 2, 5}), without = Logits({0, 1}, {1, 2});
  EXPECT_TRUE(at::equal(with.narrow(0, 0, 5), without.narrow(0, 0, 5)));
  EXPECT_FALSE(with[5].allclose(without[5]));
  // Two layers reach two edges far.
  EXPECT_FALSE(Logits({0, 1}, {1, 2})[2].allclose(Logits({1}, {2})[2]));
}

TEST_P(GraphsTest, TheOrderOfEdgesIsRoundingAlone) {
  const at::Tensor sorted = Logits({1, 2, 5, 0, 3, 4}, {0, 0, 0, 1, 1, 2});
  const at::Tensor mixed = Logits({3, 5, 4, 1, 0, 2}, {1, 0, 2, 0, 1, 0});
  EXPECT_TRUE(mixed.allclose(sorted, 1e-12, 1e-12));
}

TEST_P(GraphsTest, GraphsOfABatchAreApart) {
  const at::Tensor x = SeededFloats({2, kNodes, kFeatures});
  const at::Tensor source = at::tensor({0, 1, 2, 5, 3, 3}, at::kLong).view({2, 3});
  const at::Tensor target = at::tensor({1, 2, 0, 4, 4, 0}, at::kLong).view({2, 3});
  const at::Tensor both = model_->Forward({x, source, target})[0];
  for (int64_t i = 0; i < 2; ++i) {
    const at::Tensor alone =
        model_->Forward({x.narrow(0, i, 1), source.narrow(0, i, 1), target.narrow(0, i, 1)})[0];
    EXPECT_TRUE(both[i].allclose(alone[0], 1e-12, 1e-12)) << i;
  }
}

TEST_P(GraphsTest, RefusesAnEdgeToNowhere) {
  EXPECT_THROW(Logits({0, kNodes}, {1, 2}), c10::Error);
  EXPECT_THROW(Logits({0, 1}, {1, kNodes}), c10::Error);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GraphsTest,
                         testing::Values("gcn", "sage", "gin", "edgecnn", "gat"));

// exp of such scores is infinite in float64.
TEST(GraphNetworkTest, AttentionTakesLargeScores) {
  const std::unique_ptr<Model> model = CreateOrDie("graph_network", Network("gat", 2));
  FillInFloat64(*model);
  Find(*model, "convs.0.att_src").mul_(1e5);
  const at::Tensor source = at::tensor({0, 1, 2}, at::kLong).view({1, 3});
  const at::Tensor logits =
      model->Forward({SeededFloats({1, kNodes, kFeatures}), source, source.flip(1)})[0];
  EXPECT_TRUE(at::isfinite(logits).all().item<bool>());
}

TEST(GraphNetworkTest, RefusesHeadsThatDoNotDivideTheFeatures) {
  const absl::Status status = Create("graph_network", Network("gat", 3)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "graph_network: hidden_channels 16 is not a multiple of heads 3");
}

}  // namespace
}  // namespace assay::models
