#include "benchmarks/harness/tensor_files/numpy/npy.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"

namespace assay::tensor_files {
namespace {

using D = SafetensorsDtype;

// Files of numpy 2.4.6; ci/goldens/npy_goldens.py made them.
std::string NpyGolden(std::string_view name) {
  return absl::StrCat("benchmarks/harness/tensor_files/numpy/testdata/npy/", name, ".npy");
}

template <typename T>
std::string BytesOf(const std::vector<T>& values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

template <typename T>
std::string Counted(int count) {
  std::vector<T> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<T>(i));
  return BytesOf(values);
}

void ExpectArray(std::string_view name, D dtype, const std::vector<int64_t>& shape,
                 const std::string& data) {
  const absl::StatusOr<NpyFile> file = ReadNpy(NpyGolden(name));
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->name, name);
  EXPECT_EQ(file->array.dtype, dtype) << name;
  EXPECT_EQ(file->array.shape, shape) << name;
  EXPECT_EQ(file->array.Data(), data) << name;
}

TEST(NpyTest, ReadsEveryDtypeAsNumpyWritesIt) {
  ExpectArray("i1", D::kI8, {2, 3}, Counted<int8_t>(6));
  ExpectArray("u1", D::kU8, {2, 3}, Counted<uint8_t>(6));
  ExpectArray("i2", D::kI16, {2, 3}, Counted<int16_t>(6));
  ExpectArray("u2", D::kU16, {2, 3}, Counted<uint16_t>(6));
  ExpectArray("i4", D::kI32, {2, 3}, Counted<int32_t>(6));
  ExpectArray("u4", D::kU32, {2, 3}, Counted<uint32_t>(6));
  ExpectArray("i8", D::kI64, {2, 3}, Counted<int64_t>(6));
  ExpectArray("u8", D::kU64, {2, 3}, Counted<uint64_t>(6));
  ExpectArray("f4", D::kF32, {2, 3}, Counted<float>(6));
  ExpectArray("f8", D::kF64, {2, 3}, Counted<double>(6));
  // 0 to 5 in half precision.
  ExpectArray("f2", D::kF16, {2, 3},
              BytesOf<uint16_t>({0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500}));
  ExpectArray("bool", D::kBool, {3}, BytesOf<uint8_t>({1, 0, 1}));
  ExpectArray("c8", D::kC64, {1}, BytesOf<float>({1, 2}));
}

TEST(NpyTest, ReadsScalarsVectorsAndEmptyArrays) {
  ExpectArray("scalar", D::kF64, {}, BytesOf<double>({2.5}));
  ExpectArray("vector", D::kF32, {3}, Counted<float>(3));
  ExpectArray("empty", D::kF32, {0, 3}, "");
}

TEST(NpyTest, ReadsEveryVersionOfTheFormat) {
  ExpectArray("version_2", D::kF32, {2, 3}, Counted<float>(6));
  ExpectArray("version_3", D::kF32, {2, 3}, Counted<float>(6));
}

TEST(NpyTest, FortransOrderBecomesCsOrder) {
  ExpectArray("fortran", D::kI32, {2, 3}, Counted<int32_t>(6));
  ExpectArray("fortran_3d", D::kI16, {2, 3, 4}, Counted<int16_t>(24));
}

TEST(NpyTest, AnArrayInCsOrderIsAView) {
  const absl::StatusOr<NpyFile> file = ReadNpy(NpyGolden("f4"));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->array.transposed, nullptr);
  EXPECT_EQ(file->array.Data().data() + file->array.Data().size(),
            file->bytes->data() + file->bytes->size());
}

