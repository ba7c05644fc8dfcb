#include "benchmarks/backends/exported_graph.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
#include <caffe2/serialize/inline_container.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::backends {
namespace {

using ::testing::HasSubstr;

// A file of torch.export.save(), cut to the parts that are read: chunks of relu_(x + bias) in another order,
// where bias is the second half of its storage.
constexpr char kModel[] = R"({
  "schema_version": {"major": 8, "minor": 17},
  "graph_module": {
    "graph": {
      "tensor_values": {
        "x": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 4}]}
      },
      "nodes": [
        {"target": "torch.ops.aten._assert_tensor_metadata.default", "inputs": [], "outputs": []},
        {"target": "torch.ops.aten.add.Tensor", "outputs": [{"as_tensor": {"name": "sum"}}],
         "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1},
                    {"name": "other", "arg": {"as_tensor": {"name": "b"}}, "kind": 1}]},
        {"target": "torch.ops.aten.relu_.default", "outputs": [{"as_tensor": {"name": "relu"}}],
         "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "sum"}}, "kind": 1}]},
        {"target": "torch.ops.aten.chunk.default",
         "outputs": [{"as_tensors": [{"name": "left"}, {"name": "right"}]}],
         "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "relu"}}, "kind": 1},
                    {"name": "chunks", "arg": {"as_int": 2}, "kind": 1},
                    {"name": "dim", "arg": {"as_int": -1}, "kind": 1}]},
        {"target": "torch.ops.aten.cat.default", "outputs": [{"as_tensor": {"name": "cat"}}],
         "inputs": [{"name": "tensors", "arg": {"as_tensors": [{"name": "right"}, {"name": "left"}]}, "kind": 1},
                    {"name": "dim", "arg": {"as_int": 1}, "kind": 1}]}
      ]
    },
    "signature": {
      "input_specs": [
        {"buffer": {"arg": {"name": "b"}, "buffer_name": "bias", "persistent": true}},
        {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}
      ],
      "output_specs": [
        {"user_output": {"arg": {"as_tensor": {"name": "cat"}}}},
        {"user_output": {"arg": {"as_tensor": {"name": "left"}}}}
      ]
    }
  }
})";
constexpr char kWeights[] = R"({"config": {"bias": {"path_name": "weight_0", "use_pickle": false,
  "tensor_meta": {"dtype": 7, "sizes": [{"as_int": 4}], "strides": [{"as_int": 1}],
                  "storage_offset": {"as_int": 4}}}}})";

std::string Written(const std::string& model, const std::string& weights = kWeights) {
  std::string path = absl::StrCat(tensor_files::TestFolder(), "/module.pt2");
  const at::Tensor storage = at::tensor({9.f, 9.f, 9.f, 9.f, -1.f, 0.f, 1.f, 2.f});
  caffe2::serialize::PyTorchStreamWriter archive(path);
  archive.writeRecord("models/model.json", model.data(), model.size());
  archive.writeRecord("data/weights/model_weights_config.json", weights.data(), weights.size());
  archive.writeRecord("data/weights/weight_0", storage.data_ptr(), storage.nbytes());
  archive.writeEndOfFile();
  return path;
}

std::string Problem(const std::string& path) {
  absl::Status status;
  status.Update(base::CatchTorch("reading", [&] { status = ReadExportedGraph(path).status(); }));
  EXPECT_FALSE(status.ok());
  return std::string(status.message());
}

std::string ProblemWith(std::string_view from, std::string_view to) {
  const std::string changed = absl::StrReplaceAll(kModel, {{from, to}});
  EXPECT_NE(changed, kModel) << from;
  return Problem(Written(changed));
}

