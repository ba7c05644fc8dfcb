#include "gtest/gtest.h"
#include "models/testing/patch_model.h"

namespace assay::models {
namespace {

TEST(VitTest, IsATransformerOverPatches) { ExpectPatchTransformer("vit", {}); }

}  // namespace
}  // namespace assay::models
