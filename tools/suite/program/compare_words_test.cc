#include "tools/suite/program/compare_words.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

PlannedRun Of(const std::string& label, std::vector<std::string> flags,
              const std::string& skip_reason = "") {
  PlannedRun c;
  c.label = label;
  c.case_name = label.substr(label.rfind(':') + 1);
  c.flags = std::move(flags);
  c.skip_reason = skip_reason;
  return c;
}

TEST(CompareWords, TheFirstWayIsTheBaseline) {
  const Plan plan = {.configurations = {Of("//a:b", {}), Of("//a:b", {"--threads=2", "--x=a b"}),
                                        Of("//a:c.d", {}),
                                        Of("//a:c.d", {"--threads=2", "--x=a b"}),
                                        Of("//a:one", {})}};
  const auto words = CompareWords(plan, {});
  ASSERT_TRUE(words.ok()) << words.status();
  EXPECT_THAT(words->words, ElementsAre("--baseline=.", "--candidate=. --threads=2 '--x=a b'",
                                        "--cases=^(//a:b|//a:c\\.d)$"));
  EXPECT_THAT(words->left_out, ElementsAre("one"));
  EXPECT_THAT(words->cases, ElementsAre(&plan.configurations[0], &plan.configurations[2]));
  ASSERT_EQ(words->ways.size(), 2);
  EXPECT_EQ(words->ways[1].flags, "--threads=2 '--x=a b'");
}

TEST(CompareWords, EachOtherWayIsACandidate) {
  const Plan plan = {.configurations = {Of("//a:b", {}), Of("//a:b", {"--backend=x"}),
                                        Of("//a:b", {"--backend=y"}), Of("//a:c", {}),
                                        Of("//a:c", {"--backend=x"})}};
  const auto words = CompareWords(plan, {});
  ASSERT_TRUE(words.ok()) << words.status();
  EXPECT_THAT(words->words, ElementsAre("--baseline=.", "--candidate=. --backend=x",
                                        "--candidate=. --backend=y", "--cases=^(//a:b)$"));
  EXPECT_THAT(words->left_out, ElementsAre("c"));
}

TEST(CompareWords, TwoLibTorchesAreTwoWays) {
  const Plan plan = {.configurations = {Of("//a:b", {"--threads=1"})}};
  const auto words = CompareWords(plan, {"2.10.0", "2.11.0"});
  ASSERT_TRUE(words.ok()) << words.status();
  EXPECT_THAT(words->words,
              ElementsAre("--baseline=. --libtorch=2.10.0 --threads=1",
                          "--candidate=. --libtorch=2.11.0 --threads=1", "--cases=^(//a:b)$"));
}

TEST(CompareWords, AKernelIsComparedWithAtensOwn) {
  const Plan plan = {.configurations = {Of("//a:b", {"--threads=1"})}};
  const auto words = CompareWords(plan, {}, {"--load-library=a.so --like=softmax"});
  ASSERT_TRUE(words.ok()) << words.status();
  EXPECT_THAT(words->words,
              ElementsAre("--baseline=. --threads=1",
                          "--candidate=. --load-library=a.so --like=softmax --threads=1",
                          "--cases=^(//a:b)$"));
  const Plan two = {.configurations = {Of("//a:b", {}), Of("//a:b", {"--threads=1"})}};
  EXPECT_THAT(std::string(CompareWords(two, {}, {"--load-library=a.so"}).status().message()),
              HasSubstr("the only difference is the kernel"));
}

TEST(CompareWords, RefusesFewerThanTwoWays) {
  const Plan one = {.configurations = {Of("//a:b", {}), Of("//a:c", {})}};
  EXPECT_THAT(std::string(CompareWords(one, {}).status().message()), HasSubstr("there is 1"));
  const Plan apart = {.configurations = {Of("//a:b", {}), Of("//a:c", {"--threads=1"})}};
  EXPECT_THAT(std::string(CompareWords(apart, {}).status().message()), HasSubstr("no case"));
  const Plan skipped = {.configurations = {Of("//a:b", {}), Of("//a:b", {"--threads=1"}, "known")}};
  EXPECT_FALSE(CompareWords(skipped, {}).ok());
  const Plan two = {.configurations = {Of("//a:b", {}), Of("//a:b", {"--threads=1"})}};
  EXPECT_THAT(std::string(CompareWords(two, {"2.10.0", "2.11.0"}).status().message()),
              HasSubstr("two versions of LibTorch and 2 sets of flags"));
}

}  // namespace
}  // namespace assay::suite
