#include "benchmarks/operators/param/run_options.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::param {
namespace {

absl::StatusOr<RunOptions> Of(std::string_view options) {
  return RunOptionsOf(
      "f.json", absl::StrCat("{\"torch.add\": {\"config\": []}, \"run_options\": ", options, "}"));
}

TEST(RunOptions, ThatMeanSomethingHereAreFlags) {
  const auto options = Of(R"({"device": "cuda:1", "pass_type": "backward", "warmup": 3,
      "op_exec_mode": "continuous", "cuda_l2_cache": false, "resume_op_run_id": null,
      "time_unit": "millisecond", "out_stream": null, "run_ncu": false, "ncu_args": ""})");
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->words,
            std::vector<std::string>({"--device=cuda:1", "--backward", "--warmup=3",
                                      "--exec-mode=continuous", "--cuda-l2-cache=off"}));
  EXPECT_TRUE(options->notes.empty());
  EXPECT_EQ(Of(R"({"pass_type": "forward"})")->words, std::vector<std::string>({"--nobackward"}));
  EXPECT_TRUE(RunOptionsOf("f.json", R"({"torch.add": {"config": []}})")->words.empty());
}

TEST(RunOptions, ThatMeanNothingHereAreNotedWithTheReason) {
  const auto options = Of(R"({"ncu_bin": "/bin/sh", "out_file_prefix": "/etc/x"})");
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_TRUE(options->words.empty());
  ASSERT_EQ(options->notes.size(), 2u);
  EXPECT_TRUE(absl::StrContains(options->notes[0], "\"ncu_bin\" is not used: a file of"));
  EXPECT_TRUE(absl::StrContains(options->notes[1], "-o says"));
}

TEST(RunOptions, ThatAreWrongAreNamed) {
  const auto error = [](std::string_view text) { return std::string(Of(text).status().message()); };
  EXPECT_TRUE(absl::StartsWith(error(R"({"iterations": 3})"),
                               "f.json: run_options: \"iterations\" is no option; there are "));
  EXPECT_EQ(error(R"({"pass_type": "both"})"),
            "f.json: run_options: \"pass_type\" cannot be \"both\"; --backward is the flag for it");
  EXPECT_FALSE(Of(R"({"warmup": [1]})").ok());
  EXPECT_TRUE(absl::StrContains(error("5"), "\"run_options\" is an object"));
}

}  // namespace
}  // namespace assay::param
