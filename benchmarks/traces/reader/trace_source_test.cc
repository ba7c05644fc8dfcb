#include "benchmarks/traces/reader/trace_source.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::HasSubstr;

std::string FolderWith(const std::vector<std::string>& names) {
  const std::string folder = tensor_files::TestFolder();
  for (const std::string& name : names) std::ofstream(absl::StrCat(folder, "/", name)) << "{}";
  return folder;
}

std::string ProblemOf(const std::string& path, int64_t rank = -1) {
  return std::string(ChooseTrace(path, rank).status().message());
}

TEST(RankOf, IsTheNumberBehindRank) {
  EXPECT_EQ(RankOf("8gpus/rank-3.json.gz"), 3);
  EXPECT_EQ(RankOf("x2/rank12_v1.json"), 12);
  EXPECT_EQ(RankOf("RANK_0.json"), 0);
  EXPECT_EQ(RankOf("3_et.json"), 3);
  EXPECT_EQ(RankOf("model.7.et"), 7);
  EXPECT_EQ(RankOf("ranks.json"), -1);
  EXPECT_EQ(RankOf("9/et.json"), -1);
  EXPECT_EQ(RankOf("rank-99999999999999999999.json"), -1);
}

TEST(ChooseTrace, TakesTheOnlyTraceOfAFolder) {
  const std::string folder = FolderWith({"rank-0.json", "notes.txt", "rank-0.values.safetensors"});
  EXPECT_EQ(ChooseTrace(folder)->path, folder + "/rank-0.json");
}

TEST(ChooseTrace, NeedsARankWhereThereAreSeveral) {
  const std::string folder = FolderWith({"rank-0.json", "rank-1.json.gz"});
  EXPECT_EQ(ChooseTrace(folder, 1)->path, folder + "/rank-1.json.gz");
  EXPECT_THAT(ProblemOf(folder),
              HasSubstr(absl::StrCat("it holds 2 traces; choose one by --rank=N or by its name: ",
                                     folder, "/rank-0.json, ", folder, "/rank-1.json.gz")));
  EXPECT_THAT(ProblemOf(folder, 2), HasSubstr("no trace of rank 2; it has "));
  const std::string twice = FolderWith({"rank-0.json", "rank-0.et"});
  EXPECT_THAT(ProblemOf(twice, 0), HasSubstr("2 traces of rank 0; choose one by its name"));
  EXPECT_THAT(ProblemOf(FolderWith({"a.json", "b.json"})),
              HasSubstr("it holds 2 traces; choose one by its name: "));
  EXPECT_THAT(ProblemOf(FolderWith({"a.txt"})), HasSubstr("so it holds no trace"));
  EXPECT_TRUE(absl::IsNotFound(ChooseTrace("no/such/folder").status()));
}

TEST(ChooseTrace, KnowsArchivesOfGnuTar) {
  const std::string folder = FolderWith({"rank-0.json", "rank-1.json"});
  ASSERT_EQ(std::system(
                absl::StrCat("cd '", folder, "' && tar czf r.tgz rank-0.json rank-1.json").c_str()),
            0);
  const std::string archive = folder + "/r.tgz";
  EXPECT_EQ(ChooseTrace(archive, 1)->member, "rank-1.json");
  EXPECT_THAT(ProblemOf(archive), HasSubstr("it holds 2 traces"));
  const absl::StatusOr<TraceSource> named = ChooseTrace(archive + "/rank-0.json");
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_EQ(named->path, archive);
  EXPECT_EQ(named->member, "rank-0.json");
}

}  // namespace
}  // namespace assay::traces
