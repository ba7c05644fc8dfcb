#include "tools/roofline/report.h"

#include <nlohmann/json.hpp>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::roofline {
namespace {

using testing::HasSubstr;

Analysis TwoRows() {
  Peak compute;
  compute.set_name("compute");
  compute.set_per_s(100e9);
  compute.set_probe("mm 64 x 64 x 64");
  Analysis analysis;
  analysis.machines = {"cpu Model T, 2 threads"};
  analysis.roofs = {{.machine = analysis.machines[0], .dtype = FP32, .compute = compute}};
  analysis.notes = {"a note"};
  analysis.rows = {{.name = "mm \"a\", b",
                    .mode = "wall",
                    .machine = analysis.machines[0],
                    .device = "cpu",
                    .dtype = FP32,
                    .time_ns = {2e6, 1.9e6, 2.1e6},
                    .flops = 1e8,
                    .bytes = 3 * 1048576,
                    .bound = Bound::kCompute,
                    .share = Estimate{1.0 / 3, 0.3, 0.35},
                    .marks = {"FAIL_ACCURACY", "FLAGGED steady"},
                    .file = "runs.jsonl"},
                   {.name = "lost", .marks = {"NO_DEVICE"}}};
  return analysis;
}

TEST(TextReport, HasARowForEachAndWhatTheyMean) {
  const std::string text = TextReport(TwoRows());
  EXPECT_THAT(text, HasSubstr("machine    cpu Model T, 2 threads\n"
                              "peaks      fp32: compute 100 GFLOP/s (mm 64 x 64 x 64)\n"));
  EXPECT_THAT(text, testing::ContainsRegex("mm .a., b +wall +fp32 +2 ms +100 M +3.00 MiB +31.79 +"
                                           "50 +1.573 +compute +33.3 +30 .. 35 +"
                                           "FAIL_ACCURACY; FLAGGED steady\n"));
  EXPECT_THAT(text, testing::ContainsRegex("lost +- +- +- +- +- +- +- +- +- +- +NO_DEVICE\n"));
  EXPECT_THAT(text, HasSubstr("note       a note\n"));
}

TEST(JsonReport, HasEveryDigitAndNullForWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(JsonReport(TwoRows()));
  EXPECT_EQ(json["rows"][0]["roofline_share"], 1.0 / 3);
  EXPECT_EQ(json["rows"][0]["flops_per_s"], 50e9);
  EXPECT_EQ(json["rows"][0]["marks"].size(), 2u);
  EXPECT_TRUE(json["rows"][1]["time_ns"].is_null());
  EXPECT_TRUE(json["rows"][1]["roofline_share"].is_null());
  EXPECT_EQ(json["roofs"][0]["compute_flops"]["per_s"], 100e9);
  EXPECT_TRUE(json["roofs"][0]["memory_bytes"].is_null());
  EXPECT_EQ(json["notes"][0], "a note");
}

TEST(CsvReport, HasTheSameFields) {
  const std::string csv = CsvReport(TwoRows());
  EXPECT_THAT(csv, HasSubstr("case,mode,device,machine,dtype,time_ns,"));
  EXPECT_THAT(csv, HasSubstr("\"mm \"\"a\"\", b\",wall,cpu,\"cpu Model T, 2 threads\",fp32,"
                             "2000000.0,1900000.0,2100000.0,100000000.0,3145728.0,"));
  EXPECT_THAT(csv, HasSubstr(",0.3333333333333333,0.3,0.35,FAIL_ACCURACY; FLAGGED steady,"));
  EXPECT_THAT(csv, HasSubstr("\nlost,,,,-,,,,,,,,,-,,,,NO_DEVICE,,\n"));
}

TEST(SiText, CountsByThousands) {
  EXPECT_EQ(SiText(0), "-");
  EXPECT_EQ(SiText(999), "999");
  EXPECT_EQ(SiText(33'554'432), "33.55 M");
  EXPECT_EQ(SiText(999.96e6), "1 G");
  EXPECT_EQ(SiText(1e21), "1e+06 P");
}

}  // namespace
}  // namespace assay::roofline
