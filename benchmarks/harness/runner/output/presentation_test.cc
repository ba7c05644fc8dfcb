#include "benchmarks/harness/runner/output/presentation.h"

#include "defs/proto/record.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::HasSubstr;

TEST(MachineLine, SaysHowQuietAQuietMachineIs) {
  Environment e;
  e.set_cpu_count(8);
  e.set_load_1m(0.25);
  EXPECT_EQ(MachineLine(e), "machine   quiet    load 0.2 on 8 cores\n");
}

TEST(MachineLine, NamesTheNoiseAndTheCommandThatKnowsMore) {
  Environment e;
  e.add_noise("load 1.9 on 2 cores: other work competes for the CPU");
  e.add_noise("governor unknown: the CPU's clock may change unseen");
  EXPECT_EQ(MachineLine(e),
            "machine   noisy    load 1.9 on 2 cores; governor unknown   "
            "advice: tools/bazel run //tools:check_machine\n");
  e.set_gpu_name("NVIDIA H200");
  EXPECT_EQ(MachineLine(e),
            "machine   noisy    load 1.9 on 2 cores; governor unknown   "
            "advice: tools/bazel run //tools:check_machine -- --gpu\n");
}

TEST(MachineLine, CountsWhatItDoesNotName) {
  Environment e;
  for (const char* sentence : {"a: x", "b: x", "c: x", "d: x", "no colon"}) e.add_noise(sentence);
  EXPECT_EQ(MachineLine(e),
            "machine   noisy    a; b; c; 2 more   advice: tools/bazel run //tools:check_machine\n");
}

TEST(HeadLine, SaysABatchThatTheNameDoesNot) {
  BenchmarkCase c;
  c.set_name("mlp_fp32_b128_channels_last");
  c.set_mode(EVAL);
  c.mutable_execution()->set_memory_format(CHANNELS_LAST);
  c.set_batch(128);
  EXPECT_NE(HeadLine(c, CPU, {}).find("   eager, channels_last, eval · "), std::string::npos);
  c.set_batch(1);
  EXPECT_NE(HeadLine(c, CPU, {}).find(", eval, batch 1 · "), std::string::npos);
}

TEST(DeviceText, SaysOfAGpuWhetherFloat32IsRoundedToTf32) {
  Environment e;
  e.set_gpu_name("NVIDIA H200");
  e.set_gpu_driver("580.65.06");
  EXPECT_EQ(DeviceText(CUDA, e), "cuda NVIDIA H200, driver 580.65.06, TF32 off");
  e.set_tf32_cudnn(true);
  EXPECT_EQ(DeviceText(CUDA, e), "cuda NVIDIA H200, driver 580.65.06, TF32 on in cuDNN");
  e.set_tf32_matmul(true);
  EXPECT_EQ(DeviceText(CUDA, e), "cuda NVIDIA H200, driver 580.65.06, TF32 on");
  EXPECT_EQ(DeviceText(CPU, e), "cpu of unknown model, 0 threads");
}

TEST(VerdictLines, MasksOfBoxesHaveLimitsOfTheirOwn) {
  Verdict verdict;
  verdict.set_outcome(PASS);
  verdict.set_rule(DETECTIONS);
  OutputVerdict& boxes = *verdict.add_outputs();
  boxes.set_name("detections");
  boxes.set_boxes_matched(1);
  OutputVerdict& masks = *verdict.add_outputs();
  masks.set_name("masks");
  masks.set_rms_limit(1e-5);
  masks.set_max_limit(1e-4);
  EXPECT_THAT(VerdictLines(verdict), HasSubstr("detections 100 % of the boxes found"));
  EXPECT_THAT(VerdictLines(verdict),
              HasSubstr("masks max |Δ| 0.0e+00, rms 0.0e+00 of std (limits"));
}

TEST(GivenLines, NameTheFileAndWhatWasDoneToItAndWarnApart) {
  GivenFile given;
  given.set_name("model.safetensors");
  given.set_tensors(122);
  given.set_sha256("0123456789abcdef");
  EXPECT_EQ(GivenLines("inputs", given),
            "inputs    given    model.safetensors, 122 tensors, sha256 01234567\n");
  given.add_conversions("62 tensors F32 converted to bf16");
  given.add_warnings("NaN or infinity in 1 of 122 tensors");
  EXPECT_EQ(GivenLines("weights", given),
            "weights   given    model.safetensors, 122 tensors, sha256 01234567\n"
            "                   62 tensors F32 converted to bf16\n"
            "weights   WARNING  NaN or infinity in 1 of 122 tensors\n");
}

TEST(CommandText, IsWhatAShellUnderstands) {
  EXPECT_EQ(CommandText("//x:y", {"--weights=a/b.safetensors", "--inputs=it's here"}),
            "tools/bazel run //x:y -- --weights=a/b.safetensors '--inputs=it'\\''s here'");
}

Record Measured() {
  Record record;
  record.mutable_verdict()->set_first_call_s(0.0125);
  Measurement& wall = *record.add_measurements();
  wall.set_mode("wall");
  wall.set_step("forward");
  wall.set_warmup_calls(4);
  wall.set_warmup_ns(26e6);
  wall.set_steady(true);
  Measurement& backward = *record.add_measurements();
  backward.set_mode("wall");
  backward.set_step("backward");
  backward.set_warmup_calls(5);
  backward.set_warmup_ns(500e6);
  return record;
}

