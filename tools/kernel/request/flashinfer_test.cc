#include "tools/kernel/request/flashinfer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

constexpr char kRmsNorm[] = R"({
  "name": "rmsnorm_h128", "op_type": "rmsnorm",
  "axes": {"batch_size": {"type": "var"}, "hidden_size": {"type": "const", "value": 128}},
  "inputs": {"hidden_states": {"shape": ["batch_size", "hidden_size"], "dtype": "bfloat16"},
             "weight": {"shape": ["hidden_size"], "dtype": "bfloat16"},
             "eps": {"shape": null, "dtype": "float32"}},
  "outputs": {"output": {"shape": ["batch_size", "hidden_size"], "dtype": "bfloat16"}},
  "reference": "def run(hidden_states, weight, eps): pass"})";

std::string Workload(int batch, const char* eps) {
  return R"({"definition": "rmsnorm_h128", "solution": null, "workload": {"uuid": "u", "axes": {"batch_size": )" +
         std::to_string(batch) + R"(}, "inputs": {"hidden_states": {"type": "random"},
         "weight": {"type": "random"}, "eps": {"type": "scalar", "value": )" +
         eps + R"(}}}, "evaluation": null})";
}

std::string OneLine(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text + "\n";
}

FlashInferTask Task() {
  const absl::StatusOr<FlashInferTask> task =
      ReadFlashInfer(kRmsNorm, OneLine(Workload(6, "1e-6")) + OneLine(Workload(24, "1e-6")));
  EXPECT_TRUE(task.ok()) << task.status();
  return task.ok() ? *task : FlashInferTask();
}

TEST(FlashInferTest, ADefinitionIsAnOperatorAndItsWorkloadsAreSizes) {
  const FlashInferTask task = Task();
  EXPECT_EQ(task.row.traced().schema(),
            "flashinfer::rmsnorm_h128(Tensor hidden_states, Tensor weight, float eps) -> Tensor");
  EXPECT_EQ(task.dtype, Dtype::BF16);
  ASSERT_EQ(task.row.sizes_size(), 2);
  EXPECT_EQ(task.row.sizes(1).sizes(0).number(), 24);
  EXPECT_THAT(task.row.call().inputs(0).shape(), ElementsAre("batch_size", "128"));
  EXPECT_EQ(task.row.call().arguments().at("eps").real(), 1e-6);
}

std::string Problem(const std::string& definition, const std::string& workloads) {
  const absl::Status status = ReadFlashInfer(definition, workloads).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

std::string Without(std::string text, const std::string& part, const std::string& instead) {
  return text.replace(text.find(part), part.size(), instead);
}

TEST(FlashInferTest, WhatIsWrongIsNamed) {
  const std::string workload = OneLine(Workload(6, "1e-6"));
  EXPECT_THAT(Problem("[]", workload), HasSubstr("definition: it is no JSON object"));
  EXPECT_THAT(Problem(Without(kRmsNorm, "\"reference\"", "\"referenc\""), workload),
              HasSubstr("reference: a text is missing"));
  EXPECT_THAT(Problem(Without(kRmsNorm, "bfloat16", "float8_e4m3fn"), workload),
              HasSubstr("inputs.hidden_states: dtype 'float8_e4m3fn' is not checked"));
  EXPECT_THAT(Problem(Without(kRmsNorm, "[\"batch_size\"", "[\"rows\""), workload),
              HasSubstr("axis \"rows\" is not in 'axes'"));
  EXPECT_THAT(Problem(kRmsNorm, ""), HasSubstr("workloads: there are none"));
  EXPECT_THAT(Problem(kRmsNorm, Without(workload, "batch_size", "rows")),
              HasSubstr("workload 0: axes: 'batch_size' has no number"));
  EXPECT_THAT(Problem(kRmsNorm, Without(workload, "uuid", "id")),
              HasSubstr("workload 0: 'uuid' is missing"));
  EXPECT_THAT(Problem(kRmsNorm, workload + OneLine(Workload(7, "1e-5"))),
              HasSubstr("workload 1: inputs: 'eps' is another number"));
  EXPECT_THAT(Problem(kRmsNorm, Without(workload, "\"scalar\"", "\"random\"")),
              HasSubstr("the scalar 'eps' has no value"));
}

// The rules of flashinfer_bench.data.trace.Evaluation: PASSED has both, INCORRECT_NUMERICAL has
// correctness alone, others have neither.
TEST(FlashInferTest, TracesHaveWhatTheirStatusAsksFor) {
  KernelReport report;
  KernelCandidate& right = *report.add_candidates();
  right.set_file("a.cc");
  right.set_verdict("RIGHT");
  right.set_torch_version("2.11.0");
  for (int i = 0; i < 2; ++i) {
    KernelSize& size = *right.add_sizes();
    size.set_max_absolute_error(0.25);
    size.mutable_hot()->add_candidate_ns(2e6);
    size.mutable_hot()->add_aten_ns(3e6);
  }
  const auto add = [&](const char* kind, const char* reason = "") {
    KernelCandidate& wrong = *report.add_candidates();
    wrong.set_verdict("WRONG");
    wrong.set_reason(reason);
    wrong.mutable_failure()->set_kind(kind);
    wrong.add_sizes()->set_max_absolute_error(0.5);
  };
  for (const char* const kind : {"differs", "another shape", "another dtype", "hung", "crashed"})
    add(kind);
  add("", "it does not compile\n...");
  std::istringstream lines(TracesOf(Task(), report, "CPU", "2026-11-28T20:00:00+00:00"));
  std::vector<std::string> statuses;
  std::string text;
  for (int line = 0; std::getline(lines, text); ++line) {
    const Json trace = Json::parse(text);
    if (line == 0) {
      EXPECT_EQ(trace["definition"], "rmsnorm_h128");
      EXPECT_EQ(trace["workload"]["axes"]["batch_size"], 6);
      EXPECT_EQ(trace["solution"], "a.cc");
      EXPECT_EQ(trace["evaluation"]["environment"]["libs"]["torch"], "2.11.0");
      EXPECT_EQ(trace["evaluation"]["correctness"]["max_absolute_error"], 0.25);
      EXPECT_EQ(trace["evaluation"]["performance"]["latency_ms"], 2);
      EXPECT_EQ(trace["evaluation"]["performance"]["reference_latency_ms"], 3);
      EXPECT_EQ(trace["evaluation"]["performance"]["speedup_factor"], 1.5);
    }
    if (line == 3) {
      EXPECT_EQ(trace["evaluation"]["correctness"]["max_absolute_error"], 0.5);
    }
    if (line % 2 != 0) continue;
    const Json& evaluation = trace["evaluation"];
    statuses.push_back(evaluation["status"]);
    EXPECT_EQ(evaluation["performance"].is_null(), statuses.back() != "PASSED");
    EXPECT_EQ(evaluation["correctness"].is_null(),
              statuses.back() != "PASSED" && statuses.back() != "INCORRECT_NUMERICAL");
  }
  EXPECT_THAT(statuses,
              ElementsAre("PASSED", "INCORRECT_NUMERICAL", "INCORRECT_SHAPE", "INCORRECT_DTYPE",
                          "TIMEOUT", "RUNTIME_ERROR", "COMPILE_ERROR"));
}

}  // namespace
}  // namespace assay::kernel
