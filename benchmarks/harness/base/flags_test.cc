#include "benchmarks/harness/base/flags.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::base {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Given {
  std::string text = "as before", format = "text", filter;
  bool gate = false;
  int pairs = 20;
  absl::Status status;
};

FlagTable TableOf(Given& given) {
  FlagTable flags = {{"text", TextFlag(given.text)},
                     {"output_format", ChoiceFlag(given.format, {"text", "json"})},
                     {"filter", RegexFlag(given.filter)},
                     {"gate", SwitchFlag(given.gate)},
                     {"pairs", WholeNumberFlag(given.pairs, 2, 500)},
                     {"internal", TextFlag(given.text)}};
  flags["internal"].listed = false;
  flags["text"].help = "what to print";
  return flags;
}

Given Parse(const std::vector<std::string>& words) {
  Given given;
  given.status = ParseFlags(TableOf(given), words);
  return given;
}

TEST(Flags, TakeValuesWithAndWithoutEqualsSign) {
  const Given given = Parse({"--text=a=b", "--pairs", "7", "-filter", "--x"});
  ASSERT_TRUE(given.status.ok()) << given.status;
  EXPECT_EQ(given.text, "a=b");
  EXPECT_EQ(given.pairs, 7);
  EXPECT_EQ(given.filter, "--x");
  EXPECT_EQ(Parse({"--text="}).text, "");
}

TEST(Flags, AreSpelledWithHyphenOrUnderscore) {
  EXPECT_EQ(Parse({"--output-format=json"}).format, "json");
  EXPECT_EQ(Parse({"--output_format=json"}).format, "json");
}

TEST(Flags, ASwitchTakesNoWordButItsOwn) {
  EXPECT_TRUE(Parse({"--gate"}).gate);
  EXPECT_TRUE(Parse({"--gate=true"}).gate);
  EXPECT_FALSE(Parse({"--gate", "--gate=false"}).gate);
  EXPECT_FALSE(Parse({"--gate", "--nogate"}).gate);
  EXPECT_THAT(Parse({"--gate", "true"}).status.message(), HasSubstr("'true' is no flag"));
}

TEST(Flags, WordsThatAreNoFlagsGoWhereTheTableSaysSo) {
  Given given;
  std::vector<std::string> files;
  FlagTable flags = TableOf(given);
  flags[""] = {.set = [&files](const std::string& word) {
    files.push_back(word);
    return word.empty() ? absl::InvalidArgumentError("an empty name") : absl::OkStatus();
  }};
  ASSERT_TRUE(ParseFlags(flags, {"a", "--pairs", "7", "b=c", "--gate", "d"}).ok());
  EXPECT_THAT(files, ElementsAre("a", "b=c", "d"));
  EXPECT_EQ(given.pairs, 7);
  EXPECT_EQ(ParseFlags(flags, {""}).message(), "an empty name");
  EXPECT_THAT(ParseFlags(flags, {"--bugdet"}).message(), HasSubstr("there are --filter --gate"));
}

TEST(Flags, TheLastOneCounts) { EXPECT_EQ(Parse({"--pairs=3", "--pairs=4"}).pairs, 4); }

TEST(Flags, WhatWasSetIsToldWithItsWords) {
  Given given;
  std::vector<std::string> told;
  const auto tell = [&told](const std::string& name, absl::Span<const std::string> words) {
    told.push_back(name);
    told.insert(told.end(), words.begin(), words.end());
  };
  const absl::Status status =
      ParseFlags(TableOf(given), {"--text", "a", "--nogate", "--pairs=3", "--pairs=1"}, "", tell);
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(told, ElementsAre("text", "--text", "a", "gate", "--nogate", "pairs", "--pairs=3"));
}

