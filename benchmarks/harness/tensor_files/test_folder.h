#ifndef ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_TEST_FOLDER_H_
#define ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_TEST_FOLDER_H_

// ---------------------------------------------------------------------------------------------
// test_folder.h: an empty folder for the running test.
//
// Example:
//   const std::string path = absl::StrCat(TestFolder(), "/model.safetensors");
// ---------------------------------------------------------------------------------------------

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::tensor_files {

// Named after the test; made empty at every call.
inline std::string TestFolder() {
  std::string folder = absl::StrCat(testing::TempDir(), "/",
                                    testing::UnitTest::GetInstance()->current_test_info()->name());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace assay::tensor_files

#endif  // ASSAY_BENCHMARKS_HARNESS_TENSOR_FILES_TEST_FOLDER_H_
