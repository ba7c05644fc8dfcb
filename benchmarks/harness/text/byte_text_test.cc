#include "benchmarks/harness/text/byte_text.h"

#include "gtest/gtest.h"

namespace assay::base {
namespace {

TEST(ByteText, HasThreeDigitsAndTheLargestUnitThatFits) {
  EXPECT_EQ(ByteText(0), "0 B");
  EXPECT_EQ(ByteText(1023), "1023 B");
  EXPECT_EQ(ByteText(1024), "1.00 KiB");
  EXPECT_EQ(ByteText(10 * 1024 - 1), "10.0 KiB");
  EXPECT_EQ(ByteText(100 * 1024 - 1), "100 KiB");
  EXPECT_EQ(ByteText(46'837'760), "44.7 MiB");
  EXPECT_EQ(ByteText((1 << 20) - 1), "1.00 MiB");
  EXPECT_EQ(ByteText(int64_t{139} << 30), "139 GiB");
  EXPECT_EQ(ByteText(int64_t{5000} << 40), "5000 TiB");
}

}  // namespace
}  // namespace assay::base
