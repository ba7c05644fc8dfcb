#include "defs/compiler/utf8.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"

namespace assay {
namespace {

using std::string_view_literals::operator""sv;

TEST(Utf8, MeasuresTheFirstAndLastOfEachLength) {
  struct Row {
    std::string_view text;
    std::size_t length;
  };
  for (const auto& [text, length] : std::vector<Row>{
           {"\x00"sv, 1},
           {"\x7f"sv, 1},
           {"\xc2\x80"sv, 2},
           {"\xdf\xbf"sv, 2},
           {"\xe0\xa0\x80"sv, 3},
           {"\xed\x9f\xbf"sv, 3},
           {"\xee\x80\x80"sv, 3},
           {"\xef\xbf\xbf"sv, 3},
           {"\xf0\x90\x80\x80"sv, 4},
           {"\xf4\x8f\xbf\xbf"sv, 4},
       }) {
    EXPECT_EQ(Utf8Length(text, 0), length) << text;
    EXPECT_TRUE(IsUtf8(text)) << text;
  }
}

TEST(Utf8, RefusesWhatUnicodesTableDoesNotList) {
  for (const std::string_view text : {
           "\x80"sv, "\xbf"sv,                                    // a continuation alone
           "\xc0\xaf"sv, "\xc1\xbf"sv,                            // overlong
           "\xe0\x9f\xbf"sv, "\xf0\x8f\xbf\xbf"sv,                // overlong
           "\xed\xa0\x80"sv, "\xed\xbf\xbf"sv,                    // surrogates
           "\xf4\x90\x80\x80"sv, "\xf5\x80\x80\x80"sv, "\xff"sv,  // above U+10FFFF
           "\xc2"sv, "\xe2\x82"sv, "\xf0\x90\x80"sv,              // cut
           "\xc2\x41"sv, "\xe2\x82\x41"sv,                        // not continued
       }) {
    EXPECT_EQ(Utf8Length(text, 0), 0u);
    EXPECT_FALSE(IsUtf8(text));
  }
}

TEST(Utf8, LooksAtAllOfTheText) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("naïve … 漢字"));
  EXPECT_FALSE(IsUtf8("good until the end\xe2\x82"));
}

}  // namespace
}  // namespace assay
