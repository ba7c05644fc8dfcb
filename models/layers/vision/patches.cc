#include "models/layers/vision/patches.h"

#include <utility>

#include "absl/status/status.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/vision/image_input.h"

namespace assay::models {

absl::StatusOr<PatchesOptions> ReadPatches(const char* family, const Parameters& parameters) {
  absl::Status status = CheckMultiple(family, parameters, "resolution", "patch_size");
  if (!status.ok()) return status;
  return PatchesOptions{.family = family,
                        .resolution = parameters.Integer("resolution"),
                        .patch_size = parameters.Integer("patch_size"),
                        .features = parameters.Integer("hidden")};
}

Patches::Patches(Layer& parent, std::string name, const PatchesOptions& options)
    : options_(options),
      projection_(parent, std::move(name),
                  {.in = 3,
                   .out = options.features,
                   .kernel = options.patch_size,
                   .stride = options.patch_size,
                   .bias = options.bias}) {}

at::Tensor Patches::Forward(const at::Tensor& image) const {
  CheckImage(image, options_.family,
             {.minimum = options_.resolution, .maximum = options_.resolution});
  return projection_.Forward(image).flatten(2).transpose(1, 2);
}

}  // namespace assay::models
