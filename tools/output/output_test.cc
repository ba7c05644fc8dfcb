#include "tools/output/output.h"

#include "gtest/gtest.h"

namespace assay::output {
namespace {

TEST(ParseFormat, KnowsItsThreeNamesAndListsThem) {
  EXPECT_EQ(*ParseFormat("text"), Format::kText);
  EXPECT_EQ(*ParseFormat("json"), Format::kJson);
  EXPECT_EQ(*ParseFormat("csv"), Format::kCsv);
  for (const char* bad : {"", "JSON", "xml", "csv "}) {
    const absl::Status status = ParseFormat(bad).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_NE(status.message().find("one of text, json, csv"), std::string_view::npos) << status;
  }
}

TEST(CsvField, QuotesWhatWouldBreakALineAndNothingElse) {
  EXPECT_EQ(CsvField("plain; text"), "plain; text");
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(CsvField("a\nb"), "\"a\nb\"");
  EXPECT_EQ(CsvField("a\rb"), "\"a\rb\"");
}

}  // namespace
}  // namespace assay::output
