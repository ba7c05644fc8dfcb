#include "models/parameters.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

TEST(ParametersTest, GivesBackEachKind) {
  Parameters parameters;
  parameters.Set("groups", 32);
  parameters.Set("layer_norm_eps", 1e-12);
  parameters.Set("bias", true);
  parameters.Set("block", "bottleneck");  // a literal must become text, not a flag
  parameters.Set("layers", std::vector<int64_t>{3, 4, 6, 3});
  EXPECT_EQ(parameters.Integer("groups"), 32);
  EXPECT_EQ(parameters.Real("layer_norm_eps"), 1e-12);
  EXPECT_TRUE(parameters.Flag("bias"));
  EXPECT_EQ(parameters.Text("block"), "bottleneck");
  EXPECT_EQ(parameters.Integers("layers"), (std::vector<int64_t>{3, 4, 6, 3}));
}

TEST(ParametersTest, TheLastSetWins) {
  Parameters parameters;
  parameters.Set("groups", 1);
  parameters.Set("groups", 32);
  EXPECT_EQ(parameters.Integer("groups"), 32);
}

TEST(ParametersDeathTest, AMissingNameAbortsWithTheName) {
  const Parameters parameters;
  EXPECT_DEATH(parameters.Integer("groups"), "\"groups\" was not set");
}

TEST(ParametersDeathTest, AnotherKindAbortsWithTheName) {
  Parameters parameters;
  parameters.Set("groups", 32);
  EXPECT_DEATH(parameters.Real("groups"), "\"groups\" is not of kind real");
}

}  // namespace
}  // namespace assay::models
