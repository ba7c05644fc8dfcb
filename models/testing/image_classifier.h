#ifndef ASSAY_MODELS_TESTING_IMAGE_CLASSIFIER_H_
#define ASSAY_MODELS_TESTING_IMAGE_CLASSIFIER_H_

// ---------------------------------------------------------------------------------------------
// models/testing/image_classifier.h: checks what every classifier of images, of their pixels or of
// boxes in them must do: leave its input and its state alone in evaluation, give each parameter a
// gradient in training, and refuse images that it cannot take in a message that names it.
//
// Not for: checking outputs (the accuracy tests of the family's cases).
//
// Example, in a family's test:
//
//     TEST(AlexNetTest, IsAnImageClassifier) {
//       ExpectImageClassifier("alexnet", parameters, {.minimum = 63, .pixels = 64});
//     }
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/parameters.h"

namespace assay::models {

struct ImageClassifierLimits {
  int64_t minimum = 1;                   // pixels a side that the model takes at least
  int64_t pixels = 32;                   // of the images that it is tried with
  std::string size_words = "at least";   // the words with which it says what it takes
  std::vector<int64_t> output = {2, 8};  // shape of the first output for two of these images
  int64_t outputs = 1;                   // how many it has
  int64_t auxiliary_outputs = 0;         // how many training adds
};

// Reports through GoogleTest.
void ExpectImageClassifier(std::string_view implementation, const Parameters& parameters,
                           const ImageClassifierLimits& limits);

}  // namespace assay::models

#endif  // ASSAY_MODELS_TESTING_IMAGE_CLASSIFIER_H_
