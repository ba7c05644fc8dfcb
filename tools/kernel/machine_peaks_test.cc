#include "tools/kernel/machine_peaks.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "benchmarks/harness/tensor_files/test_folder.h"

namespace assay::kernel {
namespace {

TEST(MachinePeaksTest, PeaksAreKeptForAProcessorAndItsThreadsAndDtype) {
  setenv("XDG_CACHE_HOME", tensor_files::TestFolder().c_str(), 1);
  const PeaksKey key = {.machine = "Xeon", .threads = 2, .dtype = FP32};
  EXPECT_FALSE(KeptPeaks(key));
  for (const double bytes_per_s : {17e9, 18e9}) {
    KernelPeaks peaks;
    peaks.set_bytes_per_s(bytes_per_s);
    ASSERT_TRUE(KeepPeaks(key, peaks).ok());
    ASSERT_TRUE(KeptPeaks(key));
    EXPECT_EQ(KeptPeaks(key)->bytes_per_s(), bytes_per_s);
  }
  EXPECT_FALSE(KeptPeaks({.machine = "Xeon", .threads = 1, .dtype = FP32}));
  EXPECT_FALSE(KeptPeaks({.machine = "Xeon", .threads = 2, .dtype = BF16}));
  EXPECT_FALSE(KeptPeaks({.machine = "EPYC", .threads = 2, .dtype = FP32}));
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace assay::kernel
