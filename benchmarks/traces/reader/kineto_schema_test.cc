#include "benchmarks/traces/reader/kineto_schema.h"

#include <string>
#include <utility>
#include <vector>

#include "benchmarks/traces/reader/kineto_event.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using Kind = TraceValue::Kind;

TraceValue TensorIn(const std::string& dtype, std::vector<int64_t> sizes) {
  return {.kind = Kind::kTensor,
          .type = "Tensor(" + dtype + ")",
          .tensor = {.dtype = dtype, .sizes = std::move(sizes)}};
}

TraceValue Printed(const std::string& text, const std::string& type = "Scalar") {
  return {.kind = Kind::kLost, .type = type, .text = text};
}

struct Found {
  TraceNode node;
  SchemaReport report;
};

Found FindOne(const std::string& name, std::vector<TraceValue> inputs) {
  std::vector<TraceNode> nodes = {{.name = name, .inputs = std::move(inputs)}};
  SchemaReport report = FindSchemas(nodes);
  return {nodes[0], std::move(report)};
}

TEST(FindSchemas, ChoosesTheOverloadByItsArguments) {
  const TraceValue tensor = TensorIn("float", {2, 3});
  EXPECT_THAT(FindOne("aten::add", {tensor, tensor, Printed("1")}).node.op_schema,
              testing::StartsWith("aten::add.Tensor("));
  EXPECT_THAT(FindOne("aten::add", {tensor, Printed("2"), Printed("1")}).node.op_schema,
              testing::StartsWith("aten::add.Scalar("));
  EXPECT_THAT(FindOne("aten::add", {tensor, tensor, Printed("1"), tensor}).node.op_schema,
              testing::StartsWith("aten::add.out("));
  EXPECT_THAT(FindOne("aten::transpose", {tensor, Printed("0"), Printed("1")}).node.op_schema,
              testing::StartsWith("aten::transpose.int("));
}

TEST(FindSchemas, TakesTheOverloadThatExplainsMore) {
  // Dimensions may have names, which are not printed.
  const Found sum = FindOne(
      "aten::sum", {TensorIn("float", {2, 3}), Printed("", ""), Printed("True"), Printed("", "")});
  EXPECT_THAT(sum.node.op_schema, testing::StartsWith("aten::sum.dim_IntList("));
  EXPECT_THAT(sum.report.ambiguous, IsEmpty());
}

TEST(FindSchemas, GivesArgumentsTheirTypes) {
  const TraceNode node = FindOne("aten::convolution",
                                 {TensorIn("float", {1, 3, 8, 8}), TensorIn("float", {4, 3, 3, 3}),
                                  Printed("", ""), Printed("[2, 2]", "ScalarList"),
                                  Printed("[3, 3]", "ScalarList"), Printed("[1, 1]", "ScalarList"),
                                  Printed("False"), Printed("[0, 0]", "ScalarList"), Printed("1")})
                             .node;
  ASSERT_EQ(node.inputs.size(), 9u);
  EXPECT_EQ(node.inputs[2].kind, Kind::kNone);
  EXPECT_EQ(node.inputs[3].type, "GenericList[Int,Int]");
  EXPECT_EQ(node.inputs[3].items[1].integer, 2);
  EXPECT_EQ(node.inputs[6].kind, Kind::kBool);
  EXPECT_EQ(node.inputs[8].integer, 1);
  const TraceNode added =
      FindOne("aten::add", {TensorIn("float", {2}), Printed("1e-08"), Printed("0.")}).node;
  EXPECT_EQ(added.inputs[1].number, 1e-8);
  EXPECT_EQ(added.inputs[2].kind, Kind::kDouble);
}

TEST(FindSchemas, SaysWhatItGuesses) {
  const Found gelu = FindOne("aten::gelu", {TensorIn("float", {2}), Printed("", "")});
  EXPECT_EQ(gelu.node.inputs[1].text, "none");
  EXPECT_THAT(gelu.report.guessed, ElementsAre(Pair("aten::gelu approximate", 1)));
  // A list of more than 30 tensors.
  const Found cat = FindOne("aten::cat", {Printed("", "TensorList"), Printed("0")});
  EXPECT_EQ(cat.node.inputs[0].kind, Kind::kLost);
  EXPECT_THAT(cat.report.guessed, ElementsAre(Pair("aten::cat tensors", 1)));
}

TEST(FindSchemas, NamesWhatItCannotFind) {
  EXPECT_THAT(FindOne("aten::no_such", {}).report.unknown, ElementsAre(Pair("aten::no_such", 1)));
  EXPECT_THAT(FindOne("aten::relu", {Printed("1")}).report.unfit,
              ElementsAre(Pair("aten::relu", 1)));
  EXPECT_THAT(FindOne("aten::relu", {}).report.without_arguments,
              ElementsAre(Pair("aten::relu", 1)));
  const Found label = FindOne("autograd::engine::evaluate_function: AddBackward0", {});
  EXPECT_THAT(label.report.unknown, IsEmpty());
  EXPECT_EQ(label.node.op_schema, "");
}

// A step of training, as LibTorch 2.11 printed it.
TEST(FindSchemas, FindsAllOfATrainingStep) {
  absl::StatusOr<Trace> trace = LoadTrace("benchmarks/traces/testdata/kineto_mlp_train.json.gz");
  ASSERT_TRUE(trace.ok()) << trace.status();
  const SchemaReport report = FindSchemas(trace->nodes);
  EXPECT_THAT(report.unknown, IsEmpty());
  EXPECT_THAT(report.unfit, IsEmpty());
  EXPECT_THAT(report.ambiguous, IsEmpty());
  int64_t operators = 0;
  for (const TraceNode& node : trace->nodes) operators += node.IsOperator() ? 1 : 0;
  EXPECT_EQ(operators, report.found);
  EXPECT_GT(report.found, 100);
}

}  // namespace
}  // namespace assay::traces
