#include "benchmarks/operators/sweep/operator_check.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::sweep {
namespace {

using testing::HasSubstr;

// Operators with one mistake each.
at::Tensor Imprecise(const at::Tensor& x) {
  return x.scalar_type() == at::kFloat ? x * 1.01 : x.clone();
}
at::Tensor Unsteady(const at::Tensor& x) {
  static int calls = 0;
  return x + ++calls;
}
at::Tensor Picky(const at::Tensor&) { TORCH_CHECK(false, "wants another tensor"); }

class WrongGradient : public torch::autograd::Function<WrongGradient> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext*, const at::Tensor& x) {
    return x * 2;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 const torch::autograd::variable_list& grads) {
    return {grads[0] * (grads[0].scalar_type() == at::kFloat ? 2.02 : 2.0)};
  }
};

TORCH_LIBRARY(mistaken, library) {
  library.def("imprecise(Tensor x) -> Tensor", &Imprecise);
  library.def("unsteady(Tensor x) -> Tensor", &Unsteady);
  library.def("picky(Tensor x) -> Tensor", &Picky);
  library.def("gradient(Tensor x) -> Tensor",
              [](const at::Tensor& x) { return WrongGradient::apply(x); });
  library.def("wants_storage(Storage s) -> Tensor");
}

OperatorResult Checked(const std::string& name, const std::string& overload = "",
                       const std::string& samples = "") {
  return CheckOperator({name, overload}, *SampleTable::Parse(samples));
}

TEST(CheckOperator, VerifiesForwardAndBackward) {
  const OperatorResult result = Checked("aten::mm");
  EXPECT_EQ(result.finding, Finding::kVerified) << result.reason;
  EXPECT_TRUE(result.differentiated);
  EXPECT_GT(result.error, 0);
  EXPECT_LT(result.error, 1e-5);
  EXPECT_GT(result.forward_us, 0);
  EXPECT_EQ(result.sample, "self=f[4,4] mat2=f[4,4]");
  const OperatorResult integers = Checked("aten::bitwise_and", "Tensor");
  EXPECT_EQ(integers.finding, Finding::kVerified) << integers.reason;
  EXPECT_FALSE(integers.differentiated);
}

TEST(CheckOperator, FindsEachKindOfMistake) {
  EXPECT_EQ(Checked("mistaken::imprecise").finding, Finding::kDiffers);
  EXPECT_EQ(Checked("mistaken::unsteady").finding, Finding::kNondeterministic);
  const OperatorResult gradient = Checked("mistaken::gradient");
  EXPECT_EQ(gradient.finding, Finding::kDiffers);
  EXPECT_THAT(gradient.reason, HasSubstr("gradient 0"));
}

TEST(CheckOperator, SaysWhyOneDidNotRun) {
  const OperatorResult refused = Checked("mistaken::picky");
  EXPECT_EQ(refused.finding, Finding::kRefused);
  EXPECT_THAT(refused.reason, HasSubstr("wants another tensor"));
  EXPECT_EQ(Checked("mistaken::wants_storage").finding, Finding::kNoSample);
  EXPECT_EQ(Checked("aten::cudnn_grid_sampler").finding, Finding::kNoKernel);
  EXPECT_EQ(Checked("aten::no_such_operator").finding, Finding::kRefused);
}

TEST(CheckOperator, TruthMayBeAnotherOperators) {
  EXPECT_EQ(Checked("aten::silu", "", "^aten::silu$ !truth=aten::silu").finding,
            Finding::kVerified);
  const OperatorResult other = Checked("aten::silu", "", "^aten::silu$ !truth=aten::gelu");
  EXPECT_EQ(other.finding, Finding::kDiffers);
  EXPECT_EQ(Checked("aten::silu", "", "^aten::silu$ !truth=aten::no").finding,
            Finding::kNotCompared);
}

TEST(CheckOperator, RandomAndFreeResults) {
  EXPECT_EQ(Checked("aten::rand_like").finding, Finding::kSeeded);
  const OperatorResult free =
      Checked("aten::empty_like", "", "^aten::empty !free=unwritten_memory");
  EXPECT_EQ(free.finding, Finding::kFree);
  EXPECT_EQ(free.reason, "unwritten memory");
}

TEST(FunctionalOperators, AreManyAndNoneWritesOrBelongsToLibTorchAlone) {
  const std::vector<c10::OperatorName> names = FunctionalOperators(IsPublicAten);
  EXPECT_GT(names.size(), 1000u);
  for (const c10::OperatorName& name : names) {
    EXPECT_NE(name.name, "aten::add_");
    EXPECT_NE(name.name.substr(0, 7), "aten::_");
    EXPECT_NE(name.overload_name, "out");
  }
}

}  // namespace
}  // namespace assay::sweep
