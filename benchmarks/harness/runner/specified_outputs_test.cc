// Tests outputs of every form from end to end: a case's text is resolved, its program runs in fp16,
// its reference is written, read again and compared, and its smoke test runs. The program returns a
// scalar loss in the case's dtype, integer labels, booleans, and logits in float32.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/matmul.h>
#include <google/protobuf/text_format.h>

#include <functional>
#include <memory>
#include <utility>

#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "defs/compiler/case_resolution.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/registry.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

// A fault that a classifier applies to its outputs; none by default.
std::function<void(std::vector<at::Tensor>&)>& Fault() {
  static auto& fault = *new std::function<void(std::vector<at::Tensor>&)>();
  return fault;
}

// x (N, width), labels (N) -> loss (), predicted (N), right (N), logits (N, classes).
class Classifier : public models::Model {
 public:
  Classifier(int64_t width, int64_t classes) : weight_(at::empty({classes, width})) {}

  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::ScalarType dtype = inputs[0].scalar_type();
    const at::ScalarType wide = dtype == at::kDouble ? at::kDouble : at::kFloat;
    const at::Tensor logits = at::matmul(inputs[0].to(wide), weight_.to(wide).t());
    const at::Tensor predicted = logits.argmax(-1);
    const at::Tensor loss =
        -at::log_softmax(logits, -1).gather(1, inputs[1].unsqueeze(1)).mean().to(dtype);
    std::vector<at::Tensor> outputs = {loss, predicted, predicted == inputs[1], logits};
    if (Fault()) Fault()(outputs);
    return outputs;
  }
  std::vector<models::NamedTensor> State() override { return {{"w", weight_, {2, 0, 1}, true}}; }
  void To(at::Device device, at::ScalarType dtype) override { weight_ = weight_.to(device, dtype); }
  void SetTraining(bool) override {}

 private:
  at::Tensor weight_;
};

ASSAY_MODEL_IMPLEMENTATION("classifier",
                           [](const models::Parameters& parameters)
                               -> absl::StatusOr<std::unique_ptr<models::Model>> {
                             return std::make_unique<Classifier>(parameters.Integer("width"),
                                                                 parameters.Integer("classes"));
                           });

constexpr char kFamily[] = R"pb(
  implementations {
    name: "classifier"
    description: "d"
    owner: "o"
    reference: OWN_FLOAT64
    parameters {
      name: "width"
      kind: "integer"
      minimum: 1
      maximum: 64
      default_value { integer: 16 }
    }
    parameters {
      name: "classes"
      kind: "integer"
      minimum: 1
      maximum: 64
      default_value { integer: 10 }
    }
    inputs {
      name: "x"
      shape: "batch"
      shape: "width"
      distribution { normal {} }
    }
    inputs {
      name: "labels"
      dtype: INT64
      shape: "batch"
      distribution { zipf { limit_parameter: "classes" exponent: 0.5 } }
    }
    outputs { name: "loss" }
    outputs { name: "predicted" dtype: INT64 shape: "batch" }
    outputs { name: "right" dtype: BOOL shape: "batch" }
    outputs { name: "logits" dtype: FP32 shape: "batch" shape: "classes" }
  }
  models { name: "classifier" implementation: "classifier" }
)pb";

constexpr char kCase[] = R"pb(
  name: "classifier_fp16_b8"
  model: "classifier"
  dtype: FP16
  batch: 8
  verify {
    rule: RELATIVE_TO_STD
    rms_limit: 1e-2
    max_limit: 5e-2
    batch: 8
    provenance: "defs/tolerances.bzl"
  }
)pb";

class SpecifiedOutputsTest : public testing::Test {
 protected:
  void SetUp() override {
    Fault() = nullptr;
    Family family;
    BenchmarkCase text;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(kFamily, &family));
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(kCase, &text));
    Problems problems;
    CheckFamily(family, "here", &problems);
    case_ = Resolve(family, text, {.key = "classifier", .rows = 4}, {}, "here", &problems);
    ASSERT_TRUE(problems.empty()) << problems[0];
    path_ = testing::TempDir() + "/classifier.safetensors";
    const absl::Status exported = Export(case_, {.reference = path_});
    ASSERT_TRUE(exported.ok()) << exported;
    const absl::StatusOr<std::string> bytes = tensor_files::ReadFile(path_, 1 << 20);
    ASSERT_TRUE(bytes.ok()) << bytes.status();
    case_.mutable_reference()->set_sha256(base::Sha256Hex(*bytes));
  }
  void TearDown() override { Fault() = nullptr; }

  Verdict Verified() {
    auto model = execution::SeededProgram(case_, case_.verified());
    EXPECT_TRUE(model.ok()) << model.status();
    EXPECT_TRUE(execution::Move(**model, at::kCPU, FP16).ok());
    return Verify(case_, **model, at::kCPU, path_);
  }

  ResolvedCase case_;
  std::string path_;
};

