#include "benchmarks/harness/costs/operator_flops.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::costs {
namespace {

using Inputs = c10::ArrayRef<const c10::IValue>;
using FlopKind = OperatorFlops::Kind;

double Product(at::IntArrayRef sizes) {
  double product = 1;
  for (const int64_t size : sizes) product *= static_cast<double>(size);
  return product;
}

double SizeOf(const c10::IValue& value) { return Product(value.toTensor().sizes()); }

// a (..., M, K) times b (..., K, N), where a is argument `left` and b follows.
FlopCount MatrixFlops(Inputs inputs, size_t left) {
  return {2 * SizeOf(inputs[left]) * static_cast<double>(inputs[left + 1].toTensor().size(-1))};
}

// _scaled_mm and _scaled_mm_v2. An element of float4_e2m1fn_x2 is two.
FlopCount ScaledMatrixFlops(Inputs inputs) {
  const bool pairs = inputs[0].toTensor().scalar_type() == at::kFloat4_e2m1fn_x2;
  return {(pairs ? 2 : 1) * MatrixFlops(inputs, 0).all};
}

// The places at which the kernel of a convolution meets its input.
struct Geometry {
  // stride, padding, dilation and transposed are arguments in this order, from `first` on.
  Geometry(Inputs inputs, size_t first)
      : stride(inputs[first].toIntVector()),
        padding(inputs[first + 1].toIntVector()),
        dilation(inputs[first + 2].toIntVector()),
        transposed(inputs[first + 3].toBool()) {}

  // A list of one number holds for all dimensions.
  static int64_t At(const std::vector<int64_t>& list, size_t d) {
    return list.size() == 1 ? list[0] : list.at(d);
  }

  // Counts the pairs of an output position and a place of the kernel that meet one of the `extent`
  // elements and not padding.
  double Inside(size_t d, int64_t positions, int64_t kernel, int64_t extent) const {
    int64_t inside = 0;
    for (int64_t position = 0; position < positions; ++position) {
      const int64_t begin = position * At(stride, d) - At(padding, d);
      for (int64_t k = 0; k < kernel; ++k) {
        const int64_t at = begin + k * At(dilation, d);
        inside += static_cast<int64_t>(at >= 0 && at < extent);
      }
    }
    return static_cast<double>(inside);
  }

