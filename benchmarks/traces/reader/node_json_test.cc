#include "benchmarks/traces/reader/node_json.h"

#include <cmath>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using Kind = TraceValue::Kind;

// A node of schema 1.1.1 with one input.
std::string WithInput(const std::string& value, const std::string& shape, const std::string& type,
                      const std::string& strides) {
  return absl::StrCat(
      R"({"id": 7, "name": "aten::f", "ctrl_deps": 2, "inputs": {"values": [)", value,
      R"(], "shapes": [)", shape, R"(], "types": [)", type, R"(], "strides": [)", strides,
      R"json(]}, "outputs": {"values": [], "shapes": [], "types": [], "strides": []},
                         "attrs": [{"name": "rf_id", "type": "uint64", "value": 9},
                                   {"name": "op_schema", "type": "string", "value": "aten::f()"},
                                   {"name": "fw_parent", "type": "uint64",
                                    "value": 18446744073709551615}]})json");
}

TraceValue InputOf(const std::string& value, const std::string& shape, const std::string& type,
                   const std::string& strides = "[]") {
  const absl::StatusOr<TraceNode> node =
      ParseNode(WithInput(value, shape, absl::StrCat("\"", type, "\""), strides));
  EXPECT_TRUE(node.ok()) << node.status();
  return node.ok() ? node->inputs.at(0) : TraceValue();
}

TEST(ParseNode, ReadsAnObserversTensor) {
  const TraceValue value =
      InputOf(R"([47, 48, 4, 6, 8, "cpu"])", "[2, 3]", "Tensor(long int)", "[1, 2]");
  ASSERT_EQ(value.kind, Kind::kTensor);
  EXPECT_EQ(value.tensor.id, 47);
  EXPECT_EQ(value.tensor.storage, 48);
  EXPECT_EQ(value.tensor.offset, 4);
  EXPECT_EQ(value.tensor.dtype, "long int");
  EXPECT_THAT(value.tensor.sizes, ElementsAre(2, 3));
  EXPECT_THAT(value.tensor.strides, ElementsAre(1, 2));
  EXPECT_TRUE(value.tensor.has_strides);
}

TEST(ParseNode, KeepsTheKindsOfNumbers) {
  EXPECT_EQ(InputOf("1", "[]", "Int").kind, Kind::kInt);
  EXPECT_EQ(InputOf("0.100000", "[]", "Double").number, 0.1);
  EXPECT_EQ(InputOf("0e96", "[]", "Double").number, 0);
  EXPECT_EQ(InputOf("-1.7976931348623157e308", "[]", "Double").number,
            std::numeric_limits<double>::lowest());
  EXPECT_TRUE(std::isnan(InputOf("\"nan\"", "[]", "Double").number));
  EXPECT_EQ(InputOf("\"-inf\"", "[]", "Double").number, -INFINITY);
  EXPECT_EQ(InputOf("true", "[]", "Bool").integer, 1);
  EXPECT_EQ(InputOf("\"cpu\"", "[]", "Device").kind, Kind::kDevice);
  EXPECT_EQ(InputOf("\"<None>\"", "[]", "None").kind, Kind::kNone);
}

TEST(ParseNode, TellsUndefinedTensorsFromNone) {
  EXPECT_EQ(InputOf("[3,0,0,0,0,\"\"]", "[]", "Tensor(nullptr (uninitialized))").kind,
            Kind::kUndefinedTensor);
}

TEST(ParseNode, NamesValuesThatTheObserverLoses) {
  EXPECT_EQ(InputOf("\"<ComplexDouble>\"", "[]", "ComplexDouble").kind, Kind::kLost);
  EXPECT_EQ(InputOf("[34,0,0,0,0,\"\"]", "[2, 2]", "Tensor(float)", "[0, 0]").kind, Kind::kLost);
}

