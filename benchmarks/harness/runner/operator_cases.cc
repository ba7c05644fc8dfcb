// main() of the :operator_cases_test that defs/benchmarks.bzl makes of a table of operators.
//
//   operator_cases_test benchmarks/operators/cases.pb
//
// For each case whose tests run by default on the CPU:
//
//   Verdict    the operator passes; with each of its outputs made wrong, one at a time, it fails
//   Gradients  for float32 cases with backward, in float64: the gradients are the derivatives of the
//              values. In a seeded direction v, (L(x + h*v) - L(x - h*v)) / 2h is <gradient, v>,
//              where L is the sum of the outputs, each times what backward begins with.
//
// The cases come from the registry, so a new operator gets these tests without a line of code.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/core/Generator.h>
#include <ATen/ops/randn_like.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/programs/operator_program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/operator_truth.h"
#include "benchmarks/harness/runner/verdict/verification.h"
#include "defs/case/program_kinds.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {
namespace {

using execution::Program;
using execution::Tensors;

absl::StatusOr<Verdict> VerdictWith(const ResolvedCase& c, std::string_view mistake) {
  absl::StatusOr<std::unique_ptr<Program>> program = execution::SeededProgram(c, c.measured());
  if (!program.ok()) return program.status();
  if (!mistake.empty()) (*program)->MakeMistake(mistake);
  return Verify(c, **program, at::kCPU, /*reference_path=*/"");
}

class VerdictTest : public testing::Test {
 public:
  explicit VerdictTest(const ResolvedCase& c) : case_(c) {}

  void TestBody() override {
    const auto right = VerdictWith(case_, "");
    ASSERT_TRUE(right.ok()) << right.status();
    ASSERT_EQ(right->outcome(), PASS) << right->message();
    const auto program = execution::SeededProgram(case_, case_.measured());
    ASSERT_TRUE(program.ok()) << program.status();
    const std::vector<std::string> mistakes = (*program)->Mistakes();
    EXPECT_EQ(static_cast<int>(mistakes.size()), case_.verified().outputs_size());
    for (const std::string& mistake : mistakes) {
      const auto wrong = VerdictWith(case_, mistake);
      ASSERT_TRUE(wrong.ok()) << wrong.status();
      EXPECT_EQ(wrong->outcome(), FAIL_ACCURACY) << "with " << mistake << ": " << wrong->message();
    }
  }

 private:
  const ResolvedCase case_;
};

double Dot(const at::Tensor& a, const at::Tensor& b) { return a.mul(b).sum().item<double>(); }

// A float64 operator with its inputs and, for each result, the gradient with which backward begins.
class Differentiated {
 public:
  explicit Differentiated(const ResolvedCase& c) : call_(c.benchmark_case().operator_call()) {
    auto program = execution::OperatorProgram::Make(call_);
    auto inputs = InputsInFloat64(c);
    EXPECT_TRUE(program.ok()) << program.status();
    EXPECT_TRUE(inputs.ok()) << inputs.status();
    program_ = *std::move(program);
    inputs_ = *std::move(inputs);
  }

  // By the output "<input>.grad".
  at::Tensor Gradient(int output) {
    return program_->Outputs(inputs_).at(static_cast<size_t>(output));
  }

  int InputOfGradient(std::string_view output) const {
    absl::ConsumeSuffix(&output, ".grad");
    return Input(output);
  }

  const at::Tensor& input(int i) const { return inputs_.at(static_cast<size_t>(i)); }

  // The sum of the results after one input was moved.
  double Loss(int moved, const at::Tensor& by) {
    Tensors inputs = inputs_;
    inputs[static_cast<size_t>(moved)] = inputs[static_cast<size_t>(moved)].add(by);
    const Tensors outputs = program_->Outputs(inputs);
    double loss = 0;
    for (int i = 0; i < call_.outputs_size(); ++i) {
      const int start = Input(absl::StrCat(call_.outputs(i).name(), ".grad"));
      if (start >= 0) loss += Dot(outputs.at(static_cast<size_t>(i)), input(start));
    }
    return loss;
  }

 private:
  int Input(std::string_view name) const {
    for (int i = 0; i < call_.inputs_size(); ++i) {
      if (call_.inputs(i).name() == name) return i;
    }
    return -1;
  }

  const OperatorCall call_;
  std::unique_ptr<Program> program_;
  Tensors inputs_;
};

class GradientsTest : public testing::Test {
 public:
  explicit GradientsTest(const ResolvedCase& c) : case_(c) {}

  void TestBody() override {
    // The step is so short that none of the tens of thousands of values crosses a kink such as
    // relu's. The difference's own error is about 1e-15 of the values, divided by the step.
    constexpr double kStep = 1e-8;
    constexpr double kTolerance = 1e-5;
    Differentiated of(case_);
    if (HasFailure()) return;
    at::Generator generator = at::detail::createCPUGenerator(/*seed=*/1);
    for (int i = 0; i < case_.verified().outputs_size(); ++i) {
      const std::string& name = case_.verified().outputs(i).name();
      if (!absl::EndsWith(name, ".grad")) continue;
      const int input = of.InputOfGradient(name);
      const at::Tensor gradient = of.Gradient(i);
      const at::Tensor v = at::randn_like(of.input(input), generator);
      const double want =
          (of.Loss(input, v.mul(kStep)) - of.Loss(input, v.mul(-kStep))) / (2 * kStep);
      const double got = Dot(gradient, v), norm = std::sqrt(Dot(gradient, gradient));
      EXPECT_NEAR(got, want, kTolerance * norm) << name;
      EXPECT_GT(0.01 * std::abs(want), kTolerance * norm) << name << " times 1.01 would pass";
    }
  }

 private:
  const ResolvedCase case_;
};

bool RunsByDefault(const BenchmarkCase& c) {
  const auto& tags = c.tags();
  if (std::find(tags.begin(), tags.end(), "large") != tags.end()) return false;
  return std::none_of(c.skips().begin(), c.skips().end(),
                      [](const Skip& skip) { return skip.device() == CPU; });
}

// Registers the tests of every case; returns how many cases there are.
int RegisterTests(const Registry& registry) {
  int cases = 0;
  for (const ResolvedCase& c : registry.cases()) {
    const BenchmarkCase& b = c.benchmark_case();
    if (KindOf(b).truth != TruthSource::kOwnFloat64 || !RunsByDefault(b)) continue;
    ++cases;
    testing::RegisterTest("Verdict", b.name().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [c]() -> testing::Test* { return new VerdictTest(c); });
    if (b.dtype() == FP32 && KindOf(b).has_gradients) {
      testing::RegisterTest("Gradients", b.name().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [c]() -> testing::Test* { return new GradientsTest(c); });
    }
  }
  return cases;
}

}  // namespace
}  // namespace assay::runner

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  assay::Registry registry;
  std::ifstream file(argc == 2 ? argv[1] : "", std::ios::binary);
  if (!registry.ParseFromIstream(&file) || assay::runner::RegisterTests(registry) == 0) {
    std::cerr << "usage: operator_cases_test CASES.pb, with cases of operators in it\n";
    return 3;
  }
  at::set_num_threads(1);
  return RUN_ALL_TESTS();
}
