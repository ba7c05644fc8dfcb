#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

Parameters Network(size_t convolutions, size_t widths) {
  Parameters parameters;
  parameters.Set("convolutions", std::vector<int64_t>(convolutions, 1));
  parameters.Set("widths", std::vector<int64_t>(widths, 4));
  parameters.Set("rnn_units", 3);
  parameters.Set("characters", 5);
  return parameters;
}

TEST(CrnnTest, HasFiveStages) {
  EXPECT_TRUE(Create("crnn", Network(5, 5)).ok());
  EXPECT_EQ(Create("crnn", Network(4, 5)).status().message(),
            "crnn: convolutions has 4 numbers; want 5, one for each stage");
  EXPECT_EQ(Create("crnn", Network(5, 6)).status().message(),
            "crnn: widths has 6 numbers; want 5, one for each stage");
}

}  // namespace
}  // namespace assay::models