TEST(ParseNode, ReadsListsOfOptionalTensors) {
  const TraceValue value = InputOf(R"(["<None>", [10, 11, 0, 2, 8, "cpu"]])", "[[], [2]]",
                                   "GenericList[None,Tensor(long int)]", "[[], [1]]");
  ASSERT_EQ(value.items.size(), 2u);
  EXPECT_EQ(value.items[0].kind, Kind::kNone);
  EXPECT_THAT(value.items[1].tensor.strides, ElementsAre(1));
  EXPECT_TRUE(InputOf("[]", "[]", "GenericList[]").items.empty());
}

TEST(ParseNode, AnAttributeMayBeTheGreatestNumber) {
  const absl::StatusOr<TraceNode> node = ParseNode(WithInput("1", "[]", "\"Int\"", "[]"));
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_EQ(node->fw_parent, -1);
  EXPECT_EQ(node->rf_id, 9);
  EXPECT_EQ(node->op_schema, "aten::f()");
}

TEST(ParseNode, ReadsSchema1_0_1) {
  const absl::StatusOr<TraceNode> node = ParseNode(R"json({"name": "aten::t", "id": 10, "rf_id": 2,
      "parent": 9, "fw_parent": 0, "seq_id": 660, "scope": 0, "tid": 1, "fw_tid": 0,
      "op_schema": "aten::t(Tensor(a) self) -> Tensor(a)",
      "inputs": [[5,6,0,4,4,"cuda:0"]], "input_shapes": [[2,2]], "input_types": ["Tensor(float)"],
      "outputs": [], "output_shapes": [], "output_types": []})json");
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_EQ(node->ctrl_deps, 9);
  EXPECT_EQ(node->seq_id, 660);
  EXPECT_FALSE(node->inputs.at(0).tensor.has_strides);
}

TEST(ParseNode, ReadsWhatTheRecorderOfThisSuiteAdds) {
  const absl::StatusOr<TraceNode> node = ParseNode(
      R"json({"id": 7, "name": "aten::f", "ctrl_deps": 3,
              "inputs": {"values": [], "shapes": [], "types": []},
              "outputs": {"values": [], "shapes": [], "types": []},
              "attrs": [{"name": "start_ns", "type": "int64", "value": 10},
                        {"name": "duration_ns", "type": "int64", "value": 250},
                        {"name": "throws", "type": "string", "value": "true"},
                        {"name": "wrapped_numbers", "type": "string", "value": "{\"1\":0.5}"},
                        {"name": "snapshots", "type": "string", "value": "{\"0\":\"storage/7/12\"}"},
                        {"name": "output_digests", "type": "string", "value": "[\"0123\",\"\"]"},
                        {"name": "output_samples", "type": "string",
                         "value": "[[[0,1.5],[7,\"inf\"]],[]]"}]})json");
  ASSERT_TRUE(node.ok()) << node.status();
  EXPECT_EQ(node->start_ns, 10);
  EXPECT_EQ(node->duration_ns, 250);
  EXPECT_TRUE(node->threw);
  ASSERT_NE(node->recorded, nullptr);
  EXPECT_THAT(node->recorded->wrapped_numbers, ElementsAre(Pair(1, 0.5)));
  EXPECT_THAT(node->recorded->snapshots, ElementsAre(Pair(0, "storage/7/12")));
  EXPECT_THAT(node->recorded->output_digests, ElementsAre("0123", ""));
  EXPECT_THAT(node->recorded->output_samples,
              ElementsAre(ElementsAre(Pair(0, 1.5), Pair(7, testing::Gt(1e300))), IsEmpty()));
}

TEST(ParseNode, NamesTheNodeThatItCannotRead) {
  const auto problem = [](const std::string& text) {
    return std::string(ParseNode(text).status().message());
  };
  EXPECT_THAT(problem("{\"id\": 3,"), HasSubstr("no JSON at byte 9: Missing a name"));
  EXPECT_THAT(problem(R"({"id": 3, "name": "x"})"), HasSubstr("node 3 \"x\": "));
  EXPECT_THAT(problem(WithInput("1", "[]", "\"GenericList[Int,Int]\"", "[]")),
              HasSubstr("node 7 \"aten::f\": the value \"1\" is of no GenericList[Int,Int]"));
  EXPECT_THAT(problem(WithInput("1e300", "[]", "\"Int\"", "[]")),
              HasSubstr("the value \"1e300\" is of no whole number"));
  EXPECT_THAT(problem(WithInput("1, 2", "[]", "\"Int\"", "[]")),
              HasSubstr("2 values have 1 types and 1 shapes"));
}

