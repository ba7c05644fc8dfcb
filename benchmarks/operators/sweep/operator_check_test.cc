#include "benchmarks/operators/sweep/operator_check.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <limits>
#include <tuple>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::sweep {
namespace {

using testing::HasSubstr;

// Operators with one fault each.
at::Tensor Imprecise(const at::Tensor& x) {
  return x.scalar_type() == at::kFloat ? x * 1.01 : x.clone();
}
at::Tensor Unsteady(const at::Tensor& x) {
  static int calls = 0;
  return x + ++calls;
}
at::Tensor WritesWhileDifferentiated(const at::Tensor& x) {
  if (x.requires_grad()) x.detach().fill_(0);
  return x * 2;
}
at::Tensor WritesOnes(const at::Tensor& x) {
  x.detach().fill_(1);
  return x * 2;
}
at::Tensor NanBeside(const at::Tensor& x) {
  at::Tensor y = x.detach().clone();
  y.flatten()[-1] = std::numeric_limits<double>::quiet_NaN();
  return y;
}
at::Tensor Kept(const at::Tensor& x) {
  static const at::Tensor kept = at::zeros_like(x);
  return kept.fill_(1);
}
std::tuple<at::Tensor, at::Tensor> EmptyBeside(const at::Tensor& x) {
  return {x * 2, x.slice(0, 0, 0).clone()};
}
at::Tensor WrongSecondBlock(const at::Tensor& x) {
  return x * (x.numel() > 4096 && x.scalar_type() == at::kFloat ? 1.01 : 1.0);
}
at::Tensor SmallOnly(const at::Tensor& x) {
  TORCH_CHECK(x.numel() <= 4096, "wants fewer");
  return x * 2;
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
  library.def("writes_while_differentiated(Tensor x) -> Tensor", &WritesWhileDifferentiated);
  library.def("writes_ones(Tensor x) -> Tensor", &WritesOnes);
  library.def("nan_beside(Tensor x) -> Tensor", &NanBeside);
  library.def("kept(Tensor x) -> Tensor", &Kept);
  library.def("empty_beside(Tensor x) -> (Tensor, Tensor)", &EmptyBeside);
  library.def("view(Tensor x) -> Tensor", [](const at::Tensor& x) { return x.t(); });
  library.def("second_block(Tensor x) -> Tensor", &WrongSecondBlock);
  library.def("small_only(Tensor x) -> Tensor", &SmallOnly);
  library.def("picky(Tensor x) -> Tensor", &Picky);
  library.def("gradient(Tensor x) -> Tensor",
              [](const at::Tensor& x) { return WrongGradient::apply(x); });
  library.def("wants_storage(Storage s) -> Tensor");
}

OperatorResult Checked(const std::string& name, const std::string& overload = "",
                       const std::string& samples = "") {
  const c10::OperatorName full(name, overload);
  return CheckOperator(full, SampleTable::Parse(samples)->For(c10::toString(full)));
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

TEST(CheckOperator, LooksAtArgumentsAndMemory) {
  const OperatorResult backward = Checked("mistaken::writes_while_differentiated");
  EXPECT_EQ(backward.finding, Finding::kWrites) << backward.reason;
  EXPECT_EQ(backward.reason, "argument 'x' holds other numbers after the call");
  EXPECT_EQ(Checked("mistaken::writes_ones").finding, Finding::kWrites);
  EXPECT_EQ(Checked("mistaken::view").finding, Finding::kAliases);
  const OperatorResult kept = Checked("mistaken::kept");
  EXPECT_EQ(kept.finding, Finding::kAliases);
  EXPECT_THAT(kept.reason, HasSubstr("result 0 of another call"));
}

TEST(CheckOperator, TakesNoResultForRightThatSaysNothing) {
  const OperatorResult nan = Checked("mistaken::nan_beside");
  EXPECT_EQ(nan.finding, Finding::kNothing);
  EXPECT_EQ(nan.reason, "result 0 holds NaN in 1 of 16 elements");
  EXPECT_EQ(Checked("mistaken::empty_beside").reason, "result 1 is empty");
}

TEST(CheckOperator, TheTableMayAllowEachWithAReason) {
  for (const char* row : {"^mistaken::view$ !alias=a_view", "^mistaken::empty_beside$ !lacks=a_row",
                          "^mistaken::writes_ones$ !writes=ones"}) {
    const std::string name = std::string(row).substr(1, std::string(row).find('$') - 1);
    const OperatorResult allowed = Checked(name, "", row);
    EXPECT_EQ(allowed.finding, Finding::kVerified) << row << ": " << allowed.reason;
  }
}

TEST(CheckOperator, CallsWhatIsRightWithALargerSampleToo) {
  EXPECT_EQ(Checked("aten::sin").elements, 96 * 96);
  EXPECT_EQ(Checked("aten::sin", "", "^aten::sin$ self=f[4]").elements, 4);
  const OperatorResult wrong = Checked("mistaken::second_block");
  EXPECT_EQ(wrong.finding, Finding::kDiffers);
  EXPECT_EQ(wrong.sample, "x=f[96,96]");
  const OperatorResult small = Checked("mistaken::small_only");
  EXPECT_EQ(small.finding, Finding::kVerified) << "it refuses the large one";
  EXPECT_EQ(small.elements, 4 * 4);
}

TEST(CheckOperator, AUsersLargeSampleIsNotLeftOutInSilence) {
  const auto table = SampleTable::Parse("^mistaken::small_only$ x=f[4|9000]", "mine.txt");
  const OperatorResult result =
      CheckOperator({"mistaken::small_only", ""}, table->CallsOf("mistaken::small_only").at(0));
  EXPECT_EQ(result.finding, Finding::kRefused);
  EXPECT_EQ(result.row, "mine.txt:1");
  EXPECT_THAT(result.reason, HasSubstr("wants fewer"));
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
