#include "benchmarks/harness/base/sha256.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace assay::base {
namespace {

// FIPS 180-4 examples (NIST, "SHA256.pdf" and "SHA2_Additional.pdf").
TEST(Sha256Test, AgreesWithThePublishedExamples) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, SaysWhichBytesItHasRead) {
  const std::string bytes((size_t{33} << 20) + 1, 'a');
  std::vector<std::pair<size_t, size_t>> parts;
  EXPECT_EQ(Sha256Hex(bytes, [&](size_t begin, size_t end) { parts.emplace_back(begin, end); }),
            // hashlib.sha256 of Python
            "469af452a9d90cfb663d96cff04e734395cf65ab9278d3f77bee5bfd954bfadf");
  EXPECT_EQ(parts, (std::vector<std::pair<size_t, size_t>>{
                       {0, 16 << 20}, {16 << 20, 32 << 20}, {32 << 20, bytes.size()}}));
}

TEST(Sha256Test, ADigestIs64LowerCaseHexDigits) {
  EXPECT_TRUE(IsSha256Hex(Sha256Hex("abc")));
  EXPECT_FALSE(IsSha256Hex(""));
  EXPECT_FALSE(IsSha256Hex(std::string(63, '0')));
  EXPECT_FALSE(IsSha256Hex(std::string(65, '0')));
  EXPECT_FALSE(IsSha256Hex(std::string(64, 'A')));
  EXPECT_FALSE(IsSha256Hex(std::string(64, 'g')));
}

}  // namespace
}  // namespace assay::base
