#include "benchmarks/harness/runner/cheats/cheats.h"

#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

TEST(Cheats, AreCaughtAndTheirHonestTwinsAreNot) {
  const std::vector<CheatResult> cheats = RunCheats(tensor_files::TestFolder());
  EXPECT_EQ(cheats.size(), 16u);
  for (const CheatResult& cheat : cheats) {
    EXPECT_TRUE(cheat.caught) << cheat.name << ": " << cheat.detail;
    EXPECT_TRUE(cheat.twin_clean) << cheat.name << ": " << cheat.detail;
  }
}

}  // namespace
}  // namespace assay::runner
