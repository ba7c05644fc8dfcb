#include "benchmarks/harness/runner/verdict/operator_truth.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/einsum.h>
#include <google/protobuf/text_format.h>
#include <torch/library.h>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "benchmarks/harness/programs/operator_program.h"
#include "benchmarks/harness/programs/program_decorator.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/eager_baseline.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr char kProduct[] = R"pb(
  benchmark_case {
    name: "mm_bf16"
    label: "//x:mm_bf16"
    dtype: BF16
    batch: 6
    mode: EVAL
    operator_call {
      name: "aten::mm"
      inputs { name: "self" shape: "batch" shape: "5" }
      inputs { name: "mat2" shape: "5" shape: "3" }
      outputs { name: "out" shape: "batch" shape: "3" }
    }
    verify { rule: RELATIVE_TO_STD rms_limit: 0.0039 max_limit: 0.0312 provenance: "one rounding" }
  }
  measured {
    batch: 6
    inputs {
      name: "self"
      dtype: BF16
      shape: [ 6, 5 ]
      distribution { uniform {} }
    }
    inputs {
      name: "mat2"
      dtype: BF16
      shape: [ 5, 3 ]
      distribution { uniform {} }
    }
    outputs {
      name: "out"
      dtype: BF16
      shape: [ 6, 3 ]
      batched: true
    }
  }
)pb";

ResolvedCase Product() {
  ResolvedCase c;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(kProduct, &c));
  *c.mutable_verified() = c.measured();
  *c.mutable_referenced() = c.measured();
  return c;
}

// A case like that of a table with independent_rows = 2.
ResolvedCase ProductOfTwoRows() {
  ResolvedCase c = Product();
  c.mutable_referenced()->set_batch(2);
  c.mutable_referenced()->mutable_inputs(0)->set_shape(0, 2);
  c.mutable_referenced()->mutable_outputs(0)->set_shape(0, 2);
  return c;
}

Verdict VerdictOn(const ResolvedCase& c, const std::string& mistake = "") {
  auto program = execution::SeededProgram(c, c.measured());
  EXPECT_TRUE(program.ok()) << program.status();
  if (!mistake.empty()) (*program)->MakeMistake(mistake);
  return Verify(c, **program, at::kCPU, /*reference_path=*/"");
}

TEST(OperatorTruth, IsTheOperatorInFloat64OnInputsAsTheCaseHasThem) {
  const ResolvedCase c = Product();
  const auto truth = OperatorTruth(c);
  ASSERT_TRUE(truth.ok()) << truth.status();
  ASSERT_EQ(truth->outputs.size(), 1u);
  const auto inputs = execution::SeededInputs(c.measured(), BF16, 0, at::kCPU);
  const at::Tensor want = (*inputs)[0].to(at::kDouble).mm((*inputs)[1].to(at::kDouble));
  for (int64_t i = 0; i < want.numel(); ++i) {
    EXPECT_DOUBLE_EQ(truth->outputs[0].values[static_cast<size_t>(i)],
                     want.flatten()[i].item<double>());
  }
  EXPECT_THAT(truth->metadata.at("provenance"),
              HasSubstr("aten::mm, float64 on the CPU, in this process, torch 2."));
}

TEST(OperatorTruth, JudgesTheOperator) {
  const Verdict right = VerdictOn(Product());
  EXPECT_EQ(right.outcome(), PASS) << right.message();
  EXPECT_EQ(right.verified_batch(), 6);
  EXPECT_THAT(right.reference().provenance(), HasSubstr("aten::mm, float64 on the CPU"));
  const Verdict wrong = VerdictOn(Product(), "scaled_out");
  EXPECT_EQ(wrong.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(wrong.message(), AllOf(HasSubstr("output \"out\" differs"),
                                     HasSubstr("reference  aten::mm, float64 on the CPU")));
}

// aten::mm, wrong in every dtype, as a template makes it.
at::Tensor WrongMm(const at::Tensor& self, const at::Tensor& mat2) {
  return at::einsum("ij,jk->ijk", {self, mat2}).sum(1) * 1.01;
}

TEST(OperatorTruth, IsNotAKernelThatSomebodyRegisteredOverATens) {
  torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::CPU, "mine/mm.cc", 3);
  library.impl("mm", &WrongMm);
  const Verdict wrong = VerdictOn(Product());
  EXPECT_EQ(wrong.outcome(), FAIL_ACCURACY) << wrong.message();
  EXPECT_THAT(wrong.message(), HasSubstr("in this process, torch"));
  EXPECT_THAT(wrong.message(), HasSubstr(", by LibTorch's own kernels"));
}

