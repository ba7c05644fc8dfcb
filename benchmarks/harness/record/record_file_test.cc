#include "benchmarks/harness/record/record_file.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/harness/record/strict_json.h"
#include "defs/proto/record.pb.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace assay::record {
namespace {

std::string TemporaryFile(const std::string& name) {
  const std::string path = testing::TempDir() + "/" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + "_" +
                           name;
  std::filesystem::remove_all(path);
  return path;
}

std::string Read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

void Write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

Record Numbered(int64_t repetition, size_t padding = 0) {
  Record record;
  record.set_schema_version(2);
  record.set_outcome(PASS);
  record.set_repetition(repetition);
  record.set_error(std::string(padding, 'x'));
  return record;
}

TEST(Append, AddsOneLineEachAndReadAllGivesThemBack) {
  const std::string path = TemporaryFile("records.jsonl");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Append(path, Numbered(i)).ok());
  const auto file = ReadAll(path);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->records.size(), 3);
  EXPECT_TRUE(file->problems.empty());
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(file->records[i], Numbered(i)));
  }
  const std::string text = Read(path);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST(Append, RefusesNonFiniteNumbersBeforeTouchingTheFile) {
  const std::string path = TemporaryFile("records.jsonl");
  Record record = Numbered(0);
  record.set_duration_s(std::nan(""));
  const absl::Status status = Append(path, record);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("duration_s"), std::string::npos);
  EXPECT_NE(status.message().find(path), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Append, StartsANewLineAfterATornOne) {
  const std::string path = TemporaryFile("records.jsonl");
  Write(path, "{\"outcome\":\"PA");
  ASSERT_TRUE(Append(path, Numbered(7)).ok());
  const auto file = ReadAll(path);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(file->records.size(), 1);
  EXPECT_EQ(file->records[0].repetition(), 7);
  ASSERT_EQ(file->problems.size(), 1);
  EXPECT_EQ(file->problems[0].line, 1);
  EXPECT_EQ(file->problems[0].kind, LineProblem::Kind::kMalformed);
}

TEST(Append, KeepsARecordWholeWhoseNewlineWasLost) {
  const std::string path = TemporaryFile("records.jsonl");
  ASSERT_TRUE(Append(path, Numbered(1)).ok());
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  ASSERT_TRUE(Append(path, Numbered(2)).ok());
  const auto file = ReadAll(path);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->records.size(), 2);
  EXPECT_TRUE(file->problems.empty());
}

TEST(Append, NamesTheFileAndTheMend) {
  const std::string missing = TemporaryFile("no/such/folder") + "/records.jsonl";
  absl::Status status = Append(missing, Numbered(0));
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_NE(status.message().find(missing), std::string::npos) << status;
  EXPECT_NE(status.message().find("make the folder first"), std::string::npos) << status;

  status = Append(testing::TempDir(), Numbered(0));
  EXPECT_NE(status.message().find("name a file, not a folder"), std::string::npos) << status;
}

TEST(Append, ReportsAFullDisk) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const absl::Status status = Append("/dev/full", Numbered(0));
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_NE(status.message().find("free some space"), std::string::npos) << status;
}

// A limit on the file's size makes write take a part of the line, as a disk that fills up does.
TEST(Append, CutsAPartlyWrittenRecordOffAgain) {
  const std::string path = TemporaryFile("records.jsonl");
  ASSERT_TRUE(Append(path, Numbered(1)).ok());
  const std::string before = Read(path);

  signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  rlimit limit = old_limit;
  limit.rlim_cur = before.size() + 100;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  const absl::Status status = Append(path, Numbered(2, /*padding=*/1000));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old_limit), 0);

  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find("the file is as it was"), std::string::npos) << status;
  EXPECT_EQ(Read(path), before);
  EXPECT_TRUE(Append(path, Numbered(3)).ok());
  EXPECT_EQ(ReadAll(path)->records.size(), 2);
}

TEST(CheckAppendable, SaysBeforehandWhatAppendWouldSay) {
  const std::string path = TemporaryFile("records.jsonl");
  EXPECT_TRUE(CheckAppendable(path).ok());
  EXPECT_EQ(Read(path), "");
  const std::string lost = TemporaryFile("no_folder") + "/records.jsonl";
  EXPECT_EQ(CheckAppendable(lost).message(), Append(lost, Numbered(1)).message());
}

