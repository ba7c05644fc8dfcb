#include "benchmarks/traces/analysis/rewriting.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "benchmarks/traces/graph/test_nodes.h"
#include "benchmarks/traces/reader/trace_writer.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

std::vector<std::string> NamesOf(const Trace& trace) {
  std::vector<std::string> names;
  for (const TraceNode& node : trace.nodes) names.push_back(node.name);
  return names;
}

TEST(Clean, DropsWhatADataLoaderDidAndEmptyLabels) {
  const Trace trace = {.nodes = {Label(1, "process", 1), Label(2, "enumerate(DataLoader)", 1),
                                 Operator(3, "aten::stack", 2), Label(4, "step", 1),
                                 Operator(5, "aten::mm", 4), Label(6, "empty", 4)}};
  EXPECT_EQ(NamesOf(Clean(trace)), (std::vector<std::string>{"process", "step", "aten::mm"}));
}

// A trace in which each text and number that a person may hide occurs.
Trace Secret() {
  TraceNode op =
      Operator(7, "secretlib::secretop(Tensor secretarg) -> Tensor", 5,
               {Tensor(3, 4, {2, 3}),
                {.kind = TraceValue::Kind::kString, .type = "String", .text = "secrettext"}},
               {Tensor(8, 9, {2, 3})});
  op.kernel_file = "secretfile.py";
  op.tensor_range = "{\"0\":[4242,4243]}";
  op.other_attributes = {{"secretname", "string", "\"secretvalue\""}};
  TraceNode add =
      Operator(10, "aten::add.Scalar(Tensor self, Scalar other) -> Tensor", 6,
               {Tensor(8, 9, {2, 3}),
                {.kind = TraceValue::Kind::kDouble, .type = "Double", .number = 0.4242}},
               {Tensor(11, 12, {2, 3})});
  add.tid = add.fw_tid = 4244;
  add.start_ns = 424200000;
  add.duration_ns = 100;
  auto recorded = std::make_shared<RecordedValues>();
  recorded->wrapped_numbers[0] = 4245.5;
  recorded->snapshots[0] = "secretsnapshot";
  recorded->output_digests = {"secretdigest"};
  recorded->output_samples = {{{0, 4246.5}}};
  add.recorded = std::move(recorded);
  TraceNode triton = Label(12, "triton_secretkernel_0", 6);
  triton.kernel_backend = "triton";
  TraceNode list = Operator(13, "aten::f(Tensor a) -> Tensor", 6,
                            {List({{.kind = TraceValue::Kind::kLost,
                                    .type = "secretclass",
                                    .text = "\"<secretobject>\""}})});
  return {.about = {.schema = "1.1.1-chakra.0.0.4",
                    .pid = 4247,
                    .time = "2042-04-24 00:00:00",
                    .start_ms = 424201,
                    .finish_ms = 424301,
                    .exact = true,
                    .generators = {{"cpu", "secretstate"}}},
          .nodes = {Label(1, "[pytorch|profiler|execution_trace|process]", 1),
                    Label(4, "ProfilerStep#6", 1), Label(5, "secretlayer", 4),
                    Label(6, "autograd::engine::evaluate_function: SecretBackward", 4),
                    std::move(op), std::move(add), std::move(triton), std::move(list)}};
}

TEST(Anonymise, NothingSecretIsInTheFile) {
  const Trace hidden = Anonymise(Secret());
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/hidden.json");
  ASSERT_TRUE(WriteTrace(path, hidden).ok());
  const std::string text = tensor_files::ReadFile(path, 1 << 20).value();
  for (const char* word :
       {"secret", "Secret", "4242", "4243", "4244", "4245", "4246", "4247", "2042", "424201",
        "73656372657473746174" /* secretstat, in hex digits */})
    EXPECT_FALSE(absl::StrContains(text, word)) << word;
}

TEST(Anonymise, KeepsWhatAReplayNeeds) {
  const Trace before = Secret(), after = Anonymise(before);
  EXPECT_EQ(NamesOf(after), (std::vector<std::string>{
                                "[pytorch|profiler|execution_trace|process]", "ProfilerStep#6",
                                "label_1", "autograd::engine::evaluate_function: label_2",
                                "custom::op_1", "aten::add", "triton_1", "aten::f"}));
  for (size_t i = 0; i < before.nodes.size(); ++i) {
    EXPECT_EQ(after.nodes[i].IsOperator(), before.nodes[i].IsOperator()) << i;
    EXPECT_EQ(after.nodes[i].ctrl_deps, before.nodes[i].ctrl_deps);
  }
  EXPECT_EQ(after.nodes[5].op_schema, before.nodes[5].op_schema);
  EXPECT_EQ(after.nodes[5].inputs[0].tensor.sizes, before.nodes[5].inputs[0].tensor.sizes);
  EXPECT_EQ(after.nodes[5].duration_ns, 100);
  EXPECT_EQ(after.nodes[5].recorded->wrapped_numbers.count(0), 1u);
  EXPECT_EQ(after.about.finish_ms, 100);
}

}  // namespace
}  // namespace assay::traces
