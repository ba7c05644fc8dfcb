#include "tools/kernel/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::kernel {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr char kLibrary[] = "tools/kernel/libshadowing.so";

std::string LibraryBytes() {
  std::ifstream file(kLibrary, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string WhyNot(const std::string& bytes) {
  const absl::StatusOr<ElfFile> file = ElfFile::Parse(bytes, "libmine.so");
  EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument) << file.status();
  return std::string(file.status().message());
}

// What ForEachSymbol shows, all of it read.
int64_t Visit(const ElfFile& file) {
  int64_t bytes = 0;
  file.ForEachSymbol([&bytes](const ElfSymbol& symbol) {
    bytes += static_cast<int64_t>(std::string(symbol.name).size()) + symbol.defined;
  });
  return bytes;
}

TEST(ElfFile, ReadsWhatALibraryDefinesAndNeeds) {
  const absl::StatusOr<ElfFile> file = ElfFile::Open(kLibrary);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(file->needed(), Contains("libc.so.6"));
  std::map<std::string, ElfSymbol> symbols;
  file->ForEachSymbol(
      [&symbols](const ElfSymbol& symbol) { symbols.emplace(symbol.name, symbol); });
  ASSERT_EQ(symbols.count("clock_gettime"), 1U);
  EXPECT_TRUE(symbols["clock_gettime"].defined);
  EXPECT_TRUE(symbols["clock_gettime"].strong);
  EXPECT_TRUE(symbols["clock_gettime"].function);
  EXPECT_TRUE(symbols["malloc"].defined);
  EXPECT_FALSE(symbols["malloc"].strong) << "it is weak";
  EXPECT_EQ(symbols.count("nanosleep"), 0U) << "it is hidden";
  EXPECT_EQ(symbols.count("_ZN3c1015GetCPUAllocatorEv"), 1U);
}

TEST(ElfFile, SaysWhatAFileIs) {
  EXPECT_THAT(WhyNot(""), HasSubstr("empty"));
  EXPECT_THAT(WhyNot("!<arch>\nabc"), HasSubstr("static library"));
  EXPECT_THAT(WhyNot("#!/bin/sh\n"), HasSubstr("no shared library"));
  EXPECT_THAT(WhyNot("\x7f"
                     "ELF"),
              HasSubstr("damaged"));
  const std::string right = LibraryBytes();
  const auto with = [&right](size_t at, char value) {
    std::string bytes = right;
    bytes[at] = value;
    return WhyNot(bytes);
  };
  EXPECT_THAT(with(offsetof(Elf64_Ehdr, e_machine), static_cast<char>(EM_AARCH64)),
              HasSubstr("another CPU: 64-bit ARM"));
  EXPECT_THAT(with(offsetof(Elf64_Ehdr, e_machine), EM_386), HasSubstr("32-bit x86"));
  EXPECT_THAT(with(offsetof(Elf64_Ehdr, e_machine), 111), HasSubstr("number 111"));
  EXPECT_THAT(with(EI_DATA, ELFDATA2MSB), HasSubstr("big-endian"));
  EXPECT_THAT(with(offsetof(Elf64_Ehdr, e_type), ET_REL), HasSubstr("object file"));
  EXPECT_THAT(with(offsetof(Elf64_Ehdr, e_type), ET_EXEC), HasSubstr("program"));
}

TEST(ElfFile, TellsAProgramFromALibrary) {
  const absl::Status refused = ElfFile::Open("/proc/self/exe").status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("program"));
  EXPECT_EQ(ElfFile::Open("missing.so").status().code(), absl::StatusCode::kNotFound);
}

// A copy that ends at the end of its memory, so that an address sanitizer sees a read behind it.
TEST(ElfFile, RefusesALibraryThatIsCutOffAnywhere) {
  const std::string right = LibraryBytes();
  const absl::StatusOr<ElfFile> whole = ElfFile::Parse(right, "whole");
  ASSERT_TRUE(whole.ok()) << whole.status();
  int refused = 0;
  for (size_t size = 0; size < right.size(); size += 1 + size / 512) {
    const std::vector<char> part(right.begin(), right.begin() + static_cast<int64_t>(size));
    const absl::StatusOr<ElfFile> file = ElfFile::Parse({part.data(), part.size()}, "part");
    if (file.ok()) Visit(*file);
    refused += file.ok() ? 0 : 1;
  }
  EXPECT_GT(refused, 500);
}

// A library that was changed anywhere gives an error or some symbols, never an access outside of its bytes, nor
// work without end.
TEST(ElfFile, SurvivesAnyBytes) {
  const std::string right = LibraryBytes();
  std::mt19937_64 random(20261128);
  for (int round = 0; round < 20000; ++round) {
    std::vector<char> bytes(right.begin(), right.end());
    for (int i = 0; i < 1 + round % 8; ++i) {
      // Most of what is read lies in the first pages.
      const size_t at =
          random() % (round % 2 == 0 ? std::min<size_t>(2048, bytes.size()) : bytes.size());
      const uint64_t value = round % 3 == 0 ? ~uint64_t{0} : random();
      std::memcpy(bytes.data() + at, &value, std::min<size_t>(1 + random() % 8, bytes.size() - at));
    }
    const absl::StatusOr<ElfFile> file = ElfFile::Parse({bytes.data(), bytes.size()}, "changed");
    if (file.ok()) Visit(*file);
  }
}

}  // namespace
}  // namespace assay::kernel
