#include "tools/compare/settings.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace assay::compare {
namespace {

using Words = std::vector<std::string>;

TEST(Settings, HaveTheirDefaults) {
  const auto s = ReadSettings({"--baseline=//a:b", "--candidate", "//a:c"});
  ASSERT_TRUE(s.ok()) << s.status();
  EXPECT_EQ(s->candidates, Words{"//a:c"});
  EXPECT_EQ(s->modes, "wall");
  EXPECT_EQ(s->campaign.pairs, 20);
  EXPECT_EQ(s->campaign.rules.looks, 3);
  EXPECT_EQ(s->campaign.within, absl::InfiniteDuration());
  EXPECT_EQ(s->campaign.rules.same_within, 0.01);
  EXPECT_FALSE(s->gate);
  EXPECT_FALSE(s->seed_given);
}

TEST(Settings, AnotherMetricErrsLess) {
  const auto rate = [](const std::string& metric) {
    return ReadSettings({"--baseline=a", "--aa", "--metric=" + metric})->campaign.rules.error_rate;
  };
  EXPECT_EQ(rate("wall"), 0.05);
  EXPECT_EQ(rate("cpu"), 0.005);
  EXPECT_EQ(rate("min"), 0.005);
}

TEST(Settings, TakeHyphenAndUnderscoreAlike) {
  const auto s =
      ReadSettings({"--baseline=a", "--aa", "--extra-rounds=0", "--delta=2%", "--gate",
                    "--seed=18446744073709551615", "--timeout=5s", "--rounds=8", "--within=1200"});
  ASSERT_TRUE(s.ok()) << s.status();
  EXPECT_EQ(s->candidates, Words{"a"});
  EXPECT_EQ(s->campaign.rules.looks, 1);
  EXPECT_EQ(s->campaign.rules.same_within, 0.02);
  EXPECT_EQ(s->campaign.seed, 18446744073709551615u);
  EXPECT_EQ(s->timeout, absl::Seconds(5));
  EXPECT_EQ(s->campaign.within, absl::Minutes(20));
  EXPECT_EQ(s->campaign.pairs, 8);
  EXPECT_TRUE(s->gate);
}

TEST(Settings, NameTheMetric) {
  for (const auto& [words, metric] :
       {std::pair(Words{"--baseline=a", "--aa"}, Metric::kWall),
        std::pair(Words{"--baseline=a", "--aa", "--metric=cpu"}, Metric::kCpu),
        std::pair(Words{"--baseline=a", "--aa", "--metric=min"}, Metric::kMin),
        std::pair(Words{"--baseline=a", "--aa", "--metric=instructions"}, Metric::kInstructions)})
    EXPECT_EQ(ReadSettings(words)->campaign.metric, metric);
  EXPECT_TRUE(ReadSettings({"--baseline=a", "--aa"})->then_cpu);
  EXPECT_FALSE(ReadSettings({"--baseline=a", "--aa", "--metric=wall"})->then_cpu);
}

TEST(Settings, RefuseWhatTheyDoNotUnderstand) {
  for (const auto& [words, part] : std::vector<std::pair<Words, std::string>>{
           {{}, "--baseline=SIDE is missing"},
           {{"--baseline=a"}, "--candidate=SIDE is missing"},
           {{"--baseline=a", "--candidate=b", "--aa"}, "--aa compares"},
           {{"--baseline=a", "--candidate=b", "--candidate=b"}, "the same candidate twice"},
           {{"--nonsense=1"}, "unknown flag --nonsense"},
           {{"//a:b"}, "is no flag"},
           {{"--baseline"}, "needs a value"},
           {{"--baseline=a", "--aa", "--pairs=0"}, "from 2 to 500"},
           {{"--baseline=a", "--aa", "--pairs=1e3"}, "whole number"},
           {{"--baseline=a", "--aa", "--pairs=3"}, "half of them: 2 or 4"},
           {{"--baseline=a", "--aa", "--extra-rounds=3"}, "from 0 to 2"},
           {{"--baseline=a", "--aa", "--budget=0"}, "more than 0"},
           {{"--baseline=a", "--aa", "--budget=nan"}, "more than 0"},
           {{"--baseline=a", "--aa", "--delta=0"}, "--delta=0"},
           {{"--baseline=a", "--aa", "--delta=0.4%"}, "more than 0.5%"},
           {{"--baseline=a", "--aa", "--inject=much"}, "a share"},
           {{"--baseline=a", "--aa", "--inject=-3%"}, "a share"},
           {{"--baseline=a", "--aa", "--flagged=maybe"}, "refuse, keep"},
           {{"--baseline=a", "--aa", "--metric=mean"}, "wall, cpu, min"},
           {{"--baseline=a", "--aa", "--format=xml"}, "text, json, csv"},
           {{"--baseline=a", "--aa", "--plot=a.pdf"}, "FILE.svg, FILE.png or FILE.html"},
           {{"--baseline=a", "--aa", "--seed=-1"}, "whole number"},
           {{"--baseline=a", "--aa", "--gate=yes"}, "true or false"},
           {{"--baseline=a", "--aa", "--cases=("}, "no regular expression"}}) {
    const auto s = ReadSettings(words);
    ASSERT_FALSE(s.ok()) << part;
    EXPECT_TRUE(absl::StrContains(s.status().message(), part)) << s.status();
  }
}

TEST(Settings, HelpNeedsNoSides) {
  EXPECT_EQ(ReadSettings({"--help"})->help, base::Help::kShort);
  EXPECT_EQ(ReadSettings({"--help=all"})->help, base::Help::kAll);
  for (const char* flag : {"--baseline", "--candidate",    "--cases",  "--gate",    "--inject",
                           "--pairs",    "--extra-rounds", "--delta",  "--budget",  "--modes",
                           "--seed",     "--timeout",      "--json",   "--csv",     "--plot",
                           "--metric",   "--format",       "--across", "--flagged", "--aa"}) {
    EXPECT_TRUE(absl::StrContains(UsageText(), flag)) << flag;
  }
}

TEST(Settings, ShortHelpFitsOnAScreenAndNamesFlagsThatExist) {
  const std::string text = base::ShortHelpText(ShortUsage());
  EXPECT_TRUE(absl::EndsWith(
      text, "\n--help=all explains all flags, what a side may be, and every exit code.\n"));
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  EXPECT_LE(lines.size(), 26u);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 130u) << line;
  for (const std::string& name : base::NamesIn(ShortUsage())) {
    const absl::Status parsed = ReadSettings({"--" + name}).status();
    EXPECT_FALSE(absl::StrContains(parsed.message(), "unknown flag")) << parsed;
    EXPECT_TRUE(absl::StrContains(UsageText(), "--" + name)) << name;
  }
}

TEST(Share, IsPercentOrFraction) {
  EXPECT_DOUBLE_EQ(*ParseShare("3%"), 0.03);
  EXPECT_DOUBLE_EQ(*ParseShare("0.03"), 0.03);
  for (const char* text : {"", "%", "3 percent", "nan", "inf", "-1%", "1e9"}) {
    EXPECT_FALSE(ParseShare(text).ok()) << text;
  }
}

}  // namespace
}  // namespace assay::compare
