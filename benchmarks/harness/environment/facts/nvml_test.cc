#include "benchmarks/harness/environment/facts/nvml.h"

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace assay::environment {
namespace {

std::string Library(const std::string& kind) {
  return "benchmarks/harness/environment/facts/lib" + kind + "_nvml.so";
}

// A reading of the library in fake_nvml.cc, whose words are in that file.
absl::StatusOr<GpuReading> Read(const char* visible = nullptr, const char* words = "",
                                const std::string& kind = "new_driver") {
  setenv("FAKE_NVML", words, 1);
  return ReadGpu({.visible_devices = visible, .library = Library(kind)});
}

TEST(ReadGpu, ReadsWhatTheDriverSays) {
  const absl::StatusOr<GpuReading> gpu = Read();
  ASSERT_TRUE(gpu.ok()) << gpu.status();
  EXPECT_EQ(gpu->index, 0);
  EXPECT_EQ(gpu->count, 2);
  EXPECT_EQ(gpu->name, "NVIDIA H200");
  EXPECT_EQ(gpu->uuid, "GPU-aaaa1111");
  EXPECT_EQ(gpu->driver, "580.65.06");
  EXPECT_EQ(gpu->persistence, false);
  EXPECT_EQ(gpu->ecc, true);
  EXPECT_EQ(gpu->sm_clock_mhz, 345);
  EXPECT_EQ(gpu->max_sm_clock_mhz, 1980);
  EXPECT_EQ(gpu->memory_clock_mhz, 2619);
  EXPECT_EQ(gpu->max_memory_clock_mhz, 3201);
  EXPECT_EQ(gpu->clock_reasons, kClockPowerCap);
  EXPECT_EQ(gpu->power_limit_mw, 700'000);
  EXPECT_EQ(gpu->default_power_limit_mw, 700'000);
  EXPECT_EQ(gpu->temperature_c, 41);
  EXPECT_EQ(gpu->slowdown_temperature_c, 92);
  EXPECT_EQ(gpu->utilization_percent, 37);
  EXPECT_EQ(gpu->process_ids, (std::vector<unsigned>{77, 1000})) << "each once";
}

TEST(ReadGpu, LeavesOutWhatIsNotSupportedOrNotInTheLibrary) {
  const absl::StatusOr<GpuReading> gpu = Read();
  ASSERT_TRUE(gpu.ok());
  EXPECT_EQ(gpu->application_clock_mhz, std::nullopt) << "not supported";
  EXPECT_EQ(gpu->default_application_clock_mhz, std::nullopt) << "not in the library";
  EXPECT_EQ(gpu->mig, false) << "what is not supported is not on";
}

TEST(ReadGpu, AsksAnOldDriverByTheOldName) {
  EXPECT_EQ(Read(nullptr, "", "old_driver")->clock_reasons, kClockIdle);
}

TEST(ReadGpu, ReadsAListOfProcessesOfAnyLength) {
  EXPECT_EQ(Read(nullptr, "crowded")->process_ids->size(), 101);
}

TEST(ReadGpu, TakesTheGpuThatCudaCallsTheFirst) {
  EXPECT_EQ(Read("1,0")->uuid, "GPU-bbbb2222");
  EXPECT_EQ(Read("1")->persistence, true);
  EXPECT_EQ(Read("GPU-bbbb")->index, 1);
  EXPECT_EQ(Read("0")->index, 0);
}

TEST(ReadGpu, FindsNoGpuWhereAllAreHidden) {
  for (const char* visible : {"", "-1", "2", "x", "MIG-1234", "4294967296"}) {
    const absl::Status status = Read(visible).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << visible;
    EXPECT_EQ(status.message(),
              std::string("CUDA_VISIBLE_DEVICES=") + visible + " names none of 2 GPUs");
  }
}

TEST(OpenGpuEnergy, CountsThatOfTheChosenGpu) {
  setenv("FAKE_NVML", "", 1);
  const auto reader = OpenGpuEnergy({.visible_devices = "1", .library = Library("new_driver")});
  ASSERT_TRUE(reader.ok()) << reader.status();
  const std::optional<uint64_t> before = (*reader)(), after = (*reader)();
  ASSERT_TRUE(before && after);
  EXPECT_EQ(*after - *before, 250'000);
  setenv("FAKE_NVML", "no_energy", 1);
  EXPECT_EQ((*reader)(), std::nullopt) << "never 0";
}

TEST(OpenGpuEnergy, SaysWhyThereIsNone) {
  setenv("FAKE_NVML", "no_energy", 1);
  EXPECT_EQ(OpenGpuEnergy({.library = Library("new_driver")}).status().code(),
            absl::StatusCode::kUnimplemented);
  setenv("FAKE_NVML", "", 1);
  EXPECT_EQ(OpenGpuEnergy({.library = Library("old_driver")}).status().message(),
            "this GPU or its driver counts no energy");
  EXPECT_EQ(OpenGpuEnergy({.library = "libno_such_thing.so.1"}).status().message(),
            "no NVIDIA driver: no libno_such_thing.so.1");
}

TEST(ReadGpu, SaysWhatIsMissing) {
  const absl::Status no_library = ReadGpu({.library = "libno_such_thing.so.1"}).status();
  EXPECT_EQ(no_library.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(no_library.message(), "no NVIDIA driver: no libno_such_thing.so.1");
  const absl::Status no_driver = Read(nullptr, "no_driver").status();
  EXPECT_EQ(no_driver.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(no_driver.message(), "the NVIDIA driver does not answer: Driver Not Loaded");
  EXPECT_EQ(Read(nullptr, "no_gpu").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Read(nullptr, "lost").status().code(), absl::StatusCode::kUnavailable);
}

TEST(ReadGpu, DoesNotFallOverALibraryWithoutItsFunctions) {
  // Any library that is loaded has none of them.
  EXPECT_EQ(ReadGpu({.library = "libc.so.6"}).status().code(), absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace assay::environment