TEST(NpyTest, RefusesByNameWhatIsNoPlainNumber) {
  const struct {
    std::string_view name, why;
  } cases[] = {
      {"refused_big_endian", "\">f4\", big-endian"},
      {"refused_complex128", "\"<c16\", unknown"},
      {"refused_dates", "dates"},
      {"refused_structure", "a structure"},
      {"refused_text", "\"<U3\", text"},
      {"refused_bytes", "\"|S3\", text"},
      {"refused_void", "bfloat16"},
      {"refused_object", "Python objects, which are code"},
  };
  for (const auto& [name, why] : cases) {
    const absl::Status status = ReadNpy(NpyGolden(name)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << name;
    EXPECT_NE(status.message().find(why), std::string::npos) << status;
    EXPECT_EQ(status.message().find(NpyGolden(name)), 0u) << status;
  }
}

std::string NpyBytes(std::string_view header, size_t data_bytes, int major = 1, int minor = 0) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += static_cast<char>(minor);
  const uint32_t length = header.size();
  file.append(reinterpret_cast<const char*>(&length), major == 1 ? 2 : 4);
  return absl::StrCat(file, header, std::string(data_bytes, '\0'));
}

constexpr std::string_view kGood = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }  \n";

TEST(NpyTest, TakesEveryWayToWriteTheDictionary) {
  for (const std::string_view header : {
           kGood,
           std::string_view("{'descr':'<f4','fortran_order':False,'shape':(2,)}\n"),
           std::string_view("{ \"shape\" : ( 2 , ) , 'fortran_order': True, 'descr': '<f4' } \n"),
           std::string_view("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2,), }\n"),
       }) {
    EXPECT_TRUE(ParseNpy(NpyBytes(header, 8)).ok())
        << header << ParseNpy(NpyBytes(header, 8)).status();
  }
}

