#include "defs/compiler/case_text.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

std::string ProblemsOf(const std::string& text) {
  BenchmarkCase c;
  Problems problems;
  ParseCaseText(text, "x.textproto", /*with_line=*/true, &c, &problems);
  return absl::StrJoin(problems, "\n");
}

TEST(CaseTextTest, LinesMayEndAsOnWindows) {
  BenchmarkCase c;
  Problems problems;
  ParseCaseText("model: \"m\"\r\ndtype: FP32 # why\r\nbatch: 3\r\n", "x", true, &c, &problems);
  EXPECT_TRUE(problems.empty()) << absl::StrJoin(problems, "\n");
  EXPECT_EQ(c.batch(), 3);
  EXPECT_EQ(c.model(), "m");
}

TEST(CaseTextTest, EveryBrokenTextIsRefusedWithItsLine) {
  const struct {
    std::string text;
    std::string_view problem;
  } cases[] = {
      {"\xef\xbb\xbfmodel: \"m\"", "x.textproto:1: begins with a byte order mark"},
      {std::string("model: \"m\"\nbatch: \0 3", 21),
       "x.textproto:2: has the control character \\x00"},
      {"model: \"m\x1b[2J\"", "x.textproto:1: has the control character \\x1b"},
      {"model: \"m\"\n\nname: \"\xff\"", "x.textproto:3: is not UTF-8"},
      {"name: \"\xed\xa0\x80\"", "x.textproto:1: is not UTF-8"},
      {"name: \"\xc0\xaf\"", "x.textproto:1: is not UTF-8"},
      {"name: \"\xf5\x80\x80\x80\"", "x.textproto:1: is not UTF-8"},
      {"name: \"cut \xe2\x82", "x.textproto:1: is not UTF-8"},
      {"model: \"m\"\nbatch 3\n", "x.textproto:2: Expected"},
      {"model: \"m\nbatch: 3\n", "x.textproto:1: String literals cannot cross line boundaries."},
      {"batch: 1\nbatch: 2\n", "x.textproto:2: Non-repeated field \"batch\" is specified"},
      {"batch: 99999999999999999999", "x.textproto:1: Integer out of range"},
      {"bach: 1", "has no field named \"bach\". It has: name, model"},
      {"schema_version: 9", "has no field named \"schema_version\""},
      {"dtype: FP17\n", "Unknown enumeration value of \"FP17\" for field \"dtype\". One of: FP32"},
      {"[type.googleapis.com/assay.Model] { }", "x.textproto:1: "},
  };
  for (const auto& [text, problem] : cases) {
    EXPECT_NE(ProblemsOf(text).find(problem), std::string::npos)
        << ProblemsOf(text) << "\nexpected: " << problem;
  }
}

TEST(CaseTextTest, EscapesCannotBringInWhatTheTextMustNotHave) {
  for (const std::string_view text :
       {"name: \"a\\000b\"", "name: \"a\\nb\"", "name: \"\\377\"", "model: \"\\x1b[2J\"",
        "tags: \"a\" tags: \"\\r\"", "parameters { key: \"\\001\" }",
        "skips { reason: \"a\\tb\" }"}) {
    EXPECT_NE(ProblemsOf(std::string(text)).find("control characters"), std::string::npos) << text;
  }
  EXPECT_NE(ProblemsOf("name: \"" + std::string(2'001, 'x') + "\"").find("more than 2000 bytes"),
            std::string::npos);
  EXPECT_EQ(ProblemsOf("name: \"gr\\303\\266\303\237e\""), "");
}

TEST(CaseTextTest, ALineOfTenMegabytesIsRefusedAtOnce) {
  EXPECT_EQ(ProblemsOf("name: \"" + std::string(10 << 20, 'x') + "\""),
            "x.textproto: has 10485768 bytes; a case has at most 65536");
}

TEST(CaseTextTest, DepthIsBounded) {
  std::string bomb;
  for (int i = 0; i < 10'000; ++i) bomb += "a{";
  EXPECT_NE(ProblemsOf(bomb).find("has no field named \"a\""), std::string::npos);
  bomb = "verify ";
  for (int i = 0; i < 10'000; ++i) bomb += "< ";
  EXPECT_NE(ProblemsOf(bomb), "");
}

TEST(CaseTextTest, MessagesStayShortAndPrintable) {
  const std::string problems = ProblemsOf("dtype: " + std::string(60'000, 'F') + "\n");
  EXPECT_NE(problems, "");
  EXPECT_LT(problems.size(), 1'500u);
  std::string many;
  for (int i = 0; i < 5'000; ++i) many += "a:1 ";
  EXPECT_LT(ProblemsOf(many).size(), 20'000u);
}

}  // namespace
}  // namespace assay
