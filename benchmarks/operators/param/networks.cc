#include "benchmarks/operators/param/networks.h"

#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "models/model.h"
#include "models/registry.h"

namespace assay::param {
namespace {

using execution::OperatorArguments;
using execution::Tensors;

absl::StatusOr<std::shared_ptr<models::Model>> Make(const char* implementation,
                                                    const models::Parameters& parameters,
                                                    c10::Device device, at::ScalarType dtype) {
  absl::StatusOr<std::unique_ptr<models::Model>> model = models::Create(implementation, parameters);
  if (!model.ok()) return model.status();
  for (models::NamedTensor& entry : (*model)->State()) {
    if (!entry.NeedsFilling()) continue;
    const absl::Status filled = numerics::Fill(entry.tensor, /*seed=*/0, entry.name, entry.init);
    if (!filled.ok()) return filled;
  }
  (*model)->To(device, dtype);
  (*model)->SetTraining(true);
  for (models::NamedTensor& entry : (*model)->State()) {
    if (entry.trainable) entry.tensor.requires_grad_();
  }
  return std::shared_ptr<models::Model>(*std::move(model));
}

// A ReLU whose input is near zero may open or close by rounding, which changes gradients by more than
// rounding does: limits of 0.1 of their root mean square, as of the image families' training cases
// (defs/image_classifier_family.bzl), and of the largest gradient for each. Measured on two images,
// root mean square: alex_net 6e-4, resnet 0.012.
constexpr double kGradientFactor = 10'000;

// The gradients of the weights are judged, and those of an image's pixels are not: one maximum of a
// pooling moves a gradient from one pixel to another, so they agree in too few digits.
operators::Callable JudgedCallOf(const std::shared_ptr<models::Model>& model, const at::Tensor& x) {
  operators::Callable call = {.arguments = {x}, .names = {"x"}, .run = [model](c10::Stack stack) {
                                const Tensors results =
                                    model->Forward({stack[0].toTensor().detach()});
                                return c10::Stack(results.begin(), results.end());
                              }};
  for (const models::NamedTensor& entry : model->State()) {
    if (entry.trainable) call.weights.push_back(entry.tensor);
  }
  return call;
}

// The implementation of models/ that has this name, trained on one batch of images.
absl::StatusOr<Operator> OperatorOf(const char* implementation,
                                    const models::Parameters& parameters, c10::Device device,
                                    bool draws) {
  absl::StatusOr<std::shared_ptr<models::Model>> model;
  const absl::Status caught = base::CatchTorch(absl::StrCat("building ", implementation), [&] {
    model = Make(implementation, parameters, device, at::kFloat);
  });
  if (!caught.ok()) return caught;
  if (!model.ok()) return model.status();
  return [=, model = *model](const OperatorArguments& inputs) -> absl::StatusOr<BoundCall> {
    const absl::StatusOr<at::Tensor> x = TheTensorOf(inputs, implementation);
    if (!x.ok()) return x.status();
    const auto in_float64 = [=, x = *x]() -> absl::StatusOr<operators::Callable> {
      const auto exact = Make(implementation, parameters, at::kCPU, at::kDouble);
      if (!exact.ok()) return exact.status();
      return JudgedCallOf(*exact, operators::InFloat64({x})[0].toTensor());
    };
    // With the same seed the CPU drops the same elements in float64; a GPU drops others.
    return BoundCall{.forward = [model, x = *x] { return model->Forward({x}); },
                     .judged = {{.call = JudgedCallOf(model, *x),
                                 .in_float64 = in_float64,
                                 .random = draws && device.is_cuda(),
                                 .repeats = !draws,
                                 .gradient_factor = kGradientFactor}}};
  };
}

}  // namespace

absl::StatusOr<Operator> BuildAlexNet(const OperatorArguments& build, c10::Device device) {
  const absl::StatusOr<c10::Stack> bound = execution::BindArguments(
      torch::jit::parseSchema("nn::AlexNet(int num_classes=1000, float dropout=0.5) -> Tensor"),
      build);
  if (!bound.ok()) return bound.status();
  if ((*bound)[1].toDouble() != 0.5)
    return absl::InvalidArgumentError("pytorch.model.alex_net: dropout is 0.5, torchvision's");
  models::Parameters parameters;
  parameters.Set("num_classes", (*bound)[0].toInt());
  return OperatorOf("alexnet", parameters, device, /*draws=*/true);
}

absl::StatusOr<Operator> BuildResNet(const OperatorArguments& build, c10::Device device) {
  const absl::StatusOr<c10::Stack> bound = execution::BindArguments(
      torch::jit::parseSchema("nn::ResNet(*, int[] layers=[3, 4, 6, 3], int num_classes=1000, "
                              "int groups=1, int width_per_group=64) -> Tensor"),
      build);
  if (!bound.ok()) return bound.status();
  models::Parameters parameters;
  parameters.Set("block", "bottleneck");
  parameters.Set("layers", (*bound)[0].toIntVector());
  parameters.Set("num_classes", (*bound)[1].toInt());
  parameters.Set("groups", (*bound)[2].toInt());
  parameters.Set("width_per_group", (*bound)[3].toInt());
  return OperatorOf("resnet", parameters, device, /*draws=*/false);
}

}  // namespace assay::param
