#include "tools/run_model/file_kind.h"

#include <caffe2/serialize/inline_container.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::run_model {
namespace {

using ::testing::HasSubstr;

// Names are those of nothing, so that only what is inside counts.
std::string Archive(const std::vector<std::string>& members) {
  std::string path = absl::StrCat(tensor_files::TestFolder(), "/model.onnx");
  caffe2::serialize::PyTorchStreamWriter archive(path);
  for (const std::string& member : members) archive.writeRecord(member, "x", 1);
  archive.writeEndOfFile();
  return path;
}

std::string WithBytes(const std::string& bytes) {
  std::string path = absl::StrCat(tensor_files::TestFolder(), "/model.pt");
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

// ir_version 10, a graph of two bytes, an opset of two bytes.
const std::string kOnnx("\x08\x0a\x3a\x02\x0a\x00\x42\x02\x10\x14", 10);

std::string BackendOf(const std::string& path, std::string_view wanted = "") {
  const absl::StatusOr<FileKind> kind = KindOf(path, wanted);
  return std::string(kind.ok() ? kind->backend : kind.status().message());
}

TEST(KindOf, LooksAtWhatTheFileHolds) {
  EXPECT_EQ(BackendOf(Archive({"data.pkl", "code/__torch__.py"})), "torchscript");
  EXPECT_EQ(BackendOf(Archive({"models/model.json"})), "exported");
  EXPECT_EQ(BackendOf(Archive({"data/aotinductor/model/a.so"})), "aoti");
  EXPECT_EQ(BackendOf(WithBytes(kOnnx)), "onnxruntime");
  EXPECT_EQ(BackendOf(WithBytes(kOnnx), "openvino"), "openvino");
}

TEST(KindOf, OnlyMachineCodeIsNative) {
  EXPECT_TRUE(KindOf(Archive({"data/aotinductor/model/a.so"}), "")->native);
  EXPECT_FALSE(KindOf(Archive({"models/model.json"}), "")->native);
}

TEST(KindOf, OfTwoKindsTakesTheOneThatIsWanted) {
  const std::string both = Archive({"models/model.json", "data/aotinductor/model/a.so"});
  EXPECT_EQ(BackendOf(both), "aoti");
  EXPECT_EQ(BackendOf(both, "exported"), "exported");
  EXPECT_THAT(BackendOf(both, "torchscript"),
              HasSubstr("a package of AOTInductor, which --backend=aoti runs"));
}

TEST(KindOf, SaysWhatElseAFileIs) {
  EXPECT_THAT(BackendOf(Archive({"data.pkl"})), HasSubstr("torch.save() wrote it: a pickle"));
  EXPECT_THAT(BackendOf(Archive({"a"})), HasSubstr("no model of PyTorch's"));
  EXPECT_THAT(BackendOf(Archive({"code/../../x"})), HasSubstr("lies outside of the archive"));
  EXPECT_THAT(BackendOf(WithBytes("")), HasSubstr("it is empty (0 bytes)"));
  EXPECT_THAT(BackendOf(WithBytes("version https://git-lfs.github.com/spec/v1\noid sha256:4d\n")),
              HasSubstr("git lfs pull fetches"));
  EXPECT_THAT(BackendOf(WithBytes("<!DOCTYPE html>")), HasSubstr("a page of HTML"));
  EXPECT_THAT(BackendOf(WithBytes("\x80\x02\x8a\nl")),
              HasSubstr("torch.save() wrote it: a pickle"));
  EXPECT_THAT(BackendOf(WithBytes(std::string("\x08\0\0\0\0\0\0\0{      }", 16))),
              HasSubstr("safetensors: tensors without a model"));
  EXPECT_THAT(BackendOf(WithBytes("PK\x03\x04")), HasSubstr("damaged, cut off or not PyTorch's"));
  EXPECT_THAT(BackendOf(WithBytes("weights")), HasSubstr("none of: TorchScript"));
  EXPECT_TRUE(absl::IsNotFound(KindOf("/none", "").status()));
}

TEST(KindOf, OnnxIsWholeFieldsFromEndToEnd) {
  for (size_t kept = 1; kept < kOnnx.size(); ++kept)
    EXPECT_THAT(BackendOf(WithBytes(kOnnx.substr(0, kept))), HasSubstr("or it is cut off")) << kept;
  EXPECT_THAT(BackendOf(WithBytes(kOnnx + "\x03")), HasSubstr("none of"));
  // A length beyond any file.
  EXPECT_THAT(BackendOf(WithBytes("\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")),
              HasSubstr("none of"));
}

}  // namespace
}  // namespace assay::run_model