TEST(OperatorTruth, ThePlainBaselineIsNoSuchKernelEither) {
  ResolvedCase c = Product();
  c.mutable_benchmark_case()->mutable_verify()->set_rule(DYNAMO_SAME);
  EXPECT_FALSE(RulesNeedPlain(c));
  torch::Library library(torch::Library::IMPL, "aten", c10::DispatchKey::CPU, "mine/mm.cc", 3);
  library.impl("mm", &WrongMm);
  EXPECT_TRUE(RulesNeedPlain(c));
  EXPECT_EQ(VerdictOn(c).outcome(), FAIL_ACCURACY);
}

// The product with some elements wrong.
class WrongProduct final : public execution::ProgramDecorator {
 public:
  WrongProduct(execution::Program& inner, absl::FunctionRef<void(at::Tensor&)> spoil)
      : ProgramDecorator(inner), spoil_(spoil) {}
  execution::Tensors Outputs(execution::TensorsRef inputs) override {
    execution::Tensors outputs = inner().Outputs(inputs);
    spoil_(outputs[0]);
    return outputs;
  }

 private:
  const absl::FunctionRef<void(at::Tensor&)> spoil_;
};

Verdict VerdictOnWrong(const ResolvedCase& c, absl::FunctionRef<void(at::Tensor&)> spoil) {
  auto program = execution::SeededProgram(c, c.measured());
  EXPECT_TRUE(program.ok()) << program.status();
  WrongProduct wrong(**program, spoil);
  return Verify(c, wrong, at::kCPU, /*reference_path=*/"");
}

