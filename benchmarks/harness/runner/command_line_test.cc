#include "benchmarks/harness/runner/command_line.h"

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/configuration/usage.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// Defined in this file, the flags count as the runner's own.
ABSL_FLAG(double, test_budget, 1, "seconds");
ABSL_FLAG(bool, test_quick, false, "a switch");

namespace assay::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

absl::StatusOr<CommandLine> Parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "program");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  return ParseCommandLine(static_cast<int>(pointers.size()), pointers.data());
}

TEST(ParseCommandLine, TakesValuesWithAndWithoutEqualsSign) {
  ASSERT_TRUE(Parse({"--test_budget=2.5", "--test_quick"}).ok());
  EXPECT_EQ(absl::GetFlag(FLAGS_test_budget), 2.5);
  EXPECT_TRUE(absl::GetFlag(FLAGS_test_quick));
  ASSERT_TRUE(Parse({"--test_budget", "3", "--notest_quick"}).ok());
  EXPECT_EQ(absl::GetFlag(FLAGS_test_budget), 3);
  EXPECT_FALSE(absl::GetFlag(FLAGS_test_quick));
}

TEST(ParseCommandLine, LeavesGoogleBenchmarksFlagsToIt) {
  const auto line =
      Parse({"--benchmark_format=json", "--benchmark_min_time=0.5s", "--benchmark_list_tests"});
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_THAT(line->benchmark_arguments,
              ElementsAre("program", "--benchmark_format=json", "--benchmark_min_time=0.5s",
                          "--benchmark_list_tests=true"));
  EXPECT_FALSE(line->console_format);
  EXPECT_TRUE(line->list_tests);
  EXPECT_EQ(line->min_time_s, 0.5);
}

TEST(ParseCommandLine, KeepsWhatWasGivenForTheRecord) {
  const auto line = Parse({"--test_budget", "3", "--test_quick"});
  ASSERT_TRUE(line.ok());
  EXPECT_THAT(line->as_given, ElementsAre("--test_budget", "3", "--test_quick"));
}

struct Mistake {
  const char* name;
  std::vector<std::string> arguments;
  const char* message;
};

TEST(ParseCommandLine, AnUnknownFlagIsAnsweredWithAsManyAsHelpExplains) {
  const absl::Status status = Parse({"--zzzzzz"}).status();
  std::string_view told = status.message();
  ASSERT_TRUE(absl::ConsumePrefix(&told, "unknown flag --zzzzzz. --help=all lists the "));
  ASSERT_TRUE(absl::ConsumeSuffix(&told, " flags"));
  EXPECT_THAT(configuration::ShortUsageText(),
              HasSubstr(absl::StrCat("--help=all explains all ", told, " flags")));
}

TEST(ParseCommandLine, HelpIsShortUnlessAllIsAskedFor) {
  EXPECT_EQ(Parse({"--budget=1"})->help, base::Help::kNone);
  EXPECT_EQ(Parse({"--help"})->help, base::Help::kShort);
  EXPECT_EQ(Parse({"-h"})->help, base::Help::kShort);
  EXPECT_EQ(Parse({"--help=all"})->help, base::Help::kAll);
  EXPECT_EQ(Parse({"--help=some"}).status().message(), "--help=some: all, or nothing");
}

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreUsageErrorsThatNameTheFlag) {
  const auto line = Parse(GetParam().arguments);
  ASSERT_FALSE(line.ok());
  EXPECT_THAT(std::string(line.status().message()), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Mistakes,
    testing::Values(
        Mistake{"Unknown", {"--bugdet=2"}, "unknown flag --bugdet; did you mean --budget? --help"},
        Mistake{"UnknownOfTheLibrary",
                {"--benchmark_fliter=x"},
                "unknown flag --benchmark_fliter; did you mean --benchmark_filter? --help"},
        Mistake{"WithoutItsPrefix",
                {"--repetitions=3"},
                "unknown flag --repetitions; did you mean --benchmark_repetitions? --help"},
        Mistake{"OneOfManyThatIsNearNone", {"--zzzzzz"}, "unknown flag --zzzzzz. --help=all lists"},
        Mistake{
            "Dtype",
            {"--case-name=//benchmarks/mlp:mlp_fp32_b1", "--dtype=bfloat16"},
            "--dtype=bfloat16: the dtype is part of a case's name; this case's in bf16 would be "
            "//benchmarks/mlp:mlp_bf16_b1; "},
        Mistake{"ADtypeThatIsNone", {"--dtype=int4"}, "the dtype is part of a case's name; tools/"},
        Mistake{"Precision", {"--precision", "fp16"}, "--precision=fp16: the dtype is part of"},
        Mistake{"NotANumber",
                {"--test_budget=fast"},
                "--test-budget=fast: not understood; it is seconds"},
        Mistake{"NoValue", {"--test_budget"}, "--test-budget needs a value"},
        Mistake{"NoFilter", {"--benchmark_filter"}, "--benchmark_filter needs a value"},
        Mistake{"StrayWord", {"resnet50"}, "'resnet50' is no flag"},
        Mistake{"Format", {"--benchmark_format=xml"}, "one of console, json, csv"},
        Mistake{"NegativeMinTime", {"--benchmark_min_time=-1"}, "a number of seconds"},
        Mistake{"ZeroRepetitions", {"--benchmark_repetitions=0"}, "1 or more"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay::runner
