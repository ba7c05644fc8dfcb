#include "benchmarks/harness/runner/output/generation_lines.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::HasSubstr;

Measurement& Add(Record& record, const char* step, double median_ms, double tokens) {
  Measurement& m = *record.add_measurements();
  m.set_mode("wall");
  m.set_step(step);
  m.set_median_ns(1e6 * median_ms);
  m.set_units_per_call(tokens);
  return m;
}

TEST(GenerationLines, AreEmptyWhereNothingIsGenerated) {
  Record record;
  EXPECT_EQ(GenerationLines(record), "");
  Add(record, "forward", 5, 10);
  EXPECT_EQ(GenerationLines(record), "");
}

TEST(GenerationLines, SayWhatATokenCosts) {
  Record record;
  Add(record, "prefill", 50, 100);
  Measurement& decode = Add(record, "decode", 4, 2);
  Add(record, "generate", 200, 60);
  EXPECT_EQ(GenerationLines(record),
            "generation         first token 50 ms; further ones 4 ms each; tokens/s: prompt 2000, "
            "new ones 500, both 800\n");
  for (int i = 1; i <= 101; ++i) decode.add_samples_ns(1e6 * i);
  EXPECT_THAT(GenerationLines(record), HasSubstr("further ones 4 ms each, p95 96 ms;"));
}

TEST(GenerationLines, CompareTheBandwidthOfDecodeWithThePeak) {
  Record record;
  Add(record, "decode", 4, 1).set_bytes_per_call(8 << 20);
  EXPECT_THAT(GenerationLines(record),
              HasSubstr("\nbandwidth          decode moves 8.00 MiB at least: 2.1 GB/s\n"));
  Peak& peak = *record.add_peaks();
  peak.set_name("read");
  peak.set_per_s(4 * 2.097152e9);
  EXPECT_THAT(GenerationLines(record), HasSubstr(" 2.1 GB/s, 25 % of the peak for reading\n"));
}

// 3 ms of wall are the host's, which queues kernels.
TEST(GenerationLines, GiveTheBandwidthOnAGpuByItsOwnTimer) {
  Record record;
  record.set_device(CUDA);
  Add(record, "decode", 4, 1).set_bytes_per_call(8 << 20);
  EXPECT_THAT(GenerationLines(record), HasSubstr(" at least: 2.1 GB/s\n"));
  Measurement& cold = Add(record, "decode", 1, 1);
  cold.set_mode("cold");
  cold.set_bytes_per_call(8 << 20);
  EXPECT_THAT(GenerationLines(record), HasSubstr(" further ones 4 ms each;"));
  EXPECT_THAT(GenerationLines(record), HasSubstr(" at least: 8.39 GB/s in mode cold\n"));
  record.set_device(CPU);
  EXPECT_THAT(GenerationLines(record), HasSubstr(" at least: 2.1 GB/s\n"));
}

TEST(GeneratedLines, HaveALineForEachRow) {
  Record record;
  EXPECT_EQ(GeneratedLines(record), "");
  record.add_generated()->add_ids(17);
  record.mutable_generated(0)->add_ids(4);
  record.add_generated()->add_ids(5);
  EXPECT_EQ(GeneratedLines(record),
            "tokens             row 0: 17 4\ntokens             row 1: 5\n");
}

TEST(AttentionLine, NamesTheKernelsOfEachStepOnce) {
  Record record;
  EXPECT_EQ(AttentionLine(record), "");
  for (int mode = 0; mode < 2; ++mode) {
    Add(record, "prefill", 5, 10).add_attention_kernels("flash");
    Add(record, "decode", 5, 10).add_attention_kernels("math");
  }
  EXPECT_EQ(AttentionLine(record), "attention          prefill flash; decode math\n");
  record.clear_measurements();
  Add(record, "forward", 5, 10).add_attention_kernels("flash");
  EXPECT_EQ(AttentionLine(record), "attention          flash\n");
}

}  // namespace
}  // namespace assay::runner
