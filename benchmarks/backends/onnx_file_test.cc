#include "benchmarks/backends/onnx_inputs.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::backends {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A field that holds bytes, of fewer than 128.
std::string Holding(int number, const std::string& bytes) {
  return absl::StrCat(std::string(1, static_cast<char>(number << 3 | 2)),
                      std::string(1, static_cast<char>(bytes.size())), bytes);
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

}  // namespace
}  // namespace assay::backends
