#include "tools/suite/launch/processes/results_folder.h"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "benchmarks/harness/record/record_file.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

class ResultsFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ =
        testing::TempDir() + "/" + testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(path_);
  }
  std::unique_ptr<ResultsFolder> Opened() const {
    auto folder = ResultsFolder::Open(path_);
    EXPECT_TRUE(folder.ok()) << folder.status();
    return folder.ok() ? *std::move(folder) : nullptr;
  }
  static Record Of(const std::string& fingerprint, Outcome outcome) {
    Record record;
    record.set_schema_version(2);
    record.set_outcome(outcome);
    record.mutable_benchmark_case()->set_label("//a:b");
    record.mutable_launch()->set_fingerprint(fingerprint);
    record.mutable_launch()->set_elapsed_s(1.5);
    record.add_measurements()->add_samples_ns(7);
    return record;
  }
  static std::string Text(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  void Write(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(path_ + "/" + name).parent_path());
    std::ofstream(path_ + "/" + name, std::ios::binary) << text;
  }
  std::string path_;
};

TEST_F(ResultsFolderTest, FindsTheLastRecordOfAFingerprint) {
  {
    const auto folder = Opened();
    EXPECT_EQ(folder->Find("one"), nullptr);
    EXPECT_FALSE(folder->ElapsedSeconds("//a:b").has_value());
    ASSERT_TRUE(folder->Append(Of("one", CRASH)).ok());
    ASSERT_TRUE(folder->Append(Of("one", PASS)).ok());
    ASSERT_TRUE(folder->AppendProcess(Of("two", PASS)).ok());
    ASSERT_TRUE(folder->Append(SuiteRun()).ok());
  }
  const auto folder = Opened();
  EXPECT_TRUE(folder->notes().empty());
  ASSERT_NE(folder->Find("one"), nullptr);
  EXPECT_EQ(folder->Find("one")->outcome(), PASS);
  EXPECT_EQ(folder->Find("two"), nullptr);
  EXPECT_EQ(folder->Processes("two").size(), 1u);
  EXPECT_EQ(*folder->ElapsedSeconds("//a:b"), 1.5);
  // The file has every sample.
  EXPECT_EQ(record::ReadAll(folder->results())->records[1].measurements(0).samples_ns_size(), 1);
}

TEST_F(ResultsFolderTest, HasOneWriter) {
  const auto folder = Opened();
  const auto second = ResultsFolder::Open(path_);
  EXPECT_TRUE(absl::IsFailedPrecondition(second.status())) << second.status();
  EXPECT_TRUE(absl::StrContains(second.status().message(),
                                "written by process " + std::to_string(getpid())))
      << second.status();
}

TEST_F(ResultsFolderTest, IsFreeOnceItsWriterIsDead) {
  const pid_t child = fork();
  if (child == 0) {
    const auto folder = ResultsFolder::Open(path_);
    _exit(folder.ok() ? 0 : 1);  // the destructor does not run
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_NE(Opened(), nullptr);
}

TEST_F(ResultsFolderTest, MovesHalfALineAside) {
  { ASSERT_TRUE(Opened()->Append(Of("one", PASS)).ok()); }
  const std::string whole = Text(path_ + "/results.jsonl");
  const std::string half(100'000, 'x');  // longer than one read
  for (int time = 1; time <= 2; ++time) {
    std::ofstream(path_ + "/results.jsonl", std::ios::app) << half;
    const auto folder = Opened();
    const std::string aside = path_ + "/results.torn-" + std::to_string(time);
    EXPECT_EQ(Text(aside), half);
    EXPECT_EQ(Text(folder->results()), whole);
    ASSERT_EQ(folder->notes().size(), 1u);
    EXPECT_TRUE(absl::StrContains(folder->notes()[0], aside)) << folder->notes()[0];
    EXPECT_NE(folder->Find("one"), nullptr);
  }
}

TEST_F(ResultsFolderTest, MovesAsideWhatAKilledRunLeft) {
  Write("running/record-0.jsonl", "{");
  Write("processes.jsonl", "{\"outcome\"");
  const auto folder = Opened();
  EXPECT_EQ(folder->notes().size(), 2u);
  EXPECT_TRUE(fs::exists(path_ + "/running.left-1/record-0.jsonl"));
  EXPECT_TRUE(fs::exists(path_ + "/processes.torn-1"));
  EXPECT_FALSE(fs::exists(folder->NewRecordPath()));
}

TEST_F(ResultsFolderTest, PassesOverWhatItCannotRead) {
  Write("results.jsonl",
        "{\"schema_version\":99,\"outcome\":\"PASS\"}\nnot json\n"
        "{\"schema_version\":2,\"outcome\":\"PASS\"}\n");
  const auto folder = Opened();
  ASSERT_EQ(folder->notes().size(), 2u);
  EXPECT_TRUE(absl::StrContains(folder->notes()[0], "schema version 99")) << folder->notes()[0];
  EXPECT_TRUE(absl::StrContains(folder->notes()[1], "results.jsonl:2")) << folder->notes()[1];
  EXPECT_EQ(folder->Find(""), nullptr);
}

TEST_F(ResultsFolderTest, WritesThroughNoLink) {
  Write("elsewhere", "mine\n");
  fs::create_symlink("elsewhere", path_ + "/results.jsonl");
  const auto folder = ResultsFolder::Open(path_);
  EXPECT_TRUE(absl::StrContains(folder.status().message(), "results.jsonl is a link"))
      << folder.status();
  EXPECT_EQ(Text(path_ + "/elsewhere"), "mine\n");
}

TEST_F(ResultsFolderTest, NamesWhatItCannotWrite) {
  std::ofstream(path_) << "a file";
  EXPECT_TRUE(absl::StrContains(ResultsFolder::Open(path_).status().message(), path_));
  fs::remove(path_);
  fs::create_directories(path_ + "/results.jsonl");
  EXPECT_TRUE(absl::StrContains(ResultsFolder::Open(path_).status().message(), "results.jsonl"));
}

TEST_F(ResultsFolderTest, EveryNameHasALogOfItsOwn) {
  const auto folder = Opened();
  std::set<std::string> logs;
  const std::string long_name(300, 'a');
  for (const std::string& name : {std::string("mlp_fp32_b1"), std::string("mlp_fp32_b1 --batch=2"),
                                  std::string("mlp_fp32_b1_--batch=2"), std::string("../../etc/x"),
                                  std::string(".hidden"), long_name, long_name + "b"}) {
    const auto log = folder->NewLog(name);
    ASSERT_TRUE(log.ok()) << log.status();
    EXPECT_TRUE(logs.insert(*log).second) << *log;
    EXPECT_EQ(fs::path(*log).parent_path(), "logs");
    EXPECT_TRUE(fs::exists(path_ + "/" + *log));
  }
  EXPECT_EQ(logs.count("logs/mlp_fp32_b1.log"), 1u);
}

}  // namespace
}  // namespace assay::suite