TEST(NpyTest, EveryMalformedFileIsRefusedWithItsReason) {
  const auto with_shape = [](std::string_view shape) {
    return absl::StrReplaceAll(kGood, {{"(2,)", shape}});
  };
  const auto dims = [](int count) {
    return absl::StrCat("(", absl::StrJoin(std::vector<int>(count, 1), ", "), ",)");
  };
  const struct {
    std::string file;
    std::string_view why;
  } cases[] = {
      {"", "does not begin"},
      {"\x93NUMPY", "does not begin"},
      {"PK\3\4 and more", "name it .npz"},
      {std::string("\x93NUMPY\1\0", 8), "ends within the header's length"},
      {std::string("\x93NUMPY\2\0\0\0", 10), "ends within the header's length"},
      {NpyBytes(kGood, 8, 4), "version is 4.0"},
      {NpyBytes(kGood, 8, 0), "version is 0.0"},
      {NpyBytes(kGood, 8, 1, 1), "version is 1.1"},
      {NpyBytes(kGood, 8).substr(0, 40), "does not fit"},
      {NpyBytes(absl::StrCat(kGood, std::string(10'001, ' ')), 8, 2), "at most 10000"},
      {std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14), "4294967295 bytes does not fit"},
      {NpyBytes("", 8), "expected '{'"},
      {NpyBytes("{}\n", 8), "must have"},
      {NpyBytes("{'descr': '<f4', 'shape': (2,)}\n", 8), "must have"},
      {NpyBytes("{'descr': '<f4', 'descr': '<f4'}\n", 8), "\"descr\" twice"},
      {NpyBytes("{'descr': '<f4', 'x': 1}\n", 8), "the key \"x\""},
      {NpyBytes("{'descr': '<f4' 'shape': (2,)}\n", 8), "expected ','"},
      {NpyBytes("{'descr: 1}\n", 8), "string without an end"},
      {NpyBytes("{'de\\x73cr': '<f4'}\n", 8), "has the string"},
      {NpyBytes("{'descr': f4}\n", 8), "expected"},
      {NpyBytes("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}\n", 8),
       "neither True nor False"},
      {NpyBytes(absl::StrReplaceAll(kGood, {{"<f4", "=f4"}}), 8), "\"=f4\", unknown"},
      {NpyBytes(absl::StrReplaceAll(kGood, {{"<f4", "<f4\\0"}}), 8), "has the string"},
      {NpyBytes(absl::StrReplaceAll(kGood, {{"<f4", ""}}), 8), "unknown"},
      {NpyBytes(absl::StrReplaceAll(kGood, {{"<f4", "|O"}}), 8), "Python objects"},
      {NpyBytes(absl::StrReplaceAll(kGood, {{"'<f4'", "__import__('os').abort()"}}), 8),
       "expected"},
      {NpyBytes(with_shape("(2)"), 8), "not a tuple"},
      {NpyBytes(with_shape("[2]"), 8), "expected '('"},
      {NpyBytes(with_shape("2"), 8), "expected '('"},
      {NpyBytes(with_shape("(-2,)"), 8), "where a size must be"},
      {NpyBytes(with_shape("(2.0,)"), 8), "expected ')'"},
      {NpyBytes(with_shape("(2L,)"), 8), "expected ')'"},
      {NpyBytes(with_shape("(02,)"), 8), "where a size must be"},
      {NpyBytes(with_shape("(,)"), 8), "where a size must be"},
      {NpyBytes(with_shape("(2,,)"), 8), "where a size must be"},
      {NpyBytes(with_shape("(99999999999999999999,)"), 8), "too large"},
      {NpyBytes(with_shape("(9223372036854775807, 2)"), 8), "too large"},
      {NpyBytes(with_shape("(4294967296, 4294967296)"), 0), "too large"},
      {NpyBytes(with_shape("(0, 9223372036854775807)"), 0), "too large"},
      {NpyBytes(with_shape("(1000000000000,)"), 8), "takes 4000000000000 bytes, 8 follow"},
      {NpyBytes(with_shape(dims(65)), 4), "more than 64 dimensions"},
      {NpyBytes(kGood, 7), "takes 8 bytes, 7 follow"},
      {NpyBytes(kGood, 9), "takes 8 bytes, 9 follow"},
      {NpyBytes(kGood.substr(0, kGood.size() - 1), 8), "does not end with"},
      {NpyBytes(absl::StrCat(kGood, "x"), 8), "does not end with"},
      {NpyBytes(std::string(9'000, '{'), 8), "expected"},
      {NpyBytes(absl::StrReplaceAll(kGood, {{"<f4", "|b1"}, {"(2,)", "(2,)"}}), 1) + "\2",
       "element 1 of its booleans is the byte 2"},
  };
  for (const auto& [file, why] : cases) {
    const absl::Status status = ParseNpy(file).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << file.substr(0, 100);
    EXPECT_NE(status.message().find(why), std::string::npos)
        << status << "\nexpected: " << why << "\n"
        << file.substr(0, 100);
    EXPECT_LT(status.message().size(), 600u) << status;
  }
  EXPECT_TRUE(ParseNpy(NpyBytes(with_shape(dims(64)), 4)).ok());
}

TEST(NpyTest, EveryTruncationIsRefused) {
  for (const std::string_view name : {"f4", "fortran_3d", "version_2"}) {
    const absl::StatusOr<NpyFile> file = ReadNpy(NpyGolden(name));
    ASSERT_TRUE(file.ok());
    for (size_t length = 0; length < file->bytes->size(); ++length) {
      EXPECT_FALSE(ParseNpy(std::string_view(*file->bytes).substr(0, length)).ok()) << length;
    }
  }
}

TEST(NpyTest, EveryChangedByteIsRefusedOrStaysWithinTheFile) {
  const absl::StatusOr<NpyFile> golden = ReadNpy(NpyGolden("fortran"));
  ASSERT_TRUE(golden.ok());
  const size_t header = golden->bytes->size() - 24;
  for (size_t position = 0; position < header; ++position) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = *golden->bytes;
      changed[position] = static_cast<char>(value);
      const absl::StatusOr<NpyArray> array = ParseNpy(changed);
      if (!array.ok()) continue;
      EXPECT_EQ(array->Data().size(), 24u);
      int64_t bytes = ItemBytes(array->dtype);
      for (const int64_t size : array->shape) bytes *= size;
      EXPECT_EQ(bytes, 24);
    }
  }
}

TEST(NpyTest, AMissingFileIsNotFound) {
  EXPECT_EQ(ReadNpy("nowhere/input_0.npy").status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace assay::tensor_files
