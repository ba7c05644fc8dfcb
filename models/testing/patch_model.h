#ifndef ASSAY_MODELS_TESTING_PATCH_MODEL_H_
#define ASSAY_MODELS_TESTING_PATCH_MODEL_H_

// ---------------------------------------------------------------------------------------------
// models/testing/patch_model.h: checks what every classifier that cuts its image into patches must
// do, beyond models/testing/image_classifier.h: take images of its own size only, and refuse
// patches that do not fill one and heads that do not divide a token's width.
//
// Not for: windows of patches (swin, maxvit).
//
// Example, in a family's test:
//
//     TEST(VitTest, IsATransformer) { ExpectPatchTransformer("vit", {}); }
// ---------------------------------------------------------------------------------------------

#include <string_view>

#include "models/parameters.h"

namespace assay::models {

// `parameters` without patch_size, layers, hidden, resolution and num_classes, which this sets.
// Reports through GoogleTest.
void ExpectPatchModel(std::string_view implementation, const Parameters& parameters);

// The same for a transformer, which has heads.
void ExpectPatchTransformer(std::string_view implementation, Parameters parameters);

}  // namespace assay::models

#endif  // ASSAY_MODELS_TESTING_PATCH_MODEL_H_
