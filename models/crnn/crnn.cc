// The CRNN (arXiv:1507.05717) as docTR builds crnn_vgg16_bn: torchvision's VGG, whose last three poolings
// halve the height alone, reads a line of text; LSTMs in both directions read its columns and score the
// characters of each. Tensor names, order and shapes are docTR's.

#include <ATen/core/Tensor.h>
#include <ATen/ops/max_pool2d.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/conv2d.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/sequence/recurrent.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr size_t kStages = 5;
constexpr size_t kSquarePoolings = 2;  // of the first stages

class Crnn final : public LayeredModel {
 public:
  explicit Crnn(const Parameters& p) {
    int64_t in = 3, number = 0;  // in a sequence that counts norms, ReLUs and poolings too
    for (size_t stage = 0; stage < kStages; ++stage, ++number) {
      const int64_t out = p.Integers("widths")[stage];
      for (int64_t i = 0; i < p.Integers("convolutions")[stage]; ++i, number += 3, in = out) {
        convs_[stage].emplace_back(
            *this, absl::StrCat("feat_extractor.", number),
            Conv2dOptions{.in = in, .out = out, .kernel = 3, .padding = 1, .bias = true});
        norms_[stage].emplace_back(*this, absl::StrCat("feat_extractor.", number + 1),
                                   BatchNorm2dOptions{.channels = out});
      }
    }
    decoder_.emplace(
        *this, "decoder",
        RecurrentOptions{
            .in = in, .hidden = p.Integer("rnn_units"), .layers = 2, .both_ways = true});
    linear_.emplace(
        *this, "linear",
        LinearOptions{.in = 2 * p.Integer("rnn_units"), .out = p.Integer("characters") + 1});
  }

  // Images (N, 3, 32, 4 columns) -> scores of the characters and of none (N, columns, characters + 1).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = inputs[0];
    TORCH_CHECK_VALUE(x.dim() == 4 && x.size(1) == 3 && x.size(2) == 32 && x.size(3) >= 4,
                      "crnn: the image is ", x.sizes(), "; want (N, 3, 32, 4 or more)");
    for (size_t stage = 0; stage < kStages; ++stage) {
      for (size_t i = 0; i < convs_[stage].size(); ++i)
        x = norms_[stage][i].Forward(convs_[stage][i].Forward(x)).relu_();
      x = at::max_pool2d(x, {2, stage < kSquarePoolings ? 2 : 1});
    }
    const at::Tensor columns = x.flatten(1, 2).transpose(1, 2);
    return {linear_->Forward(decoder_->Forward(columns))};
  }

 private:
  std::array<std::deque<Conv2d>, kStages> convs_;
  std::array<std::deque<BatchNorm2d>, kStages> norms_;
  std::optional<Lstm> decoder_;
  std::optional<Linear> linear_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "crnn", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      for (const char* name : {"convolutions", "widths"}) {
        const absl::Status status =
            CheckCount("crnn", parameters, name, kStages, "one for each stage");
        if (!status.ok()) return status;
      }
      return std::make_unique<Crnn>(parameters);
    });

}  // namespace
}  // namespace assay::models
