#include "models/registry.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::models {
namespace {

// Returns its inputs; has no state.
class Identity final : public Model {
 public:
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override { return inputs.vec(); }
  std::vector<NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  void SetTraining(bool) override {}
};

ASSAY_MODEL_IMPLEMENTATION("identity",
                           [](const Parameters&) -> absl::StatusOr<std::unique_ptr<Model>> {
                             return std::make_unique<Identity>();
                           });
ASSAY_MODEL_IMPLEMENTATION("impossible",
                           [](const Parameters&) -> absl::StatusOr<std::unique_ptr<Model>> {
                             return absl::InvalidArgumentError("never fits");
                           });

TEST(RegistryTest, CreatesWhatIsLinkedIn) {
  EXPECT_THAT(Implementations(), testing::ElementsAre("identity", "impossible"));
  const absl::StatusOr<std::unique_ptr<Model>> model = Create("identity", Parameters());
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_NE(*model, nullptr);
}

TEST(RegistryTest, AnUnknownNameIsNotFoundAndListsTheKnownOnes) {
  const absl::Status status = Create("resnext", Parameters()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), testing::HasSubstr("\"resnext\""));
  EXPECT_THAT(status.message(), testing::HasSubstr("identity, impossible"));
}

TEST(RegistryTest, PassesOnTheFactorysRefusal) {
  EXPECT_EQ(Create("impossible", Parameters()).status(), absl::InvalidArgumentError("never fits"));
}

TEST(RegistryDeathTest, ANameCanBeClaimedOnlyOnce) {
  EXPECT_DEATH(Register("identity", nullptr), "\"identity\" is registered twice");
}

}  // namespace
}  // namespace assay::models
