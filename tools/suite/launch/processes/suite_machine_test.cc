#include "tools/suite/launch/processes/suite_machine.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace assay::suite {
namespace {

TEST(SuiteMachine, HasTheVariablesThatProcessesWillHave) {
  setenv("OMP_NUM_THREADS", "7", 1);
  setenv("OMP_SCHEDULE", "static", 1);
  const Environment machine = MachineFor(CPU, {"OMP_NUM_THREADS=3", "OMP_NUM_THREADS_NOT=4"});
  EXPECT_EQ(machine.variables().at("OMP_NUM_THREADS"), "3");
  EXPECT_EQ(machine.variables().at("OMP_SCHEDULE"), "static");
  EXPECT_GT(machine.cpu_count(), 0);
}

TEST(SuiteMachine, NoSecretIsInIt) {
  setenv("HF_TOKEN", "tell nobody", 1);
  EXPECT_EQ(MachineFor(CPU, {}).ShortDebugString().find("tell nobody"), std::string::npos);
}

TEST(DeviceOf, FollowsFlagsThenTheBuild) {
  EXPECT_EQ(DeviceOf({}, ""), CPU);
  EXPECT_EQ(DeviceOf({"--device=cuda"}, ""), CUDA);
  EXPECT_EQ(DeviceOf({}, "--config=cuda"), CUDA);
  EXPECT_EQ(DeviceOf({"--device=cpu"}, "--config=cuda"), CPU);
}

}  // namespace
}  // namespace assay::suite
