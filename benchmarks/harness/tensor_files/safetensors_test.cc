#include "benchmarks/harness/tensor_files/safetensors.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"

namespace assay::tensor_files {
namespace {

std::string LittleEndian(uint64_t value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string File(std::string_view header, size_t data_bytes) {
  return absl::StrCat(LittleEndian(header.size()), header, std::string(data_bytes, '\0'));
}

std::string Spaces(size_t count) {
  std::string spaces;
  spaces.resize(count, ' ');
  return spaces;
}

template <typename T>
std::string Bytes(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// Made by the format's own library: safetensors 0.8.0, safetensors.numpy.save of
// {"b": f64[[1.5, -2.0]], "a": f64 3.25, "e": f64 of shape (0, 2)},
// metadata {"format": 'x "é" \ ' + newline}. With one dtype, that library sorts by name too.
constexpr std::string_view kFileOfTheLibrary =
    "d8000000000000007b225f5f6d657461646174615f5f223a7b22666f726d6174223a2278205c22c3a95c22205c5c20"
    "5c6e227d2c2261223a7b226474797065223a22463634222c227368617065223a5b5d2c22646174615f6f6666736574"
    "73223a5b302c385d7d2c2262223a7b226474797065223a22463634222c227368617065223a5b312c325d2c22646174"
    "615f6f666673657473223a5b382c32345d7d2c2265223a7b226474797065223a22463634222c227368617065223a5b"
    "302c325d2c22646174615f6f666673657473223a5b32342c32345d7d7d202020202020200000000000000a40000000"
    "000000f83f00000000000000c0";

const std::map<std::string, std::string> kMetadata = {{"format", "x \"é\" \\ \n"}};

TEST(SafetensorsTest, ReadsAFileOfTheFormatsOwnLibrary) {
  const std::string file = absl::HexStringToBytes(kFileOfTheLibrary);
  const absl::StatusOr<SafetensorsIndex> index = ParseSafetensors(file);
  ASSERT_TRUE(index.ok()) << index.status();
  EXPECT_EQ(index->metadata, kMetadata);
  ASSERT_EQ(index->entries.size(), 3u);
  const SafetensorsEntry* b = index->Find("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->dtype, SafetensorsDtype::kF64);
  EXPECT_EQ(b->shape, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(index->Data(file, *b), Bytes<double>({1.5, -2.0}));
  EXPECT_EQ(index->Data(file, *index->Find("a")), Bytes<double>({3.25}));
  EXPECT_EQ(index->Data(file, *index->Find("e")), "");
  EXPECT_EQ(index->Find("c"), nullptr);
}

TEST(SafetensorsTest, NullForMetadataIsNone) {
  const absl::StatusOr<SafetensorsIndex> index = ParseSafetensors(
      File(R"({"__metadata__":null,"t":{"dtype":"F8_E8M0","shape":[2],"data_offsets":[0,2]}})", 2));
  ASSERT_TRUE(index.ok()) << index.status();
  EXPECT_TRUE(index->metadata.empty());
  EXPECT_EQ(index->entries.size(), 1u);
}

TEST(SafetensorsTest, WritesTheBytesOfTheFormatsOwnLibrary) {
  const std::string a = Bytes<double>({3.25});
  const std::string b = Bytes<double>({1.5, -2.0});
  const absl::StatusOr<std::string> file =
      SerializeSafetensors({{"b", SafetensorsDtype::kF64, {1, 2}, b},
                            {"e", SafetensorsDtype::kF64, {0, 2}, ""},
                            {"a", SafetensorsDtype::kF64, {}, a}},
                           kMetadata);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(absl::BytesToHexString(*file), kFileOfTheLibrary);
}

TEST(SafetensorsTest, EveryDtypeSurvivesTheRoundTrip) {
  const std::string data(24, 'x');
  std::vector<SafetensorsTensor> tensors;
  for (int i = 0; i <= static_cast<int>(SafetensorsDtype::kU64); ++i) {
    const SafetensorsDtype dtype = static_cast<SafetensorsDtype>(i);
    const bool four_bits = dtype == SafetensorsDtype::kF4;
    const int64_t elements = ItemBytes(dtype) > 0 ? 3 : 4;  // of a packed type: 2 or 3 bytes
    const int64_t bytes = ItemBytes(dtype) > 0 ? 3 * ItemBytes(dtype) : four_bits ? 2 : 3;
    tensors.push_back({absl::StrCat("tensor of ", SafetensorsDtypeName(dtype)),
                       dtype,
                       {elements},
                       std::string_view(data).substr(0, bytes)});
  }
  const absl::StatusOr<std::string> file = SerializeSafetensors(tensors, {});
  ASSERT_TRUE(file.ok()) << file.status();
  const absl::StatusOr<SafetensorsIndex> index = ParseSafetensors(*file);
  ASSERT_TRUE(index.ok()) << index.status();
  EXPECT_EQ(index->data_start % 8, 0u);
  for (const SafetensorsTensor& tensor : tensors) {
    const SafetensorsEntry* entry = index->Find(tensor.name);
    ASSERT_NE(entry, nullptr) << tensor.name;
    EXPECT_EQ(entry->dtype, tensor.dtype);
    EXPECT_EQ(index->Data(*file, *entry), tensor.data);
  }
}

TEST(SafetensorsTest, BytesDoNotDependOnTheOrderOfTheArguments) {
  const SafetensorsTensor a{"a", SafetensorsDtype::kU8, {1}, "1"};
  const SafetensorsTensor b{"b", SafetensorsDtype::kF32, {1}, "4444"};
  EXPECT_EQ(*SerializeSafetensors({a, b}, {}), *SerializeSafetensors({b, a}, {}));
}

TEST(SafetensorsTest, AFileWithoutTensorsIsLegal) {
  EXPECT_TRUE(ParseSafetensors(File("{}", 0)).ok());
  EXPECT_TRUE(ParseSafetensors(*SerializeSafetensors({}, {})).ok());
}

TEST(SafetensorsTest, EntriesMayStandInAnyOrderInTheHeader) {
  const absl::StatusOr<SafetensorsIndex> index =
      ParseSafetensors(File(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[1,3]},
               "b":{"data_offsets":[0,1],"shape":[],"dtype":"U8"}})",
                            3));
  ASSERT_TRUE(index.ok()) << index.status();
  EXPECT_EQ(index->entries[0].name, "b") << "listed in the order of their bytes";
}

std::string OneTensor(std::string_view dtype, std::string_view shape, std::string_view offsets) {
  return absl::StrCat(R"({"t":{"dtype":)", dtype, R"(,"shape":)", shape, R"(,"data_offsets":)",
                      offsets, "}}");
}

TEST(SafetensorsTest, EveryMalformedFileHasItsFault) {
  using F = SafetensorsFault;
  const std::string good = OneTensor("\"F32\"", "[2]", "[0,8]");
  ASSERT_TRUE(ParseSafetensors(File(good, 8)).ok());
  const std::string two = R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                          R"("b":{"dtype":"U8","shape":[2],"data_offsets":[BEGIN]}})";
  const auto two_at = [&two](std::string_view begin) {
    return absl::StrReplaceAll(two, {{"BEGIN", begin}});
  };
  const struct {
    std::string file;
    F fault;
  } cases[] = {
      {"", F::kTooShort},
      {std::string(7, '\0'), F::kTooShort},
      {LittleEndian(0), F::kNotAnObject},
      {LittleEndian(1), F::kHeaderTooLong},
      {absl::StrCat(LittleEndian(~uint64_t{0}), "{}"), F::kHeaderTooLong},
      {absl::StrCat(LittleEndian(uint64_t{1} << 63), "{}"), F::kHeaderTooLong},
      {absl::StrCat(LittleEndian(100'000'001), Spaces(100'000'001)), F::kHeaderTooLong},
      {File("[]", 0), F::kNotAnObject},
      {File(" {}", 0), F::kNotAnObject},
      {File("null", 0), F::kNotAnObject},
      {File("{", 0), F::kBadJson},
      {File("{}x", 0), F::kBadJson},
      {File("{}{}", 0), F::kBadJson},
      {File(std::string_view("{}\0\0", 4), 0), F::kBadJson},
      {File(std::string_view("{}\0{\"t\":1}", 10), 0), F::kBadJson},
      {File("{\"\xff\":1}", 0), F::kBadJson},
      {File("{\"\xed\xa0\x80\":1}", 0), F::kBadJson},  // a surrogate in UTF-8
      {File("{'t':1}", 0), F::kBadJson},
      {File("{/* comment */}", 0), F::kBadJson},
      {File(R"({"t":{"dtype":"F32","shape":[NaN],"data_offsets":[0,4]}})", 4), F::kBadJson},
      {File(absl::StrCat("{\"t\":", std::string(1'000'000, '[')), 0), F::kBadEntry},
      {File(std::string(1'000'000, '{'), 0), F::kBadJson},
      {File(R"({"t":)" + std::string("{\"dtype\":") + std::string(100, '{'), 0), F::kBadEntry},

      {File(R"({"t":{"dtype":"U8","shape":[],"data_offsets":[0,1]},)"
            R"("t":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})",
            1),
       F::kDuplicateKey},
      {File(R"({"t":{"dtype":"U8","dtype":"U8","shape":[],"data_offsets":[0,1]}})", 1),
       F::kDuplicateKey},
      {File(R"({"__metadata__":{"a":"1","a":"2"}})", 0), F::kDuplicateKey},
      {File(R"({"__metadata__":{},"__metadata__":{}})", 0), F::kDuplicateKey},
      {File(R"({"t":{"dtype":"U8","shape":[],"data_offsets":[0,1]},)"
            R"("\u0074":{"dtype":"U8","shape":[],"data_offsets":[0,1]}})",
            1),
       F::kDuplicateKey},

      {File(R"({"__metadata__":1})", 0), F::kBadMetadata},
      {File(R"({"__metadata__":[]})", 0), F::kBadMetadata},
      {File(R"({"__metadata__":{"a":1}})", 0), F::kBadMetadata},
      {File(R"({"__metadata__":{"a":null}})", 0), F::kBadMetadata},
      {File(R"({"__metadata__":{"a":{}}})", 0), F::kBadMetadata},

      {File(R"({"t":1})", 0), F::kBadEntry},
      {File(R"({"t":null})", 0), F::kBadEntry},
      {File(R"({"t":[]})", 0), F::kBadEntry},
      {File(R"({"t":{}})", 0), F::kBadEntry},
      {File(R"({"t":{"dtype":"F32","shape":[2]}})", 8), F::kBadEntry},
      {File(R"({"t":{"dtype":"U8","shape":[],"data_offsets":[0,1],"x":1}})", 1), F::kBadEntry},
      {File(OneTensor("1", "[2]", "[0,8]"), 8), F::kBadEntry},
      {File(OneTensor("[\"F32\"]", "[2]", "[0,8]"), 8), F::kBadEntry},
      {File(OneTensor("\"F32\"", "2", "[0,8]"), 8), F::kBadEntry},
      {File(OneTensor("\"F32\"", "[-2]", "[0,8]"), 8), F::kBadEntry},
      {File(OneTensor("\"F32\"", "[2.0]", "[0,8]"), 8), F::kBadEntry},
      {File(OneTensor("\"F32\"", "[\"2\"]", "[0,8]"), 8), F::kBadEntry},
      {File(OneTensor("\"F32\"", "[true]", "[0,8]"), 8), F::kBadEntry},
      {File(OneTensor("\"F32\"", "[[2]]", "[0,8]"), 8), F::kBadEntry},
      {File(OneTensor("\"F32\"", "[2]", "[8]"), 8), F::kBadEntry},
      {File(OneTensor("\"F32\"", "[2]", "[0,8,8]"), 8), F::kBadEntry},
      {File(OneTensor("\"F32\"", "[2]", "[-8,0]"), 8), F::kBadEntry},
      {File(OneTensor("\"F32\"", "[2]", "[0,99999999999999999999]"), 8), F::kBadEntry},

      {File(OneTensor("\"F33\"", "[2]", "[0,8]"), 8), F::kUnknownDtype},
      {File(OneTensor("\"f32\"", "[2]", "[0,8]"), 8), F::kUnknownDtype},
      {File(OneTensor("\"F5\"", "[2]", "[0,1]"), 1), F::kUnknownDtype},

      {File(OneTensor("\"F32\"", "[9223372036854775807,2]", "[0,8]"), 8), F::kShapeOverflow},
      {File(OneTensor("\"F32\"", "[18446744073709551615]", "[0,8]"), 8), F::kShapeOverflow},
      {File(OneTensor("\"F32\"", "[4294967296,4294967296]", "[0,0]"), 0), F::kShapeOverflow},
      {File(OneTensor("\"F32\"", "[2305843009213693952,2]", "[0,0]"), 0), F::kShapeOverflow},
      {File(OneTensor("\"F32\"", "[0,9223372036854775807]", "[0,0]"), 0), F::kShapeOverflow},

      {File(OneTensor("\"F32\"", "[3]", "[0,8]"), 8), F::kSizeMismatch},
      {File(OneTensor("\"F4\"", "[3]", "[0,2]"), 2), F::kSizeMismatch},
      {File(OneTensor("\"F6_E2M3\"", "[3,2]", "[0,5]"), 5), F::kSizeMismatch},
      {File(OneTensor("\"F6_E3M2\"", "[4]", "[0,4]"), 4), F::kSizeMismatch},
      {File(OneTensor("\"F64\"", "[2]", "[0,8]"), 8), F::kSizeMismatch},
      {File(OneTensor("\"F32\"", "[2]", "[8,0]"), 8), F::kSizeMismatch},
      {File(OneTensor("\"F32\"", "[]", "[0,0]"), 0), F::kSizeMismatch},
      {File(OneTensor("\"U8\"", "[2]", "[18446744073709551615,1]"), 8), F::kSizeMismatch},

      {File(two_at("3,5"), 5), F::kHole},
      {File(OneTensor("\"F32\"", "[2]", "[4,12]"), 12), F::kHole},
      {File(two_at("1,3"), 3), F::kOverlap},
      {File(two_at("0,2"), 2), F::kOverlap},
      {File(good, 7), F::kTruncated},
      {File(good, 0), F::kTruncated},
      {File(good, 9), F::kTrailingBytes},
      {File("{}", 1), F::kTrailingBytes},
  };
  for (const auto& row : cases) {
    const std::string shown = row.file.substr(0, 150);
    const absl::Status status = ParseSafetensors(row.file).status();
    ASSERT_FALSE(status.ok()) << shown;
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << shown;
    const auto fault = SafetensorsFaultOf(status);
    ASSERT_TRUE(fault.has_value()) << shown << status;
    EXPECT_EQ(*fault, row.fault) << shown << status;
  }
}

// The folder attacks/ of the format's own repository, attempts 1 to 3.
TEST(SafetensorsTest, TheFormatsOwnAttacksAreRefused) {
  const std::string data(16, 'x');
  std::string longer =
      *SerializeSafetensors({{"weight", SafetensorsDtype::kF32, {2, 2}, data}}, {});
  longer.replace(0, 8, LittleEndian(1000));  // a header beyond the end of the file
  EXPECT_EQ(SafetensorsFaultOf(ParseSafetensors(longer).status()),
            SafetensorsFault::kHeaderTooLong);
  // A small file that asks for 16 GB: 100,000 tensors on the same bytes. Ten million of them, the
  // second attempt, are a header beyond 100 MB, in the table above.
  std::string header = "{";
  for (int i = 0; i < 100'000; ++i) {
    absl::StrAppend(&header, i == 0 ? "" : ", ", "\"weight_", i,
                    R"(": {"dtype": "F32", "shape": [200, 200], "data_offsets": [0, 160000]})");
  }
  EXPECT_EQ(SafetensorsFaultOf(ParseSafetensors(File(header + "}", 160000)).status()),
            SafetensorsFault::kOverlap);
}

TEST(SafetensorsTest, MessagesNameTheTensorAndStayShortAndPrintable) {
  const std::string name = absl::StrCat("ev\\u0007il\\n", std::string(100000, 'x'));
  const absl::Status status =
      ParseSafetensors(File(absl::StrCat("{\"", name, "\":1}"), 0)).status();
  EXPECT_NE(status.message().find("\"ev\\x07il\\nxxx"), std::string::npos) << status;
  EXPECT_LT(status.message().size(), 500u);
}

TEST(SafetensorsTest, NoFaultBehindOtherStatuses) {
  EXPECT_FALSE(SafetensorsFaultOf(absl::OkStatus()).has_value());
  EXPECT_FALSE(SafetensorsFaultOf(absl::DataLossError("x")).has_value());
}

TEST(SafetensorsTest, EveryTruncationIsRefused) {
  const std::string file = absl::HexStringToBytes(kFileOfTheLibrary);
  for (size_t length = 0; length < file.size(); ++length) {
    EXPECT_FALSE(ParseSafetensors(std::string_view(file).substr(0, length)).ok()) << length;
  }
}

// A damaged file may yield: an error with a fault, or an index that stays within the file.
void ExpectSound(const std::string& file) {
  const absl::StatusOr<SafetensorsIndex> index = ParseSafetensors(file);
  if (!index.ok()) {
    EXPECT_TRUE(SafetensorsFaultOf(index.status()).has_value()) << index.status();
    return;
  }
  uint64_t covered = 0;
  for (const SafetensorsEntry& entry : index->entries) {
    EXPECT_EQ(entry.begin, covered);
    covered = entry.end;
    int64_t bytes = ItemBytes(entry.dtype);
    for (const int64_t size : entry.shape) bytes *= size;
    if (bytes > 0) {
      EXPECT_EQ(static_cast<uint64_t>(bytes), entry.end - entry.begin);
    }
  }
  EXPECT_EQ(index->data_start + covered, file.size());
}

TEST(SafetensorsTest, EveryChangedByteIsRefusedOrHarmless) {
  const std::string file = absl::HexStringToBytes(kFileOfTheLibrary);
  for (size_t position = 0; position < file.size(); ++position) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = file;
      changed[position] = static_cast<char>(value);
      ExpectSound(changed);
    }
  }
}

TEST(SafetensorsTest, RandomDamageIsRefusedOrHarmless) {
  const std::string file = absl::HexStringToBytes(kFileOfTheLibrary);
  constexpr std::string_view kLikely = "{}[],:\"0123456789-.eE\\u\xff";
  std::mt19937_64 random(0);  // the standard fixes its numbers
  const auto below = [&random](uint64_t end) { return static_cast<size_t>(random() % end); };
  for (int round = 0; round < 20000; ++round) {
    std::string changed = file;
    const size_t position = below(changed.size());
    const size_t length = below(9);
    const size_t source = below(file.size());
    switch (below(4)) {  // replace, delete, insert, or copy a piece from elsewhere
      case 0:
        changed[position] = kLikely[below(kLikely.size())];
        break;
      case 1:
        changed.erase(position, length);
        break;
      case 2:
        changed.insert(position, length, kLikely[below(kLikely.size())]);
        break;
      default:
        changed.insert(position, file.substr(source, length));
        break;
    }
    if (changed.size() > 8 && below(2) == 0) {  // half of the time the length still fits
      const size_t header = 0xd8 + changed.size() - file.size();
      changed.replace(0, 8, LittleEndian(header));
    }
    ExpectSound(changed);
  }
}

TEST(SafetensorsTest, ManyTensorsTakeLinearTime) {
  std::vector<SafetensorsTensor> tensors;
  tensors.reserve(50000);
  for (int i = 0; i < 50000; ++i) {
    tensors.push_back({absl::StrCat("layer.", i, ".weight"), SafetensorsDtype::kU8, {1}, "x"});
  }
  const absl::StatusOr<std::string> file = SerializeSafetensors(tensors, {});
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(ParseSafetensors(*file)->entries.size(), tensors.size());
}

TEST(SafetensorsTest, TheWriterRefusesWhatNoReaderWouldTake) {
  using F = SafetensorsFault;
  constexpr SafetensorsDtype kU8 = SafetensorsDtype::kU8;
  const struct {
    std::vector<SafetensorsTensor> tensors;
    std::map<std::string, std::string> metadata;
    F fault;
  } cases[] = {
      {{{"a", kU8, {1}, "x"}, {"a", kU8, {1}, "x"}}, {}, F::kDuplicateKey},
      {{{"__metadata__", kU8, {1}, "x"}}, {}, F::kBadName},
      {{{"\xff", kU8, {1}, "x"}}, {}, F::kBadName},
      {{}, {{"a", "\xff"}}, F::kBadName},
      {{{"a", kU8, {2}, "x"}}, {}, F::kSizeMismatch},
      {{{"a", kU8, {-1}, ""}}, {}, F::kShapeOverflow},
      {{{"a", kU8, {INT64_MAX, 2}, ""}}, {}, F::kShapeOverflow},
      {{}, {{"a", Spaces(100'000'000)}}, F::kHeaderTooLong},
  };
  for (const auto& row : cases) {
    const absl::Status status = SerializeSafetensors(row.tensors, row.metadata).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    const auto fault = SafetensorsFaultOf(status);
    ASSERT_TRUE(fault.has_value()) << status;
    EXPECT_EQ(*fault, row.fault) << status;
  }
}

}  // namespace
}  // namespace assay::tensor_files
