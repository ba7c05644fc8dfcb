#include "benchmarks/harness/trace/capture.h"

#include <ATen/Functions.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>
#include <torch/csrc/profiler/standalone/execution_trace_observer.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "nlohmann/json.hpp"

namespace assay::trace {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMost = 1 << 26;

class CaptureTest : public testing::Test {
 protected:
  CaptureTest() { options_.path = Path("trace.json"); }

  Json Record(const std::function<void()>& program) {
    absl::StatusOr<std::unique_ptr<Capture>> capture = Capture::Start(options_);
    EXPECT_TRUE(capture.ok()) << capture.status();
    program();
    absl::StatusOr<Captured> captured = (*capture)->Finish();
    EXPECT_TRUE(captured.ok()) << captured.status();
    captured_ = *captured;
    return Json::parse(*tensor_files::ReadFile(options_.path, kMost));
  }

  std::string Path(std::string_view name) const { return absl::StrCat(folder_, "/", name); }

  static std::vector<Json> Named(const Json& trace, const std::string& name) {
    std::vector<Json> found;
    for (const Json& node : trace["nodes"])
      if (node["name"] == name) found.push_back(node);
    return found;
  }

  // null: the node has none.
  static Json AttributeOf(const Json& node, const std::string& name) {
    for (const Json& attribute : node["attrs"])
      if (attribute["name"] == name) return attribute["value"];
    return nullptr;
  }

