#include "benchmarks/traces/analysis/param_json.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "benchmarks/traces/graph/test_nodes.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using Json = nlohmann::ordered_json;

TEST(ParamJson, HasWhatACallNeeds) {
  TraceValue turned = Tensor(3, 4, {2, 3});
  turned.tensor.strides = {1, 2};
  const TraceNode node = Operator(5, "aten::f(Tensor a, Tensor b, int[] c, Tensor? d)", 1,
                                  {turned,
                                   Tensor(6, 7, {8}, "long int", 8),
                                   List({Int(1), Int(2)}),
                                   {.kind = TraceValue::Kind::kUndefinedTensor}});
  EXPECT_EQ(*ParamArguments(node, {{1, {.limit = 10}}}), Json::parse(R"([
      {"type": "tensor", "dtype": "float", "shape": [2, 3], "requires_grad": false, "strides": [1, 2]},
      {"type": "tensor", "dtype": "long", "shape": [8], "requires_grad": false, "value_range": [0, 9]},
      {"type": "genericlist", "value": [{"type": "int", "value": 1}, {"type": "int", "value": 2}]},
      {"type": "none"}])"));
}

TEST(ParamJson, AWrappedNumberIsANumber) {
  TraceNode node =
      Operator(5, "aten::mul.Tensor(Tensor a, Tensor b)", 1,
               {{.kind = TraceValue::Kind::kUndefinedTensor}, Tensor(6, 7, {}, "double", 8)});
  auto recorded = std::make_shared<RecordedValues>();
  recorded->wrapped_numbers[1] = 0.5;
  node.recorded = std::move(recorded);
  EXPECT_EQ((*ParamArguments(node, {}))[1], Json::parse(R"({"type": "float", "value": 0.5})"));
}

TEST(ParamJson, NamesWhyACallCannotBeWritten) {
  const auto why = [](TraceValue value) {
    return std::string(ParamArguments(Operator(5, "aten::f(Tensor a)", 1, {std::move(value)}), {})
                           .status()
                           .message());
  };
  EXPECT_TRUE(absl::StrContains(why(Tensor(1, 2, {3}, "c10::complex<float>", 8)), "complex"));
  EXPECT_TRUE(absl::StrContains(why({.kind = TraceValue::Kind::kLost, .type = "ComplexDouble"}),
                                "ComplexDouble"));
  EXPECT_TRUE(absl::StrContains(why(List(std::vector<TraceValue>(kCutList))), "4097"));
}

TEST(ParamJson, OverloadsAreConfigsAndCallsAreInputs) {
  const TraceNode tensor = Operator(5, "aten::add.Tensor(Tensor a)", 1, {Tensor(3, 4, {2})}),
                  other = Operator(5, "aten::add.Tensor(Tensor a)", 1, {Tensor(3, 4, {9})}),
                  scalar = Operator(5, "aten::add.Scalar(Scalar a)", 1, {Int(1)});
  ParamFile file;
  for (const TraceNode& node : {tensor, scalar, other})
    EXPECT_TRUE(file.Add(node, {.nodes = {0, 1}, .timed = 1, .recorded_ns = 7}, {}).ok());
  const Json json = Json::parse(file.Text());
  ASSERT_EQ(json["aten::add"]["config"].size(), 2u);
  const Json& first = json["aten::add"]["config"][0];
  EXPECT_EQ(first["build"][0]["args"][0]["value"], "aten::add.Tensor(Tensor a)");
  ASSERT_EQ(first["input"].size(), 2u);
  EXPECT_EQ(first["input"][1]["_calls"], 2);
  // A result repeats the input with its comments; another trace of the program has other counts.
  EXPECT_EQ(ParamKey("aten::add", first["build"][0], first["input"][0]),
            ParamKey("aten::add", first["build"][0], {{"args", *ParamArguments(tensor, {})}}));
}

}  // namespace
}  // namespace assay::traces