TEST(WarmupLine, TellsTheFirstCallAndWhenEachModeWasSteady) {
  EXPECT_EQ(WarmupLine(Measured()),
            "warm-up            first call of the process 12.5 ms; wall steady after 26 ms; "
            "wall/backward not steady after 500 ms\n");
  EXPECT_EQ(WarmupLine({}), "");
  Record started = Measured();
  started.add_starts_s(0.312);
  EXPECT_THAT(WarmupLine(started),
              HasSubstr("  first output 312 ms after the process's start; first call of the "));
  Record exported = Measured();
  exported.set_export_s(35);
  exported.set_load_s(0.25);
  EXPECT_THAT(WarmupLine(exported), HasSubstr("  exported in 35 s; loaded in 250 ms; first call"));
  exported.set_runtime("OpenVINO 2026.4.1");
  EXPECT_THAT(WarmupLine(exported), HasSubstr("; loaded by OpenVINO 2026.4.1 in 250 ms; first"));
  Record large = Measured();
  large.set_weights_s(3.5);
  EXPECT_THAT(WarmupLine(large), HasSubstr("  weights in 3.5 s; first call"));
  Record shared = Measured();
  shared.mutable_launch()->set_shared(true);
  EXPECT_THAT(WarmupLine(shared), HasSubstr("  first call 12.5 ms; wall"));
}

void AddCheck(Record& record, int measurement, CheckStatus status, const char* name,
              const char* detail = "why") {
  Check& check = *record.mutable_measurements(measurement)->add_checks();
  check.set_name(name);
  check.set_status(status);
  check.set_detail(detail);
}

TEST(ClockLine, TellsTheGpusClockAndWhetherItHeld) {
  Record record;
  Measurement& wall = *record.add_measurements();
  wall.mutable_clock_mhz()->Add(1980);
  EXPECT_EQ(ClockLine(record), "");
  record.set_device(CUDA);
  EXPECT_EQ(ClockLine(record), "clock              GPU at 1980 MHz\n");
  Measurement& cold = *record.add_measurements();
  for (const uint32_t mhz : {0, 1965, 1980, 1755, 1980}) cold.add_clock_mhz(mhz);
  EXPECT_EQ(ClockLine(record), "clock              GPU at 1980 MHz in the middle, 1755 to 1980\n");
  cold.clear_clock_mhz();
  wall.clear_clock_mhz();
  EXPECT_EQ(ClockLine(record), "");
}

TEST(HeadLine, NamesTheGpuAndItsDriver) {
  BenchmarkCase c;
  c.set_name("mlp_fp32_b8");
  c.set_batch(8);
  Environment e;
  e.set_cpu_model("AMD EPYC");
  EXPECT_THAT(HeadLine(c, CUDA, e), HasSubstr(" · cuda, no device · "));
  e.set_gpu_name("Simulated H200");
  e.set_gpu_driver("580.65.06");
  EXPECT_THAT(HeadLine(c, CUDA, e),
              HasSubstr(" · cuda Simulated H200, driver 580.65.06, TF32 off · "));
  EXPECT_THAT(HeadLine(c, CPU, e), HasSubstr(" · cpu AMD EPYC, "));
}

TEST(CheckLines, ShowWhatIsFlaggedAndNotedOnly) {
  Record record = Measured();
  AddCheck(record, 1, CHECK_OK, "warm");
  AddCheck(record, 1, CHECK_FLAGGED, "no_leak");
  AddCheck(record, 1, CHECK_NOT_RUN, "hold");
  AddCheck(record, 1, CHECK_NOTED, "steady");
  EXPECT_EQ(CheckLines(record),
            "check     FLAGGED  wall/backward: no_leak: why\n"
            "check     NOTED    wall/backward: steady: why\n");
}

TEST(CheckLines, AreOneForAFindingThatModesShareAndOneForWhatToDo) {
  Record record = Measured();
  AddCheck(record, 0, CHECK_FLAGGED, "one_mode", "a");
  AddCheck(record, 0, CHECK_NOTED, "memory_steady", "same");
  AddCheck(record, 1, CHECK_FLAGGED, "one_mode", "b");
  AddCheck(record, 1, CHECK_NOTED, "memory_steady", "same");
  AddCheck(record, 1, CHECK_NOTED, "samples", "follows from a busy machine");
  AddCheck(record, 1, CHECK_NOTED, "steady", "likewise");
  EXPECT_EQ(
      CheckLines(record),
      "check     FLAGGED  wall, wall/backward: one_mode: a; b\n"
      "check     NOTED    wall, wall/backward: memory_steady: same\n"
      "advice             a busy machine is the usual cause; it spoils times, not the verdict; "
      "docs/recipes.md#the-machine-is-busy says what can be known on it\n");
}

TEST(CheckLines, SayARangeOfWhatAllRowsFound) {
  Record record = Measured();
  *record.add_measurements() = record.measurements(0);
  record.mutable_measurements(2)->set_mode("throughput");
  AddCheck(record, 0, CHECK_FLAGGED, "held", "2905 MHz");
  AddCheck(record, 1, CHECK_FLAGGED, "held", "2921 MHz");
  AddCheck(record, 2, CHECK_FLAGGED, "held", "2919 MHz");
  EXPECT_EQ(CheckLines(record), "check     FLAGGED  all 3 rows: held: 2905 to 2921 MHz\n");
}

}  // namespace
}  // namespace assay::runner
