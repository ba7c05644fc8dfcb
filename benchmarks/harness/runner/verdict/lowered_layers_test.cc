#include "benchmarks/harness/runner/verdict/lowered_layers.h"

#include <ATen/core/Tensor.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/testing/scaled_mm_on_cpu.h"

namespace assay::runner {
namespace {

struct Lowered {
  std::string lowering;
  Dtype dtype;
};

class LoweredLayersTest : public testing::TestWithParam<Lowered> {
 protected:
  LoweredLayersTest() : c_(SmallMlpCase()) {
    // Every kernel takes these sizes.
    for (Workload* workload :
         {c_.mutable_verified(), c_.mutable_measured(), c_.mutable_referenced()}) {
      (*workload->mutable_parameters())["in_features"].set_integer(64);
      (*workload->mutable_parameters())["hidden_features"].set_integer(32);
      (*workload->mutable_parameters())["out_features"].set_integer(16);
      workload->mutable_inputs(0)->set_shape(1, 64);
      workload->mutable_inputs(0)->set_dtype(GetParam().dtype);
      workload->mutable_outputs(0)->set_shape(1, 16);
      workload->mutable_outputs(0)->set_dtype(GetParam().dtype);
    }
    c_.mutable_benchmark_case()->set_dtype(GetParam().dtype);
    inputs_ = *execution::SeededInputs(c_.verified(), GetParam().dtype, 0, at::kCPU);
  }

  // The outputs of the case as it is now.
  execution::Tensors Outputs() {
    auto program = *execution::SeededProgram(c_, c_.verified());
    EXPECT_TRUE(execution::Place(*program, at::kCPU, c_.benchmark_case(), c_.referenced()).ok());
    const auto executable = execution::LoadEager(c_.benchmark_case().execution(), *program);
    return *execution::OutputsOf(*executable, inputs_);
  }

  Verdict Judge(const execution::Tensors& outputs) {
    c_.mutable_benchmark_case()->mutable_execution()->set_lowering(GetParam().lowering);
    Verdict verdict;
    verdict.set_outcome(PASS);
    OutputVerdict& output = *verdict.add_outputs();
    output.set_name("probabilities");
    output.set_rms_error(0.1);
    output.set_cosine(0.99);
    EXPECT_TRUE(CheckLoweredLayers(c_, at::kCPU, inputs_, outputs, verdict).ok());
    return verdict;
  }

