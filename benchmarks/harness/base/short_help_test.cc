#include "benchmarks/harness/base/short_help.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::base {
namespace {

using ::testing::ElementsAre;

ShortHelp Cook() {
  return {.head = "Cooks.\n\n",
          .groups = {{"What", {{"--egg", "an egg"}, {"-s, --soup=NAME[,...]", "soups"}}},
                     {"How", {{"--heat[=DEGREES]", "hot"}}}},
          .after = "Exit code: 0\n"};
}

TEST(ShortHelp, TextsStandInOneColumnAndTheLastLineNamesTheRest) {
  EXPECT_EQ(ShortHelpText(Cook()),
            "Cooks.\n\n"
            "What\n"
            "  --egg                  an egg\n"
            "  -s, --soup=NAME[,...]  soups\n"
            "How\n"
            "  --heat[=DEGREES]       hot\n\n"
            "Exit code: 0\n"
            "--help=all explains all flags.\n");
}

TEST(ShortHelp, NamesAreThoseOfTheLines) {
  EXPECT_THAT(NamesIn(Cook()), ElementsAre("egg", "soup", "heat"));
}

TEST(HelpFlag, IsShortUnlessAllIsAskedFor) {
  const auto parse = [](const std::string& word) {
    Help help = Help::kNone;
    const absl::Status parsed = ParseFlags({{"help", HelpFlag(help)}}, {word});
    EXPECT_TRUE(parsed.ok()) << parsed;
    return help;
  };
  EXPECT_EQ(parse("--help"), Help::kShort);
  EXPECT_EQ(parse("--help=all"), Help::kAll);
  EXPECT_EQ(parse("--nohelp"), Help::kNone);
  Help help = Help::kNone;
  EXPECT_EQ(ParseFlags({{"help", HelpFlag(help)}}, {"--help=some"}).message(),
            "--help=some: all, or nothing");
}

}  // namespace
}  // namespace assay::base
