#include "benchmarks/harness/programs/operator_program.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/zeros.h>

#include <string>
#include <vector>

#include "benchmarks/harness/execution/program_cases.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "defs/proto/suite.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::execution {
namespace {

using testing::HasSubstr;

ResolvedCase OperatorCase(const std::string& call) {
  return Parsed("benchmark_case { dtype: FP32 operator_call {" + call + "} }");
}

std::string OperatorProblem(const std::string& call) {
  const ResolvedCase c = OperatorCase(call);
  return std::string(NewProgram(c, c.measured()).status().message());
}

TEST(OperatorProgram, PassesInputsValuesAndDefaults) {
  const ResolvedCase c = OperatorCase(R"pb(
    name: "aten::addmm"
    inputs { name: "mat2" }
    inputs { name: "self" }
    inputs { name: "mat1" }
    arguments {
      key: "beta"
      value { real: 0.5 }
    }
  )pb");
  const auto program = NewProgram(c, c.measured());
  ASSERT_TRUE(program.ok()) << program.status();
  const at::Tensor self = at::ones({2, 3}), mat1 = at::ones({2, 4}), mat2 = at::ones({4, 3});
  const Tensors outputs = (*program)->Outputs({mat2, self, mat1});
  EXPECT_TRUE(at::equal(outputs.at(0), at::addmm(self, mat1, mat2, 0.5, 1)));
}

TEST(OperatorProgram, NamesWhatDoesNotFitTheSchema) {
  EXPECT_THAT(OperatorProblem("name: 'aten::adm'"), HasSubstr("no operator 'aten::adm'"));
  EXPECT_THAT(OperatorProblem("name: 'aten::relu_' inputs { name: 'self' }"),
              HasSubstr("writes to its arguments"));
  EXPECT_THAT(OperatorProblem("name: 'aten::relu' inputs { name: 'x' }"),
              HasSubstr("has no argument 'x'; its schema is aten::relu(Tensor self)"));
  EXPECT_THAT(OperatorProblem("name: 'aten::mm' inputs { name: 'self' }"),
              HasSubstr("needs a value for argument 'mat2'"));
  EXPECT_THAT(OperatorProblem("name: 'aten::softmax.int' inputs { name: 'self' } "
                              "arguments { key: 'dim' value { text: 'x' } }"),
              HasSubstr("takes int for argument 'dim', given is String"));
  EXPECT_THAT(OperatorProblem("name: 'aten::cat' inputs { name: 'tensors.0' } "
                              "inputs { name: 'tensors.2' }"),
              HasSubstr("list 'tensors' are numbered from 0 on, without a gap"));
  const std::string relu = "name: 'aten::relu' inputs { name: 'self' } outputs { name: 'out' } ";
  EXPECT_THAT(OperatorProblem(relu + "backward: true outputs { name: 'x.grad' }"),
              HasSubstr("'x.grad' is a gradient, and there is no input 'x'"));
  EXPECT_THAT(OperatorProblem(relu + "outputs { name: 'self.grad' }"),
              HasSubstr("'self.grad' is a gradient, and there is no backward"));
  EXPECT_THAT(OperatorProblem(relu + "backward: true inputs { name: 'y.grad' }"),
              HasSubstr("'y.grad' is for backward to begin with, and there is no output 'y'"));
}

TEST(OperatorProgram, TakesListsAndNone) {
  const at::Tensor a = at::ones({2, 3}), b = at::zeros({2, 3});
  const ResolvedCase cat = OperatorCase(
      "name: 'aten::cat' inputs { name: 'tensors.1' } "
      "inputs { name: 'tensors.0' } outputs { name: 'out' }");
  EXPECT_TRUE(at::equal(Made(cat)->Outputs({b, a}).at(0), at::concat({a, b})));
  // A required Tensor? and one of two results.
  const ResolvedCase norm = OperatorCase(R"pb(
    name: "aten::native_layer_norm"
    inputs { name: "input" }
    arguments {
      key: "normalized_shape"
      value { integers { values: 3 } }
    }
    arguments {
      key: "weight"
      value { text: "None" }
    }
    arguments {
      key: "bias"
      value { text: "None" }
    }
    arguments {
      key: "eps"
      value { real: 1 }
    }
    outputs { name: "out" }
  )pb");
  const Tensors outputs = Made(norm)->Outputs({a});
  ASSERT_EQ(outputs.size(), 1u) << "results behind the last one named are left out";
  EXPECT_TRUE(at::equal(outputs.at(0), b));
}

// aten::mm with the gradients of both inputs, that of mat2 first, started from a given gradient.
ResolvedCase DifferentiatedCase() {
  return OperatorCase(R"pb(
    name: "aten::mm"
    inputs { name: "self" }
    inputs { name: "out.grad" }
    inputs { name: "mat2" }
    outputs { name: "out" }
    outputs { name: "mat2.grad" }
    outputs { name: "self.grad" }
    backward: true
  )pb");
}

TEST(OperatorProgram, DifferentiatesWhatTheOutputsName) {
  const auto program = Made(DifferentiatedCase());
  const at::Tensor self = at::rand({2, 4}), mat2 = at::rand({4, 3}), start = at::rand({2, 3});
  for (int call = 0; call < 2; ++call) {
    const Tensors outputs = Called({}, *program, {self, start, mat2});
    ASSERT_EQ(outputs.size(), 3u);
    EXPECT_TRUE(at::allclose(outputs[0], self.mm(mat2)));
    EXPECT_TRUE(at::allclose(outputs[1], self.t().mm(start))) << "gradients do not pile up";
    EXPECT_TRUE(at::allclose(outputs[2], start.mm(mat2.t())));
  }
}

TEST(OperatorProgram, MakesOneOutputWrong) {
  const at::Tensor self = at::rand({2, 4}), mat2 = at::rand({4, 3}), start = at::rand({2, 3});
  const Tensors right = Called({}, *Made(DifferentiatedCase()), {self, start, mat2});
  const std::vector<std::string> names = {"scaled_out", "scaled_mat2.grad", "scaled_self.grad"};
  for (size_t wrong = 0; wrong < names.size(); ++wrong) {
    const auto program = Made(DifferentiatedCase());
    EXPECT_EQ(program->Mistakes(), names);
    program->MakeMistake(names[wrong]);
    const Tensors outputs = Called({}, *program, {self, start, mat2});
    for (size_t i = 0; i < names.size(); ++i) {
      const at::Tensor want = i == wrong ? right[i].mul(1.01) : right[i];
      EXPECT_TRUE(at::equal(outputs[i], want)) << names[wrong] << ", output " << i;
    }
  }
}

}  // namespace
}  // namespace assay::execution