TEST(ExportedGraph, CallsEveryOperatorInTurnEachTimeAnew) {
  const auto graph = ReadExportedGraph(Written(kModel));
  ASSERT_TRUE(graph.ok()) << graph.status();
  ASSERT_EQ(graph->inputs.size(), 1u);
  EXPECT_EQ(graph->inputs[0].dtype, at::kFloat);
  EXPECT_EQ(graph->inputs[0].sizes, (std::vector<int64_t>{2, 4}));
  for (const float factor : {1.f, -3.f}) {
    const at::Tensor x = at::arange(8, at::kFloat).view({2, 4}) * factor;
    const at::Tensor relu = at::relu(x + at::tensor({-1.f, 0.f, 1.f, 2.f}));
    const std::vector<at::Tensor> outputs = graph->Call({x.clone()});
    ASSERT_EQ(outputs.size(), 2u);
    EXPECT_TRUE(outputs[0].equal(at::cat({relu.slice(1, 2, 4), relu.slice(1, 0, 2)}, 1)));
    EXPECT_TRUE(outputs[1].equal(relu.slice(1, 0, 2)));
  }
}

std::string Changed(std::vector<std::pair<std::string_view, std::string_view>> changes) {
  for (const auto& [from, to] : changes) EXPECT_TRUE(absl::StrContains(kModel, from)) << from;
  return absl::StrReplaceAll(kModel, changes);
}

TEST(ExportedGraph, TakesANumberAsATensorWithoutASayInTheDtype) {
  const auto graph = ReadExportedGraph(
      Written(Changed({{R"({"dtype": 7)", R"({"dtype": 6)"},
                       {R"({"as_tensor": {"name": "b"}})", R"({"as_float": 0.5})"}})));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const at::Tensor x = at::arange(8, at::kHalf).view({2, 4}) - 4;
  const std::vector<at::Tensor> outputs = graph->Call({x.clone()});
  EXPECT_EQ(outputs[1].scalar_type(), at::kHalf);
  EXPECT_TRUE(outputs[1].equal(at::relu(x + 0.5).slice(1, 0, 2)));
}

