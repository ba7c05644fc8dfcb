// The dummy model of OpenXLA's Common Benchmark Suite: three linear layers with ReLU between them
// and a softmax at the end. Tensor names are those of torch.nn.Sequential(Linear, ReLU, Linear,
// ReLU, Linear, Softmax), whose layers are numbered.

#include <ATen/core/Tensor.h>
#include <ATen/ops/softmax.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

struct MlpOptions {
  int64_t in;
  int64_t hidden;
  int64_t out;
};

class Mlp final : public LayeredModel, public Trainable {
 public:
  explicit Mlp(const MlpOptions& options)
      : first_(*this, "0", {.in = options.in, .out = options.hidden}),
        second_(*this, "2", {.in = options.hidden, .out = options.hidden}),
        third_(*this, "4", {.in = options.hidden, .out = options.out}) {}

  // x (N, in) -> probabilities (N, out).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = first_.Forward(inputs[0]).relu_();
    x = second_.Forward(x).relu_();
    return {at::softmax(third_.Forward(x), -1)};
  }

  // probabilities (N, out), labels int64 (N) -> mean over rows of -log(the label's probability).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return outputs[0].gather(1, targets[0].unsqueeze(1)).log().mean().neg();
  }

 private:
  bool TakesIntegers() const override { return true; }

  Linear first_;
  Linear second_;
  Linear third_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "mlp", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<Mlp>(MlpOptions{.in = parameters.Integer("in_features"),
                                              .hidden = parameters.Integer("hidden_features"),
                                              .out = parameters.Integer("out_features")});
    });

}  // namespace
}  // namespace assay::models
