// -----------------------------------------------------------------------------
// File: fake_root.h
// -----------------------------------------------------------------------------
//
// For tests: a root folder with the files of Linux that a test writes into it.
//
//   FakeRoot root;
//   root.Write("proc/loadavg", "1.90 0.75 0.50 2/345 6789\n");
//   Environment environment;
//   AddMachine(root.path(), environment);

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_FAKE_ROOT_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_FAKE_ROOT_H_

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace assay::environment {

// One for each test; empty at first.
class FakeRoot {
 public:
  FakeRoot()
      : path_(testing::TempDir() + "/root_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  void Write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = std::filesystem::path(path_) / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_FAKE_ROOT_H_
