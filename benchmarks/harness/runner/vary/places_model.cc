#include "benchmarks/harness/runner/vary/places_model.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "models/registry.h"

namespace assay::runner {

PlacesFault places_fault = PlacesFault::kNone;

namespace {

int64_t calls = 0, first_length = 0, last_length = 0;
std::map<std::pair<const void*, int64_t>, at::Tensor>& Remembered() {
  static auto& remembered = *new std::map<std::pair<const void*, int64_t>, at::Tensor>;
  return remembered;
}

class ScaledPlaces final : public models::Model {
 public:
  ScaledPlaces(int64_t places, int64_t learned)
      : weight_(at::empty({places * learned}, at::kFloat)) {}

  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor& x = inputs[0];
    const int64_t length = x.size(1);
    at::Tensor weights = weight_.narrow(0, 0, length);
    if (x.scalar_type() == at::kDouble)
      TORCH_CHECK(places_fault != PlacesFault::kNoDouble, "no float64");
    if (x.scalar_type() == at::kDouble) return {x * weights};  // the truth
    ++calls;
    if (first_length == 0) first_length = length;
    const int64_t before = std::exchange(last_length, length);
    if (places_fault == PlacesFault::kLatePlaces && calls > 50) weights = weights.flip(0);
    if (places_fault == PlacesFault::kAfterEight && length == 3 && before == 8)
      weights = weights.flip(0);
    at::Tensor y = x * weights;
    if (places_fault == PlacesFault::kMaskOfFirst) Mask(first_length, y);
    if (places_fault == PlacesFault::kMaskOfLast && before > 0) Mask(before, y);
    if (places_fault == PlacesFault::kRemembers)
      return {Remembered().emplace(std::pair(x.const_data_ptr(), length), y).first->second.clone()};
    return {y};
  }
  std::vector<models::NamedTensor> State() override { return {{"w", weight_, {2, 0, 1}, true}}; }
  void To(at::Device device, at::ScalarType dtype) override { weight_ = weight_.to(device, dtype); }
  void SetTraining(bool) override {}

 private:
  static void Mask(int64_t length, at::Tensor& y) {
    if (length < y.size(1)) y.narrow(1, length, y.size(1) - length).zero_();
  }

  at::Tensor weight_;
};

ASSAY_MODEL_IMPLEMENTATION("scaled_places",
                           [](const models::Parameters& parameters)
                               -> absl::StatusOr<std::unique_ptr<models::Model>> {
                             return std::make_unique<ScaledPlaces>(parameters.Integer("places"),
                                                                   parameters.Integer("learned"));
                           });

}  // namespace

void ResetPlaces(int64_t calls_before) {
  calls = calls_before;
  first_length = last_length = 0;
  Remembered().clear();
}

}  // namespace assay::runner
