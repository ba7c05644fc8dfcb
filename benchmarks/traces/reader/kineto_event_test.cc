#include "benchmarks/traces/reader/kineto_event.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using EventKind = KinetoEvent::Kind;

// As torch.profiler of LibTorch 2.11 writes it.
constexpr char kConvolution[] = R"({
    "ph": "X", "cat": "cpu_op", "name": "aten::conv2d", "pid": 24657, "tid": 24657,
    "ts": 1790857026700587.464, "dur": 748.096,
    "args": {"External id": 2,"Record function id": 7, "Concrete Inputs": ["", "", "", "[2, 2]", "1"],
      "Input type": ["float", "c10::BFloat16", "", "ScalarList", "Scalar"],
      "Input Strides": [[150528, 50176, 224, 1], [147, 49, 7, 1], [], [], []],
      "Input Dims": [[1, 3, 224, 224], [64, 3, 7, 7], [], [], []], "Sequence number": 12,
      "Fwd thread id": 3, "Ev Idx": 1}})";

TEST(ParseEvent, ReadsAnOperator) {
  const absl::StatusOr<KinetoEvent> event = ParseEvent(kConvolution);
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_EQ(event->kind, EventKind::kNode);
  EXPECT_EQ(event->node.name, "aten::conv2d");
  EXPECT_EQ(event->node.start_ns, 1790857026700587464);  // a double has 53 bits, these are 61
  EXPECT_EQ(event->node.duration_ns, 748096);
  EXPECT_EQ(event->node.rf_id, 7);
  EXPECT_EQ(event->node.seq_id, 12);
  EXPECT_EQ(event->node.fw_tid, 3);
  EXPECT_EQ(event->node.tid, 24657);
  EXPECT_EQ(event->external_id, 2);
  EXPECT_EQ(event->thread, "24657/24657");
  ASSERT_EQ(event->node.inputs.size(), 5u);
  const TraceValue& image = event->node.inputs[0];
  EXPECT_EQ(image.kind, TraceValue::Kind::kTensor);
  EXPECT_EQ(image.type, "Tensor(float)");
  EXPECT_EQ(image.tensor.elements, 150528);
  EXPECT_THAT(image.tensor.strides, ElementsAre(150528, 50176, 224, 1));
  EXPECT_EQ(event->node.inputs[1].tensor.element_size, 2);
  EXPECT_NE(image.tensor.id, event->node.inputs[1].tensor.id);
  EXPECT_EQ(event->node.inputs[2].kind, TraceValue::Kind::kLost);
  EXPECT_EQ(event->node.inputs[3].text, "[2, 2]");
  EXPECT_EQ(event->node.inputs[4].type, "Scalar");
}

TEST(ParseEvent, ReadsListsOfTensors) {
  const absl::StatusOr<KinetoEvent> event = ParseEvent(
      R"({"ph": "X", "cat": "cpu_op", "name": "aten::cat", "ts": 1, "dur": 0.5,
          "args": {"Input type": ["TensorList", "TensorList"], "Input Dims": [[[2, 3], [4, 3]], []],
                   "Input Strides": [[[3, 1], [3, 1]], []], "Concrete Inputs": ["", ""]}})");
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_EQ(event->node.start_ns, 1000);
  EXPECT_EQ(event->node.duration_ns, 500);
  ASSERT_EQ(event->node.inputs[0].items.size(), 2u);
  EXPECT_THAT(event->node.inputs[0].items[1].tensor.sizes, ElementsAre(4, 3));
  // More than 30 elements: the profiler drops them.
  EXPECT_EQ(event->node.inputs[1].kind, TraceValue::Kind::kLost);
}

TEST(ParseEvent, TellsKinds) {
  const auto kind = [](const std::string& category, const std::string& name) {
    const absl::StatusOr<KinetoEvent> event = ParseEvent(
        R"({"ph": "X", "ts": 1, "dur": 1, "cat": ")" + category + R"(", "name": ")" + name + "\"}");
    return event.ok() ? event->kind : EventKind::kOther;
  };
  EXPECT_EQ(kind("user_annotation", "step"), EventKind::kNode);
  EXPECT_EQ(kind("python_function", "nn.Module: Linear_0"), EventKind::kNode);
  EXPECT_EQ(kind("python_function", "module.py(12): f"), EventKind::kOther);
  EXPECT_EQ(kind("cuda_runtime", "cudaLaunchKernel"), EventKind::kLaunch);
  EXPECT_EQ(kind("gpu_memcpy", "Memcpy DtoH"), EventKind::kKernel);
  EXPECT_EQ(kind("Operator", "aten::add"), EventKind::kNode);
  for (const char* length : {"", R"(, "dur": -1)", R"(, "dur": null)"}) {
    const absl::StatusOr<KinetoEvent> event = ParseEvent(
        std::string(R"({"ph": "X", "cat": "kernel", "name": "f", "ts": 1)") + length + "}");
    ASSERT_TRUE(event.ok()) << event.status();
    EXPECT_EQ(event->kind, EventKind::kNoLength) << length;
  }
  EXPECT_EQ(ParseEvent(R"({"ph": "M", "name": "process_name"})")->kind, EventKind::kOther);
}

TEST(ParseEvent, NamesTheEventThatItCannotRead) {
  const auto problem = [](const std::string& text) {
    return std::string(ParseEvent(text).status().message());
  };
  EXPECT_THAT(problem("{"), HasSubstr("no JSON at byte 1"));
  EXPECT_THAT(problem("[]"), HasSubstr("it is no object"));
  const std::string head = R"({"ph": "X", "cat": "cpu_op", "name": "f", )";
  EXPECT_THAT(problem(head + R"("ts": "x", "dur": 1})"),
              HasSubstr("event \"f\": \"ts\" is \"x\", no time in microseconds"));
  EXPECT_FALSE(ParseEvent(head + R"("ts": 1, "dur": "x"})").ok());
  EXPECT_FALSE(ParseEvent(head + R"("ts": -1, "dur": 1})").ok());
  EXPECT_FALSE(ParseEvent(head + R"("ts": 1e300, "dur": 1})").ok());
  EXPECT_THAT(problem(head + R"("ts": 1, "dur": 1, "args": {"External id": 1.5}})"),
              HasSubstr("\"External id\" is \"1.5\", no whole number"));
  const std::string dims = head + R"("ts": 1, "dur": 1, "args": {"Input type": ["float"], )";
  EXPECT_THAT(problem(dims + R"("Input Dims": [[-2]]}})"), HasSubstr("a tensor of the size -2"));
  EXPECT_FALSE(ParseEvent(dims + R"("Input Dims": [[4294967296, 4294967296]]}})").ok());
  EXPECT_THAT(problem(dims + R"("Input Dims": [["s0"]]}})"), HasSubstr("has no sizes"));
}

}  // namespace
}  // namespace assay::traces
