#include "tools/run_model/missing_operator.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::run_model {
namespace {

using ::testing::HasSubstr;

std::string Said(const std::string& message) {
  const absl::Status status = OfMissingOperator("a.pt", absl::InvalidArgumentError(message));
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  return std::string(status.message());
}

TEST(OfMissingOperator, NamesTheOperatorAndWhatHasIt) {
  EXPECT_THAT(Said("loading a.pt: \nUnknown builtin op: mine::twice.\nCould not find any"),
              HasSubstr("a.pt: it calls mine::twice, an operator that this program does not have; "
                        "give the library"));
  EXPECT_THAT(
      Said("a.pt: the exported graph calls torch.ops.torchvision._roi_pool_backward.default, which "
           "this LibTorch lacks"),
      HasSubstr(
          "it calls torchvision::_roi_pool_backward, an operator that this program does not "
          "have; give the library of torchvision, for torch 2.11.0 and built without Python, by"));
  EXPECT_THAT(Said("Unknown builtin op: image::decode_jpeg.\n"),
              HasSubstr("give the library of torchvision"));
  EXPECT_THAT(Said("Unknown builtin op: aten::new_thing.\n"),
              HasSubstr("another version of PyTorch; write it again by torch 2.11"));
}

TEST(OfMissingOperator, LeavesOtherMessages) {
  EXPECT_EQ(Said("a.pt: it is cut off"), "a.pt: it is cut off");
  EXPECT_EQ(Said("calls torch.ops.x"), "calls torch.ops.x");
}

}  // namespace
}  // namespace assay::run_model
