#include "benchmarks/harness/tensor_files/numpy/npz.h"

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "gtest/gtest.h"

namespace assay::tensor_files {
namespace {

// Archives of numpy 2.4.6; ci/goldens/npy_goldens.py made them.
std::string Golden(std::string_view name) {
  return absl::StrCat("benchmarks/harness/tensor_files/numpy/testdata/npy/", name);
}

std::string Number(uint64_t value, int bytes) {
  return std::string(reinterpret_cast<const char*>(&value), bytes);
}

std::string Npy(size_t elements) {  // uint8 zeros
  const std::string header =
      absl::StrCat("{'descr': '|u1', 'fortran_order': False, 'shape': (", elements, ",), }\n");
  return absl::StrCat(std::string_view("\x93NUMPY\1\0", 8), Number(header.size(), 2), header,
                      std::string(elements, '\0'));
}

std::string Deflate(const std::string& bytes) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = bytes.size();
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = out.size();
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

// A member as the archive shall say it is; what is not set is as it should be.
struct Member {
  std::string name = "x.npy";
  std::string content = Npy(4);
  bool deflated = false;
  int flags = 0;
  int method = -1;
  int64_t size = -1;
  int64_t crc = -1;
  std::string local_name = "";
  int64_t local_size = -1;
  std::string behind = "";  // bytes after the data
  int64_t offset = -1;
};

std::string Zip(const std::vector<Member>& members, int count = -1) {
  std::string file, directory;
  for (const Member& m : members) {
    const std::string data = m.deflated ? Deflate(m.content) : m.content;
    const int method = m.method >= 0 ? m.method : m.deflated ? 8 : 0;
    const uint64_t size = m.size >= 0 ? m.size : m.content.size();
    const uint64_t crc =
        m.crc >= 0 ? m.crc
                   : crc32(0, reinterpret_cast<const Bytef*>(m.content.data()), m.content.size());
    const uint64_t local_size = m.local_size >= 0 ? m.local_size : size;
    const std::string local_name = m.local_name.empty() ? m.name : m.local_name;
    const uint64_t offset = m.offset >= 0 ? m.offset : file.size();
    absl::StrAppend(&file, "PK\3\4", Number(20, 2), Number(m.flags, 2), Number(method, 2),
                    Number(0, 4), Number(crc, 4), Number(data.size(), 4), Number(local_size, 4));
    absl::StrAppend(&file, Number(local_name.size(), 2), Number(0, 2), local_name, data, m.behind);
    absl::StrAppend(&directory, "PK\1\2", Number(20, 2), Number(20, 2), Number(m.flags, 2),
                    Number(method, 2), Number(0, 4), Number(crc, 4), Number(data.size(), 4));
    absl::StrAppend(&directory, Number(size, 4), Number(m.name.size(), 2), Number(0, 2),
                    Number(0, 2), Number(0, 2), Number(0, 2), Number(0, 4), Number(offset, 4));
    directory += m.name;
  }
  const uint64_t entries = count >= 0 ? count : members.size();
  const std::string end =
      absl::StrCat("PK\5\6", Number(0, 4), Number(entries, 2), Number(entries, 2),
                   Number(directory.size(), 4), Number(file.size(), 4), Number(0, 2));
  return absl::StrCat(file, directory, end);
}

TEST(NpzTest, ReadsWhatNumpySaves) {
  std::vector<float> counted = {0, 1, 2, 3, 4, 5};
  for (const std::string_view name : {"stored.npz", "deflated.npz"}) {
    const absl::StatusOr<std::vector<NpyFile>> files = ReadNpz(Golden(name));
    ASSERT_TRUE(files.ok()) << files.status();
    ASSERT_EQ(files->size(), 2u);
    EXPECT_EQ((*files)[0].name, "layer.0_mask");
    EXPECT_EQ((*files)[0].array.shape, (std::vector<int64_t>{16, 16}));
    EXPECT_EQ((*files)[0].array.Data(), std::string(256, '\0'));
    EXPECT_EQ((*files)[1].name, "logits");
    EXPECT_EQ((*files)[1].array.shape, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ((*files)[1].array.Data(),
              std::string_view(reinterpret_cast<const char*>(counted.data()), 24));
  }
}

TEST(NpzTest, ReadsWhatTheTestsOwnWriterWrites) {
  EXPECT_TRUE(ParseNpz(Zip({})).ok());
  EXPECT_TRUE(ParseNpz(Zip({{}})).ok());
  EXPECT_TRUE(ParseNpz(Zip({{.deflated = true}, {.name = "y.npy"}})).ok());
  EXPECT_TRUE(ParseNpz(Zip({{.behind = "a gap"}, {.name = "y.npy"}})).ok());
  EXPECT_TRUE(ParseNpz(Zip({{.name = std::string(200, 'a') + ".npy"}})).ok());
}

void ExpectRefused(const std::string& file, std::string_view why) {
  const absl::Status status = ParseNpz(file).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << why;
  EXPECT_NE(status.message().find(why), std::string::npos) << status << "\nexpected: " << why;
}

TEST(NpzTest, NamesAreTakenByAllowList) {
  for (const std::string& name : {
           std::string("../x.npy"),
           std::string("/x.npy"),
           std::string("a/b.npy"),
           std::string("a\\b.npy"),
           std::string("a\0b.npy", 7),
           std::string("a\nb.npy"),
           std::string(".npy"),
           std::string(".hidden.npy"),
           std::string("x.npz"),
           std::string("x"),
           std::string("x.npy/"),
           std::string("C:x.npy"),
           std::string("gr\xc3\xb6\xc3\x9f.npy"),
           std::string(201, 'a') + ".npy",
       }) {
    ExpectRefused(Zip({{.name = name}}), "a name is at most 200 letters");
  }
  ExpectRefused(Zip({{.name = ""}}), "a name is at most 200 letters");
  ExpectRefused(Zip({{}, {}}), "member \"x.npy\" is there twice");
}

TEST(NpzTest, NothingIsInflatedBeyondItsDeclaredSize) {
  const std::string content = Npy(100'000);
  ExpectRefused(Zip({{.content = content, .deflated = true, .size = 1000}}),
                "does not inflate to the 1000 bytes");
  ExpectRefused(Zip({{.content = content, .deflated = true, .size = 100'000'0}}),
                "does not inflate to the 1000000 bytes");
}

TEST(NpzTest, ABombIsRefusedBeforeAnythingIsInflated) {
  // 17 MB of zeros deflate to 17 KB, a ratio of 1000.
  const std::string bomb = Zip({{.content = Npy(17 << 20), .deflated = true}});
  ASSERT_LT(bomb.size(), 50'000u);
  ExpectRefused(bomb, "at most 200 times its size");
  // Declares 4 GB in a hundred bytes.
  ExpectRefused(Zip({{.deflated = true, .size = 0xfffffffe}}), "at most 200 times its size");
  std::vector<Member> many;
  for (int i = 0; i < 100; ++i) {
    many.push_back({.name = absl::StrCat(i, ".npy"), .content = Npy(1 << 18), .deflated = true});
  }
  ExpectRefused(Zip(many), "at most 200 times its size");
}

TEST(NpzTest, MembersThatShareBytesAreRefused) {
  // As in a "zip of death": every entry of the directory points to the same local header.
  ExpectRefused(Zip({{}, {.name = "y.npy", .local_name = "y.npy", .offset = 0}}), "disagrees");
  std::string file = Zip({{.name = "a.npy"}, {.name = "b.npy"}});
  const size_t directory = file.find("PK\1\2");
  file = absl::StrCat(file.substr(0, directory),
                      absl::StrReplaceAll(file.substr(directory), {{"b.npy", "a.npy"}}));
  ExpectRefused(file, "is there twice");
  // A member inside another's data.
  const std::string inner = Zip({{.name = "i.npy"}});
  const std::string local = inner.substr(0, inner.find("PK\1\2"));
  const size_t inside = 30 + 5;  // behind the outer local header and its name
  ExpectRefused(Zip({{.name = "o.npy", .content = local}, {.name = "i.npy", .offset = inside}}),
                "overlaps the one before it");
}

TEST(NpzTest, TooManyMembersAreRefused) {
  std::vector<Member> many(4097);
  for (size_t i = 0; i < many.size(); ++i) many[i].name = absl::StrCat(i, ".npy");
  ExpectRefused(Zip(many), "has 4097 members; at most 4096");
  many.pop_back();
  EXPECT_TRUE(ParseNpz(Zip(many)).ok());
}

TEST(NpzTest, EveryMalformedArchiveIsRefusedWithItsReason) {
  const std::string good = Zip({{}});
  ExpectRefused("", "does not end with an end record");
  ExpectRefused("<html>403 Forbidden</html>", "does not end with an end record");
  ExpectRefused(absl::StrCat(good, "trailing"), "does not end with an end record");
  ExpectRefused(absl::StrCat("x", good), "does not end where the end record begins");
  ExpectRefused(Zip({{}}, 0), "more entries than it says");
  ExpectRefused(Zip({{}}, 2), "entry 1 of its directory is damaged");
  ExpectRefused(Zip({{}}, 0xffff), "ZIP64");
  ExpectRefused(Zip({{.flags = 1}}), "is encrypted");
  ExpectRefused(Zip({{.flags = 1 << 6}}), "is encrypted");
  ExpectRefused(Zip({{.method = 12}}), "method 12");
  ExpectRefused(Zip({{.method = 99}}), "method 99");
  ExpectRefused(Zip({{.size = 0xffffffff}}), "ZIP64");
  ExpectRefused(Zip({{.size = 3}}), "is stored in another number of bytes");
  ExpectRefused(Zip({{.crc = 1}}), "its CRC differs");
  ExpectRefused(Zip({{.content = "not deflated", .method = 8}}), "does not inflate");
  ExpectRefused(Zip({{.local_name = "y.npy"}}), "disagrees");
  ExpectRefused(Zip({{.local_size = 3}}), "disagrees");
  ExpectRefused(Zip({{.local_size = 0xffffffff}}), "disagrees");
  ExpectRefused(Zip({{.offset = 1}}), "no local header where the directory says");
  ExpectRefused(Zip({{.offset = 0x7fffffff}}), "begins behind the end");
  ExpectRefused(Zip({{.content = "not npy"}}), "member \"x.npy\": not a usable npy file");
}

TEST(NpzTest, EveryTruncationIsRefused) {
  const absl::StatusOr<std::string> file = ReadFile(Golden("deflated.npz"), 1 << 20);
  ASSERT_TRUE(file.ok());
  for (size_t length = 0; length < file->size(); ++length) {
    EXPECT_FALSE(ParseNpz(std::string_view(*file).substr(0, length)).ok()) << length;
  }
}

TEST(NpzTest, TheMessageNamesTheFile) {
  const absl::Status status = ReadNpz(Golden("f4.npy")).status();
  EXPECT_EQ(status.message().find(Golden("f4.npy")), 0u) << status;
}

}  // namespace
}  // namespace assay::tensor_files