TEST(Append, FromManyProcessesMixesNoLines) {
  const std::string path = TemporaryFile("records.jsonl");
  constexpr int kProcesses = 4, kEach = 25;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      bool good = true;
      for (int i = 0; i < kEach; ++i) {
        good = good && Append(path, Numbered(1 + p * kEach + i, /*padding=*/20'000)).ok();
      }
      _exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int state = 0;
    ASSERT_EQ(waitpid(child, &state, 0), child);
    EXPECT_EQ(state, 0);
  }
  const auto file = ReadAll(path);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE(file->problems.empty());
  std::set<int64_t> seen;
  for (const Record& record : file->records) seen.insert(record.repetition());
  EXPECT_EQ(seen.size(), kProcesses * kEach);
}

TEST(ReadAll, ReportsEachBadLineWithItsNumberAndReadsTheRest) {
  const std::string path = TemporaryFile("records.jsonl");
  Write(path,
        "{\"schema_version\":2,\"outcome\":\"PASS\"}\n"
        "\n"
        "{\"outcome\":\"SPLENDID\"}\n"
        "{\"schema_version\":99}\n"
        "{\"schema_version\":2,\"outcome\":\"CRASH\"}\r\n"
        "{\"outcome\":\"PA");
  const auto file = ReadAll(path);
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(file->records.size(), 2);
  EXPECT_EQ(file->records[1].outcome(), CRASH);
  ASSERT_EQ(file->problems.size(), 3);
  EXPECT_EQ(file->problems[0].line, 3);
  EXPECT_EQ(file->problems[0].kind, LineProblem::Kind::kMalformed);
  EXPECT_EQ(file->problems[1].line, 4);
  EXPECT_EQ(file->problems[1].kind, LineProblem::Kind::kOtherSchema);
  EXPECT_EQ(file->problems[2].line, 6);
  EXPECT_EQ(file->problems[2].kind, LineProblem::Kind::kTornLastLine);
  EXPECT_NE(file->problems[2].message.find("records.jsonl:6:"), std::string::npos);
}

TEST(ReadAll, TheEndOfASuitesRunIsNoRecord) {
  const std::string path = TemporaryFile("records.jsonl");
  Record footer;
  footer.set_schema_version(2);
  footer.mutable_suite_run()->set_id("one");
  ASSERT_TRUE(Append(path, Numbered(0)).ok());
  ASSERT_TRUE(Append(path, footer).ok());
  const auto file = ReadAll(path);
  ASSERT_TRUE(file.ok() && file->problems.empty());
  EXPECT_EQ(file->records.size(), 1);
}

TEST(ReadAll, OfAnEmptyFileIsEmptyAndOfNoneIsNotFound) {
  const std::string path = TemporaryFile("records.jsonl");
  EXPECT_EQ(ReadAll(path).status().code(), absl::StatusCode::kNotFound);
  Write(path, "");
  ASSERT_TRUE(ReadAll(path).ok());
  EXPECT_TRUE(ReadAll(path)->records.empty());
}

TEST(ReadAll, OfAFolderFails) { EXPECT_FALSE(ReadAll(testing::TempDir()).ok()); }

// A record that the runner writes on a GPU (harness/simulated_gpu).
TEST(ReadAll, GivesWhatARunOnAGpuSays) {
  const auto file = ReadAll("benchmarks/harness/record/testdata/simulated_gpu.jsonl");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(file->problems.empty());
  ASSERT_EQ(file->records.size(), 7);
  std::set<std::string> cards, modes;
  for (const Record& record : file->records) {
    EXPECT_EQ(record.device(), CUDA);
    EXPECT_EQ(record.outcome(), PASS);
    cards.insert(record.environment().gpu_name());
    EXPECT_EQ(record.environment().gpu_driver(), "simulated");
    EXPECT_EQ(record.environment().compute_capability(), "9.0");
    EXPECT_GT(record.environment().gpu_memory_bytes(), int64_t{70} << 30);
    EXPECT_GT(record.environment().gpu_l2_bytes(), int64_t{40} << 20);
    for (const Measurement& m : record.measurements()) {
      modes.insert(m.mode());
      EXPECT_EQ(m.clock_mhz_size(), m.samples_ns_size());
      EXPECT_GT(m.peak_device_bytes(), 0);
      EXPECT_GT(m.operators_per_call(), 0);
      EXPECT_GT(m.enqueue_ns(), 0) << m.mode();
    }
    const absl::StatusOr<std::string> line = ToJsonLine(record);
    ASSERT_TRUE(line.ok());
    const absl::StatusOr<Record> again = FromJsonLine(*line);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(*again, record));
  }
  EXPECT_EQ(cards, (std::set<std::string>{"Simulated H100 80GB HBM3", "Simulated H200"}));
  EXPECT_EQ(modes,
            (std::set<std::string>{"wall", "throughput", "cold", "hot", "graph", "enqueue"}));
}

}  // namespace
}  // namespace assay::record
