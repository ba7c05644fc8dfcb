#include "benchmarks/harness/sampling/modes.h"

#include <string>
#include <vector>

#include "benchmarks/harness/sampling/device/fake_device.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

TEST(ParseMode, ReadsWhatModeNameWrites) {
  for (Mode mode : AllModes()) {
    EXPECT_EQ(*ParseMode(ModeName(mode)), mode);
  }
}

TEST(ParseMode, ListsTheModesForAnUnknownOne) {
  for (const char* bad : {"", "Wall", "warm", "wall "}) {
    const auto mode = ParseMode(bad);
    EXPECT_EQ(mode.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(mode.status().message().find("wall, throughput, cold, graph, enqueue, hot"),
              std::string::npos);
  }
}

TEST(DefaultModes, AreModesThatTheDeviceCanDo) {
  FakeDevice cpu, gpu({.timers = 4});
  EXPECT_EQ(DefaultModes(cpu), (std::vector<Mode>{Mode::kWall, Mode::kThroughput}));
  EXPECT_EQ(DefaultModes(gpu), (std::vector<Mode>{Mode::kWall, Mode::kCold, Mode::kHot}));
}

}  // namespace
}  // namespace assay::sampling
