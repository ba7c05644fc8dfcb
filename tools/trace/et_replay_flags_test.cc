#include "tools/trace/et_replay_flags.h"

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::trace {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(TranslateEtReplay, GivesTheHarnessItsOwnWords) {
  const auto words = TranslateEtReplay({"--trace-path", "et.json", "-m", "comp", "--warmup-iter=2",
                                        "--iter", "7", "--et", "--cpu", "--budget=1"});
  ASSERT_TRUE(words.ok()) << words.status();
  EXPECT_THAT(words->words,
              ElementsAre("--input=et.json", "--mode=comp", "--exec-mode=continuous", "--warmup=2",
                          "--iterations=7", "--capture-trace", "--device=cpu", "--budget=1"));
  EXPECT_THAT(words->notes, IsEmpty());
}

TEST(TranslateEtReplay, SaysWhatChangesNothing) {
  const auto words = TranslateEtReplay({"--device-memory-threshold", "0.9", "--input=et.json"});
  ASSERT_TRUE(words.ok()) << words.status();
  EXPECT_THAT(words->words, ElementsAre("--input=et.json"));
  EXPECT_THAT(words->notes, ElementsAre(HasSubstr("--device-memory-threshold changes nothing")));
}

TEST(TranslateEtReplay, RefusesWithAReason) {
  for (const char* flag : {"--gpu", "--tf32", "--generator", "--update-replay-config"}) {
    EXPECT_THAT(std::string(TranslateEtReplay({flag}).status().message()), HasSubstr(flag));
  }
  EXPECT_THAT(std::string(TranslateEtReplay({"--iter"}).status().message()),
              HasSubstr("needs a value"));
}

std::string Written(const std::string& text) {
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/config.json");
  std::ofstream(path) << text;
  return path;
}

TEST(ReadReplayConfig, HasTheNamesToSkip) {
  const auto skipped = ReadReplayConfig(
      Written(R"({"import modules": [], "skip nodes": ["DataLoader", "aten::set_"]})"));
  ASSERT_TRUE(skipped.ok()) << skipped.status();
  EXPECT_THAT(*skipped, ElementsAre("DataLoader", "aten::set_"));
}

TEST(ReadReplayConfig, RefusesOtherFiles) {
  for (const auto& [text, says] : {std::pair("[]", "no JSON object"),
                                   {R"({"import modules": ["fbgemm"]})", "--load-library"},
                                   {R"({"skip": []})", "\"skip\" is unknown"},
                                   {R"({"skip nodes": [1]})", "no name"},
                                   {R"({"skip nodes": "a"})", "no list"},
                                   {"{", "no JSON object"}}) {
    EXPECT_THAT(std::string(ReadReplayConfig(Written(text)).status().message()), HasSubstr(says));
  }
  EXPECT_THAT(std::string(ReadReplayConfig("no/file.json").status().message()),
              HasSubstr("no/file.json"));
}

}  // namespace
}  // namespace assay::trace
