#include "gtest/gtest.h"
#include "models/testing/patch_model.h"

namespace assay::models {
namespace {

TEST(BeitTest, IsATransformerOverPatches) { ExpectPatchTransformer("beit", {}); }

}  // namespace
}  // namespace assay::models
