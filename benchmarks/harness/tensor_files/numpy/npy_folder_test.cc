#include "benchmarks/harness/tensor_files/numpy/npy_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::tensor_files {
namespace {

// A folder of one-byte arrays with these names; each holds its position in the list.
std::string Folder(const std::vector<std::string>& names) {
  std::string path = absl::StrCat(std::getenv("TEST_TMPDIR"), "/folder_XXXXXX");
  EXPECT_NE(mkdtemp(path.data()), nullptr);
  const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (), }\n";
  for (size_t i = 0; i < names.size(); ++i) {
    std::ofstream file(absl::StrCat(path, "/", names[i]), std::ios::binary);
    file << std::string_view("\x93NUMPY\1\0", 8) << static_cast<char>(header.size()) << '\0'
         << header << static_cast<char>(i);
  }
  return path;
}

TEST(NpyFolderTest, OrderIsThatOfTheNumbers) {
  std::vector<std::string> names;
  for (const int number : {10, 2, 0, 1, 11, 3, 4, 5, 6, 7, 8, 9}) {
    names.push_back(absl::StrCat("input_", number, ".npy"));
  }
  const absl::StatusOr<std::vector<NpyFile>> files = ReadNpyFolder(Folder(names), "input");
  ASSERT_TRUE(files.ok()) << files.status();
  ASSERT_EQ(files->size(), 12u);
  for (int number = 0; number < 12; ++number) {
    const NpyFile& file = (*files)[number];
    const std::string name = absl::StrCat("input_", number);
    EXPECT_EQ(file.name, name);
    EXPECT_EQ(names[file.array.Data()[0]], name + ".npy");
  }
}

TEST(NpyFolderTest, WhatDoesNotBelongThereIsNamed) {
  const struct {
    std::vector<std::string> names;
    std::string_view why;
  } cases[] = {
      {{"input_0.npy", "input_2.npy"}, "has input_2.npy but no input_1.npy"},
      {{"input_1.npy"}, "has input_1.npy but no input_0.npy"},
      {{"input_0.npy", "output_0.npy"}, "holds \"output_0.npy\""},
      {{"input_0.npy", "input_01.npy"}, "holds \"input_01.npy\""},
      {{"input_0.npy", "input_0.npy.part"}, "holds \"input_0.npy.part\""},
      {{"input_0.npy", "input_-1.npy"}, "holds \"input_-1.npy\""},
      {{"input_0.npy", "input_ 1.npy"}, "holds \"input_ 1.npy\""},
      {{"input_0.npy", "input_+1.npy"}, "holds \"input_+1.npy\""},
      {{"input_0.npy", "input_99999999999.npy"}, "holds \"input_99999999999.npy\""},
      {{"input_0.npy", "new\nline"}, "holds \"new\\nline\""},
  };
  for (const auto& [names, why] : cases) {
    const absl::Status status = ReadNpyFolder(Folder(names), "input").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_NE(status.message().find(why), std::string::npos) << status << "\nexpected: " << why;
  }
}

TEST(NpyFolderTest, NoFolderAndAnEmptyOneAreNotFound) {
  EXPECT_EQ(ReadNpyFolder("nowhere", "input").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadNpyFolder(Folder({}), "input").status().code(), absl::StatusCode::kNotFound);
}

TEST(NpyFolderTest, ADamagedFileIsNamed) {
  const std::string folder = Folder({"input_0.npy", "input_1.npy"});
  std::filesystem::resize_file(folder + "/input_1.npy", 20);
  const absl::Status status = ReadNpyFolder(folder, "input").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_NE(status.message().find("input_1.npy"), std::string::npos) << status;
}

}  // namespace
}  // namespace assay::tensor_files
