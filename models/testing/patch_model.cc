#include "models/testing/patch_model.h"

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

constexpr int64_t kPixels = 32;
constexpr int64_t kHidden = 32;
constexpr int64_t kClasses = kHidden;  // so that features and logits have one shape

Parameters Complete(Parameters parameters, int64_t patch_size) {
  parameters.Set("patch_size", patch_size);
  parameters.Set("layers", 2);
  parameters.Set("hidden", kHidden);
  parameters.Set("resolution", kPixels);
  parameters.Set("num_classes", kClasses);
  return parameters;
}

void ExpectRefused(std::string_view implementation, const Parameters& parameters,
                   std::string_view reason) {
  const absl::Status status = Create(implementation, parameters).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr(absl::StrCat(implementation, ": ", reason)));
}

}  // namespace

void ExpectPatchModel(std::string_view implementation, const Parameters& parameters) {
  ExpectImageClassifier(
      implementation, Complete(parameters, 8),
      {.minimum = kPixels, .pixels = kPixels, .size_words = "exactly", .output = {2, kClasses}});
  ExpectRefused(implementation, Complete(parameters, 5),
                "resolution 32 is not a multiple of patch_size 5");
}

void ExpectPatchTransformer(std::string_view implementation, Parameters parameters) {
  parameters.Set("heads", 4);
  ExpectPatchModel(implementation, parameters);
  parameters.Set("heads", 5);
  ExpectRefused(implementation, Complete(parameters, 8), "hidden 32 is not a multiple of heads 5");
}

}  // namespace assay::models
