#include "benchmarks/harness/trace/observer.h"

#include <ATen/Functions.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"

namespace assay::trace {
namespace {

TEST(ObserverTest, WritesTheOperatorsThatAreCalledMeanwhile) {
  const std::string path = testing::TempDir() + "/observed.json";
  at::sin(at::ones({2}));
  auto observer = Observer::Start(path);
  ASSERT_TRUE(observer.ok()) << observer.status();
  at::cos(at::ones({2}));
  EXPECT_EQ(Observer::Start(path).status().code(), absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE((*observer)->Finish().ok());
  at::tan(at::ones({2}));
  const auto text = tensor_files::ReadFile(path, 1 << 20);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, testing::HasSubstr("aten::cos"));
  EXPECT_THAT(*text, testing::Not(testing::HasSubstr("aten::sin")));
  EXPECT_THAT(*text, testing::Not(testing::HasSubstr("aten::tan")));
}

TEST(ObserverTest, LeavesNoFileWhereItIsNotFinished) {
  const std::string folder = testing::TempDir() + "/unfinished";
  std::filesystem::create_directory(folder);
  {
    auto observer = Observer::Start(folder + "/a.json");
    ASSERT_TRUE(observer.ok()) << observer.status();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(ObserverTest, SaysThatItsFileCannotBeOpenedAndCanBeStartedAgain) {
  const auto refused = Observer::Start(testing::TempDir() + "/no/such/folder/a.json");
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(refused.status().message(), testing::HasSubstr("/no/such/folder/a.json"));
  auto observer = Observer::Start(testing::TempDir() + "/again.json");
  ASSERT_TRUE(observer.ok()) << observer.status();
  at::cos(at::ones({2}));
  ASSERT_TRUE((*observer)->Finish().ok());
  EXPECT_GT(std::filesystem::file_size(testing::TempDir() + "/again.json"), 0u);
}

}  // namespace
}  // namespace assay::trace
