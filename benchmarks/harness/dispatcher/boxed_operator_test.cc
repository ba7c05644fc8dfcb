#include "benchmarks/harness/dispatcher/boxed_operator.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>

#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::execution {
namespace {

using testing::AllOf;
using testing::HasSubstr;

c10::IValue List(std::vector<c10::IValue> items) {
  return c10::ivalue::Tuple::create(std::move(items));
}

std::vector<at::Tensor> Called(const std::string& name, const OperatorArguments& arguments) {
  absl::StatusOr<BoundOperator> bound = BindOperator(name, arguments);
  EXPECT_TRUE(bound.ok()) << bound.status();
  if (!bound.ok()) return {at::Tensor()};
  c10::Stack stack = bound->arguments;
  bound->handle.callBoxed(stack);
  return TensorsOf(stack);
}

std::string Chosen(const std::string& name, const OperatorArguments& arguments) {
  const absl::StatusOr<BoundOperator> bound = BindOperator(name, arguments);
  return bound.ok() ? c10::toString(bound->handle.operator_name())
                    : std::string(bound.status().message());
}

TEST(BindOperator, ChoosesTheOverloadThatTakesTheArguments) {
  const at::Tensor a = at::ones({2, 2});
  EXPECT_EQ(Chosen("aten::add", {{a, a}}), "aten::add.Tensor");
  EXPECT_EQ(Chosen("aten::add", {{a, 1}}), "aten::add.Scalar");
  EXPECT_EQ(Chosen("aten::pow", {{2, a}}), "aten::pow.Scalar");
  EXPECT_EQ(Chosen("aten::sum", {{a}}), "aten::sum");
  EXPECT_EQ(Chosen("aten::sum", {{a, List({0, 1})}}), "aten::sum.dim_IntList");
  EXPECT_EQ(Chosen("aten::max", {{a, 0}}), "aten::max.dim");
  EXPECT_EQ(Chosen("aten::add", {{a, a}, {{"alpha", 2}}}), "aten::add.Tensor");
  // alpha follows a keyword, in Python and here, but not in TorchScript's IR.
  EXPECT_THAT(Chosen("aten::add", {{a, a, 2}}), HasSubstr("no overload takes these arguments"));
  EXPECT_EQ(Chosen("aten::add", {.positional = {a, a, 2}, .keywords_by_position = true}),
            "aten::add.Tensor");
  // One that writes to an argument only if it is named in full.
  EXPECT_THAT(Chosen("aten::add", {{a, a}, {{"out", a}}}), HasSubstr("has no argument 'out'"));
  EXPECT_EQ(Chosen("aten::add.out", {{a, a}, {{"out", a}}}), "aten::add.out");
}

TEST(BindOperator, ConvertsAsPythonDoes) {
  const at::Tensor a = at::arange(6, at::kFloat).reshape({2, 3});
  EXPECT_TRUE(at::equal(Called("aten::reshape", {{a, List({3, 2})}})[0], a.reshape({3, 2})));
  EXPECT_TRUE(at::equal(Called("aten::cat", {{List({a, a}), 1}})[0], at::concat({a, a}, 1)));
  EXPECT_EQ(Called("aten::sum", {{a}, {{"dtype", "torch.float64"}}})[0].scalar_type(), at::kDouble);
  // int[2] from one number.
  const at::Tensor image = at::rand({1, 1, 4, 4});
  EXPECT_TRUE(at::equal(Called("aten::max_pool2d", {{image, 2}})[0], at::max_pool2d(image, 2)));
  // Tensor?[] with None.
  const at::Tensor index = at::tensor({1}, at::kLong);
  EXPECT_TRUE(at::equal(Called("aten::index", {{a, List({{}, index})}})[0], a.narrow(1, 1, 1)));
  // A tensor from a number, where no overload takes the number.
  EXPECT_TRUE(
      at::equal(Called("aten::maximum", {{a, 3.0}})[0], at::maximum(a, at::scalar_tensor(3))));
}

TEST(BindOperator, NamesWhatDoesNotFit) {
  const at::Tensor a = at::ones({2, 2});
  EXPECT_THAT(Chosen("aten::ad", {{a, a}}),
              AllOf(HasSubstr("there is no operator 'aten::ad'"), HasSubstr("aten::add")));
  EXPECT_THAT(Chosen("aten::add.Tensr", {{a, a}}), HasSubstr("no operator 'aten::add.Tensr'"));
  EXPECT_THAT(Chosen("aten::mm", {{a}}),
              HasSubstr("operator aten::mm needs a value for argument 'mat2'; its schema is "
                        "aten::mm(Tensor self, Tensor mat2) -> Tensor"));
  EXPECT_THAT(Chosen("aten::mm", {{a, "x"}}),
              HasSubstr("takes Tensor for argument 'mat2', given is String"));
  EXPECT_THAT(Chosen("aten::mm", {{a, a, a}}),
              HasSubstr("takes 2 arguments by position, given are 3"));
  EXPECT_THAT(Chosen("aten::mm", {{a, a}, {{"mat2", a}}}),
              HasSubstr("is given argument 'mat2' twice"));
  EXPECT_THAT(Chosen("aten::mm", {{a, a}, {{"mat3", a}}}), HasSubstr("has no argument 'mat3'"));
  EXPECT_THAT(Chosen("aten::add", {{"x", a}}), AllOf(HasSubstr("no overload takes these arguments"),
                                                     HasSubstr("aten::add.Scalar(")));
}

}  // namespace
}  // namespace assay::execution
