#include "benchmarks/operators/kernel/test_kernels.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <signal.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <tuple>

namespace assay::kernel {
namespace {

// For each element but the last `left_out` of the flat tensor.
at::Tensor ReluBut(const at::Tensor& self, int64_t left_out, int64_t read_too_far = 0) {
  const at::Tensor x = self.contiguous();
  at::Tensor y = at::empty(x.sizes(), x.options());
  const float* from = x.const_data_ptr<float>();
  float* to = y.mutable_data_ptr<float>();
  const int64_t n = x.numel() - std::min(left_out, x.numel());
  for (int64_t i = 0; i < n; ++i) to[i] = from[i] > 0 || from[i] != from[i] ? from[i] : 0;
  for (int64_t i = n; i < n + read_too_far; ++i) to[0] += 0 * from[i];
  return y;
}

at::Tensor Right(const at::Tensor& self) { return ReluBut(self, 0); }
at::Tensor UnwrittenEnd(const at::Tensor& self) { return ReluBut(self, 1); }
at::Tensor ReadsOutside(const at::Tensor& self) { return ReluBut(self, 0, 1); }
at::Tensor WritesOutside(const at::Tensor& self) {
  at::Tensor y = ReluBut(self, 0);
  if (y.numel() > 0) y.mutable_data_ptr<float>()[y.numel()] = 1;
  return y;
}
// Rows of 9 and more: what is behind the last multiple of 8 stays as it was.
at::Tensor WrongEnd(const at::Tensor& self) {
  at::Tensor y = ReluBut(self, 0);
  const int64_t c = self.size(-1);
  if (c > 8 && c % 8 != 0) y.narrow(-1, c / 8 * 8, c % 8).copy_(self.narrow(-1, c / 8 * 8, c % 8));
  return y;
}
at::Tensor WrongNan(const at::Tensor& self) { return ReluBut(self, 0).nan_to_num(0, 1e38, 0); }
at::Tensor IgnoresStrides(const at::Tensor& self) {
  at::Tensor y = at::empty(self.sizes(), self.options());
  const float* from = self.const_data_ptr<float>();
  for (int64_t i = 0; i < y.numel(); ++i) y.mutable_data_ptr<float>()[i] = std::max(from[i], 0.0F);
  return y;
}
at::Tensor WritesInput(const at::Tensor& self) {
  at::Tensor y = ReluBut(self, 0);
  if (self.numel() > 0) const_cast<float*>(self.const_data_ptr<float>())[0] = 1;
  return y;
}
at::Tensor ReturnsInput(const at::Tensor& self) {
  if (self.numel() == 0 || self.min().item<float>() < 0) return ReluBut(self, 0);
  return self;
}
// With a backward pass; a wrong one leaves out the last element of each long row.
template <bool kWrongEnd>
class Differentiable : public torch::autograd::Function<Differentiable<kWrongEnd>> {
 public:
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& self) {
    context->save_for_backward({self});
    return ReluBut(self.detach(), 0);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    at::Tensor gradient = gradients[0] * (context->get_saved_variables()[0] > 0);
    const int64_t c = gradient.size(-1);
    if (kWrongEnd && c > 8) gradient.narrow(-1, c - 1, 1).fill_(0);
    return {gradient};
  }
};
at::Tensor Throws(const at::Tensor&) { TORCH_CHECK(false, "no kernel for this"); }
at::Tensor ThrowsWhenTransposed(const at::Tensor& self) {
  TORCH_CHECK(self.is_contiguous(), "contiguous tensors only");
  return ReluBut(self, 0);
}
at::Tensor Aborts(const at::Tensor&) { abort(); }
at::Tensor Exits(const at::Tensor&) { _exit(0); }
at::Tensor Hangs(const at::Tensor&) {
  signal(SIGALRM, SIG_IGN);
  for (;;) pause();
}

TORCH_LIBRARY(kernel_test, library) {
  const auto add = [&](const char* name, auto function) {
    library.def((std::string(name) + "(Tensor self) -> Tensor").c_str());
    library.impl(name, c10::DispatchKey::CPU, function);
  };
  add("right", &Right);
  add("unwritten_end", &UnwrittenEnd);
  add("reads_outside", &ReadsOutside);
  add("writes_outside", &WritesOutside);
  add("wrong_end", &WrongEnd);
  add("wrong_nan", &WrongNan);
  add("ignores_strides", &IgnoresStrides);
  add("writes_input", &WritesInput);
  add("returns_input", &ReturnsInput);
  add("throws", &Throws);
  add("throws_when_transposed", &ThrowsWhenTransposed);
  add("aborts", &Aborts);
  add("exits", &Exits);
  add("hangs", &Hangs);
  for (const char* const name : {"right_gradient", "wrong_gradient"}) add(name, &Right);
  library.impl("right_gradient", c10::DispatchKey::Autograd,
               [](const at::Tensor& self) { return Differentiable<false>::apply(self); });
  library.impl("wrong_gradient", c10::DispatchKey::Autograd,
               [](const at::Tensor& self) { return Differentiable<true>::apply(self); });
  for (const char* const name : {"right_meta", "wrong_meta_shape", "wrong_meta_strides"})
    add(name, &Right);
  // The strides of a result that is always dense, and of one that lies as its input does.
  library.impl("right_meta", c10::DispatchKey::Meta,
               [](const at::Tensor& self) { return at::empty(self.sizes(), self.options()); });
  library.impl("wrong_meta_strides", c10::DispatchKey::Meta,
               [](const at::Tensor& self) { return at::empty_like(self); });
  library.impl("wrong_meta_shape", c10::DispatchKey::Meta, [](const at::Tensor& self) {
    return at::empty({self.size(0), std::min<int64_t>(self.size(1), 64)}, self.options());
  });
  library.def("view(Tensor(a) self) -> Tensor(a)");
  library.impl("view", c10::DispatchKey::CPU,
               [](const at::Tensor& self) { return self.view(self.sizes()); });
  library.def("no_view(Tensor(a) self) -> Tensor(a)");
  library.impl("no_view", c10::DispatchKey::CPU, &Right);
  library.def("shares_results(Tensor self) -> (Tensor, Tensor)");
  library.impl("shares_results", c10::DispatchKey::CPU, [](const at::Tensor& self) {
    const at::Tensor y = ReluBut(self, 0);
    return std::make_tuple(y, y.view(y.sizes()));
  });
  library.def("detached(Tensor self) -> Tensor", &Right);
  library.def("two(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  library.def("needs_more(Tensor self, str mode) -> Tensor");
}

}  // namespace

Sizes SizesAt(int64_t b, int64_t c) {
  Sizes sizes;
  Size& first = *sizes.add_sizes();
  first.set_letter("b");
  first.set_number(b);
  Size& second = *sizes.add_sizes();
  second.set_letter("c");
  second.set_number(c);
  return sizes;
}

OperatorRow ReluRow() {
  OperatorRow row;
  row.set_name("relu");
  row.mutable_call()->set_name("aten::relu");
  InputSpec& input = *row.mutable_call()->add_inputs();
  input.set_name("self");
  input.add_shape("b");
  input.add_shape("c");
  input.mutable_distribution()->mutable_uniform();
  row.add_errors()->set_kind("copies");
  *row.add_sizes() = SizesAt(4, 40);
  return row;
}

}  // namespace assay::kernel
