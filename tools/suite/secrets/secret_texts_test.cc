#include "tools/suite/secrets/secret_texts.h"

#include <fstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

using ::testing::ElementsAre;

// Rows of the table that the test of secret_texts.py reads, too: texts, and what is left of them.
std::vector<std::pair<std::string, std::string>> Table() {
  std::vector<std::pair<std::string, std::string>> rows;
  std::ifstream file("artifacts/fetch/testdata/secret_texts.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> fields = absl::StrSplit(line, '\t');
    for (std::string& field : fields)
      absl::StrReplaceAll({{"\\n", "\n"}, {"\\t", "\t"}, {"\\\\", "\\"}}, &field);
    rows.emplace_back(fields.front(), fields.back());
  }
  return rows;
}

TEST(CleanText, LeavesOfEachTextWhatTheTableSays) {
  const auto table = Table();
  EXPECT_GT(table.size(), 120u);
  for (const auto& [text, want] : table) {
    EXPECT_EQ(CleanText(text), want);
    EXPECT_EQ(CleanText(want), want) << "cleaned twice";
  }
}

TEST(CleanText, HidesNothingOfWhatIsNotText) {
  EXPECT_EQ(CleanText(""), "");
  const std::string bytes("token=\0\xff\xfe a\0b", 13);
  EXPECT_TRUE(absl::EndsWith(CleanText(bytes), std::string("a\0b", 3))) << CleanText(bytes);
}

TEST(CleanWords, TheValueOfAFlagMayBeTheNextWord) {
  EXPECT_THAT(CleanWords({"run", "--api-key", "a b", "GH_PAT=x y", "--n", "3", "--token"}),
              ElementsAre("run", "--api-key", "***", "GH_PAT=***", "--n", "3", "--token"));
  EXPECT_THAT(CleanWords({"curl", "-u", "me:a b", "h"}), ElementsAre("curl", "-u", "***", "h"));
  EXPECT_THAT(CleanWords({"/usr/bin/mysql", "-uroot", "-pa b", "db"}),
              ElementsAre("/usr/bin/mysql", "-uroot", "-p***", "db"));
  EXPECT_THAT(CleanWords({"docker", "run", "-p", "80:80"}),
              ElementsAre("docker", "run", "-p", "80:80"));
}

}  // namespace
}  // namespace assay::suite