  std::vector<int64_t> stride, padding, dilation;
  bool transposed;
};

// Every weight meets every position of the output (of the input, if transposed) in each row.
// `input` and `output` are sizes without rows and channels.
FlopCount ConvolutionFlops(const Geometry& geometry, const at::Tensor& weight, int64_t rows,
                           at::IntArrayRef input, at::IntArrayRef output) {
  const at::IntArrayRef positions = geometry.transposed ? input : output;
  const at::IntArrayRef extent = geometry.transposed ? output : input;
  const double channels = 2 * Product(weight.sizes().slice(0, 2)) * static_cast<double>(rows);
  double inside = channels;
  for (size_t d = 0; d < positions.size(); ++d)
    inside *= geometry.Inside(d, positions[d], weight.sizes()[d + 2], extent[d]);
  const double all = channels * Product(weight.sizes().slice(2)) * Product(positions);
  return {.all = all, .padding = all - inside};
}

// convolution(input (N, C, ...), weight, bias, stride, padding, dilation, transposed,
// output_padding, ...)
FlopCount ForwardConvolutionFlops(Inputs inputs) {
  const at::Tensor &x = inputs[0].toTensor(), &weight = inputs[1].toTensor();
  const Geometry geometry(inputs, 3);
  const auto output_padding = inputs[7].toIntVector();
  std::vector<int64_t> output;
  for (size_t d = 0; d + 2 < static_cast<size_t>(x.dim()); ++d) {
    const auto at = [d](const std::vector<int64_t>& list) { return Geometry::At(list, d); };
    const int64_t size = x.sizes()[d + 2], padding = 2 * at(geometry.padding),
                  span = at(geometry.dilation) * (weight.sizes()[d + 2] - 1) + 1;
    output.push_back(geometry.transposed
                         ? (size - 1) * at(geometry.stride) - padding + span + at(output_padding)
                         : (size + padding - span) / at(geometry.stride) + 1);
  }
  return ConvolutionFlops(geometry, weight, x.size(0), x.sizes().slice(2), output);
}

// convolution_backward(grad_output, input, weight, bias_sizes, stride, padding, dilation,
// transposed, output_padding, groups, output_mask): each of the gradients of input and weight takes
// as many products as the forward pass.
FlopCount BackwardConvolutionFlops(Inputs inputs) {
  const at::Tensor &gradient = inputs[0].toTensor(), &x = inputs[1].toTensor();
  const auto mask = inputs[10].toBoolList();
  const int products = static_cast<int>(mask[0]) + static_cast<int>(mask[1]);
  const FlopCount one = ConvolutionFlops(Geometry(inputs, 4), inputs[2].toTensor(), x.size(0),
                                         x.sizes().slice(2), gradient.sizes().slice(2));
  return {.all = products * one.all, .padding = products * one.padding};
}

// q (..., L, E), k (..., S, E), v (..., S, V). Keys and values of grouped queries serve several
// heads of q.
struct Attention {
  Attention(Inputs inputs, size_t first) {
    const at::Tensor &q = inputs[first].toTensor(), &k = inputs[first + 1].toTensor(),
                     &v = inputs[first + 2].toTensor();
    scores = Product(q.sizes().slice(0, q.dim() - 1)) * static_cast<double>(k.size(-2));
    width = static_cast<double>(q.size(-1));
    value_width = static_cast<double>(v.size(-1));
  }
  double scores, width, value_width;
};

FlopCount AttentionFlops(Inputs inputs) {
  const Attention a(inputs, 0);
  return {2 * a.scores * (a.width + a.value_width)};
}

// A fused kernel computes the scores again, then the gradients of value, weights, query and key.
FlopCount AttentionBackwardFlops(Inputs inputs) {
  const Attention a(inputs, 1);
  return {2 * a.scores * (3 * a.width + 2 * a.value_width)};
}

// mkldnn_rnn_layer(input (..., in), weight_ih, weight_hh, ...) and its backward, which begins alike:
// both weights meet each row of each step, in the backward pass twice.
FlopCount RecurrentFlops(Inputs inputs, int passes) {
  const at::Tensor& x = inputs[0].toTensor();
  const double rows = Product(x.sizes().slice(0, x.dim() - 1));
  return {2 * passes * rows * (SizeOf(inputs[1]) + SizeOf(inputs[2]))};
}

using Formula = FlopCount (*)(Inputs inputs);

const std::map<std::string, Formula, std::less<>>& Formulas() {
  static const auto* const formulas = new std::map<std::string, Formula, std::less<>>{
      {"mm", [](Inputs i) { return MatrixFlops(i, 0); }},
      {"bmm", [](Inputs i) { return MatrixFlops(i, 0); }},
      {"_scaled_mm", ScaledMatrixFlops},
      {"_scaled_mm_v2", ScaledMatrixFlops},
      {"addmm", [](Inputs i) { return MatrixFlops(i, 1); }},
      {"_addmm_activation", [](Inputs i) { return MatrixFlops(i, 1); }},
      {"baddbmm", [](Inputs i) { return MatrixFlops(i, 1); }},
      {"addbmm", [](Inputs i) { return MatrixFlops(i, 1); }},
      {"mv", [](Inputs i) { return FlopCount{2 * SizeOf(i[0])}; }},
      {"addmv", [](Inputs i) { return FlopCount{2 * SizeOf(i[1])}; }},
      {"dot", [](Inputs i) { return FlopCount{2 * SizeOf(i[0])}; }},
      {"vdot", [](Inputs i) { return FlopCount{2 * SizeOf(i[0])}; }},
      {"convolution", ForwardConvolutionFlops},
      {"_convolution", ForwardConvolutionFlops},
      {"convolution_overrideable", ForwardConvolutionFlops},
      {"convolution_backward", BackwardConvolutionFlops},
      {"convolution_backward_overrideable", BackwardConvolutionFlops},
      {"scaled_dot_product_attention", AttentionFlops},
      {"mkldnn_rnn_layer", [](Inputs i) { return RecurrentFlops(i, 1); }},
      {"mkldnn_rnn_layer_backward", [](Inputs i) { return RecurrentFlops(i, 2); }},
  };
  return *formulas;
}

Formula FormulaOf(std::string_view operation) {
  if (const auto found = Formulas().find(operation); found != Formulas().end()) {
    return found->second;
  }
  // _scaled_dot_product_{flash,efficient,cudnn}_attention[_for_cpu][_backward], …_math
  if (!absl::StartsWith(operation, "_scaled_dot_product_")) return nullptr;
  return absl::EndsWith(operation, "_backward") ? AttentionBackwardFlops : AttentionFlops;
}

// Whether the operator computes products in a kernel of its own, beside parts that may be counted.
bool IsOpaque(std::string_view operation) {
  static const auto* const names =
      new std::set<std::string, std::less<>>{"_trilinear",  // bilinear
                                             "_cdist_forward",
                                             "_pdist_forward",
                                             "_native_multi_head_attention",
                                             "_triton_multi_head_attention",
                                             "_transformer_encoder_layer_fwd",
                                             "_triton_scaled_dot_attention",
                                             "_cholesky_solve_helper",
                                             "cholesky",
                                             "cholesky_inverse",
                                             "triangular_solve",
                                             "ormqr",
                                             "geqrf",
                                             "lu_solve",
                                             "_lu_with_info",
                                             "matrix_exp"};
  static const auto* const made_of_others = new std::set<std::string, std::less<>>{
      "linalg_vector_norm", "linalg_norm",      "linalg_matrix_norm",  "linalg_matmul",
      "linalg_vecdot",      "linalg_multi_dot", "linalg_matrix_power", "linalg_cross",
      "linalg_diagonal",    "linalg_vander"};
  if (names->contains(operation)) return true;
  if (absl::StartsWith(operation, "_fft_")) return true;
  if (!absl::StartsWith(operation, "linalg_") && !absl::StartsWith(operation, "_linalg_")) {
    return false;
  }
  return !made_of_others->contains(operation);
}

// Whether a word of the name means products: conv2d, linear, _int_mm, lstm, gru_cell, …
bool SpeaksOfProducts(std::string_view operation) {
  if (absl::StartsWith(operation, "_thnn_fused_")) return false;  // a cell's pointwise part
  for (const std::string_view word : absl::StrSplit(operation, '_', absl::SkipEmpty())) {
    if (absl::EndsWith(word, "mm") || absl::EndsWith(word, "mv")) return true;
    if (absl::StartsWith(word, "conv") && !absl::StartsWith(word, "conver")) return true;
    if (absl::StrContains(word, "matmul")) return true;
    if (word == "linear" || word == "attention" || word == "rnn" || word == "lstm" ||
        word == "gru") {
      return true;
    }
  }
  return false;
}

bool AllStrided(Inputs inputs) {
  for (const c10::IValue& input : inputs) {
    if (!input.isTensor() || !input.toTensor().defined()) continue;
    const at::Tensor& tensor = input.toTensor();
    if (tensor.is_nested() || (tensor.layout() != at::kStrided && tensor.layout() != at::kMkldnn)) {
      return false;
    }
  }
  return true;
}

}  // namespace

OperatorFlops JudgeOperator(std::string_view name, Inputs inputs) {
  const size_t colons = name.find("::");
  if (colons == std::string_view::npos) return {FlopKind::kUnknown};
  const std::string_view space = name.substr(0, colons);
  if (space == "prim" || space == "prims" || space == "profiler") return {};
  if (space != "aten") return {FlopKind::kUnknown};
  // The in-place form does the same work. Names such as "__and__" are no in-place forms.
  const std::string_view operation = absl::StripSuffix(name.substr(colons + 2), "_");
  if (const Formula formula = FormulaOf(operation); formula != nullptr) {
    if (!AllStrided(inputs)) return {FlopKind::kUnknown};
    return {FlopKind::kCounted, formula(inputs)};
  }
  if (IsOpaque(operation)) return {FlopKind::kUnknown};
  if (SpeaksOfProducts(operation)) return {FlopKind::kInside};
  return {};
}

}  // namespace assay::costs
