#include "benchmarks/harness/execution/flop_count.h"

#include <ATen/record_function.h>

#include <memory>
#include <string_view>

#include "benchmarks/harness/base/torch_status.h"

namespace assay::execution {
namespace {

// The callbacks are plain functions, so what they write to is here: one count at a time and thread.
thread_local double flops = 0;
thread_local int counted_depth =
    0;  // inside how many counted operators; those within are part of it

double Product(at::IntArrayRef sizes) {
  double product = 1;
  for (const int64_t size : sizes) product *= static_cast<double>(size);
  return product;
}

// conv2d(input (N, C, H, W), weight (O, C / groups, h, w), bias, stride, padding, dilation, groups)
double ConvolutionFlops(c10::ArrayRef<const c10::IValue> inputs) {
  if (!inputs[4].isIntList()) return 0;  // padding "same": no model here has it
  const at::Tensor &x = inputs[0].toTensor(), &weight = inputs[1].toTensor();
  const auto stride = inputs[3].toIntVector(), padding = inputs[4].toIntVector(),
             dilation = inputs[5].toIntVector();
  double outputs = static_cast<double>(x.size(0)) * static_cast<double>(weight.size(0));
  for (size_t d = 0; d < stride.size(); ++d) {
    const int64_t axis = static_cast<int64_t>(d) + 2;
    const int64_t span = dilation[d] * (weight.size(axis) - 1) + 1;
    outputs *= static_cast<double>((x.size(axis) + 2 * padding[d] - span) / stride[d] + 1);
  }
  return 2 * outputs * Product(weight.sizes().slice(1));
}

// q (..., L, E), k (..., S, E), v (..., S, V): two products, L x S x E and L x S x V.
double AttentionFlops(c10::ArrayRef<const c10::IValue> inputs) {
  const at::Tensor &q = inputs[0].toTensor(), &k = inputs[1].toTensor(), &v = inputs[2].toTensor();
  return 2 * Product(q.sizes()) / static_cast<double>(q.size(-1)) *
         static_cast<double>(k.size(-2)) * static_cast<double>(q.size(-1) + v.size(-1));
}

// Operations of an operator; negative for one that is not counted.
double FlopsOf(std::string_view name, c10::ArrayRef<const c10::IValue> inputs) {
  if (name == "aten::conv2d") return ConvolutionFlops(inputs);
  if (name == "aten::scaled_dot_product_attention") return AttentionFlops(inputs);
  if (name == "aten::linear") {  // x (..., I), weight (O, I)
    return 2 * Product(inputs[0].toTensor().sizes()) *
           static_cast<double>(inputs[1].toTensor().size(0));
  }
  if (name == "aten::matmul" || name == "aten::mm" || name == "aten::bmm") {
    const at::Tensor& right = inputs[1].toTensor();
    return 2 * Product(inputs[0].toTensor().sizes()) * static_cast<double>(right.size(-1));
  }
  return -1;
}

// Marks the operators that were counted, so that their end is known.
struct Counted : at::ObserverContext {};

std::unique_ptr<at::ObserverContext> OnStart(const at::RecordFunction& function) {
  const double found = FlopsOf(function.name(), function.inputs());
  if (found < 0) return nullptr;
  if (counted_depth++ == 0) flops += found;
  return std::make_unique<Counted>();
}

void OnEnd(const at::RecordFunction&, at::ObserverContext* context) {
  if (context != nullptr) --counted_depth;
}

}  // namespace

absl::StatusOr<double> CountFlops(Executable& executable, Step step) {
  const absl::Status begun = base::CatchTorch("running the program", [&] {
    executable.Begin(step);
    executable.Prepare(step);
  });
  if (!begun.ok()) return begun;
  flops = 0;
  counted_depth = 0;
  const at::CallbackHandle handle =
      at::addThreadLocalCallback(at::RecordFunctionCallback(OnStart, OnEnd)
                                     .needsInputs(true)
                                     .scopes({at::RecordScope::FUNCTION}));
  const absl::Status called =
      base::CatchTorch("running the program", [&] { executable.Call(step); });
  at::removeCallback(handle);
  if (!called.ok()) return called;
  return flops;
}

}  // namespace assay::execution
