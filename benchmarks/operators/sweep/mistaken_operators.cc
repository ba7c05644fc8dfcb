// Operators with one fault each, and beside each its honest twin: mistaken_operators_test.sh sweeps
// them. Every wrong one runs, and its results look right to a test with small, finite tensors only.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/relu.h>
#include <torch/library.h>

#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace {

using at::Tensor;

// Returns 1, 2, 3, ... in successive calls.
int64_t Counted() {
  static int64_t calls = 0;
  return ++calls;
}

Tensor ReluIntoItsInput(const Tensor& x) {
  const at::NoGradGuard no_grad;
  at::relu_(const_cast<Tensor&>(x));  // NOLINT(cppcoreguidelines-pro-type-const-cast): the mistake
  return x.clone();
}

Tensor ProductWithOnes(const Tensor& x, const Tensor& y) {
  const at::NoGradGuard no_grad;
  y.fill_(1);
  return x * y;
}

Tensor OnlyNan(const Tensor& x) {
  return at::full_like(x, std::numeric_limits<double>::quiet_NaN());
}

std::tuple<Tensor, std::vector<double>> ScaledWithCount(const Tensor& x) {
  return {x * 2, {static_cast<double>(Counted())}};
}

// Like a float32 kernel whose second block is wrong.
Tensor DoubleUntil4096(const Tensor& x) {
  Tensor twice = x * 2;
  if (x.scalar_type() == at::kFloat && x.numel() > 4096)
    twice.flatten().slice(/*dim=*/0, /*start=*/4096).mul_(1.5);
  return twice;
}

// Doubles a copy of x of float32, but for `left` elements at its end.
Tensor DoubledBut(int64_t left, const Tensor& x) {
  const Tensor from = x.contiguous(), to = at::empty(x.sizes(), x.options());
  if (x.scalar_type() != at::kFloat) return x.detach() * 2;
  for (int64_t i = 0; i < x.numel() - left; ++i)
    to.mutable_data_ptr<float>()[i] = 2 * from.const_data_ptr<float>()[i];
  return to;
}

// Right all the same: nobody asks for the element behind the last one.
Tensor DoubledByReadingOn(const Tensor& x) {
  Tensor twice = DoubledBut(0, x);
  if (x.scalar_type() == at::kFloat && x.is_contiguous()) {
    volatile float behind = x.const_data_ptr<float>()[x.numel()];
    static_cast<void>(behind);
  }
  return twice;
}
Tensor DoubledByWritingOn(const Tensor& x) {
  Tensor twice = DoubledBut(0, x);
  if (x.scalar_type() == at::kFloat) twice.mutable_data_ptr<float>()[x.numel()] = 1;
  return twice;
}

}  // namespace

TORCH_LIBRARY(wrong, library) {
  library.def("relu(Tensor x) -> Tensor", &ReluIntoItsInput);
  library.def("product(Tensor x, Tensor y) -> Tensor", &ProductWithOnes);
  library.def("copy(Tensor x) -> Tensor", &OnlyNan);
  library.def("selected(Tensor x) -> Tensor",
              [](const Tensor& x) { return x.slice(0, 0, 0).clone(); });
  library.def("shape(Tensor x) -> int[]",
              [](const Tensor&) { return std::vector<int64_t>{Counted()}; });
  library.def("scaled(Tensor x) -> (Tensor, float[])", &ScaledWithCount);
  library.def("same(Tensor x) -> Tensor", [](const Tensor& x) { return x; });
  library.def("twice(Tensor x) -> Tensor", &DoubleUntil4096);
  library.def("unwritten(Tensor x) -> Tensor", [](const Tensor& x) { return DoubledBut(1, x); });
  library.def("reads(Tensor x) -> Tensor", &DoubledByReadingOn);
  library.def("writes(Tensor x) -> Tensor", &DoubledByWritingOn);
}

TORCH_LIBRARY(honest, library) {
  library.def("relu(Tensor x) -> Tensor", [](const Tensor& x) { return at::relu(x); });
  library.def("product(Tensor x, Tensor y) -> Tensor",
              [](const Tensor& x, const Tensor& y) { return x * y; });
  library.def("copy(Tensor x) -> Tensor", [](const Tensor& x) { return x.clone(); });
  library.def("selected(Tensor x) -> Tensor",
              [](const Tensor& x) { return x.slice(0, 0, 1).clone(); });
  library.def("shape(Tensor x) -> int[]", [](const Tensor& x) { return x.sizes().vec(); });
  library.def("scaled(Tensor x) -> (Tensor, float[])", [](const Tensor& x) {
    return std::tuple<Tensor, std::vector<double>>(x * 2, {2.0});
  });
  library.def("same(Tensor x) -> Tensor", [](const Tensor& x) { return x.clone(); });
  for (const char* schema : {"twice(Tensor x) -> Tensor", "reads(Tensor x) -> Tensor",
                             "unwritten(Tensor x) -> Tensor", "writes(Tensor x) -> Tensor"})
    library.def(schema, [](const Tensor& x) { return DoubledBut(0, x); });
}
