#include "benchmarks/operators/sweep/sample_table.h"

#include <tuple>

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
^aten::bag        !alias=a_view !writes=to_its_cache !lacks=a_row
)");
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(table->For("aten::bag.own").arguments,
              ElementsAre(Pair("index", "i[3]<2"), Pair("weight", "f[9,2]")));
  EXPECT_EQ(table->For("aten::bag.own").notes.free, "of order");
  EXPECT_EQ(table->For("aten::bag.own").notes.first, "of two");
  EXPECT_EQ(table->For("aten::bag.own").truth, "aten::_a_b");
  EXPECT_EQ(table->For("aten::bag.own").notes.alias, "a view");
  EXPECT_EQ(table->For("aten::bag.own").notes.writes, "to its cache");
  EXPECT_EQ(table->For("aten::bag.own").notes.lacks, "a row");
  EXPECT_THAT(table->For("aten::bag").arguments,
              ElementsAre(Pair("index", "i[3]<9"), Pair("weight", "f[9,2]")));
  EXPECT_THAT(table->For("aten::mm").arguments, IsEmpty());
  EXPECT_EQ(table->For("aten::mm").notes.free, "");
}

TEST(OfSize, TakesTheFirstOrTheSecondNumber) {
  for (const auto& [text, small, large] :
       {std::tuple("f[2,8|64,8|64]", "f[2,8,8]", "f[2,64,64]"), std::tuple("4|256", "4", "256"),
        std::tuple("0.5|0.25", "0.5", "0.25"), std::tuple("i[3|99]<10", "i[3]<10", "i[99]<10"),
        std::tuple("{f[2|9];f[3]}", "{f[2];f[3]}", "{f[9];f[3]}"),
        std::tuple("'mean'", "'mean'", "'mean'")}) {
    EXPECT_EQ(OfSize(text, SampleSize::kSmall), small);
    EXPECT_EQ(OfSize(text, SampleSize::kLarge), large);
  }
}

std::string Problem(const std::string& text) {
  return std::string(SampleTable::Parse(text).status().message());
}

TEST(SampleTable, NamesTheLineThatIsMalformed) {
  EXPECT_THAT(Problem("^a$ x=1\n^b( x=1"), HasSubstr("line 2: pattern '^b('"));
  EXPECT_THAT(Problem("^a$ x"), HasSubstr("line 1: 'x' is not argument=value"));
  EXPECT_THAT(Problem("^a$ x="), HasSubstr("'x=' is not argument=value"));
  EXPECT_THAT(Problem("^a$ !fre=why"), HasSubstr("line 1: '!fre' is none of !free, !first"));
  EXPECT_THAT(Problem("^a$ =1"), HasSubstr("'=1' is not argument=value"));
}

}  // namespace
}  // namespace assay::sweep
