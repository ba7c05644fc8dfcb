#include "benchmarks/traces/reader/trace_pieces.h"

#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A member as POSIX's tar writes it.
std::string TarMember(const std::string& name, const std::string& content, char type = '0') {
  std::string header(512, '\0');
  const auto put = [&](size_t at, const std::string& text) {
    header.replace(at, text.size(), text);
  };
  char size[12];
  std::snprintf(size, sizeof(size), "%011zo", content.size());
  put(0, name);
  put(100, "0000644");
  put(124, size);
  put(148, "        ");
  header[156] = type;
  put(257, std::string("ustar\0", 6) + "00");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  char digits[8];
  std::snprintf(digits, sizeof(digits), "%06o", sum);
  put(148, digits);
  return header + content + std::string((512 - content.size() % 512) % 512, '\0');
}

std::string Packed(const std::string& text) {
  const std::string path = absl::StrCat(testing::TempDir(), "/packed.gz");
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string ArchiveOf(const std::string& bytes) {
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/ranks.tar");
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string TextOfSource(const TraceSource& source) {
  absl::StatusOr<TracePieces> pieces = TracePieces::Open(source);
  if (!pieces.ok()) return std::string(pieces.status().message());
  std::string text;
  for (std::string_view piece = pieces->Next(); !piece.empty(); piece = pieces->Next())
    text += piece;
  return text + pieces->Damage();
}

const std::string& Long() {
  static const auto& text = *new std::string(3 << 20, 'x');
  return text;
}

TEST(TracePieces, ReadsMembersOfAnArchive) {
  const std::string tar = TarMember("a/", "", '5') + TarMember("a/rank-0.json", "{0}") +
                          TarMember("rank-1.json.gz", Packed(Long())) +
                          TarMember("rank-2.json.gz", Packed("{2") + Packed("}")) +
                          std::string(1024, '\0');
  for (const std::string& bytes : {tar, Packed(tar)}) {
    const std::string path = ArchiveOf(bytes);
    EXPECT_THAT(*ArchiveMembers(path),
                ElementsAre("a/rank-0.json", "rank-1.json.gz", "rank-2.json.gz"));
    EXPECT_EQ(TextOfSource({.path = path, .member = "a/rank-0.json"}), "{0}");
    EXPECT_TRUE(TextOfSource({.path = path, .member = "rank-1.json.gz"}) == Long());
    EXPECT_EQ(TextOfSource({.path = path, .member = "rank-2.json.gz"}), "{2}");
    EXPECT_THAT(TextOfSource({.path = path, .member = "rank-3.json"}),
                HasSubstr("no member \"rank-3.json\""));
  }
}

// `members`: Python that writes to the archive z, with ZIP_DEFLATED where it says nothing else.
std::string ZipArchive(const std::string& members) {
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/ranks.zip");
  const std::string program = absl::StrCat("import gzip, zipfile\nwith zipfile.ZipFile('", path,
                                           "', 'w', zipfile.ZIP_DEFLATED) as z:\n    ", members);
  EXPECT_EQ(std::system(absl::StrCat("python3 -c \"", program, "\"").c_str()), 0);
  return path;
}

std::string BytesOf(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(TracePieces, ReadsMembersOfAZipArchive) {
  const std::string path = ZipArchive(
      "z.writestr('rank-0.json', '{0}', zipfile.ZIP_STORED); z.writestr('a/', '');"
      "z.writestr('a/rank-1.json', 'x' * (3 << 20)); z.writestr('empty.json', '');"
      "z.writestr('rank-2.json.gz', gzip.compress(b'{2}'))");
  EXPECT_THAT(*ArchiveMembers(path),
              ElementsAre("rank-0.json", "a/rank-1.json", "empty.json", "rank-2.json.gz"));
  EXPECT_EQ(TextOfSource({.path = path, .member = "rank-0.json"}), "{0}");
  EXPECT_TRUE(TextOfSource({.path = path, .member = "a/rank-1.json"}) == Long());
  EXPECT_EQ(TextOfSource({.path = path, .member = "empty.json"}), "");
  EXPECT_EQ(TextOfSource({.path = path, .member = "rank-2.json.gz"}), "{2}");
  EXPECT_THAT(TextOfSource({.path = path, .member = "rank-3.json"}),
              HasSubstr("no member \"rank-3.json\""));
}

TEST(TracePieces, RefusesZipArchivesThatAreNotWhole) {
  const auto problem = [](const std::string& bytes) {
    return std::string(ArchiveMembers(ArchiveOf(bytes)).status().message());
  };
  EXPECT_THAT(problem(BytesOf(ZipArchive("z.writestr('../rank-0.json', '{}')"))),
              HasSubstr("member \"../rank-0.json\" leads outside the archive"));
  EXPECT_THAT(problem(BytesOf(ZipArchive("z.writestr('/rank-0.json', '{}')"))),
              HasSubstr("leads outside the archive"));
  EXPECT_THAT(problem(BytesOf(ZipArchive("pass"))), HasSubstr("the archive has no members"));
  std::string good = BytesOf(ZipArchive("z.writestr('rank-0.json', '{0}', zipfile.ZIP_STORED)"));
  EXPECT_THAT(problem(good.substr(0, good.size() - 30)), HasSubstr("not a usable zip file"));
  good[good.find("{0}") + 1] = '1';
  EXPECT_EQ(TextOfSource({.path = ArchiveOf(good), .member = "rank-0.json"}),
            "not a usable zip file: member \"rank-0.json\" is damaged: its CRC differs");
}

TEST(TracePieces, AZipBombIsReadInSmallPieces) {
  const std::string path = ZipArchive("z.writestr('rank-0.json', ' ' * (1 << 25))");
  ASSERT_LT(BytesOf(path).size(), 1u << 18);
  absl::StatusOr<TracePieces> pieces = TracePieces::Open({.path = path, .member = "rank-0.json"});
  ASSERT_TRUE(pieces.ok()) << pieces.status();
  size_t bytes = 0;
  for (std::string_view piece = pieces->Next(); !piece.empty(); piece = pieces->Next()) {
    EXPECT_LE(piece.size(), 1u << 18);
    bytes += piece.size();
  }
  EXPECT_EQ(bytes, 1u << 25);
  EXPECT_EQ(pieces->Damage(), "");
}

TEST(TracePieces, KnowsLongNames) {
  const std::string name = std::string(120, 'd') + "/rank-0.json";
  const std::string record = absl::StrCat(name.size() + 9, " path=", name, "\n");
  EXPECT_THAT(*ArchiveMembers(ArchiveOf(TarMember("././@LongLink", name + '\0', 'L') +
                                        TarMember(name.substr(0, 99), "{}"))),
              ElementsAre(name));
  EXPECT_THAT(*ArchiveMembers(
                  ArchiveOf(TarMember("pax", record, 'x') + TarMember(name.substr(0, 99), "{}"))),
              ElementsAre(name));
}

TEST(TracePieces, OtherFilesAreNoArchives) {
  EXPECT_THAT(*ArchiveMembers(ArchiveOf("")), IsEmpty());
  EXPECT_THAT(*ArchiveMembers(ArchiveOf(std::string(5000, '{'))), IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(ArchiveMembers("no/such.tar").status()));
  EXPECT_EQ(TextOfSource({.path = ArchiveOf(Packed("{}"))}), "{}");
}

TEST(TracePieces, RefusesWhatLeadsOutside) {
  const auto problem = [](const std::string& bytes) {
    return std::string(ArchiveMembers(ArchiveOf(bytes)).status().message());
  };
  const std::string good = TarMember("rank-0.json", "{}");
  EXPECT_THAT(problem(good + TarMember("../rank-1.json", "{}")),
              HasSubstr("member \"../rank-1.json\" leads outside"));
  EXPECT_THAT(problem(good + TarMember("a/../../b.json", "{}")), HasSubstr("leads outside"));
  EXPECT_THAT(problem(good + TarMember("/etc/passwd", "{}")), HasSubstr("leads outside"));
  EXPECT_THAT(problem(good + TarMember("rank-1.json", "", '2')),
              HasSubstr("member \"rank-1.json\" is a link"));
  EXPECT_THAT(problem(good + TarMember("rank-1.json", "", '1')), HasSubstr("is a link"));
  EXPECT_THAT(problem(good + TarMember("tty", "", '3')), HasSubstr("is no regular file"));
  EXPECT_THAT(problem(good + std::string(512, 'x')), HasSubstr("damaged header"));
  std::string size = TarMember("rank-1.json", "");
  size.replace(124, 11, "7777777777\x80");
  EXPECT_FALSE(ArchiveMembers(ArchiveOf(good + size)).ok());
}

TEST(TracePieces, ACutArchiveSaysSo) {
  const std::string path = ArchiveOf(TarMember("rank-0.json", Long()).substr(0, 1 << 20));
  EXPECT_THAT(TextOfSource({.path = path, .member = "rank-0.json"}), HasSubstr("is cut off"));
}

TEST(TracePieces, DamagedPackedMembersSaySo) {
  std::string packed = Packed(Long());
  packed[packed.size() / 2] = static_cast<char>(~packed[packed.size() / 2]);
  const std::string path = ArchiveOf(TarMember("rank-0.json.gz", packed));
  EXPECT_FALSE(TextOfSource({.path = path, .member = "rank-0.json.gz"}) == Long());
}

}  // namespace
}  // namespace assay::traces
