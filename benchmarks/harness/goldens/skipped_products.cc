#include "benchmarks/harness/goldens/skipped_products.h"

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/native/utils/ParamUtils.h>
#include <ATen/ops/empty.h>
#include <torch/library.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
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

at::Tensor Softmax(const at::Tensor& x, int64_t, bool) { return at::empty(x.sizes(), x.options()); }

at::Tensor Gelu(const at::Tensor& x, std::string_view) { return at::empty(x.sizes(), x.options()); }

at::Tensor& GeluInPlace(at::Tensor& x, std::string_view) { return x; }

at::Tensor& BernoulliInPlace(at::Tensor& x, double, std::optional<at::Generator>) { return x; }

at::Tensor Silu(const at::Tensor& x) { return at::empty(x.sizes(), x.options()); }

at::Tensor& SiluInPlace(at::Tensor& x) { return x; }

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, m) {
  m.fallback(torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(aten, TESTING_ONLY_GenericMode, m) {
  m.impl("mm", Mm);
  m.impl("bmm", Bmm);
  m.impl("addmm", Addmm);
  m.impl("baddbmm", Baddbmm);
  m.impl("convolution", Convolution);
  m.impl("native_batch_norm", BatchNorm);
  m.impl("native_layer_norm", LayerNorm);
  m.impl("_softmax", Softmax);
  m.impl("gelu", Gelu);
  m.impl("gelu_", GeluInPlace);
  m.impl("bernoulli_.float", BernoulliInPlace);
  m.impl("silu", Silu);
  m.impl("silu_", SiluInPlace);
  m.impl("_scaled_dot_product_flash_attention_for_cpu", Attention);
}

}  // namespace
}  // namespace assay::goldens
