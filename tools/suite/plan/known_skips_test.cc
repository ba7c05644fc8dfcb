#include "tools/suite/plan/known_skips.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/suite/plan/small_registry.h"

namespace assay::suite {
namespace {

using testing::HasSubstr;

absl::Status Add(const std::string& text, KnownSkipTable& table) {
  KnownSkips skips;
  DataLines lines;
  const absl::Status parsed = ParseData(text, "a.textproto", "skips", skips, lines);
  return parsed.ok() ? table.Add(skips, lines, SmallRegistry()) : parsed;
}

std::string Problem(const std::string& text) {
  KnownSkipTable table;
  return std::string(Add(text, table).message());
}

BenchmarkCase Case(const std::string& name) {
  const Registry registry = SmallRegistry();
  for (const ResolvedCase& c : registry.cases()) {
    if (c.benchmark_case().name() == name) return c.benchmark_case();
  }
  ADD_FAILURE() << "no case " << name;
  return {};
}

TEST(KnownSkips, HoldWhereAllOfAnEntryFits) {
  KnownSkipTable table;
  ASSERT_TRUE(Add(R"(skips { cases: "mlp_.*" dtype: BF16 device: CUDA reason: "a" }
                     skips { test: TRAIN flags: "--autocast=fp16" reason: "b" })",
                  table)
                  .ok());
  const auto reason = [&](const char* name, DeviceType device, std::vector<std::string> flags) {
    return KnownSkipTable::ReasonFor(table.Fitting(Case(name)), device, flags);
  };
  EXPECT_EQ(reason("mlp_bf16_b1", CUDA, {}), "a");
  EXPECT_EQ(reason("mlp_bf16_b1", CPU, {}), "");
  EXPECT_EQ(reason("mlp_fp32_b1", CUDA, {}), "");
  EXPECT_EQ(reason("cnn_bf16_b1", CUDA, {}), "");
  EXPECT_EQ(reason("mlp_fp32_b8_train", CPU, {"--autocast=fp16", "--modes=wall"}), "b");
  EXPECT_EQ(reason("mlp_fp32_b8_train", CPU, {"--autocast=bf16"}), "");
  EXPECT_EQ(reason("mlp_fp32_b8", CPU, {"--autocast=fp16"}), "");
}

TEST(KnownSkips, SayTheLineOfAnEntryThatIsWrong) {
  EXPECT_THAT(Problem("skips { reason: \"a\" }\nskips { cases: \"mlp\" reason: \"whole names\" }"),
              HasSubstr("a.textproto:2: no case of the registry fits cases: \"mlp\""));
  EXPECT_THAT(Problem("\n\nskips { cases: \"cnn_.*\" test: TRAIN reason: \"a\" }"),
              HasSubstr("a.textproto:3: no case"));
  EXPECT_THAT(Problem("skips { cases: \"mlp_.*\" }"),
              HasSubstr("a.textproto:1: a skip needs a reason"));
  EXPECT_THAT(Problem("skips { cases: \"mlp_(\" reason: \"a\" }"),
              HasSubstr("a.textproto:1: cases: \"mlp_(\" is no regular expression"));
}

}  // namespace
}  // namespace assay::suite
