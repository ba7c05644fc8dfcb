#include "benchmarks/harness/sampling/cuda/cuda_plugin.h"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

std::string Plugin(const std::string& name) {
  return std::string(std::getenv("TEST_SRCDIR")) + "/" + std::getenv("TEST_WORKSPACE") +
         "/benchmarks/harness/sampling/cuda/" + name;
}

void ExpectNoDevice(const absl::Status& status, const std::string& reason,
                    const std::string& mend) {
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
  EXPECT_NE(status.message().find(reason), std::string::npos) << status;
  EXPECT_NE(status.message().find(mend), std::string::npos) << status;
}

TEST(OpenCudaDevice, GivesTheDeviceThatThePluginMakes) {
  auto device = OpenCudaDevice(Plugin("libworking_plugin.so"));
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_GT((*device)->NowNs(), 0);
  const absl::Status from_the_plugin = (*device)->StartTimer(0);
  EXPECT_EQ(from_the_plugin.code(), absl::StatusCode::kFailedPrecondition);
  device->reset();
  EXPECT_NE(from_the_plugin.message(), "") << "a Status outlives the device that made it";
}

// A plugin is loaded once a process, and no other test here opens this one without the variable.
TEST(OpenCudaDevice, EnlargesTheDriversQueuesBeforeTheDriverIsLoaded) {
  unsetenv(kLaunchQueues);
  ExpectNoDevice(OpenCudaDevice(Plugin("libdeviceless_plugin.so"), 3).status(), "launch queues 4x",
                 "nvidia-smi");
  EXPECT_STREQ(std::getenv(kLaunchQueues), "4x") << "the record's environment has it";
}

TEST(OpenCudaDevice, LeavesQueuesThatTheUserHasChosen) {
  setenv(kLaunchQueues, "0.5x", 1);
  EXPECT_TRUE(OpenCudaDevice(Plugin("libworking_plugin.so")).ok());
  EXPECT_STREQ(std::getenv(kLaunchQueues), "0.5x");
  unsetenv(kLaunchQueues);
}

TEST(OpenCudaDevice, SaysThatTheBuildHasNoCuda) {
  ExpectNoDevice(OpenCudaDevice(Plugin("libnone.so")).status(), "this build has no CUDA in it",
                 "--config=cuda");
}

TEST(OpenCudaDevice, PassesOnWhyALibraryCannotBeLoaded) {
  const std::string path = testing::TempDir() + "/libbroken.so";
  std::ofstream(path) << "not a library";
  ExpectNoDevice(OpenCudaDevice(path).status(), "libbroken.so", "install the NVIDIA driver");
}

TEST(OpenCudaDevice, PassesOnWhyThereIsNoDevice) {
  ExpectNoDevice(OpenCudaDevice(Plugin("libdeviceless_plugin.so"), 3).status(),
                 "device 3 was asked for, but CUDA sees 0", "nvidia-smi");
}

TEST(OpenCudaDevice, RefusesALibraryThatIsNoPlugin) {
  ExpectNoDevice(OpenCudaDevice(Plugin("libforeign_plugin.so")).status(),
                 "has no assay_make_cuda_device", "build it again");
}

}  // namespace
}  // namespace assay::sampling
