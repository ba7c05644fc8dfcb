#include "benchmarks/operators/sweep/sample_table.h"

#include <string>
#include <tuple>
#include <vector>

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
  EXPECT_THAT(Problem("^a$ x=1\n^b( x=1"), HasSubstr("samples.txt:2: pattern '^b('"));
  EXPECT_THAT(Problem("^a$ x"), HasSubstr("samples.txt:1: 'x' is not argument=value"));
  EXPECT_THAT(Problem("^a$ x="), HasSubstr("'x=' is not argument=value"));
  EXPECT_THAT(Problem("^a$ !fre=why"), HasSubstr("samples.txt:1: '!fre' is none of !free, !first"));
  EXPECT_THAT(Problem("^a$ =1"), HasSubstr("'=1' is not argument=value"));
}

TEST(SampleTable, EachOfAUsersRowsIsACall) {
  const auto table = SampleTable::Parse(R"(
^mine::softmax$  self=f[7,64]
^mine::softmax$  self=f[7,67]  !truth=aten::softmax.int
^mine::          dim=1
^mine::softmax$  self=f[7,64] dim=1
)",
                                        "mine.txt");
  ASSERT_TRUE(table.ok()) << table.status();
  const std::vector<SampleRow> calls = table->CallsOf("mine::softmax");
  ASSERT_EQ(calls.size(), 2u) << "two rows ask for one call";
  EXPECT_THAT(calls[0].arguments, ElementsAre(Pair("dim", "1"), Pair("self", "f[7,64]")));
  EXPECT_THAT(calls[1].arguments, ElementsAre(Pair("dim", "1"), Pair("self", "f[7,67]")));
  EXPECT_EQ(calls[0].place, "mine.txt:2");
  EXPECT_EQ(calls[1].place, "mine.txt:3");
  EXPECT_EQ(calls[0].truth, "aten::softmax.int");
  EXPECT_EQ(table->own().size(), 4u);
}

TEST(SampleTable, RowsOfSamplesTxtAreOneCall) {
  const auto table = SampleTable::Parse("", "mine.txt");
  ASSERT_TRUE(table.ok()) << table.status();
  const std::vector<SampleRow> calls = table->CallsOf("aten::index_fill.int_Tensor");
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].place, "");
  EXPECT_EQ(calls[0].arguments.at("value"), "f[]");
}

TEST(SampleTable, NamesTheUsersFile) {
  EXPECT_THAT(std::string(SampleTable::Parse("\n^a$ x=1 x=2", "mine.txt").status().message()),
              HasSubstr("mine.txt:2: argument 'x' is there twice"));
}

}  // namespace
}  // namespace assay::sweep