  const models::ScaledMmOnCpu kernel_;
  ResolvedCase c_;
  execution::Tensors inputs_;
};

TEST_P(LoweredLayersTest, LayersAreWithinTheirLimits) {
  c_.mutable_benchmark_case()->mutable_execution()->set_lowering(GetParam().lowering);
  const Verdict verdict = Judge(Outputs());
  EXPECT_EQ(verdict.outcome(), PASS);
  ASSERT_EQ(verdict.checks_size(), 2);
  EXPECT_EQ(verdict.checks(0).detail(),
            "against the model before its lowering: probabilities SQNR 20.0 dB, cosine 0.990000");
  EXPECT_EQ(verdict.checks(1).status(), CHECK_OK);
  const bool integers = GetParam().lowering == "int8_static";  // three layers, and their inputs
  EXPECT_THAT(
      verdict.checks(1).detail(),
      testing::HasSubstr(integers ? "6 calls and 3 weights of lowered layers against the integers"
                                  : "3 calls of lowered layers against float64 products"));
}

// A model in bf16 that says it has weights of 4 bits.
TEST_P(LoweredLayersTest, OutputsOfAModelThatWasNotLoweredFail) {
  const Verdict verdict = Judge(Outputs());
  EXPECT_EQ(verdict.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(verdict.checks(1).detail(),
              testing::HasSubstr("the case's outputs are not those of these layers"));
}

INSTANTIATE_TEST_SUITE_P(
    Lowerings, LoweredLayersTest,
    testing::Values(Lowered{"int8_dynamic", FP32}, Lowered{"int8_weights", BF16},
                    Lowered{"int4_weights", BF16}, Lowered{"int4_weights", FP16},
                    Lowered{"int4_weights", FP32}, Lowered{"fp8_dynamic", BF16},
                    Lowered{"mxfp8_dynamic", BF16}, Lowered{"nvfp4_dynamic", BF16},
                    Lowered{"int8_static", FP32}),
    [](const auto& info) { return info.param.lowering + Dtype_Name(info.param.dtype); });

LayerError Floats(double rms, double worst) {
  return {.layer = "floats", .rms = rms, .worst = worst};
}

LayerError Integers(std::string layer, int64_t at_ties, int64_t wrong) {
  return {.layer = std::move(layer), .integers = 100, .at_ties = at_ties, .wrong = wrong};
}

TEST(JudgementOf, LimitsAreThoseOfRounding) {
  EXPECT_TRUE(JudgementOf({{Floats(1, 4)}, {}}).right);
  EXPECT_FALSE(JudgementOf({{Floats(0.5, 2), Floats(1.01, 2), Floats(0.5, 2)}, {}}).right);
  EXPECT_FALSE(JudgementOf({{Floats(0.5, 4.01)}, {}}).right);
  EXPECT_FALSE(JudgementOf({{Floats(std::nan(""), 2)}, {}}).right);
  EXPECT_FALSE(JudgementOf({{Floats(0.5, std::nan(""))}, {}}).right);
  const JudgementOfLayers none = JudgementOf({});
  EXPECT_FALSE(none.right);
  EXPECT_EQ(none.text, "the call reached no lowered layer");
}

TEST(JudgementOf, NoIntegerMayBeWrong) {
  const JudgementOfLayers right =
      JudgementOf({.errors = {Integers("a", 2, 0), Integers("b", 1, 0)}, .engine = "FBGEMM"});
  EXPECT_TRUE(right.right);
  EXPECT_EQ(
      right.text,
      "2 calls and 0 weights of lowered layers against the integers that float64 makes of the same "
      "inputs; of 200 integers 0 are wrong (limit 0), 3 are a step off where float64 lies between "
      "two; LibTorch's engine is FBGEMM");
  const JudgementOfLayers wrong = JudgementOf({{Integers("a", 0, 0), Integers("b", 0, 1)}, {}});
  EXPECT_FALSE(wrong.right);
  EXPECT_THAT(wrong.text, testing::HasSubstr("of 200 integers 1 are wrong (limit 0), first in b"));
}

TEST(JudgementOf, NoIntegerOfAWeightMayBeWrong) {
  const std::vector<LayerError> calls = {Integers("a", 0, 0)};
  EXPECT_TRUE(JudgementOf({.errors = calls, .weights = {Integers("a", 1, 0)}}).right);
  const JudgementOfLayers wrong = JudgementOf({.errors = calls, .weights = {Integers("w", 0, 1)}});
  EXPECT_FALSE(wrong.right);
  EXPECT_THAT(wrong.text, testing::HasSubstr("1 are wrong (limit 0), first in w"));
  EXPECT_FALSE(JudgementOf({.errors = {}, .weights = {Integers("a", 0, 0)}}).right) << "no call";
}

TEST(JudgementOf, SaysBothOfFloatsAndOfIntegers) {
  const std::string text = JudgementOf({{Floats(0.5, 2), Integers("a", 0, 0)}, {}}).text;
  EXPECT_THAT(text, testing::StartsWith("1 call of lowered layers against float64 products"));
  EXPECT_THAT(text, testing::HasSubstr("; 1 call and 0 weights of lowered layers"));
}

TEST(RoundsWeights, KnowsTheLoweringsThatDo) {
  BenchmarkCase c;
  EXPECT_FALSE(RoundsWeights(c));
  c.mutable_execution()->set_lowering("merged_branches");
  EXPECT_FALSE(RoundsWeights(c));
  c.mutable_execution()->set_lowering("int4_weights");
  EXPECT_TRUE(RoundsWeights(c));
}

}  // namespace
}  // namespace assay::runner
