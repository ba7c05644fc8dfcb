#include "benchmarks/operators/sweep/sample_table.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST(SampleTable, TheFirstRowThatNamesAnArgumentCounts) {
  const auto table = SampleTable::Parse(R"(
# what is compared how
^aten::bag\.own$  index=i[3]<2
^aten::bag        index=i[3]<9 weight=f[9,2] !free=of_order !first=of_two !truth=aten::_a_b
)");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(table->For("aten::bag.own").arguments,
              ElementsAre(Pair("index", "i[3]<2"), Pair("weight", "f[9,2]")));
  EXPECT_EQ(table->For("aten::bag.own").free, "of order");
  EXPECT_EQ(table->For("aten::bag.own").first, "of two");
  EXPECT_EQ(table->For("aten::bag.own").truth, "aten::_a_b");
  EXPECT_THAT(table->For("aten::bag").arguments,
              ElementsAre(Pair("index", "i[3]<9"), Pair("weight", "f[9,2]")));
  EXPECT_THAT(table->For("aten::mm").arguments, IsEmpty());
  EXPECT_EQ(table->For("aten::mm").free, "");
}

std::string Problem(const std::string& text) {
  return std::string(SampleTable::Parse(text).status().message());
}

TEST(SampleTable, NamesTheLineThatIsMalformed) {
  EXPECT_THAT(Problem("^a$ x=1\n^b( x=1"), HasSubstr("line 2: pattern '^b('"));
  EXPECT_THAT(Problem("^a$ x"), HasSubstr("line 1: 'x' is not argument=value"));
  EXPECT_THAT(Problem("^a$ x="), HasSubstr("'x=' is not argument=value"));
  EXPECT_THAT(Problem("^a$ =1"), HasSubstr("'=1' is not argument=value"));
}

}  // namespace
}  // namespace assay::sweep
