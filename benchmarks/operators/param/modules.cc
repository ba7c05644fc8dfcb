#include "benchmarks/operators/param/modules.h"

#include <ATen/ops/empty.h>
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

// Binds a constructor's arguments by position to the signature that Python shows.
absl::StatusOr<c10::Stack> Bind(const char* signature, const OperatorArguments& arguments) {
  return execution::BindArguments(torch::jit::parseSchema(signature), arguments);
}

struct Parameters {
  c10::Device device;
  c10::IValue dtype;  // or None

  // torch.nn's initialization, kaiming_uniform_ with a = sqrt(5): uniform on +-1 / sqrt(fan_in).
  // The bias has the same bound.
  absl::StatusOr<at::Tensor> Make(const char* name, at::IntArrayRef shape, int64_t fan_in) const {
    at::Tensor tensor;
    absl::Status filled;
    const absl::Status made = base::CatchTorch(absl::StrCat("making the ", name), [&] {
      tensor = at::empty(shape, at::kFloat);
      const double bound = fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
      filled =
          numerics::Fill(tensor, /*seed=*/0, name, {.multiplier = bound, .offset = 0, .slope = 1});
      const at::ScalarType type =
          dtype.isNone() ? at::kFloat : static_cast<at::ScalarType>(dtype.toInt());
      tensor = tensor.to(device, type).requires_grad_();
    });
    if (!made.ok()) return made;
    if (!filled.ok()) return filled;
    return tensor;
  }
};

c10::IValue OrNone(const at::Tensor& tensor) {
  return tensor.defined() ? c10::IValue(tensor) : c10::IValue();
}

absl::StatusOr<ModuleCall> MakeLinear(const OperatorArguments& arguments, c10::Device device) {
  const absl::StatusOr<c10::Stack> bound = Bind(
      "nn::Linear(int in_features, int out_features, bool bias=True, Device? device=None, "
      "ScalarType? dtype=None) -> Tensor",
      arguments);
  if (!bound.ok()) return bound.status();
  const int64_t in = (*bound)[0].toInt(), out = (*bound)[1].toInt();
  const Parameters parameters = {device, (*bound)[4]};
  absl::StatusOr<at::Tensor> weight = parameters.Make("weight", {out, in}, in), bias = at::Tensor();
  if ((*bound)[2].toBool()) bias = parameters.Make("bias", {out}, in);
  if (!weight.ok()) return weight.status();
  if (!bias.ok()) return bias.status();
  return ModuleCall{"aten::linear", {*weight, OrNone(*bias)}};
}

absl::StatusOr<ModuleCall> MakeConv2d(const OperatorArguments& arguments, c10::Device device) {
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
  const std::vector<int64_t> kernel = given[2].toIntVector();
  if (given[8].toStringRef() != "zeros") {
    return absl::InvalidArgumentError(
        "nn::Conv2d: padding_mode is \"zeros\"; another is aten::pad before it");
  }
  if (groups < 1 || in % groups != 0 || out % groups != 0)
    return absl::InvalidArgumentError(
        "nn::Conv2d: groups must divide in_channels and out_channels");
  const Parameters parameters = {device, given[10]};
  const int64_t fan_in = in / groups * kernel[0] * kernel[1];
  absl::StatusOr<at::Tensor> weight = parameters.Make(
                                 "weight", {out, in / groups, kernel[0], kernel[1]}, fan_in),
                             bias = at::Tensor();
  if (given[7].toBool()) bias = parameters.Make("bias", {out}, fan_in);
  if (!weight.ok()) return weight.status();
  if (!bias.ok()) return bias.status();
  return ModuleCall{"aten::conv2d",
                    {*weight, OrNone(*bias), given[3], given[4], given[5], given[6]}};
}

absl::StatusOr<ModuleCall> MakeMaxPool2d(const OperatorArguments& arguments, c10::Device) {
  const absl::StatusOr<c10::Stack> bound = Bind(
      "nn::MaxPool2d(int[2] kernel_size, int[2]? stride=None, int[2] padding=0, "
      "int[2] dilation=1, bool return_indices=False, bool ceil_mode=False) -> Tensor",
      arguments);
  if (!bound.ok()) return bound.status();
  const c10::Stack& given = *bound;
  const c10::IValue stride = given[1].isNone() ? given[0] : given[1];
  return ModuleCall{given[4].toBool() ? "aten::max_pool2d_with_indices" : "aten::max_pool2d",
                    {given[0], stride, given[2], given[3], given[5]}};
}

absl::StatusOr<ModuleCall> MakeAdaptiveAvgPool2d(const OperatorArguments& arguments, c10::Device) {
  const absl::StatusOr<c10::Stack> bound =
      Bind("nn::AdaptiveAvgPool2d(int[2] output_size) -> Tensor", arguments);
  if (!bound.ok()) return bound.status();
  return ModuleCall{"aten::adaptive_avg_pool2d", {(*bound)[0]}};
}

absl::StatusOr<ModuleCall> MakeDropout(const OperatorArguments& arguments, c10::Device) {
  const absl::StatusOr<c10::Stack> bound =
      Bind("nn::Dropout(float p=0.5, bool inplace=False) -> Tensor", arguments);
  if (!bound.ok()) return bound.status();
  return ModuleCall{(*bound)[1].toBool() ? "aten::dropout_" : "aten::dropout",
                    {(*bound)[0], /*train=*/true}};
}

absl::StatusOr<ModuleCall> MakeReLU(const OperatorArguments& arguments, c10::Device) {
  const absl::StatusOr<c10::Stack> bound =
      Bind("nn::ReLU(bool inplace=False) -> Tensor", arguments);
  if (!bound.ok()) return bound.status();
  return ModuleCall{(*bound)[0].toBool() ? "aten::relu_" : "aten::relu"};
}

using Maker = absl::StatusOr<ModuleCall> (*)(const OperatorArguments&, c10::Device);

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

absl::StatusOr<ModuleCall> BuildModule(std::string_view name, const OperatorArguments& arguments,
                                       c10::Device device) {
  const auto found = Makers().find(name);
  if (found != Makers().end()) return found->second(arguments, device);
  return absl::NotFoundError(absl::StrCat(
      "there is no module torch.nn.", name, " here; there are ",
      absl::StrJoin(Makers(), ", ",
                    [](std::string* out, const auto& entry) { out->append(entry.first); })));
}

}  // namespace assay::param
