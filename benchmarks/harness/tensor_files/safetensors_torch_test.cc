#include "benchmarks/harness/tensor_files/safetensors_torch.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "ATen/core/Tensor.h"
#include "ATen/ops/_neg_view.h"
#include "ATen/ops/arange.h"
#include "ATen/ops/equal.h"
#include "ATen/ops/ones.h"
#include "ATen/ops/scalar_tensor.h"
#include "ATen/ops/tensor.h"
#include "ATen/ops/zeros.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "gtest/gtest.h"

namespace assay::tensor_files {
namespace {

std::string Path() {
  return absl::StrCat(testing::TempDir(), "/",
                      testing::UnitTest::GetInstance()->current_test_info()->name(),
                      ".safetensors");
}

TEST(SafetensorsTorchTest, EveryDtypeSurvivesTheRoundTripBitForBit) {
  std::vector<StoredTensor> tensors;
  for (const at::ScalarType type :
       {at::kBool, at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kBFloat16,
        at::kFloat, at::kDouble, at::kUInt16, at::kUInt32, at::kUInt64, at::kFloat8_e5m2,
        at::kFloat8_e4m3fn, at::kComplexFloat}) {
    tensors.push_back({c10::toString(type), at::arange(6).view({2, 3}).to(type)});
  }
  ASSERT_TRUE(WriteTensors(Path(), tensors, {}).ok());
  const absl::StatusOr<std::vector<StoredTensor>> read = ReadTensors(Path());
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), tensors.size());
  for (const StoredTensor& stored : *read) {
    const at::Tensor want = at::arange(6).view({2, 3}).to(
        stored.name == "Bool" ? at::kBool : stored.tensor.scalar_type());
    EXPECT_EQ(stored.name, c10::toString(stored.tensor.scalar_type()));
    EXPECT_EQ(stored.tensor.sizes(), want.sizes());
    EXPECT_EQ(0, std::memcmp(stored.tensor.const_data_ptr(), want.const_data_ptr(), want.nbytes()))
        << stored.name;
  }
}

// Made by safetensors 0.8.0 and NumPy; the same file as in safetensors_test.
TEST(SafetensorsTorchTest, ReadsAFileOfTheFormatsOwnLibrary) {
  ASSERT_TRUE(WriteFileAtomically(
                  Path(), absl::HexStringToBytes("d8000000000000007b225f5f6d657461646174615f5f223a7"
                                                 "b22666f726d6174223a2278205c22c3a95c22205c5c20"
                                                 "5c6e227d2c2261223a7b226474797065223a22463634222c2"
                                                 "27368617065223a5b5d2c22646174615f6f6666736574"
                                                 "73223a5b302c385d7d2c2262223a7b226474797065223a224"
                                                 "63634222c227368617065223a5b312c325d2c22646174"
                                                 "615f6f666673657473223a5b382c32345d7d2c2265223a7b2"
                                                 "26474797065223a22463634222c227368617065223a5b"
                                                 "302c325d2c22646174615f6f666673657473223a5b32342c3"
                                                 "2345d7d7d202020202020200000000000000a40000000"
                                                 "000000f83f00000000000000c0"))
                  .ok());
  const absl::StatusOr<std::vector<StoredTensor>> read = ReadTensors(Path());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(at::equal((*read)[0].tensor, at::scalar_tensor(3.25, at::kDouble)));
  EXPECT_TRUE(at::equal((*read)[1].tensor, at::tensor({1.5, -2.0}, at::kDouble).view({1, 2})));
  EXPECT_EQ((*read)[2].tensor.sizes(), (std::vector<int64_t>{0, 2}));
}

TEST(SafetensorsTorchTest, ViewsAreWrittenRowMajor) {
  const at::Tensor transposed = at::arange(6, at::kFloat).view({2, 3}).t();
  const at::Tensor negative = at::_neg_view(at::arange(3, at::kDouble));
  ASSERT_TRUE(WriteTensors(Path(), {{"t", transposed}, {"n", negative}}, {}).ok());
  const absl::StatusOr<std::vector<StoredTensor>> read = ReadTensors(Path());
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(at::equal((*read)[0].tensor, at::tensor({0.0, -1.0, -2.0}, at::kDouble)));
  EXPECT_TRUE(at::equal((*read)[1].tensor, transposed));
}

TEST(SafetensorsTorchTest, TheFilesBytesDoNotDependOnTheOrder) {
  const StoredTensor a{"a", at::ones({3})}, b{"b", at::zeros({2}, at::kHalf)};
  ASSERT_TRUE(WriteTensors(Path(), {a, b}, {{"k", "v"}}).ok());
  const std::string first = *ReadFile(Path(), 1 << 20);
  ASSERT_TRUE(WriteTensors(Path(), {b, a}, {{"k", "v"}}).ok());
  EXPECT_EQ(*ReadFile(Path(), 1 << 20), first);
}

