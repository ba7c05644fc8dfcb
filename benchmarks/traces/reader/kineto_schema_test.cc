#include "benchmarks/traces/reader/kineto_schema.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/csrc/profiler/standalone/execution_trace_observer.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "benchmarks/traces/reader/kineto_join.h"
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
  NodeList nodes = {TraceNode{.name = name, .inputs = std::move(inputs)}};
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

// Records the same run by LibTorch's profiler and by its observer of execution traces.
void RecordBoth(const std::string& profile, const std::string& execution_trace) {
  namespace impl = torch::profiler::impl;
  namespace kineto = torch::autograd::profiler;
  setenv("KINETO_LOG_LEVEL", "5", /*overwrite=*/0);
  ASSERT_TRUE(impl::addExecutionTraceObserver(execution_trace));
  const impl::ProfilerConfig config(impl::ProfilerState::KINETO, /*report_input_shapes=*/true);
  const std::set<impl::ActivityType> activities = {impl::ActivityType::CPU};
  kineto::prepareProfiler(config, activities);
  kineto::enableProfiler(config, activities);
  impl::enableExecutionTraceObserver();
  const at::Tensor x = at::ones({8, 16}), w = at::ones({16, 4}).requires_grad_();
  const at::Tensor y = at::relu(at::linear(x, w.t()));
  at::cat({y.add(1), y.mul(0.5)}, 1).softmax(1).sum().backward();
  impl::disableExecutionTraceObserver();
  kineto::disableProfiler()->save(profile);
  impl::removeExecutionTraceObserver();
}

std::map<int64_t, TraceNode> NodesBy(int64_t TraceNode::*member, const Trace& trace) {
  std::map<int64_t, TraceNode> nodes;
  for (const TraceNode& node : trace.nodes) nodes[node.*member] = node;
  return nodes;
}

// The observer knows schemas and callers; here they come from arguments and times.
TEST(FindSchemas, AgreesWithLibTorchsObserver) {
  const std::string folder = tensor_files::TestFolder();
  RecordBoth(folder + "/trace.json", folder + "/et.json");
  absl::StatusOr<Trace> profile = LoadTrace(folder + "/trace.json");
  ASSERT_TRUE(profile.ok()) << profile.status();
  absl::StatusOr<Trace> trace = LoadTrace(folder + "/et.json");
  ASSERT_TRUE(trace.ok()) << trace.status();
  FindSchemas(profile->nodes);
  const JoinReport report = JoinTimes(*trace, *profile);
  EXPECT_GT(report.joined, 40);
  EXPECT_EQ(report.NotJoined(), report.without_id);
  const auto events = NodesBy(&TraceNode::rf_id, *profile);
  const auto callers = NodesBy(&TraceNode::id, *trace);
  const auto event_callers = NodesBy(&TraceNode::id, *profile);
  for (const TraceNode& node : trace->nodes) {
    if (node.rf_id == 0) continue;
    SCOPED_TRACE(absl::StrCat(node.id, " ", node.name));
    const TraceNode& event = events.at(node.rf_id);
    EXPECT_EQ(event.op_schema, node.op_schema);
    EXPECT_EQ(event_callers.at(event.ctrl_deps).rf_id, callers.at(node.ctrl_deps).rf_id);
    if (node.op_schema.empty()) continue;
    ASSERT_EQ(event.inputs.size(), node.inputs.size());
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      EXPECT_EQ(event.inputs[i].tensor.sizes, node.inputs[i].tensor.sizes);
      EXPECT_EQ(event.inputs[i].tensor.dtype, node.inputs[i].tensor.dtype);
      EXPECT_EQ(event.inputs[i].items.size(), node.inputs[i].items.size());
    }
  }
}

}  // namespace
}  // namespace assay::traces
