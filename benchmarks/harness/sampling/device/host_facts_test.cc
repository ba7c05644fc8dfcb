#include "benchmarks/harness/sampling/device/host_facts.h"

#include <sys/mman.h>

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

TEST(StealNs, IsTheEighthFigureOfTheFirstLine) {
  EXPECT_EQ(StealNs("cpu  1 2 3 4 5 6 7 250 9 10\ncpu0 1 2 3 4 5 6 7 99 9 10\n", 100),
            2'500'000'000);
  EXPECT_EQ(StealNs("cpu  1 2 3 4 5 6 7 0 9 10", 250), 0);
}

TEST(StealNs, IsUnknownWhereTheKernelDoesNotSay) {
  for (const char* text : {"", "cpu  1 2 3 4", "intr 1 2 3 4 5 6 7 8 9", "cpu a b c d e f g h i"}) {
    EXPECT_EQ(StealNs(text, 100), -1) << text;
  }
}

TEST(ReadHostCounters, CountsPagesThatAreTouchedForTheFirstTime) {
  const int64_t before = ReadHostCounters().page_faults;
  constexpr size_t kPages = 1'000, kPageBytes = 4'096;
  // Takes pages from the kernel directly: malloc may reuse some.
  void* const memory = mmap(nullptr, kPages * kPageBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  for (size_t i = 0; i < kPages; ++i) {
    *(static_cast<volatile char*>(memory) + i * kPageBytes) = 1;
  }
  munmap(memory, kPages * kPageBytes);
  EXPECT_GT(ReadHostCounters().page_faults, before) << "huge pages may make it few";
}

TEST(ReadHostCounters, NeverFalls) {
  const HostCounters first = ReadHostCounters();
  const HostCounters second = ReadHostCounters();
  EXPECT_GE(second.page_faults, first.page_faults);
  EXPECT_GE(second.run_delay_ns, first.run_delay_ns);
  EXPECT_GE(second.steal_ns, first.steal_ns);
}

TEST(ReadHostMemory, SeesWhatIsKeptAndWhatWasThere) {
  ResetHostPeakMemory();
  const MemoryState before = ReadHostMemory();
  constexpr size_t kBytes = size_t{64} << 20;
  std::vector<char> memory(kBytes, 1);
  asm volatile("" : : "r"(memory.data()) : "memory");  // otherwise a compiler may drop it
  const MemoryState held = ReadHostMemory();
  EXPECT_GE(held.host_live_bytes - before.host_live_bytes, static_cast<int64_t>(kBytes));
  EXPECT_GE(held.host_peak_bytes - before.host_peak_bytes, static_cast<int64_t>(kBytes) / 2);
  std::vector<char>().swap(memory);
  const MemoryState after = ReadHostMemory();
  EXPECT_LT(after.host_live_bytes, held.host_live_bytes);
  EXPECT_GT(after.host_peak_bytes, held.host_peak_bytes - (1 << 20)) << "a peak stays";
}

}  // namespace
}  // namespace assay::sampling
