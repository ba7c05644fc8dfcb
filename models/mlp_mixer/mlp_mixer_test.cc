#include "gtest/gtest.h"
#include "models/testing/patch_model.h"

namespace assay::models {
namespace {

TEST(MlpMixerTest, IsAnImageClassifierOverPatches) { ExpectPatchModel("mlp_mixer", {}); }

}  // namespace
}  // namespace assay::models