  const std::string folder_ = tensor_files::TestFolder();
  CaptureOptions options_;
  Captured captured_;
};

TEST_F(CaptureTest, NodesHaveParentsSchemasAndIncreasingNumbers) {
  const Json trace = Record([] { at::softmax(at::ones({2, 3}), 1); });
  EXPECT_EQ(trace["schema"], "1.1.1-chakra.0.0.4");
  const Json softmax = Named(trace, "aten::softmax").at(0);
  const Json inner = Named(trace, "aten::_softmax").at(0);
  EXPECT_EQ(inner["ctrl_deps"], softmax["id"]);
  EXPECT_EQ(AttributeOf(softmax, "op_schema"),
            "aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor");
  EXPECT_EQ(softmax["inputs"]["values"][1], 1);
  EXPECT_EQ(softmax["inputs"]["values"][2], "<None>");
  std::set<uint64_t> ids;
  for (const Json& node : trace["nodes"]) {
    EXPECT_TRUE(ids.insert(node["id"].get<uint64_t>()).second);
    EXPECT_TRUE(node["id"] == 1 || node["ctrl_deps"] < node["id"]);
    for (const Json& value : node["inputs"]["values"]) {
      EXPECT_TRUE(!value.is_array() || value.size() != 6 || value[0] < node["id"]);
    }
  }
  EXPECT_EQ(captured_.nodes, static_cast<int64_t>(trace["nodes"].size()));
}

TEST_F(CaptureTest, HasTheOperatorsThatLibTorchsObserverHas) {
  const std::string theirs = Path("theirs.json");
  const at::Tensor weight = at::ones({4, 4}).requires_grad_();
  namespace impl = torch::profiler::impl;
  ASSERT_TRUE(impl::addExecutionTraceObserver(theirs));
  const Json ours = Record([&] {
    impl::enableExecutionTraceObserver();
    at::nll_loss(at::log_softmax(at::linear(at::ones({2, 4}), weight), 1), at::ones({2}, at::kLong))
        .backward();
    impl::disableExecutionTraceObserver();
  });
  impl::removeExecutionTraceObserver();
  const Json other = Json::parse(*tensor_files::ReadFile(theirs, kMost));
  std::map<uint64_t, Json> by_rf_id;
  for (const Json& node : ours["nodes"]) by_rf_id[AttributeOf(node, "rf_id")] = node;
  int compared = 0;
  for (const Json& node : other["nodes"]) {
    if (AttributeOf(node, "rf_id") == 0) continue;
    const Json& same = by_rf_id.at(AttributeOf(node, "rf_id"));
    EXPECT_EQ(same["name"], node["name"]);
    for (const char* side : {"inputs", "outputs"})
      for (const char* list : {"shapes", "types", "strides"})
        EXPECT_EQ(same[side][list], node[side][list]) << node["name"] << " " << side << " " << list;
    for (const char* attribute : {"op_schema", "scope", "tid", "fw_tid", "seq_id"})
      EXPECT_EQ(AttributeOf(same, attribute), AttributeOf(node, attribute)) << node["name"];
    ++compared;
  }
  EXPECT_GE(compared, 20);
}

TEST_F(CaptureTest, AnOperatorThatThrowsIsANodeAndTheNextOneIsNotItsChild) {
  const Json trace = Record([] {
    EXPECT_THROW(at::mm(at::ones({2, 3}), at::ones({2, 3})), c10::Error);
    at::sin(at::ones({1}));
  });
  const Json thrown = Named(trace, "aten::mm").at(0);
  EXPECT_EQ(AttributeOf(thrown, "throws"), "true");
  EXPECT_EQ(Named(trace, "aten::sin").at(0)["ctrl_deps"], thrown["ctrl_deps"]);
}

TEST_F(CaptureTest, WrappedNumbersAreNamed) {
  const Json trace = Record([] { at::ones({2}).add(0.5); });
  const Json node = Named(trace, "aten::add").at(0);
  EXPECT_EQ(AttributeOf(node, "wrapped_numbers"), R"({"1":0.5})");
}

TEST_F(CaptureTest, NamesWithQuotesAreJson) {
  const Json trace = Record([] { RECORD_USER_SCOPE("quote\"d"); });
  EXPECT_EQ(Named(trace, "quote\"d").size(), 1u);
}

// Autograd takes a gradient over where nobody else holds it, and copies it where somebody does.
TEST_F(CaptureTest, ABackwardPassIsWhatItIsWithoutACapture) {
  const auto program = [] {
    const at::Tensor weight = at::ones({4, 4}).requires_grad_();
    at::mul(at::linear(at::ones({2, 4}), weight), 2).sum().backward();
  };
  const std::unique_ptr<OperatorTiming> timing = OperatorTiming::Start();
  program();
  std::multiset<std::string> names;
  for (const auto& [thread, times] : timing->Finish()) {
    for (const OperatorTime& time : times) names.insert(time.name);
  }
  for (const bool values : {false, true}) {
    options_.values = values;
    std::multiset<std::string> captured;
    const Json trace = Record(program);
    for (const Json& node : trace["nodes"]) {
      if (AttributeOf(node, "rf_id") != 0) captured.insert(node["name"]);
    }
    EXPECT_EQ(captured, names);
  }
}

TEST_F(CaptureTest, TimesOfAnEqualCallAreJoined) {
  const auto program = [] { at::softmax(at::ones({2, 3}), 1); };
  const std::unique_ptr<OperatorTiming> timing = OperatorTiming::Start();
  program();
  options_.times = timing->Finish();
  const Json trace = Record(program);
  const Json outer = Named(trace, "aten::softmax").at(0);
  const Json inner = Named(trace, "aten::_softmax").at(0);
  EXPECT_GT(AttributeOf(inner, "duration_ns"), 0);
  EXPECT_GT(AttributeOf(outer, "duration_ns"), AttributeOf(inner, "duration_ns"));
  EXPECT_GT(AttributeOf(inner, "start_ns"), AttributeOf(outer, "start_ns"));
}

TEST_F(CaptureTest, ValuesOfOutputsAndOfInputsThatNoOperatorMade) {
  options_.values = true;
  const at::Tensor leaf = at::arange(3, at::kFloat);
  const Json trace = Record([&leaf] {
    const at::Tensor twice = leaf + leaf;
    twice.mul(twice);
    leaf.data_ptr<float>()[0] = 5;  // unseen by recorders
    leaf.neg();
  });
  const Json add = Named(trace, "aten::add").at(0);
  const float doubled[] = {0, 2, 4};
  const std::string digest =
      base::Sha256Hex({reinterpret_cast<const char*>(doubled), sizeof doubled}).substr(0, 16);
  EXPECT_EQ(AttributeOf(add, "output_digests"), "[\"" + digest + "\"]");
  EXPECT_EQ(AttributeOf(add, "output_samples"), "[[[0,0.0],[1,2.0],[2,4.0]]]");
  EXPECT_EQ(AttributeOf(Named(trace, "aten::mul").at(0), "snapshots"), nullptr);
  const auto stored = tensor_files::ReadTensors(captured_.values_path);
  ASSERT_TRUE(stored.ok()) << stored.status();
  ASSERT_EQ(stored->size(), 2u) << "before the first operator, and after the program wrote";
  for (const auto& [node, first] : {std::pair(add, 0.f), {Named(trace, "aten::neg").at(0), 5.f}}) {
    const std::string name = Json::parse(AttributeOf(node, "snapshots").get<std::string>())["0"];
    bool found = false;
    for (const tensor_files::StoredTensor& tensor : *stored) {
      if (tensor.name != name) continue;
      found = true;
      EXPECT_EQ(tensor.tensor.view(at::kFloat)[0].item<float>(), first) << name;
    }
    EXPECT_TRUE(found) << name;
  }
}

TEST_F(CaptureTest, ThereIsNoFileBeforeItIsWhole) {
  {
    const auto capture = Capture::Start(options_);
    ASSERT_TRUE(capture.ok()) << capture.status();
    EXPECT_EQ(Capture::Start(options_).status().code(), absl::StatusCode::kFailedPrecondition);
    at::ones({1});
    EXPECT_NE(access(options_.path.c_str(), F_OK), 0);
  }
  EXPECT_NE(access(options_.path.c_str(), F_OK), 0) << "a capture without Finish() leaves nothing";
  EXPECT_FALSE(Record([] {})["nodes"].empty()) << "the next capture may begin";
}

TEST_F(CaptureTest, RefusesOtherNamesAndFoldersThatAreNotThere) {
  EXPECT_EQ(Capture::Start({Path("trace.pt"), false, {}}).status().code(),
            absl::StatusCode::kInvalidArgument);
  const absl::Status missing = Capture::Start({Path("none/trace.json"), false, {}}).status();
  EXPECT_TRUE(absl::StrContains(missing.message(), "none/trace.json")) << missing;
}

}  // namespace
}  // namespace assay::trace
