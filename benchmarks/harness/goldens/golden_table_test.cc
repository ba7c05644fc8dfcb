#include "benchmarks/harness/goldens/golden_table.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::goldens {
namespace {

constexpr std::string_view kHead = "# torch 1, by models/tiny/reference.py\n# model ...\n";
// By sha256sum; ci/goldens/golden_table_test.py has the same.
constexpr std::string_view kRow = "tiny 12 34 45a470bd7c2be51a f50a96188bdde06f\n";
const std::vector<std::string>& Lines() {
  static const auto* const lines = new std::vector<std::string>{
      "parameters 12",       "flops 34",
      "input x float32 2x3", "norm batch_norm eps 1e-05 momentum 0.1 x1 bn",
      "drops elements 0.5",  "state bn.weight float32 3",
  };
  return *lines;
}

std::string Table(std::string_view text) {
  std::string path = testing::TempDir() + "goldens.txt";
  std::ofstream(path) << text;
  return path;
}

absl::Status Compare(std::string_view table, const std::vector<std::string>& lines = Lines()) {
  return CompareWithGolden(Table(table), "tiny", lines, testing::TempDir());
}

TEST(GoldenTable, HoldsTheRowThatPythonMakesOfTheSameLines) {
  EXPECT_EQ(Compare(absl::StrCat(kHead, "s", kRow, kRow)), absl::OkStatus());
}

TEST(GoldenTable, SaysWhichColumnDiffers) {
  const std::vector<std::string> columns = {"parameters", "flops",    "state",
                                            "training",   "training", "state"};
  for (size_t i = 0; i < columns.size(); ++i) {
    std::vector<std::string> lines = Lines();
    lines[i] += '7';
    const std::string message(Compare(absl::StrCat(kHead, kRow), lines).message());
    for (const std::string& column : columns) {
      EXPECT_EQ(absl::StrContains(message, absl::StrCat("\n  ", column, " ")), column == columns[i])
          << message;
    }
  }
  std::vector<std::string> swapped = Lines();
  std::swap(swapped[2], swapped[5]);
  EXPECT_FALSE(Compare(absl::StrCat(kHead, kRow), swapped).ok()) << "their order counts";
}

TEST(GoldenTable, WritesLinesThatDifferForTheCommandThatItSays) {
  const std::string folder = testing::TempDir() + "bazel-out";
  std::filesystem::create_directory(folder);
  std::vector<std::string> lines = Lines();
  lines[1] = "flops 35";
  const absl::Status status =
      CompareWithGolden(Table(absl::StrCat(kHead, kRow)), "tiny", lines, folder);
  EXPECT_TRUE(absl::StrContains(status.message(), "flops       ours 35, reference 34")) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), " -- --diff=bazel-out/tiny.txt\n")) << status;
  EXPECT_TRUE(absl::StrContains(status.message(), " -- --filter='^tiny$'")) << status;
  std::ifstream file(folder + "/tiny.txt");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}),
            "parameters 12\nflops 35\ninput x float32 2x3\nnorm batch_norm eps 1e-05 momentum 0.1 "
            "x1 bn\ndrops elements 0.5\nstate bn.weight float32 3\n");
}

TEST(GoldenTable, BrokenIsSaidWithPlaceAndCommand) {
  const std::vector<std::pair<std::string, std::string>> broken = {
      {"", "goldens.txt has no line of tiny"},
      {std::string(kHead), "goldens.txt has no line of tiny"},
      {std::string(kRow), "goldens.txt:1: not a line '# ' with who says this"},
      {absl::StrCat(kHead, "tiny 12 34 45a470bd7c2be51a\n"),
       "goldens.txt:3: \"tiny 12 34 45a470bd7c2be51a\" is not a model, parameters, flops and two "
       "digests of 16 hexadecimal digits"},
      {absl::StrCat(kHead, "\n", kRow), "goldens.txt:3: \"\" is not a model"},
      {absl::StrCat(kHead, "tiny 12 34 45a470bd7c2be51 f50a96188bdde06f\n"),
       "06f\" is not a model"},
      {absl::StrCat(kHead, "tiny 12 34 45a470bd7c2be51a f50a96188bdde06g\n"),
       "06g\" is not a model"},
      {absl::StrCat(kHead, kRow.substr(0, kRow.size() - 1), "\r\n"), "06f\\r\" is not a model"},
      {absl::StrCat(kHead, kRow, kRow), "goldens.txt:4: a second line of tiny"},
  };
  for (const auto& [text, message] : broken) {
    const absl::Status status = Compare(text);
    EXPECT_TRUE(absl::StrContains(status.message(), message)) << status;
    EXPECT_TRUE(absl::EndsWith(status.message(), "model_goldens_update -- --filter='^tiny$'"))
        << status;
  }
  const absl::Status status = CompareWithGolden("no/goldens.txt", "tiny", Lines(), "/tmp");
  EXPECT_EQ(
      status.message(),
      "there is no no/goldens.txt, which should hold tiny; write the table anew: tools/bazel run "
      "//ci/goldens:model_goldens_update -- --filter='^tiny$'");
}

TEST(GoldenTable, HasNoLineOfAModelWithoutACase) {
  const std::string path = Table(absl::StrCat(kHead, "s", kRow, kRow));
  EXPECT_EQ(CheckNoOtherGolden(path, {"tiny", "stiny"}), absl::OkStatus());
  const absl::Status status = CheckNoOtherGolden(path, {"tiny"});
  EXPECT_TRUE(absl::StrContains(status.message(), "has a line of stiny, of which there is no case"))
      << status;
  EXPECT_TRUE(absl::EndsWith(status.message(), " -- --filter='^tiny$'")) << status;
  EXPECT_FALSE(CheckNoOtherGolden("no/goldens.txt", {"tiny"}).ok());
}

}  // namespace
}  // namespace assay::goldens