TEST_F(SpecifiedOutputsTest, PassTheWholePath) {
  const auto reference = numerics::ReadReference(path_, case_.reference().sha256());
  ASSERT_TRUE(reference.ok()) << reference.status();
  EXPECT_TRUE(reference->Find("loss")->shape.empty());
  for (const double label : reference->Find("predicted")->values)
    EXPECT_EQ(label, static_cast<double>(static_cast<int64_t>(label)));
  const Verdict verdict = Verified();
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  ASSERT_EQ(verdict.outputs_size(), 4);
  EXPECT_GT(verdict.outputs(0).max_error(), 0) << "fp16 against float64";
  EXPECT_EQ(verdict.outputs(1).max_error(), 0);
  const Verdict smoke = Smoke(case_, at::kCPU);
  EXPECT_EQ(smoke.outcome(), NOT_VERIFIED) << smoke.message();
}

TEST_F(SpecifiedOutputsTest, EachFaultIsNamedByBoth) {
  const struct {
    const char* what;
    std::function<void(std::vector<at::Tensor>&)> make;
    Outcome verified, smoke;
    const char* message;
  } faults[] = {
      {"missing", [](auto& o) { o.pop_back(); }, FAIL_SHAPE, FAIL_SHAPE, "logits"},
      {"surplus", [](auto& o) { o.push_back(o[0]); }, FAIL_SHAPE, FAIL_SHAPE, "5 outputs"},
      {"loss of one row", [](auto& o) { o[0] = o[0].view({1}); }, FAIL_SHAPE, FAIL_SHAPE,
       "\"loss\" has shape [1]"},
      {"loss in float32", [](auto& o) { o[0] = o[0].to(at::kFloat); }, FAIL_DTYPE, FAIL_DTYPE,
       "\"loss\" is fp32, expected fp16"},
      {"logits in fp16", [](auto& o) { o[3] = o[3].to(at::kHalf); }, FAIL_DTYPE, FAIL_DTYPE,
       "\"logits\" is fp16, expected fp32"},
      {"labels as floats", [](auto& o) { o[1] = o[1].to(at::kFloat); }, FAIL_DTYPE, FAIL_DTYPE,
       "\"predicted\" is fp32, expected int64"},
      {"another label", [](auto& o) { o[1][3] += 1; }, FAIL_ACCURACY, NOT_VERIFIED, "predicted"},
      {"another boolean", [](auto& o) { o[2] = o[2].logical_not(); }, FAIL_ACCURACY, NOT_VERIFIED,
       "right"},
      {"another loss", [](auto& o) { o[0] = o[0] * 1.1; }, FAIL_ACCURACY, NOT_VERIFIED, "loss"},
      {"a row too few", [](auto& o) { o[3] = o[3].slice(0, 1); }, FAIL_SHAPE, FAIL_SHAPE, "logits"},
      {"a NaN", [](auto& o) { o[3][0][0] = NAN; }, FAIL_NONFINITE, FAIL_NONFINITE, "logits"},
  };
  for (const auto& fault : faults) {
    // The smoke test's rows are fewer than four.
    Fault() = fault.make;
    const Verdict verdict = Verified();
    EXPECT_EQ(verdict.outcome(), fault.verified) << fault.what << ": " << verdict.message();
    EXPECT_THAT(verdict.message(), HasSubstr(fault.message)) << fault.what;
    if (fault.smoke == NOT_VERIFIED) continue;
    const Verdict smoke = Smoke(case_, at::kCPU);
    EXPECT_EQ(smoke.outcome(), fault.smoke) << fault.what << ": " << smoke.message();
    EXPECT_THAT(smoke.message(), HasSubstr(fault.message)) << fault.what;
  }
}

TEST_F(SpecifiedOutputsTest, AReferenceOfAProgramWithTooFewOutputsIsNotWritten) {
  Fault() = [](auto& outputs) { outputs.pop_back(); };
  const absl::Status exported = Export(case_, {.reference = path_ + ".short"});
  EXPECT_THAT(exported.message(), HasSubstr("returned 3 outputs, the case specifies 4"));
}

}  // namespace
}  // namespace assay::runner
