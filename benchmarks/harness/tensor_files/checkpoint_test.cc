#include "benchmarks/harness/tensor_files/checkpoint.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gtest/gtest.h"

namespace assay::tensor_files {
namespace {

// A file of one-byte tensors.
std::string File(const std::vector<std::string>& names) {
  std::vector<SafetensorsTensor> tensors;
  for (const std::string& name : names) tensors.push_back({name, SafetensorsDtype::kU8, {1}, "x"});
  return *SerializeSafetensors(tensors, {});
}

void Write(const std::string& path, std::string_view content) {
  ASSERT_TRUE(WriteFileAtomically(path, content).ok());
}

// A folder with {a, b} in one shard and {c} in another, and what the index says.
std::string Sharded(std::string_view index) {
  const std::string folder = TestFolder();
  Write(folder + "/one.safetensors", File({"a", "b"}));
  Write(folder + "/two.safetensors", File({"c"}));
  Write(folder + "/model.safetensors.index.json", index);
  return folder;
}

constexpr std::string_view kGoodIndex =
    R"({"metadata": {"total_size": 3, "more": [{"x": [1, 2.5, null, true, "s"]}]},
        "weight_map": {"a": "one.safetensors", "b": "one.safetensors", "c": "two.safetensors"}})";

TEST(CheckpointTest, OneFileIsACheckpoint) {
  const std::string path = TestFolder() + "/resnet18.safetensors";
  Write(path, File({"b", "a"}));
  const absl::StatusOr<Checkpoint> checkpoint = Checkpoint::Open(path);
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
  EXPECT_EQ(checkpoint->name(), "resnet18.safetensors");
  ASSERT_EQ(checkpoint->tensors().size(), 2u);
  const auto& [name, place] = *checkpoint->tensors().begin();
  EXPECT_EQ(name, "a");
  EXPECT_EQ(place.shard->index.Data(place.shard->file->bytes(), *place.entry), "x");
  EXPECT_EQ(checkpoint->Sha256(), base::Sha256Hex(*ReadFile(path, 1 << 20)));
}

TEST(CheckpointTest, AnIndexJoinsItsShardsAndAFolderNamesItsIndex) {
  const std::string folder = Sharded(kGoodIndex);
  for (const std::string& path : {folder, folder + "/model.safetensors.index.json"}) {
    const absl::StatusOr<Checkpoint> checkpoint = Checkpoint::Open(path);
    ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
    EXPECT_EQ(checkpoint->tensors().size(), 3u);
    EXPECT_EQ(checkpoint->tensors().at("c").shard->file->path(), folder + "/two.safetensors");
    EXPECT_EQ(checkpoint->bytes(),
              static_cast<int64_t>(File({"a", "b"}).size() + File({"c"}).size()));
  }
}

TEST(CheckpointTest, TheDigestOfShardsIsThatOfSha256sumsOutput) {
  const absl::StatusOr<Checkpoint> checkpoint = Checkpoint::Open(Sharded(kGoodIndex));
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
  EXPECT_EQ(checkpoint->Sha256(),
            base::Sha256Hex(absl::StrCat(base::Sha256Hex(File({"a", "b"})), "  one.safetensors\n",
                                         base::Sha256Hex(File({"c"})), "  two.safetensors\n")));
}

TEST(CheckpointTest, AFolderWithOneFileOrOneOfThatNameNeedsNoIndex) {
  const std::string folder = TestFolder();
  Write(folder + "/weights.safetensors", File({"a"}));
  EXPECT_EQ(Checkpoint::Open(folder)->name(), "weights.safetensors");
  Write(folder + "/model.safetensors", File({"a"}));
  EXPECT_EQ(Checkpoint::Open(folder)->name(), "model.safetensors");
}

TEST(CheckpointTest, AFolderWithNoneOrSeveralIsRefused) {
  const std::string folder = TestFolder();
  absl::Status status = Checkpoint::Open(folder).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  Write(folder + "/x.safetensors", File({"a"}));
  Write(folder + "/y.safetensors", File({"a"}));
  status = Checkpoint::Open(folder).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_NE(status.message().find("x.safetensors, y.safetensors"), std::string::npos) << status;
}

TEST(CheckpointTest, WhatDoesNotFitTogetherIsRefusedByName) {
  const struct {
    std::string_view index;
    absl::StatusCode code;
    std::string_view message;
  } cases[] = {
      {R"({"weight_map": {"a": "one.safetensors", "b": "one.safetensors", "c": "none.safetensors"}})",
       absl::StatusCode::kNotFound, "shard \"none.safetensors\" is missing"},
      {R"({"weight_map": {"a": "one.safetensors", "b": "one.safetensors", "c": "one.safetensors"}})",
       absl::StatusCode::kDataLoss, "tensor \"c\" is not in \"one.safetensors\""},
      {R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors", "c": "two.safetensors"}})",
       absl::StatusCode::kDataLoss, "tensor \"b\" is not in \"two.safetensors\""},
      {R"({"weight_map": {"a": "one.safetensors", "c": "two.safetensors"}})",
       absl::StatusCode::kDataLoss, "tensor \"b\" is not in the index"},
  };
  for (const auto& row : cases) {
    const absl::Status status = Checkpoint::Open(Sharded(row.index)).status();
    EXPECT_EQ(status.code(), row.code) << status;
    EXPECT_NE(status.message().find(row.message), std::string::npos) << status;
  }
}