TEST(SafetensorsTorchTest, RefusesUndefinedTensorsAndForeignTypes) {
  const absl::Status undefined = WriteTensors(Path(), {{"w", at::Tensor()}}, {});
  EXPECT_EQ(undefined.code(), absl::StatusCode::kInvalidArgument) << undefined;
  const absl::Status complex = WriteTensors(Path(), {{"w", at::ones({2}, at::kComplexDouble)}}, {});
  EXPECT_EQ(complex.code(), absl::StatusCode::kInvalidArgument) << complex;
  EXPECT_NE(complex.message().find("\"w\""), std::string::npos) << complex;
  const absl::Status twice = WriteTensors(Path(), {{"w", at::ones(1)}, {"w", at::ones(1)}}, {});
  EXPECT_EQ(SafetensorsFaultOf(twice), SafetensorsFault::kDuplicateKey) << twice;
}

TEST(SafetensorsTorchTest, ErrorsNameTheFileAndKeepTheFault) {
  ASSERT_TRUE(WriteFileAtomically(Path(), "not safetensors").ok());
  const absl::Status status = ReadTensors(Path()).status();
  EXPECT_NE(status.message().find(Path()), std::string::npos) << status;
  EXPECT_EQ(SafetensorsFaultOf(status), SafetensorsFault::kHeaderTooLong);
  EXPECT_EQ(ReadTensors(absl::StrCat(Path(), ".none")).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(SafetensorsTorchTest, ABoolIsZeroOrOne) {
  const absl::StatusOr<std::string> file =
      SerializeSafetensors({{"flag", SafetensorsDtype::kBool, {2}, "\1\2"}}, {});
  ASSERT_TRUE(WriteFileAtomically(Path(), *file).ok());
  const absl::Status status = ReadTensors(Path()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
}

TEST(SafetensorsTorchTest, ATypeThatLibTorchLacksIsRefusedByName) {
  const absl::StatusOr<std::string> file =
      SerializeSafetensors({{"w", SafetensorsDtype::kF4, {4}, "12"}}, {});
  ASSERT_TRUE(WriteFileAtomically(Path(), *file).ok());
  const absl::Status status = ReadTensors(Path()).status();
  EXPECT_NE(status.message().find("tensor \"w\": LibTorch has no type F4"), std::string::npos)
      << status;
}

TEST(SafetensorsTorchTest, TensorsViewTheFileAndKeepItMapped) {
  ASSERT_TRUE(WriteTensors(Path(), {{"w", at::arange(1000, at::kFloat)}}, {}).ok());
  at::Tensor tensor;
  {
    const auto file = MappedFile::Open(Path());
    const auto index = ParseSafetensors((*file)->bytes());
    ASSERT_TRUE(index.ok()) << index.status();
    const SafetensorsEntry& entry = index->entries[0];
    tensor = *ViewTensor(*file, *index, entry);
    EXPECT_EQ(tensor.const_data_ptr(), index->Data((*file)->bytes(), entry).data()) << "a copy";
    EXPECT_EQ(file->use_count(), 2) << "the tensor holds the mapping";
  }
  ASSERT_TRUE(std::filesystem::remove(Path()));
  EXPECT_TRUE(at::equal(tensor, at::arange(1000, at::kFloat)));
}

TEST(SafetensorsTorchTest, WritingToATensorDoesNotChangeTheFile) {
  ASSERT_TRUE(WriteTensors(Path(), {{"w", at::ones({3})}}, {}).ok());
  const std::string before = *ReadFile(Path(), 1 << 20);
  std::vector<StoredTensor> read = *ReadTensors(Path());
  read[0].tensor.zero_();
  EXPECT_TRUE(at::equal(read[0].tensor, at::zeros({3})));
  EXPECT_EQ(*ReadFile(Path(), 1 << 20), before);
  EXPECT_TRUE(at::equal((*ReadTensors(Path()))[0].tensor, at::ones({3})));
}

// The format's library aligns by sorting by size; others need not, and a header's length is free.
TEST(SafetensorsTorchTest, BytesThatAreNotAlignedAreCopied) {
  const std::string header =
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"w":{"dtype":"F64","shape":[2],"data_offsets":[1,17]}})";
  const uint64_t length = header.size();
  const double values[] = {1.5, -2.0};
  ASSERT_TRUE(WriteFileAtomically(Path(), {{reinterpret_cast<const char*>(&length), 8},
                                           header,
                                           "a",
                                           {reinterpret_cast<const char*>(values), 16}})
                  .ok());
  const absl::StatusOr<std::vector<StoredTensor>> read = ReadTensors(Path());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(reinterpret_cast<uintptr_t>((*read)[1].tensor.const_data_ptr()) % 8, 0u);
  EXPECT_TRUE(at::equal((*read)[1].tensor, at::tensor({1.5, -2.0}, at::kDouble)));
}

}  // namespace
}  // namespace assay::tensor_files
