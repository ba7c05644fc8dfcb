#include "benchmarks/operators/param/modules.h"

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/pad.h>
#include <ATen/ops/relu.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"

namespace assay::param {
namespace {

using execution::OperatorArguments;
using execution::Tensors;

// Binds a constructor's arguments by position to the signature that Python shows.
absl::StatusOr<c10::Stack> Bind(const char* signature, const OperatorArguments& arguments) {
  return execution::BindArguments(torch::jit::parseSchema(signature), arguments);
}

struct Parameters {
  c10::Device device;
  c10::IValue dtype;  // or None
  std::string_view place;

  // torch.nn's initialization, kaiming_uniform_ with a = sqrt(5): uniform on +-1 / sqrt(fan_in).
  // The bias has the same bound.
  absl::StatusOr<at::Tensor> Make(const char* name, at::IntArrayRef shape, int64_t fan_in) const {
    at::Tensor tensor;
    absl::Status filled;
    const absl::Status made = base::CatchTorch(absl::StrCat("making the ", name), [&] {
      tensor = at::empty(shape, at::kFloat);
      const double bound = fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
      filled = numerics::Fill(tensor, /*seed=*/0, absl::StrCat(place, name),
                              {.multiplier = bound, .offset = 0, .slope = 1});
      const at::ScalarType type =
          dtype.isNone() ? at::kFloat : static_cast<at::ScalarType>(dtype.toInt());
      tensor = tensor.to(device, type).requires_grad_();
    });
    if (!made.ok()) return made;
    if (!filled.ok()) return filled;
    return tensor;
  }
};

absl::StatusOr<Module> MakeLinear(const OperatorArguments& arguments, c10::Device device,
                                  std::string_view place) {
  const absl::StatusOr<c10::Stack> bound = Bind(
      "nn::Linear(int in_features, int out_features, bool bias=True, Device? device=None, "
      "ScalarType? dtype=None) -> Tensor",
      arguments);
  if (!bound.ok()) return bound.status();
  const int64_t in = (*bound)[0].toInt(), out = (*bound)[1].toInt();
  const Parameters parameters = {device, (*bound)[4], place};
  absl::StatusOr<at::Tensor> weight = parameters.Make("weight", {out, in}, in), bias = at::Tensor();
  if ((*bound)[2].toBool()) bias = parameters.Make("bias", {out}, in);
  if (!weight.ok()) return weight.status();
  if (!bias.ok()) return bias.status();
  return [weight = *weight, bias = *bias](const at::Tensor& x) -> Tensors {
    return {at::linear(x, weight, bias)};
  };
}

// The padding for a padding_mode other than "zeros", which torch.nn applies before the convolution.
std::vector<int64_t> Pads(const std::vector<int64_t>& padding) {
  return {padding[1], padding[1], padding[0], padding[0]};
}

absl::StatusOr<Module> MakeConv2d(const OperatorArguments& arguments, c10::Device device,
                                  std::string_view place) {
  constexpr char kSignature[] =
      "nn::Conv2d(int in_channels, int out_channels, int[2] kernel_size, int[2] stride=1, "
      "%s, int[2] dilation=1, int groups=1, bool bias=True, str padding_mode='zeros', "
      "Device? device=None, ScalarType? dtype=None) -> Tensor";
  const auto signature = [&](const char* padding) {
    return std::string(kSignature).replace(std::string(kSignature).find("%s"), 2, padding);
  };
  absl::StatusOr<c10::Stack> bound = Bind(signature("int[2] padding=0").c_str(), arguments);
  const absl::StatusOr<c10::Stack> by_name = Bind(signature("str padding=''").c_str(), arguments);
  if (!bound.ok() && by_name.ok()) bound = by_name;  // "same", "valid"
  if (!bound.ok()) return bound.status();
  const c10::Stack& given = *bound;
  const int64_t in = given[0].toInt(), out = given[1].toInt(), groups = given[6].toInt();
  const std::vector<int64_t> kernel = given[2].toIntVector(), stride = given[3].toIntVector(),
                             dilation = given[5].toIntVector();
  if (groups < 1 || in % groups != 0 || out % groups != 0)
    return absl::InvalidArgumentError(
        "nn::Conv2d: groups must divide in_channels and out_channels");
  const Parameters parameters = {device, given[10], place};
  const int64_t fan_in = in / groups * kernel[0] * kernel[1];
  absl::StatusOr<at::Tensor> weight = parameters.Make(
                                 "weight", {out, in / groups, kernel[0], kernel[1]}, fan_in),
                             bias = at::Tensor();
  if (given[7].toBool()) bias = parameters.Make("bias", {out}, fan_in);
  if (!weight.ok()) return weight.status();
  if (!bias.ok()) return bias.status();
  const std::string mode = given[8].toStringRef();
  if (given[4].isString()) {
    if (mode != "zeros")
      return absl::InvalidArgumentError("nn::Conv2d: padding by name goes with padding_mode zeros");
    return [weight = *weight, bias = *bias, stride, dilation, groups,
            padding = given[4].toStringRef()](const at::Tensor& x) -> Tensors {
      return {at::conv2d(x, weight, bias, stride, c10::string_view(padding), dilation, groups)};
    };
  }
  const std::vector<int64_t> padding = given[4].toIntVector();
  return [weight = *weight, bias = *bias, stride, dilation, groups, padding,
          mode](const at::Tensor& x) -> Tensors {
    if (mode == "zeros") return {at::conv2d(x, weight, bias, stride, padding, dilation, groups)};
    const at::Tensor padded = at::pad(x, Pads(padding), mode);
    return {at::conv2d(padded, weight, bias, stride, at::IntArrayRef({0, 0}), dilation, groups)};
  };
}

absl::StatusOr<Module> MakeMaxPool2d(const OperatorArguments& arguments, c10::Device,
                                     std::string_view) {
  const absl::StatusOr<c10::Stack> bound = Bind(
      "nn::MaxPool2d(int[2] kernel_size, int[2]? stride=None, int[2] padding=0, "
      "int[2] dilation=1, bool return_indices=False, bool ceil_mode=False) -> Tensor",
      arguments);
  if (!bound.ok()) return bound.status();
  const c10::Stack& given = *bound;
  const std::vector<int64_t> kernel = given[0].toIntVector(),
                             stride = given[1].isNone() ? kernel : given[1].toIntVector(),
                             padding = given[2].toIntVector(), dilation = given[3].toIntVector();
  return
      [=, indices = given[4].toBool(), ceil = given[5].toBool()](const at::Tensor& x) -> Tensors {
        if (!indices) return {at::max_pool2d(x, kernel, stride, padding, dilation, ceil)};
        const auto [values, places] =
            at::max_pool2d_with_indices(x, kernel, stride, padding, dilation, ceil);
        return {values, places};
      };
}

absl::StatusOr<Module> MakeAdaptiveAvgPool2d(const OperatorArguments& arguments, c10::Device,
                                             std::string_view) {
  const absl::StatusOr<c10::Stack> bound =
      Bind("nn::AdaptiveAvgPool2d(int[2] output_size) -> Tensor", arguments);
  if (!bound.ok()) return bound.status();
  return [size = (*bound)[0].toIntVector()](const at::Tensor& x) -> Tensors {
    return {at::adaptive_avg_pool2d(x, size)};
  };
}

absl::StatusOr<Module> MakeDropout(const OperatorArguments& arguments, c10::Device,
                                   std::string_view) {
  const absl::StatusOr<c10::Stack> bound =
      Bind("nn::Dropout(float p=0.5, bool inplace=False) -> Tensor", arguments);
  if (!bound.ok()) return bound.status();
  return
      [p = (*bound)[0].toDouble(), inplace = (*bound)[1].toBool()](const at::Tensor& x) -> Tensors {
        at::Tensor y = x;
        return {inplace ? at::dropout_(y, p, /*train=*/true) : at::dropout(x, p, /*train=*/true)};
      };
}

absl::StatusOr<Module> MakeReLU(const OperatorArguments& arguments, c10::Device, std::string_view) {
  const absl::StatusOr<c10::Stack> bound =
      Bind("nn::ReLU(bool inplace=False) -> Tensor", arguments);
  if (!bound.ok()) return bound.status();
  return [inplace = (*bound)[0].toBool()](const at::Tensor& x) -> Tensors {
    at::Tensor y = x;
    return {inplace ? at::relu_(y) : at::relu(x)};
  };
}

using Maker = absl::StatusOr<Module> (*)(const OperatorArguments&, c10::Device, std::string_view);

const std::map<std::string, Maker, std::less<>>& Makers() {
  static const auto* const makers =
      new std::map<std::string, Maker, std::less<>>{{"AdaptiveAvgPool2d", MakeAdaptiveAvgPool2d},
                                                    {"Conv2d", MakeConv2d},
                                                    {"Dropout", MakeDropout},
                                                    {"Linear", MakeLinear},
                                                    {"MaxPool2d", MakeMaxPool2d},
                                                    {"ReLU", MakeReLU}};
  return *makers;
}

}  // namespace

absl::StatusOr<Module> BuildModule(std::string_view name, const OperatorArguments& arguments,
                                   c10::Device device, std::string_view place) {
  const auto found = Makers().find(name);
  if (found != Makers().end()) return found->second(arguments, device, place);
  return absl::NotFoundError(absl::StrCat(
      "there is no module torch.nn.", name, " here; there are ",
      absl::StrJoin(Makers(), ", ",
                    [](std::string* out, const auto& entry) { out->append(entry.first); })));
}

Operator OperatorOf(Module module, std::string name) {
  return [module = std::move(module),
          name = std::move(name)](OperatorArguments inputs) -> absl::StatusOr<BoundCall> {
    const bool one = inputs.positional.size() + inputs.named.size() == 1;
    const c10::IValue* const x = !one                        ? nullptr
                                 : inputs.positional.empty() ? &inputs.named[0].second
                                                             : &inputs.positional[0];
    if (x == nullptr || !x->isTensor())
      return absl::InvalidArgumentError(absl::StrCat(name, " takes one tensor"));
    return BoundCall{.forward = [module, x = x->toTensor()] { return module(x); }};
  };
}

}  // namespace assay::param
