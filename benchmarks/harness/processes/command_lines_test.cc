#include "benchmarks/harness/processes/command_lines.h"

#include <fstream>

#include "gtest/gtest.h"

namespace assay::processes {
namespace {

absl::StatusOr<CommandLines> Read(const std::string& text) {
  const std::string path = testing::TempDir() + "/lines";
  std::ofstream(path, std::ios::binary) << text;
  return ReadCommandLines(path);
}

TEST(CommandLines, ComeBackWhateverIsInTheirWords) {
  const CommandLines lines = {{"--a=b c", "new\nline", "'\""}, {}, {"--d"}};
  const absl::StatusOr<CommandLines> read = Read(CommandLinesText(lines));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, lines);
  EXPECT_TRUE(Read("")->empty());
}

TEST(CommandLines, ThatAreCutOffAreRefused) {
  const std::string text = CommandLinesText({{"--a", "--b"}, {"--c"}});
  for (size_t size = 1; size < text.size(); ++size) {
    const bool whole_lines = size == std::string("--a").size() + std::string("--b").size() + 3;
    EXPECT_EQ(Read(text.substr(0, size)).ok(), whole_lines) << size;
  }
  EXPECT_EQ(ReadCommandLines("/no/such/file").status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace assay::processes