TEST(ExportedGraph, ReadsAPartWithoutGradientsOrAutocastInItsPlace) {
  constexpr std::string_view kRelu =
      R"({"target": "torch.ops.aten.relu_.default", "outputs": [{"as_tensor": {"name": "relu"}}],
         "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "sum"}}, "kind": 1}]})";
  // Inside, x is what the whole graph calls sum.
  constexpr std::string_view kPart = R"({"name": "", "arg": {"as_graph": {"name": "part", "graph": {
    "inputs": [{"as_tensor": {"name": "x"}}], "outputs": [{"as_tensor": {"name": "cat"}}],
    "nodes": [{"target": "torch.ops.aten.relu_.default", "outputs": [{"as_tensor": {"name": "cat"}}],
               "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}]}]}}}},
    {"name": "", "arg": {"as_tensor": {"name": "sum"}}}], "outputs": [{"as_tensor": {"name": "relu"}}]})";
  const auto with = [&](std::string_view name, std::string_view switches) {
    return Changed({{kRelu, absl::StrCat(R"({"target": "torch.ops.higher_order.)", name,
                                         R"(", "inputs": [)", switches, ", ", kPart)}});
  };
  constexpr std::string_view kOff = R"({"name": "", "arg": {"as_bool": false}})";
  const std::string autocast = absl::StrCat(
      R"({"name": "", "arg": {"as_string": "cpu"}}, {"name": "", "arg": {"as_none": true}}, )",
      kOff);
  const at::Tensor x = at::arange(8, at::kFloat).view({2, 4}) - 4;
  const std::vector<at::Tensor> want = ReadExportedGraph(Written(kModel))->Call({x.clone()});
  for (const std::string& text :
       {with("wrap_with_set_grad_enabled", kOff), with("wrap_with_autocast", autocast)}) {
    const auto graph = ReadExportedGraph(Written(text));
    ASSERT_TRUE(graph.ok()) << graph.status();
    const std::vector<at::Tensor> outputs = graph->Call({x.clone()});
    for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(outputs[i].equal(want[i]));
  }
  const std::string on = absl::StrReplaceAll(autocast, {{"false", "true"}});
  EXPECT_THAT(Problem(Written(with("wrap_with_autocast", on))),
              HasSubstr("no operator of the dispatcher"));
}

TEST(ExportedGraph, PassesOverConstantsAmongInputsAndWhatIsNoTensorAmongOutputs) {
  constexpr std::string_view kInput = R"({"user_input": {"arg": {"as_tensor": {"name": "x"}}}})";
  constexpr std::string_view kOutput =
      R"({"user_output": {"arg": {"as_tensor": {"name": "cat"}}}})";
  for (const std::string_view constant :
       {R"({"constant_input": {"name": "use_cache", "value": {"as_bool": false}}}, )",
        R"({"user_input": {"arg": {"as_int": 3}}}, )"}) {
    for (const std::string_view output : {R"({"user_output": {"arg": {"as_none": true}}})",
                                          R"({"user_output": {"arg": {"as_int": 7}}})"}) {
      const auto graph = ReadExportedGraph(
          Written(Changed({{kInput, absl::StrCat(constant, kInput)}, {kOutput, output}})));
      ASSERT_TRUE(graph.ok()) << graph.status();
      EXPECT_EQ(graph->inputs.size(), 1u);
      EXPECT_EQ(graph->Call({at::ones({2, 4})}).size(), 1u);
    }
  }
  EXPECT_THAT(Problem(Written(Changed({{kOutput, R"({"user_output": {"arg": {"as_none": true}}})"},
                                       {R"(,
        {"user_output": {"arg": {"as_tensor": {"name": "left"}}}})",
                                        ""}}))),
              HasSubstr("returns no tensor"));
}

TEST(ReadExportedGraph, NamesWhatItCannotCall) {
  EXPECT_THAT(ProblemWith("torch.ops.aten.relu_.default", "torch.ops.higher_order.cond"),
              HasSubstr("torch.ops.higher_order.cond, which is no operator"));
  EXPECT_THAT(ProblemWith("aten.relu_.default", "aten.rellu.default"),
              HasSubstr("torch.ops.aten.rellu.default, which this LibTorch lacks"));
  EXPECT_THAT(ProblemWith("\"as_int\": -1", "\"as_graph\": -1"), HasSubstr("for dim as_graph"));
  EXPECT_THAT(ProblemWith("\"chunks\"", "\"pieces\""), HasSubstr("an argument pieces"));
  EXPECT_THAT(ProblemWith("\"as_int\": -1", "\"as_string\": \"x\""), HasSubstr("argument 'dim'"));
  EXPECT_THAT(ProblemWith("{\"name\": \"sum\"}}, \"kind\"", "{\"name\": \"total\"}}, \"kind\""),
              HasSubstr("reads total, which nothing computes"));
  EXPECT_THAT(ProblemWith("\"buffer\"", "\"token\""), HasSubstr("has an input of kind {\"token\""));
  EXPECT_THAT(ProblemWith("user_output", "buffer_mutation"), HasSubstr("an output of kind"));
  EXPECT_THAT(ProblemWith("\"major\": 8", "\"major\": 9"), HasSubstr("has version 9"));
  EXPECT_THAT(ProblemWith("\"bias\"", "\"bios\""), HasSubstr("no bytes for its buffer bios"));
}

TEST(ReadExportedGraph, RefusesFilesThatAreCutOffOrMalformed) {
  EXPECT_THAT(ProblemWith("\"nodes\"", "\"knots\""), HasSubstr("nodes"));
  Problem(Written("{"));
  Problem(Written(kModel, absl::StrReplaceAll(kWeights, {{"\"as_int\": 4}}", "\"as_int\": 5}}"}})));
  const std::string whole = Written(kModel);
  const auto size = std::filesystem::file_size(whole);
  for (const auto kept : {size - 1, size / 2, size_t{10}, size_t{0}}) {
    std::filesystem::resize_file(whole, kept);
    Problem(whole);
  }
}

}  // namespace
}  // namespace assay::backends