TEST(CheckpointTest, ATensorInTwoShardsIsRefused) {
  const std::string folder = Sharded(kGoodIndex);
  Write(folder + "/two.safetensors", File({"b", "c"}));
  const absl::Status status = Checkpoint::Open(folder).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_NE(status.message().find("tensor \"b\" is also in"), std::string::npos) << status;
}

TEST(CheckpointTest, AShardThatIsNoSafetensorsFileIsNamed) {
  const std::string folder = Sharded(kGoodIndex);
  Write(folder + "/two.safetensors", "<html>");
  const absl::Status status = Checkpoint::Open(folder).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_NE(status.message().find("two.safetensors: not a valid"), std::string::npos) << status;
}

TEST(CheckpointTest, AHalfDownloadedFileIsCalledThat) {
  const std::string path = TestFolder() + "/model.safetensors";
  const std::string whole = File({"a", "b", "c"});
  Write(path, std::string_view(whole).substr(0, whole.size() - 1));
  const absl::Status status = Checkpoint::Open(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_NE(status.message().find("take 3 bytes, the file has 2; it is cut short"),
            std::string::npos)
      << status;
  Write(path, whole + "x");
  EXPECT_EQ(Checkpoint::Open(path).status().message().find("cut short"), std::string::npos);
}

// //tools/artifacts/checkpoints tests that the command does what it says.
TEST(CheckpointTest, APickleIsRefusedWithTheCommandThatConvertsIt) {
  const std::string folder = TestFolder() + "/it's";
  std::filesystem::create_directory(folder);
  for (const std::string_view bytes : {"PK\x03\x04", "\x80\x02", "\x80\x04"}) {
    Write(folder + "/pytorch_model.bin", absl::StrCat(bytes, std::string(100, '\0')));
    for (const std::string& path : {folder + "/pytorch_model.bin", folder}) {
      const absl::Status status = Checkpoint::Open(path).status();
      EXPECT_FALSE(status.ok());
      EXPECT_NE(status.message().find("\n  python3 -c '"), std::string::npos) << status;
      EXPECT_NE(status.message().find("it'\\''s/pytorch_model.bin' '"), std::string::npos)
          << status;
      EXPECT_NE(status.message().find("it'\\''s/pytorch_model.safetensors'"), std::string::npos)
          << status;
    }
  }
}

TEST(CheckpointTest, AShardMustBeAPlainFileNameBesideItsIndex) {
  for (const std::string_view name : {"../one.safetensors", "/etc/passwd", "a/b", "..", ".", "",
                                      "a\\\\b", "a\\u0000b", "a\\nb"}) {
    const absl::Status status =
        ParseCheckpointIndex(absl::StrCat(R"({"weight_map": {"a": ")", name, "\"}}")).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << name;
    EXPECT_NE(status.message().find("plain name"), std::string::npos) << name << status;
  }
}

TEST(CheckpointTest, MalformedIndexesAreRefused) {
  for (const std::string& json : {
           std::string(""),
           std::string("null"),
           std::string("[]"),
           std::string("{"),
           std::string("{}"),
           std::string(R"({"weight_map": {}})"),
           std::string(R"({"weight_map": null})"),
           std::string(R"({"weight_map": "x"})"),
           std::string(R"({"weight_map": ["x"]})"),
           std::string(R"({"weight_map": {"a": 1}})"),
           std::string(R"({"weight_map": {"a": ["x"]}})"),
           std::string(R"({"weight_map": {"a": {"b": "x"}}})"),
           std::string(R"({"weight_map": {"a": "x", "a": "y"}})"),
           std::string(R"({"weight_map": {"a": "x", "\u0061": "x"}})"),
           std::string(R"({"weight_map": {"a": "x"}, "weight_map": {"b": "x"}})"),
           std::string(R"({"metadata": {}, "metadata": {}, "weight_map": {"a": "x"}})"),
           std::string(R"({"weight_map": {"a": "x"}, "shards": {}})"),
           std::string(R"({"metadata": {}, "x": "y"})"),
           std::string("{\"weight_map\": {\"a\": \"x\"}}\0{}", 29),
           std::string("{\"weight_map\": {\"\xff\": \"x\"}}"),
           absl::StrCat(R"({"metadata": )", std::string(1'000'000, '[')),
       }) {
    const absl::Status status = ParseCheckpointIndex(json).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << json.substr(0, 100);
  }
}

TEST(CheckpointTest, MetadataMayBeAnythingButTheMapMayNot) {
  const auto files = ParseCheckpointIndex(kGoodIndex);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_EQ(files->at("c"), "two.safetensors");
  EXPECT_FALSE(ParseCheckpointIndex(R"({"metadata": 1, "weight_map": {"a": "x"}})").ok())
      << "metadata is an object";
}

}  // namespace
}  // namespace assay::tensor_files