TEST(ParseNode, RefusesImpossibleValues) {
  const auto problem = [](const std::string& value, const std::string& shape,
                          const std::string& type) {
    return std::string(
        ParseNode(WithInput(value, shape, "\"" + type + "\"", "[]")).status().message());
  };
  EXPECT_THAT(problem("\"nan\"", "[]", "Int"), HasSubstr("is of no whole number"));
  EXPECT_THAT(problem("1.5", "[]", "Int"), HasSubstr("is of no whole number"));
  EXPECT_THAT(problem("9223372036854775808", "[]", "Int"), HasSubstr("is of no whole number"));
  EXPECT_THAT(problem("1e999", "[]", "Double"), HasSubstr("no JSON at byte"));
  EXPECT_THAT(problem("1", "[]", "Bool"), HasSubstr("is of no Bool"));
  EXPECT_THAT(problem("[4, 5, 0]", "[]", "Tensor(float)"), HasSubstr("is of no tensor"));
  EXPECT_THAT(problem("[4, 5, 0, 6, 4, 7]", "[6]", "Tensor(float)"), HasSubstr("is of no text"));
  EXPECT_THAT(
      problem(R"([4, 5, 0, 6, 4, "cpu"])", R"(["s0", 3])", "Tensor(float)"),
      HasSubstr("it has the symbolic size \"s0\"; record the program with sizes of its own"));
}

// Storages and graphs judge these: a trace that has them can be looked at.
TEST(ParseNode, ReadsWhatOnlyTheWholeTraceCanJudge) {
  const TraceTensor tensor =
      InputOf(R"([9007199254740993, 5, -6, -6, 4, "cuda:9"])", "[-2, 3]", "Tensor(float)").tensor;
  EXPECT_EQ(tensor.id, 9007199254740993);  // 2^53 + 1
  EXPECT_EQ(tensor.offset, -6);
  EXPECT_THAT(tensor.sizes, ElementsAre(-2, 3));
  EXPECT_EQ(tensor.device, "cuda:9");
  std::string zeros = "0", types = "Int", shapes = "[]";
  for (size_t i = 1; i < kCutList; ++i) {
    zeros += ",0";
    types += ",Int";
    shapes += ",[]";
  }
  EXPECT_EQ(
      InputOf("[" + zeros + "]", "[" + shapes + "]", "GenericList[" + types + "]").items.size(),
      kCutList);
}

TEST(ParseNode, RefusesDepthBombs) {
  constexpr size_t kDepth = 100'000;
  const auto nested = [](const std::string& open, const std::string& close, size_t depth) {
    std::string text;
    for (size_t i = 0; i < depth; ++i) text += open;
    for (size_t i = 0; i < depth; ++i) text += close;
    return text;
  };
  const auto problem = [](const std::string& text) {
    return std::string(ParseNode(text).status().message());
  };
  EXPECT_THAT(problem(WithInput(nested("[", "]", 100), "[]",
                                "\"" + nested("GenericList[", "]", 100) + "\"", "[]")),
              HasSubstr("nested deeper than 64"));
  EXPECT_THAT(problem(WithInput(nested("[", "]", kDepth), "[]", "\"Int\"", "[]")),
              HasSubstr("the value \"[[[[[...]]]]]\" is of no whole number"));
  EXPECT_FALSE(ParseNode(std::string(kDepth, '[')).ok());
}

TEST(MayBeCut, IsSmallWithSixDecimals) {
  const auto cut = [](double number) {
    return MayBeCut({.kind = Kind::kDouble, .number = number});
  };
  EXPECT_TRUE(cut(0.0));
  EXPECT_TRUE(cut(0.000012));
  EXPECT_FALSE(cut(1e-8));
  EXPECT_FALSE(cut(0.333333));
}

}  // namespace
}  // namespace assay::traces
