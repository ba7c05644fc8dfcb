#include "benchmarks/backends/onnx_file.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::backends {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Varint(size_t value) {
  std::string bytes;
  for (; value >= 128; value /= 128) bytes += static_cast<char>(value % 128 + 128);
  return bytes + static_cast<char>(value);
}

// A field that holds bytes.
std::string Holding(int number, const std::string& bytes) {
  return absl::StrCat(Varint(static_cast<size_t>(number) << 3 | 2), Varint(bytes.size()), bytes);
}

// A ValueInfoProto of a float32 tensor; `shape`: the field, or nothing.
std::string Input(const std::string& name, const std::string& shape) {
  const std::string tensor = absl::StrCat("\x08\x01", shape);
  return Holding(11, Holding(1, name) + Holding(2, Holding(1, tensor)));
}

TEST(OnnxInputsWithoutShape, TellsAnyRankFromNoDimensions) {
  const std::string scalar = Input("scalar", Holding(2, "")), any = Input("any", "");
  const std::string graph = Holding(7, Holding(2, "graph") + scalar + any);
  EXPECT_THAT(OnnxInputsWithoutShape("\x08\x09" + graph), ElementsAre("any"));
}

TEST(OnnxInputsWithoutShape, HasNoneInOtherBytes) {
  const std::string whole = Holding(7, Input("any", ""));
  EXPECT_THAT(OnnxInputsWithoutShape(""), IsEmpty());
  EXPECT_THAT(OnnxInputsWithoutShape("weights"), IsEmpty());
  EXPECT_THAT(OnnxInputsWithoutShape(whole.substr(0, whole.size() - 1)), IsEmpty());
  EXPECT_THAT(OnnxInputsWithoutShape(std::string(20, '\xff')), IsEmpty());
}

// A TensorProto whose values are in another file.
std::string Outside(const std::string& location) {
  return Holding(13, Holding(1, "offset") + Holding(2, "64")) +
         Holding(13, Holding(1, "location") + Holding(2, location)) + "\x70\x01";
}

TEST(FilesBesideOnnx, AreThoseOfEveryTensor) {
  const std::string folder = tensor_files::TestFolder();
  for (const char* name : {"a", "b", "c", "other"}) std::ofstream(absl::StrCat(folder, "/", name));
  // Two weights, a constant of a branch and the values of a sparse tensor.
  const std::string branch = Holding(5, Holding(6, Holding(5, Outside("a"))));
  const std::string inside = Outside("inside").substr(0, Outside("inside").size() - 2);
  const std::string graph = Holding(1, branch) + Holding(5, Outside("d")) +
                            Holding(5, Outside("c")) + Holding(5, Outside("c")) +
                            Holding(5, inside);
  const std::string path = absl::StrCat(folder, "/model.onnx");
  std::ofstream(path, std::ios::binary)
      << Holding(25, Holding(11, Holding(22, Holding(1, Outside("b"))))) << Holding(7, graph);
  std::vector<std::string> names;
  for (const std::string& file : FilesBesideOnnx(path))
    names.push_back(std::filesystem::path(file).filename());
  EXPECT_THAT(names, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(std::string(CheckFilesBesideOnnx(path).message()),
              HasSubstr("/d, which is missing: copy that file there"));
  std::ofstream(absl::StrCat(folder, "/d"));
  EXPECT_TRUE(CheckFilesBesideOnnx(path).ok());
}

TEST(FilesBesideOnnx, AreNoneOfOtherBytes) {
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/model.onnx");
  EXPECT_THAT(FilesBesideOnnx(path), IsEmpty());
  // Messages in messages, deeper than anybody writes them: none is looked for there.
  std::string nested = Holding(5, Outside("deep"));
  for (int i = 0; i < 40; ++i) nested = Holding(1, Holding(5, Holding(6, nested)));
  nested = Holding(7, nested);
  for (const std::string& bytes : {std::string(), std::string(40, '\x3a'), nested}) {
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_THAT(FilesBesideOnnx(path), IsEmpty());
  }
}

}  // namespace
}  // namespace assay::backends