TEST(OperatorTruth, OfFewerRowsSeesTheLastOneAndANaNInAny) {
  const Verdict last = VerdictOnWrong(ProductOfTwoRows(), [](at::Tensor& out) { out[5].add_(1); });
  EXPECT_EQ(last.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(last.message(), HasSubstr("worst  [5, "));
  for (int64_t row = 0; row < 6; ++row) {
    const Verdict nan =
        VerdictOnWrong(ProductOfTwoRows(), [row](at::Tensor& out) { out[row].fill_(NAN); });
    EXPECT_EQ(nan.outcome(), FAIL_NONFINITE);
    EXPECT_THAT(nan.message(), HasSubstr(absl::StrCat("first  [", row, ", 0]")));
  }
}

TEST(OperatorTruth, ComparesEveryElement) {
  ResolvedCase c = Product();
  c.mutable_benchmark_case()->mutable_operator_call()->mutable_inputs(1)->set_shape(1, "5000");
  c.mutable_benchmark_case()->mutable_operator_call()->mutable_outputs(0)->set_shape(1, "5000");
  c.mutable_measured()->mutable_inputs(1)->set_shape(1, 5000);
  c.mutable_measured()->mutable_outputs(0)->set_shape(1, 5000);
  *c.mutable_verified() = *c.mutable_referenced() = c.measured();
  const Verdict right = VerdictOn(c);
  EXPECT_EQ(right.outcome(), PASS) << right.message();
  const Verdict wrong = VerdictOnWrong(c, [](at::Tensor& out) { out[5][4999].add_(1); });
  EXPECT_EQ(wrong.outcome(), FAIL_ACCURACY);
  EXPECT_THAT(wrong.message(), HasSubstr("worst  [5, 4999]"));
}

TEST(OperatorTruth, OfFewerRowsJudgesThese) {
  const Verdict verdict = VerdictOn(ProductOfTwoRows());
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  EXPECT_EQ(verdict.verified_batch(), 2);
  EXPECT_EQ(VerdictOn(ProductOfTwoRows(), "scaled_out").outcome(), FAIL_ACCURACY);
}

TEST(OperatorTruth, FollowsAnotherBatchWhereItNeedsAllRows) {
  const auto all = configuration::WithCallFlags(Product(), {.batch = 9},
                                                configuration::Comparison::kMeasured, CPU);
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(VerdictOn(*all).verified_batch(), 9);
  const auto some = configuration::WithCallFlags(ProductOfTwoRows(), {.batch = 9},
                                                 configuration::Comparison::kMeasured, CPU);
  EXPECT_EQ(VerdictOn(*some).verified_batch(), 2);
  EXPECT_EQ(VerdictOn(*some).outcome(), PASS);
  const auto fewer = configuration::WithCallFlags(ProductOfTwoRows(), {.batch = 1},
                                                  configuration::Comparison::kMeasured, CPU);
  EXPECT_EQ(VerdictOn(*fewer).verified_batch(), 1);
}

// A difference whose reference is said to be the sum.
TEST(OperatorTruth, IsComputedByTheOperatorThatTheCallNames) {
  ResolvedCase c = Product();
  OperatorCall& call = *c.mutable_benchmark_case()->mutable_operator_call();
  call.set_name("aten::sub.Tensor");
  call.mutable_inputs(1)->set_name("other");
  for (Workload* workload : {c.mutable_measured(), c.mutable_verified(), c.mutable_referenced()})
    workload->mutable_inputs(1)->mutable_shape()->CopyFrom(workload->inputs(0).shape());
  for (Workload* workload : {c.mutable_measured(), c.mutable_verified(), c.mutable_referenced()})
    workload->mutable_outputs(0)->set_shape(1, 5);
  EXPECT_EQ(VerdictOn(c).outcome(), PASS);
  call.set_truth("aten::add.Tensor");
  EXPECT_EQ(VerdictOn(c).outcome(), FAIL_ACCURACY);
  // An argument that only the kernel has is left out; an input is not.
  call.set_truth("aten::subtract.Tensor");
  EXPECT_EQ(VerdictOn(c).outcome(), PASS);
  (*call.mutable_arguments())["alpha"].set_integer(1);
  call.set_truth("aten::mul.Tensor");
  EXPECT_EQ(VerdictOn(c).outcome(), FAIL_ACCURACY);
  call.set_truth("aten::mm");
  EXPECT_THAT(VerdictOn(c).message(),
              AllOf(HasSubstr("computing the truth"), HasSubstr("has no argument 'other'")));
}

// Half of the numbers are negative. A reference that a user gives is treated in the same way.
TEST(OperatorTruth, MayHoldNanWhereTheOperatorGivesIt) {
  ResolvedCase c = Product();
  OperatorCall& call = *c.mutable_benchmark_case()->mutable_operator_call();
  call.set_name("aten::log");
  call.mutable_inputs()->RemoveLast();
  for (Workload* workload : {c.mutable_measured(), c.mutable_verified(), c.mutable_referenced()}) {
    workload->mutable_inputs()->RemoveLast();
    workload->mutable_outputs(0)->set_shape(1, 5);
  }
  const Verdict verdict = VerdictOn(c);
  EXPECT_EQ(verdict.outcome(), PASS) << verdict.message();
  ASSERT_EQ(verdict.checks_size(), 1);
  EXPECT_THAT(verdict.checks(0).detail(), HasSubstr("out is NaN in "));
}

TEST(OperatorTruth, NamesAnOutputThatTheOperatorDoesNotHave) {
  ResolvedCase c = Product();
  for (Workload* workload : {c.mutable_measured(), c.mutable_verified(), c.mutable_referenced()}) {
    *workload->add_outputs() = workload->outputs(0);
    workload->mutable_outputs(1)->set_name("second");
  }
  c.mutable_benchmark_case()->mutable_operator_call()->add_outputs()->set_name("second");
  EXPECT_THAT(VerdictOn(c).message(),
              HasSubstr("aten::mm returned 1 outputs; the case names 2: out, second"));
}

TEST(OperatorTruth, WithAWrongShapeSaysWhichOutput) {
  ResolvedCase c = Product();
  for (Workload* workload : {c.mutable_verified(), c.mutable_referenced()})
    workload->mutable_outputs(0)->set_shape(1, 4);
  const Verdict verdict = VerdictOn(c);
  EXPECT_EQ(verdict.outcome(), FAIL_SHAPE);
  EXPECT_THAT(verdict.message(), HasSubstr("output \"out\" has shape [6, 3]"));
}

}  // namespace
}  // namespace assay::runner
