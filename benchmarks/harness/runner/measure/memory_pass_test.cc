#include "benchmarks/harness/runner/measure/memory_pass.h"

#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/small_mlp.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

Measurement& AddMeasurement(Record& record, const char* step, double median_ns = 1e6) {
  Measurement& m = *record.add_measurements();
  m.set_mode("wall");
  m.set_step(step);
  m.set_median_ns(median_ns);
  m.add_samples_ns(median_ns);
  return m;
}

StepMemory& AddStep(Record& record, const char* name, int64_t peak, int64_t leaked = 0) {
  StepMemory& step = *record.mutable_memory()->add_steps();
  step.set_step(name);
  step.set_peak_bytes(peak);
  step.set_leaked_bytes(leaked);
  return step;
}

// Two rows; layers 5 to 7, 7 to 7 and 7 to 3, float32.
TEST(MemoryPass, LooksAtTheStepsThatWereMeasured) {
  const ResolvedCase c = SmallMlpCase();
  const auto program = execution::SeededProgram(c, c.measured());
  ASSERT_TRUE(program.ok()) << program.status();
  Record record;
  AddMeasurement(record, "forward");
  AddMeasurement(record, "forward").set_mode("throughput");
  AddMeasurement(record, "h2d");
  record.add_measurements()->set_step("optimizer");  // could not be measured
  const auto eager = execution::LoadEager({}, **program);
  const auto memory = MemoryPass(c, *eager, at::kCPU, record.measurements());
  ASSERT_TRUE(memory.ok()) << memory.status();
  EXPECT_EQ(memory->parameter_bytes(), 4 * (5 * 7 + 7 + 7 * 7 + 7 + 7 * 3 + 3));
  ASSERT_EQ(memory->steps_size(), 1);
  EXPECT_EQ(memory->steps(0).step(), "forward");
  EXPECT_EQ(memory->steps(0).peak_bytes(), 2 * 2 * 7 * 4);
}

TEST(AddMemoryChecks, FlagsAStepThatLeavesTensorsBehind) {
  Record record;
  for (const char* step : {"forward", "backward", "optimizer"}) AddMeasurement(record, step);
  AddMeasurement(record, "backward").set_preset("discrete");
  AddStep(record, "forward", 100);
  AddStep(record, "backward", 100, 4096);
  AddStep(record, "optimizer", 100, 8);
  AddMemoryChecks(record);
  const CheckStatus expected[] = {CHECK_OK, CHECK_FLAGGED, CHECK_NOTED};
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(record.measurements(i).checks_size(), 1) << i;
    EXPECT_EQ(record.measurements(i).checks(0).name(), "tensors_freed");
    EXPECT_EQ(record.measurements(i).checks(0).status(), expected[i]) << i;
  }
  EXPECT_EQ(record.measurements(1).checks(0).detail(),
            "each call leaves 4.00 KiB of tensors that stay alive");
  EXPECT_EQ(record.measurements(3).checks_size(), 0);
}

TEST(AddMemoryChecks, SaysWhyNoLeakWasLookedFor) {
  Record record;
  AddMeasurement(record, "forward", 6.25e9);
  AddStep(record, "forward", 100);
  AddMemoryChecks(record);
  EXPECT_EQ(record.measurements(0).checks(0).status(), CHECK_NOT_RUN);
  EXPECT_EQ(record.measurements(0).checks(0).detail(),
            "a call takes 6.25 s, so memory was counted in one call only");
}

TEST(MemoryLine, TellsWhatThereIs) {
  Record record;
  EXPECT_EQ(MemoryLine(record), "");
  AddStep(record, "forward", 3 << 20);
  AddStep(record, "backward", 0);
  record.mutable_memory()->set_parameter_bytes(2048);
  EXPECT_EQ(
      MemoryLine(record),
      "memory             parameters 2.00 KiB; peak of a call: forward 3.00 MiB, backward 0 B\n");
  record.mutable_memory()->set_optimizer_bytes(100);
  record.mutable_memory()->set_peak_host_bytes(int64_t{5} << 30);
  EXPECT_EQ(MemoryLine(record),
            "memory             parameters 2.00 KiB, optimizer 100 B; peak of a call: forward 3.00 "
            "MiB, backward 0 B; peak of the process: 5.00 GiB\n");
}

TEST(MemoryLine, TellsTheGpusMemoryFromTheHosts) {
  Record record;
  record.set_device(CUDA);
  AddStep(record, "forward", 3 << 20);
  record.mutable_memory()->set_peak_host_bytes(int64_t{2} << 30);
  record.mutable_environment()->set_gpu_memory_bytes(int64_t{80} << 30);
  record.add_measurements()->set_peak_device_bytes(9 << 20);
  record.add_measurements()->set_peak_device_bytes(12 << 20);
  EXPECT_EQ(MemoryLine(record),
            "memory             peak of a call: forward 3.00 MiB; peak of tensors on the GPU: 12.0 "
            "MiB of 80.0 GiB; peak of the process on the host: 2.00 GiB\n");
}

}  // namespace
}  // namespace assay::runner