TEST(Flags, AMistakeIsNamedWithWhatIsAllowed) {
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--bugdet=2"},
            "unknown flag --bugdet; there are --filter --gate --output-format --pairs --text. "
            "--help explains them"},
           {{"--format=x"}, "--format; did you mean --output-format? --help lists the 5 flags"},
           {{"--nopairs"}, "unknown flag --nopairs"},
           {{"--text"}, "--text needs a value: what to print"},
           {{"--pairs"}, "--pairs needs a value"},
           {{"--pairs=1"}, "--pairs=1: a whole number from 2 to 500"},
           {{"--pairs=1e2"}, "--pairs=1e2: a whole number from 2 to 500"},
           {{"--pairs="}, "--pairs=: a whole number from 2 to 500"},
           {{"--gate=yes"}, "--gate=yes: true or false"},
           {{"--output_format=xml"}, "--output-format=xml: one of text, json"},
           {{"--filter=("}, "--filter=(: no regular expression: "},
           {{"resnet50"}, "'resnet50' is no flag; flags begin with --"},
           {{"--"}, "'--' is no flag"},
           {{"-"}, "'-' is no flag"},
           {{""}, "'' is no flag"},
           {{"--=x"}, "unknown flag --;"}}) {
    const absl::Status status = Parse(words).status;
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << message;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  }
}

TEST(Flags, AnUnknownOneIsAnsweredWithTheHelpThatListsAll) {
  Given given;
  FlagTable flags = TableOf(given);
  flags["help"] = {.set = [](const std::string&) { return absl::OkStatus(); }, .all = "all"};
  EXPECT_EQ(ParseFlags(flags, {"--filtre=x"}).message(),
            "unknown flag --filtre; did you mean --filter? --help=all lists the 6 flags");
  EXPECT_THAT(ParseFlags(flags, {"--x"}).message(), HasSubstr("--help=all explains them"));
}

TEST(Flags, HelpOfAllIsHelpWhereThereIsOneText) {
  bool help = false;
  EXPECT_TRUE(ParseFlags({{"help", SwitchFlag(help)}}, {"--help=all"}).ok());
  EXPECT_TRUE(help);
  EXPECT_FALSE(ParseFlags({{"help", SwitchFlag(help)}}, {"--help=some"}).ok());
}

TEST(Flags, AllMistakesAreNamedAtOnce) {
  const absl::Status status =
      Parse({"--pairs=1", "--bugdet", "2", "--gate", "--fliter=x", "stray", "--text"}).status;
  EXPECT_EQ(status.message(),
            "--pairs=1: a whole number from 2 to 500\n'stray' is no flag; flags begin with --\n"
            "--text needs a value: what to print\nunknown flag --bugdet\n"
            "unknown flag --fliter; did you mean --filter? There are --filter --gate "
            "--output-format --pairs --text. --help explains them");
}

TEST(Flags, OfOneLetterMayHaveTheirValueBehindThem) {
  Given given;
  FlagTable flags = TableOf(given);
  flags["n"] = flags["pairs"];
  flags["q"] = flags["gate"];
  EXPECT_TRUE(ParseFlags(flags, {"-n10"}).ok());
  EXPECT_EQ(given.pairs, 10);
  EXPECT_TRUE(ParseFlags(flags, {"-n=11"}).ok());
  EXPECT_EQ(given.pairs, 11);
  EXPECT_THAT(ParseFlags(flags, {"-nten"}).message(), HasSubstr("--n=ten: a whole number"));
  EXPECT_THAT(ParseFlags(flags, {"-q10"}).message(), HasSubstr("unknown flag --q10"));
  EXPECT_THAT(ParseFlags(flags, {"--n10"}).message(), HasSubstr("unknown flag --n10"));
}

TEST(Flags, SomeWithAValueAreSwitchesWhereNoneFollows) {
  Given given;
  FlagTable flags = TableOf(given);
  flags["text"].alone = [&given] {
    given.text = "alone";
    return absl::OkStatus();
  };
  EXPECT_TRUE(ParseFlags(flags, {"--text", "--gate"}).ok());
  EXPECT_TRUE(given.gate);
  EXPECT_EQ(given.text, "alone");
  EXPECT_TRUE(ParseFlags(flags, {"--text", "word"}).ok());
  EXPECT_EQ(given.text, "word");
  EXPECT_TRUE(ParseFlags(flags, {"--text"}).ok());
  EXPECT_EQ(given.text, "alone");
}

TEST(Flags, ARefusedValueIsNotKept) {
  EXPECT_EQ(Parse({"--pairs=1"}).pairs, 20);
  EXPECT_EQ(Parse({"--output_format=xml"}).format, "text");
}

}  // namespace
}  // namespace assay::base
