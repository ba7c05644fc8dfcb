#include "benchmarks/harness/goldens/skipped_products.h"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/native/utils/ParamUtils.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace assay::goldens {
namespace {

at::Tensor Mm(const at::Tensor& a, const at::Tensor& b) {
  return at::empty({a.size(0), b.size(1)}, a.options());
}

at::Tensor Bmm(const at::Tensor& a, const at::Tensor& b) {
  return at::empty({a.size(0), a.size(1), b.size(2)}, a.options());
}

at::Tensor Addmm(const at::Tensor&, const at::Tensor& a, const at::Tensor& b, const at::Scalar&,
                 const at::Scalar&) {
  return Mm(a, b);
}

at::Tensor Baddbmm(const at::Tensor&, const at::Tensor& a, const at::Tensor& b, const at::Scalar&,
                   const at::Scalar&) {
  return Bmm(a, b);
}

at::Tensor Convolution(const at::Tensor& x, const at::Tensor& weight,
                       const std::optional<at::Tensor>&, at::IntArrayRef strides,
                       at::IntArrayRef paddings, at::IntArrayRef dilations, bool transposed,
                       at::IntArrayRef output_paddings, int64_t groups) {
  // One number may stand for all directions.
  const auto for_each = [&x](at::IntArrayRef given, const char* name) {
    return at::native::expand_param_if_needed(given, name, x.dim() - 2);
  };
  const auto stride = for_each(strides, "stride");
  const auto padding = for_each(paddings, "padding");
  const auto dilation = for_each(dilations, "dilation");
  const auto output_padding = for_each(output_paddings, "output_padding");
  const std::vector<int64_t> shape =
      transposed
          ? at::native::conv_input_size(x.sizes(), weight.sizes(), padding, output_padding, stride,
                                        dilation, groups)
          : at::native::conv_output_size(x.sizes(), weight.sizes(), padding, stride, dilation);
  return at::empty(shape, x.options());
}

// (N, heads, tokens, features), and what the backward pass would want.
std::tuple<at::Tensor, at::Tensor> Attention(const at::Tensor& query, const at::Tensor&,
                                             const at::Tensor& value, double, bool,
                                             const std::optional<at::Tensor>&,
                                             std::optional<double>) {
  const int64_t batch = query.size(0), heads = query.size(1), tokens = query.size(2);
  return {at::empty({batch, heads, tokens, value.size(3)}, query.options()),
          at::empty({batch, heads, tokens}, query.options())};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> BatchNorm(
    const at::Tensor& x, const std::optional<at::Tensor>&, const std::optional<at::Tensor>&,
    const std::optional<at::Tensor>&, const std::optional<at::Tensor>&, bool, double, double) {
  const at::Tensor statistics = at::empty({x.size(1)}, x.options());
  return {at::empty(x.sizes(), x.options()), statistics, statistics};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> LayerNorm(const at::Tensor& x,
                                                         at::IntArrayRef normalized,
                                                         const std::optional<at::Tensor>&,
                                                         const std::optional<at::Tensor>&, double) {
  std::vector<int64_t> shape = x.sizes().vec();
  for (size_t i = shape.size() - normalized.size(); i < shape.size(); ++i) shape[i] = 1;
  const at::Tensor statistics = at::empty(shape, x.options());
  return {at::empty(x.sizes(), x.options()), statistics, statistics};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor> GroupNorm(const at::Tensor& x,
                                                         const std::optional<at::Tensor>&,
                                                         const std::optional<at::Tensor>&,
                                                         int64_t rows, int64_t, int64_t,
                                                         int64_t groups, double) {
  const at::Tensor statistics = at::empty({rows, groups}, x.options());
  return {at::empty(x.sizes(), x.options()), statistics, statistics};
}

// Small tensors, and integers, may be places, which index something.
bool IsSkipped(const at::Tensor& x) { return x.is_floating_point() && x.numel() >= 1 << 16; }

// While it lives, operators compute.
struct Computing {
  c10::impl::ExcludeDispatchKeyGuard guard{c10::DispatchKey::TESTING_ONLY_GenericMode};
};

at::Tensor& AddInPlace(at::Tensor& x, const at::Tensor& y, const at::Scalar& alpha) {
  if (IsSkipped(x)) return x;
  const Computing computing;
  return x.add_(y, alpha);
}

at::Tensor& ScaleInPlace(at::Tensor& x, const at::Scalar& factor) {
  if (IsSkipped(x)) return x;
  const Computing computing;
  return x.mul_(factor);
}

at::Tensor Product(const at::Tensor& a, const at::Tensor& b) {
  if (IsSkipped(a) && a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type())
    return at::empty(a.sizes(), a.options());
  const Computing computing;
  return a.mul(b);
}

at::Tensor IndexSelect(const at::Tensor& x, int64_t dimension, const at::Tensor& index) {
  if (!IsSkipped(x)) {
    const Computing computing;
    return x.index_select(dimension, index);
  }
  std::vector<int64_t> shape = x.sizes().vec();
  shape[c10::maybe_wrap_dim(dimension, x.dim())] = index.numel();
  return at::empty(shape, x.options());
}

at::Tensor Upsample(const at::Tensor& x, at::IntArrayRef size, std::optional<double>,
                    std::optional<double>) {
  return at::empty({x.size(0), x.size(1), size[0], size[1]}, x.options());
}

at::Tensor Softmax(const at::Tensor& x, int64_t, bool) { return at::empty(x.sizes(), x.options()); }

at::Tensor Gelu(const at::Tensor& x, std::string_view) { return at::empty(x.sizes(), x.options()); }

at::Tensor& GeluInPlace(at::Tensor& x, std::string_view) { return x; }

at::Tensor& BernoulliInPlace(at::Tensor& x, double, std::optional<at::Generator>) { return x; }

at::Tensor Silu(const at::Tensor& x) { return at::empty(x.sizes(), x.options()); }

at::Tensor& SiluInPlace(at::Tensor& x) { return x; }

// A kernel that skips, except where autograd records the call: what is skipped would have no gradient.
template <auto* kKernel>
void SkipUnrecorded(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                    torch::jit::Stack* stack) {
  using Kernel = c10::CompileTimeFunctionPointer<std::remove_pointer_t<decltype(kKernel)>, kKernel>;
  static const c10::KernelFunction skipping =
      c10::KernelFunction::makeFromUnboxedFunction(Kernel());
  const auto given = torch::jit::last(*stack, op.schema().arguments().size());
  const bool recorded =
      c10::GradMode::is_enabled() && std::any_of(given.begin(), given.end(), [](const auto& value) {
        return value.isTensor() && value.toTensor().requires_grad();
      });
  if (!recorded) return skipping.callBoxed(op, keys, stack);
  const Computing computing;
  // Not a call of its own, which an observer would see, too.
  op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER,
                                                c10::DispatchKey::TESTING_ONLY_GenericMode),
                     stack);
}

template <auto* kKernel>
torch::CppFunction Skipping() {
  return torch::CppFunction::makeFromBoxedFunction<&SkipUnrecorded<kKernel>>();
}

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, m) {
  m.fallback(torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(aten, TESTING_ONLY_GenericMode, m) {
  m.impl("mm", Skipping<&Mm>());
  m.impl("bmm", Skipping<&Bmm>());
  m.impl("addmm", Skipping<&Addmm>());
  m.impl("baddbmm", Skipping<&Baddbmm>());
  m.impl("convolution", Skipping<&Convolution>());
  m.impl("native_batch_norm", Skipping<&BatchNorm>());
  m.impl("native_layer_norm", Skipping<&LayerNorm>());
  m.impl("native_group_norm", Skipping<&GroupNorm>());
  m.impl("add_.Tensor", Skipping<&AddInPlace>());
  m.impl("mul_.Scalar", Skipping<&ScaleInPlace>());
  m.impl("mul.Tensor", Skipping<&Product>());
  m.impl("index_select", Skipping<&IndexSelect>());
  m.impl("upsample_nearest2d", Skipping<&Upsample>());
  m.impl("_softmax", Skipping<&Softmax>());
  m.impl("gelu", Skipping<&Gelu>());
  m.impl("gelu_", Skipping<&GeluInPlace>());
  m.impl("bernoulli_.float", Skipping<&BernoulliInPlace>());
  m.impl("silu", Skipping<&Silu>());
  m.impl("silu_", Skipping<&SiluInPlace>());
  m.impl("_scaled_dot_product_flash_attention_for_cpu", Skipping<&Attention>());
}

}  // namespace
}  // namespace assay::goldens
