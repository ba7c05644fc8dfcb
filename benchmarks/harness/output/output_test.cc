#include "benchmarks/harness/output/output.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace assay::output {
namespace {

TEST(FormatFlag, KnowsItsThreeNamesAndListsThem) {
  Format format = Format::kText;
  const base::Flag flag = FormatFlag(format);
  for (const auto& [name, want] : std::vector<std::pair<std::string, Format>>{
           {"csv", Format::kCsv}, {"text", Format::kText}, {"json", Format::kJson}}) {
    EXPECT_TRUE(flag.set(name).ok()) << name;
    EXPECT_EQ(format, want) << name;
  }
  for (const char* bad : {"", "JSON", "xml", "csv "}) {
    const absl::Status status = flag.set(bad);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_EQ(status.message(), "one of text, json, csv");
  }
  EXPECT_EQ(format, Format::kJson);
}

TEST(CsvField, QuotesWhatWouldBreakALineAndNothingElse) {
  EXPECT_EQ(CsvField("plain; text"), "plain; text");
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(CsvField("a\nb"), "\"a\nb\"");
  EXPECT_EQ(CsvField("a\rb"), "\"a\rb\"");
}

TEST(TextTable, PadsColumnsToTheirWidest) {
  EXPECT_EQ(TextTable({{"case", "time", "note"}, {"a", "1.5", "±3"}, {"longer", "22", ""}}, {0, 2}),
            "case    time  note\n"
            "------------------\n"
            "a        1.5  ±3\n"
            "longer    22\n");
}

TEST(TimeText, HasAUnitThatFits) {
  EXPECT_EQ(TimeText(12.34), "12.3 ns");
  EXPECT_EQ(TimeText(1500), "1.5 us");
  EXPECT_EQ(TimeText(22.412e6), "22.41 ms");
  EXPECT_EQ(TimeText(3e9), "3 s");
  EXPECT_EQ(TimeText(22.412e6, 3), "22.4 ms");
  EXPECT_EQ(TimeText(0), "-");
  EXPECT_EQ(TimeText(std::nan("")), "-");
}

TEST(FigureText, EndsWhereTheIntervalBegins) {
  EXPECT_EQ(FigureText(42.7553, 0.0054), "42.8");
  EXPECT_EQ(FigureText(42.7553, 0.00054), "42.76");
  EXPECT_EQ(FigureText(40, 0.0054), "40.0") << "a zero that is known";
  EXPECT_EQ(FigureText(115, 0.36), "120") << "two digits at least, but of no more";
  EXPECT_EQ(FigureText(115, 0.5), "120");
  EXPECT_EQ(FigureText(115, 3), "120");
  EXPECT_EQ(FigureText(94044.4, 0.0054), "94000");
  EXPECT_EQ(FigureText(-94044.4, 0.00001), "-94044.4");
  EXPECT_EQ(FigureText(1.0 / 3, 1e-9), "0.333333") << "six digits at most";
  EXPECT_EQ(FigureText(0.00446258, 0.0054), "0.00446");
  EXPECT_EQ(FigureText(7.0e-6, 0.0054), "7e-06");
  EXPECT_EQ(FigureText(0, 0.1), "0");
}

TEST(FigureText, HasFourDigitsWhereNoIntervalIsKnown) {
  EXPECT_EQ(FigureText(42.7553), "42.76");
  EXPECT_EQ(FigureText(30), "30");
  EXPECT_EQ(FigureText(94044.4), "94044");
  EXPECT_EQ(FigureText(7e-5, std::nan("")), "7e-05");
}

}  // namespace
}  // namespace assay::output
