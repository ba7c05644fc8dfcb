#include "benchmarks/harness/text/untrusted_text.h"

#include "gtest/gtest.h"

namespace assay::base {
namespace {

TEST(Quoted, KeepsWhatAPersonCanRead) {
  EXPECT_EQ(Quoted("encoder.layer.0/Größe 模型 👍"), "\"encoder.layer.0/Größe 模型 👍\"");
  EXPECT_EQ(Quoted("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(Quoted(""), "\"\"");
}

TEST(Quoted, EscapesWhatATerminalObeys) {
  EXPECT_EQ(Quoted("\x1b[2J\a\n\t\x7f"), "\"\\x1b[2J\\x07\\n\\t\\x7f\"");
  EXPECT_EQ(Quoted("\xc2\x9b"
                   "2J"),
            "\"\\xc2\\x9b2J\"");                                     // C1: CSI in one byte
  EXPECT_EQ(Quoted("\u202egnp.exe"), "\"\\xe2\\x80\\xaegnp.exe\"");  // right to left
  EXPECT_EQ(Quoted("\u2066x\u2069"), "\"\\xe2\\x81\\xa6x\\xe2\\x81\\xa9\"");
  EXPECT_EQ(Quoted("\u200b\u200f"), "\"\\xe2\\x80\\x8b\\xe2\\x80\\x8f\"");
  EXPECT_EQ(Quoted("\u2028"), "\"\\xe2\\x80\\xa8\"");  // a line's end
  EXPECT_EQ(Quoted("\ufeff\U000e0041"), "\"\\xef\\xbb\\xbf\\xf3\\xa0\\x81\\x81\"");
}

TEST(Quoted, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(Quoted("a\xff\xc3"), "\"a\\xff\\xc3\"");
  EXPECT_EQ(Quoted("\xed\xa0\x80"), "\"\\xed\\xa0\\x80\"");  // a surrogate
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(Printable("abcdef", 6), "abcdef");
  EXPECT_EQ(Printable("abcdef", 3), "abc…");
  EXPECT_EQ(Printable("aü", 2), "a…");
  EXPECT_EQ(Printable(std::string(60000, '\a'), 2), "\\x07\\x07…");
  EXPECT_EQ(Printable("say \"hi\"", 100), "say \"hi\"");
}

}  // namespace
}  // namespace assay::base
