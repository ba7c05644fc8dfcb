#include "benchmarks/traces/analysis/operator_mix.h"

#include <string>
#include <vector>

#include "benchmarks/traces/graph/test_nodes.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

TraceNode Timed(TraceNode node, int64_t start, int64_t duration) {
  node.start_ns = start;
  node.duration_ns = duration;
  return node;
}

TEST(OperatorMix, EqualCallsAreOneWhateverTheirMemory) {
  const std::string relu = "aten::relu(Tensor self) -> Tensor";
  TraceValue turned = Tensor(7, 8, {2, 3});
  turned.tensor.strides = {1, 2};
  const NodeList nodes = {
      Timed(Operator(2, relu, 1, {Tensor(3, 4, {2, 3})}), 0, 100),
      Timed(Operator(5, relu, 1, {Tensor(6, 9, {2, 3})}), 150, 300),
      Timed(Operator(10, relu, 1, {turned}), 500, 50),
      Timed(Operator(11, relu, 1, {Tensor(12, 13, {2, 3}, "double", 8)}), 600, 10)};
  const OperatorMix mix = MixOf(TraceTree(nodes), {0, 1, 2, 3});
  ASSERT_EQ(mix.operators.size(), 3u);
  EXPECT_EQ(mix.operators[0].nodes, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(mix.operators[0].recorded_ns, 400);
  EXPECT_EQ(mix.operators[0].timed, 2u);
  EXPECT_EQ(mix.operators_ns, 460);
  EXPECT_EQ(mix.whole_ns, 610);
  EXPECT_EQ(CallText(nodes[2]), "aten::relu(float[2, 3]{1, 2})");
}

TEST(OperatorMix, NumbersDifferByTheirLastDigit) {
  const auto add = [](double alpha) {
    return Operator(2, "aten::add(Tensor a, Scalar alpha)", 1,
                    {Tensor(3, 4, {1}), {.kind = TraceValue::Kind::kDouble, .number = alpha}});
  };
  EXPECT_NE(CallText(add(0.1)), CallText(add(0.1 + 1e-16)));
  EXPECT_EQ(CallText(add(0.1)), CallText(add(0.1)));
}

TEST(WorkersOf, StandForACall) {
  const NodeList nodes = {
      Operator(2, "aten::linear", 1), Operator(3, "aten::t(Tensor(a) self) -> Tensor(a)", 2),
      Label(4, "label", 2),           Operator(5, "aten::addmm", 4),
      Operator(6, "aten::copy_", 5),  Operator(7, "aten::empty_strided", 5),
      Operator(8, "aten::relu", 1)};
  const TraceTree tree(nodes);
  EXPECT_TRUE(PassesOn(tree, 0));
  EXPECT_FALSE(PassesOn(tree, 3)) << "it only copies and makes memory by others";
  EXPECT_EQ(WorkersOf(tree, {0, 6}), (std::vector<size_t>{1, 3, 6}));
}

TEST(Prediction, IsTheSumOfCallsTimesTime) {
  OperatorMix mix = {.operators = {{.nodes = {0, 1, 2}, .timed = 2, .recorded_ns = 200},
                                   {.nodes = {3}, .timed = 1, .recorded_ns = 90},
                                   {.nodes = {4, 5}, .timed = 2, .recorded_ns = 20}},
                     .calls = 6,
                     .timed = 5,
                     .operators_ns = 310,
                     .whole_ns = 500};
  const Prediction prediction = Predict(mix, [](size_t rank) -> std::optional<double> {
    if (rank == 2) return std::nullopt;
    return rank == 0 ? 99 : 40;
  });
  EXPECT_EQ(prediction.predicted_ns, 3 * 99 + 40);
  EXPECT_EQ(prediction.comparable_ns, 2 * 99 + 40);
  EXPECT_EQ(prediction.covered_ns, 290);
  EXPECT_EQ(prediction.unmeasured, std::vector<size_t>{2});
  EXPECT_EQ(prediction.unmeasured_ns, 20);
  EXPECT_EQ(prediction.operators[0].rank, 1u);  // 50 off, the other 2
}

}  // namespace
}  // namespace assay::traces
