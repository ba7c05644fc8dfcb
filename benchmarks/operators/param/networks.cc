#include "benchmarks/operators/param/networks.h"

#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "benchmarks/operators/param/modules.h"
#include "models/model.h"
#include "models/registry.h"

namespace assay::param {
namespace {

using execution::OperatorArguments;
using execution::Tensors;

struct ModuleRow {
  const char* name;
  OperatorArguments arguments;
};

absl::StatusOr<std::unique_ptr<models::Model>> MakeResNet(const models::Parameters& parameters,
                                                          c10::Device device) {
  absl::StatusOr<std::unique_ptr<models::Model>> model = models::Create("resnet", parameters);
  if (!model.ok()) return model;
  for (models::NamedTensor& entry : (*model)->State()) {
    if (!entry.NeedsFilling()) continue;
    const absl::Status filled = numerics::Fill(entry.tensor, /*seed=*/0, entry.name, entry.init);
    if (!filled.ok()) return filled;
  }
  (*model)->To(device, at::kFloat);
  (*model)->SetTraining(true);
  for (models::NamedTensor& entry : (*model)->State()) {
    if (entry.trainable) entry.tensor.requires_grad_();
  }
  return model;
}

}  // namespace

absl::StatusOr<Operator> BuildAlexNet(const OperatorArguments& build, c10::Device device) {
  const absl::StatusOr<c10::Stack> bound = execution::BindArguments(
      torch::jit::parseSchema("nn::AlexNet(int num_classes=1000, float dropout=0.5) -> Tensor"),
      build);
  if (!bound.ok()) return bound.status();
  const auto conv = [](int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t padding) {
    return ModuleRow{"Conv2d", {.positional = {in, out, kernel, stride, padding}}};
  };
  const auto linear = [](int64_t in, int64_t out) {
    return ModuleRow{"Linear", {.positional = {in, out}}};
  };
  const ModuleRow relu = {"ReLU", {.positional = {true}}},
                  pool = {"MaxPool2d", {.positional = {int64_t{3}, int64_t{2}}}},
                  dropout = {"Dropout", {.positional = {(*bound)[1]}}};
  constexpr int64_t kHidden = 4096;
  const std::vector<ModuleRow> features = {conv(3, 64, 11, 4, 2),
                                           relu,
                                           pool,  // first
                                           conv(64, 192, 5, 1, 2),
                                           relu,
                                           pool,  // second
                                           conv(192, 384, 3, 1, 1),
                                           relu,
                                           conv(384, 256, 3, 1, 1),
                                           relu,
                                           conv(256, 256, 3, 1, 1),
                                           relu,
                                           pool,
                                           {"AdaptiveAvgPool2d", {.positional = {int64_t{6}}}}};
  const std::vector<ModuleRow> classifier = {
      dropout, linear(int64_t{256} * 6 * 6, kHidden), relu, dropout, linear(kHidden, kHidden),
      relu,    linear(kHidden, (*bound)[0].toInt())};
  std::vector<Module> modules;
  for (const std::vector<ModuleRow>* part : {&features, &classifier}) {
    for (const ModuleRow& row : *part) {
      absl::StatusOr<Module> module = BuildModule(row.name, row.arguments, device,
                                                  absl::StrCat("alex_net.", modules.size(), "."));
      if (!module.ok()) return module.status();
      modules.push_back(*std::move(module));
    }
    if (part == &features)
      modules.push_back([](const at::Tensor& x) -> Tensors { return {x.flatten(1)}; });
  }
  const Module network = [modules = std::move(modules)](const at::Tensor& image) -> Tensors {
    at::Tensor x = image;
    for (const Module& module : modules) x = module(x)[0];
    return {x};
  };
  return OperatorOf(network, "pytorch.model.alex_net");
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
  absl::StatusOr<std::unique_ptr<models::Model>> made;
  const absl::Status caught = base::CatchTorch("building pytorch.model.resnet",
                                               [&] { made = MakeResNet(parameters, device); });
  if (!caught.ok()) return caught;
  if (!made.ok()) return made.status();
  const std::shared_ptr<models::Model> model = *std::move(made);
  return OperatorOf([model](const at::Tensor& x) { return model->Forward({x}); },
                    "pytorch.model.resnet");
}

}  // namespace assay::param
