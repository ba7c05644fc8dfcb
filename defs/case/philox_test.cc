#include "defs/case/philox.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace assay {
namespace {

// Vectors of Random123's kat_vectors (philox4x32, 10 rounds), the authors' own implementation.
TEST(PhiloxTest, AgreesWithTheAuthorsKnownAnswers) {
  EXPECT_EQ(Philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Values published with the hash (Noll's test suite).
TEST(Fnv1a64Test, AgreesWithThePublishedValues) {
  EXPECT_EQ(Fnv1a64(""), 0xcbf29ce484222325u);
  EXPECT_EQ(Fnv1a64("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(Fnv1a64("foobar"), 0x85944171f73967e8u);
}

TEST(Fnv1a64Test, HashesBytesAboveAsciiAsUnsigned) {
  // FNV-1a of one byte, by its definition.
  EXPECT_EQ(Fnv1a64("\xff"), (0xcbf29ce484222325u ^ 0xffu) * 0x100000001b3u);
}

TEST(PhiloxStreamTest, PlacesSeedBlockAndNameAsTheConventionSays) {
  const PhiloxStream stream(0x0123456789abcdef, "a");
  EXPECT_EQ(stream.Key(), (PhiloxKey{0x89abcdef, 0x01234567}));
  EXPECT_EQ(stream.Counter(0x500000007),
            (PhiloxBlock{0x00000007, 0x00000005, 0x8601ec8c, 0xaf63dc4c}));
}

TEST(PhiloxStreamTest, ElementTakesTheWordOfItsBlock) {
  const PhiloxStream stream(7, "fc.weight");
  const PhiloxBlock block = stream.Block(2);
  for (int word = 0; word < 4; ++word) EXPECT_EQ(stream.Word(8 + word), block[word]);
}

TEST(PhiloxStreamTest, UniformCoversMinusOneToBelowOneExactlyInFloat) {
  EXPECT_EQ(PhiloxStream::Uniform(0), -1.0);
  EXPECT_EQ(PhiloxStream::Uniform(0x80000000), 0.0);
  EXPECT_EQ(PhiloxStream::Uniform(0xffffffff), 1.0 - 0x1p-23);
  EXPECT_EQ(PhiloxStream::Uniform(0xff), -1.0) << "the low eight bits carry nothing";
  for (uint64_t element = 0; element < 1000; ++element) {
    const double u = PhiloxStream::Uniform(PhiloxStream(1, "x").Word(element));
    EXPECT_EQ(static_cast<double>(static_cast<float>(u)), u);
  }
}

TEST(PhiloxStreamTest, IntegersStayBelowTheirLimit) {
  EXPECT_EQ(PhiloxStream::Integer(0xffffffff, 30522), 30521u);
  EXPECT_EQ(PhiloxStream::Integer(0, 30522), 0u);
  EXPECT_EQ(PhiloxStream::Integer(0xffffffff, uint64_t{1} << 32), 0xffffffffu);
  EXPECT_EQ(PhiloxStream::Integer(0xffffffff, 1), 0u);
}

}  // namespace
}  // namespace assay
