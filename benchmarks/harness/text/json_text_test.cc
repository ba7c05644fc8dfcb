#include "benchmarks/harness/text/json_text.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "gtest/gtest.h"

namespace assay::base {
namespace {

TEST(JsonNumber, KeepsItsBits) {
  for (const double number : {1e-8, 0.1, -0.0052631578947368437, 1e300, 5e-324})
    EXPECT_EQ(std::strtod(JsonNumber(number).c_str(), nullptr), number) << JsonNumber(number);
  EXPECT_EQ(JsonNumber(1), "1.0");
  EXPECT_EQ(JsonNumber(-0.0), "-0.0");
  EXPECT_EQ(JsonNumber(std::nan("")), "\"nan\"");
  EXPECT_EQ(JsonNumber(-std::numeric_limits<double>::infinity()), "\"-inf\"");
}

TEST(JsonText, IsJsonWhateverBytesItHolds) {
  EXPECT_EQ(JsonText("a\"b\\\n"), R"("a\"b\\\n")");
  EXPECT_EQ(JsonText("\xc3\xa9"), "\"\xc3\xa9\"");
  EXPECT_EQ(JsonText(""), R"("")");
  EXPECT_EQ(JsonText("aten::mm(Tensor self) ~"), R"("aten::mm(Tensor self) ~")");
  EXPECT_EQ(JsonText("a\"b"), R"("a\"b")");
  EXPECT_EQ(JsonText("a\\b"), R"("a\\b")");
  EXPECT_EQ(JsonText("\x1f\x7f"), "\"\\u001f\x7f\"");
  EXPECT_EQ(JsonText("\xff"), "\"\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace assay::base
