#include "benchmarks/harness/runner/verdict/same_choices.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/linear.h>
#include <google/protobuf/text_format.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/choices.h"
#include "models/layers/core/layered_model.h"
#include "models/registry.h"

namespace assay::runner {
namespace {

using testing::HasSubstr;

constexpr int64_t kTokens = 64, kFeatures = 16;

// A wrong program does this in bf16; in float64 it is right.
enum class RouterFault { kNone, kOtherScores, kOtherOutputs } router_fault = RouterFault::kNone;

// By which a program whose code differs from the reference's multiplies its outputs in float64.
double float64_factor = 1;

// Two experts, whose scores differ by so little that bf16 cannot tell them apart. Each multiplies a token's features by
// numbers of its own.
class NearExperts final : public models::LayeredModel {
 public:
  NearExperts() {
    AddParameter("router", {1, kFeatures}, {}, router_);
    AddParameter("gains", {2, kFeatures}, {}, gains_);
  }

  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& x = inputs[0];
    const bool wrong = x.scalar_type() == at::kBFloat16;
    const at::Tensor score = at::linear(x, router_) + 2;
    at::Tensor other = score + x.narrow(1, 0, 1) * 0x1p-14;
    if (wrong && router_fault == RouterFault::kOtherScores) other = other + 1;
    const auto [best, places] = models::Chosen(at::concat({score, other}, 1), 1);
    at::Tensor y = x * gains_.index_select(0, places.flatten());
    if (x.scalar_type() == at::kDouble) y = y * float64_factor;
    if (wrong && router_fault == RouterFault::kOtherOutputs) y.select(0, kTokens - 1).add_(1);
    return {y};
  }

 private:
  at::Tensor router_, gains_;
};

ASSAY_MODEL_IMPLEMENTATION("near_experts",
                           [](const models::Parameters&)
                               -> absl::StatusOr<std::unique_ptr<models::Model>> {
                             return std::make_unique<NearExperts>();
                           });

class SameChoicesTest : public testing::Test {
 protected:
  SameChoicesTest() {
    router_fault = RouterFault::kNone;
    float64_factor = 1;
    EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
        R"pb(
          benchmark_case {
            name: "near_bf16_b64"
            label: "//x:near_bf16_b64"
            model: "near"
            dtype: BF16
            batch: 64
            mode: EVAL
            verify { rule: RELATIVE_TO_STD rms_limit: 5e-2 max_limit: 3e-1 provenance: "here" }
          }
          implementation {
            name: "near_experts"
            inputs { name: "x" }
            outputs { name: "y" }
          }
          verified {
            batch: 64
            inputs {
              name: "x"
              dtype: BF16
              shape: 64
              shape: 16
              distribution { uniform {} }
            }
            outputs { name: "y" dtype: BF16 shape: 64 shape: 16 batched: true }
          }
        )pb",
        &c_));
    for (Workload* workload : {c_.mutable_measured(), c_.mutable_smoke(), c_.mutable_referenced()})
      *workload = c_.verified();
    path_ = testing::TempDir() + "/near.safetensors";
    EXPECT_TRUE(Export(c_, {.reference = path_}).ok());
    std::ifstream file(path_, std::ios::binary);
    c_.mutable_reference()->set_sha256(
        base::Sha256Hex(std::string((std::istreambuf_iterator<char>(file)), {})));
    auto program = execution::SeededProgram(c_, c_.verified());
    EXPECT_TRUE(program.ok()) << program.status();
    program_ = *std::move(program);
    EXPECT_TRUE(execution::Place(*program_, at::kCPU, c_.benchmark_case(), c_.referenced()).ok());
  }

  Verdict Judge() { return Verify(c_, *program_, at::kCPU, path_); }

  ResolvedCase c_;
  std::string path_;
  std::unique_ptr<execution::Program> program_;
};

TEST_F(SameChoicesTest, ATieThatRoundingDecidesIsNoFault) {
  const Verdict verdict = Judge();
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  ASSERT_EQ(verdict.checks_size(), 1);
  EXPECT_EQ(verdict.checks(0).name(), "choices");
  EXPECT_EQ(verdict.checks(0).status(), CHECK_OK);
  // bf16 takes the first of two that it cannot tell apart.
  EXPECT_THAT(
      verdict.checks(0).detail(),
      testing::ContainsRegex("of 64 choices [1-9][0-9]? are others than those of float64, "
                             "which are better by up to [0-9.]+e-0[3-9] of the scores' std"));
  EXPECT_LT(verdict.outputs(0).rms_error(), 1e-2);
}

TEST_F(SameChoicesTest, OutputsMustBeThoseOfTheChoices) {
  router_fault = RouterFault::kOtherOutputs;
  const Verdict verdict = Judge();
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(verdict.message(), HasSubstr("[63, "));
  EXPECT_THAT(verdict.message(), HasSubstr("makes the same choices"));
}

TEST_F(SameChoicesTest, ScoresMustBeRight) {
  router_fault = RouterFault::kOtherScores;
  const Verdict verdict = Judge();
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(verdict.checks(0).status(), CHECK_FLAGGED);
  EXPECT_THAT(verdict.message(), HasSubstr("choices: of the scores: output \"scores\" differs"));
}

TEST_F(SameChoicesTest, InFloat64HalfAMillionthIsRoundingAndTwoAreNot) {
  float64_factor = 1 + 2.5e-7;
  EXPECT_EQ(Judge().checks(0).status(), CHECK_OK);
  float64_factor = 1 + 2e-6;
  EXPECT_EQ(Judge().checks(0).status(), CHECK_FLAGGED);
}

TEST_F(SameChoicesTest, IsForTheRuleOfStandardDeviationsAlone) {
  VerifyParameters& verify = *c_.mutable_benchmark_case()->mutable_verify();
  verify.set_rule(ALLCLOSE);
  verify.set_atol(1e-3);
  const Verdict verdict = Judge();
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(verdict.checks_size(), 0);
}

// As if the code differed from the reference's in float64 too.
TEST_F(SameChoicesTest, InFloat64TheProgramMustGiveTheReference) {
  for (const models::NamedTensor& entry : program_->State()) {
    if (entry.name == "gains") entry.tensor.mul_(1.01);
  }
  const Verdict verdict = Judge();
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_EQ(verdict.checks(0).status(), CHECK_FLAGGED);
  EXPECT_THAT(verdict.message(), HasSubstr("the program does not give the reference"));
}

}  // namespace
}  // namespace assay::runner
