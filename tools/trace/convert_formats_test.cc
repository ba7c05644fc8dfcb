#include "tools/trace/convert_formats.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::trace {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kKineto[] = "benchmarks/traces/testdata/kineto_mlp_train.json.gz";
constexpr char kLinear[] = "benchmarks/traces/testdata/linear_1.0.1.json.gz";

TEST(ConvertFormat, MakesAnExecutionTraceOfAProfilersTrace) {
  const std::string out = absl::StrCat(tensor_files::TestFolder(), "/et.json");
  const absl::StatusOr<std::string> said = ConvertFormat(kKineto, {.to = "et", .out = out});
  ASSERT_TRUE(said.ok()) << said.status();
  EXPECT_THAT(*said, HasSubstr("schemas    "));
  const absl::StatusOr<traces::Trace> made = traces::LoadTrace(out);
  ASSERT_TRUE(made.ok()) << made.status();
  const absl::StatusOr<traces::Trace> original = traces::LoadTrace(kKineto);
  ASSERT_EQ(made->nodes.size(), original->nodes.size());
  for (size_t i = 0; i < made->nodes.size(); ++i) {
    EXPECT_EQ(made->nodes[i].name, original->nodes[i].name);
    EXPECT_EQ(made->nodes[i].ctrl_deps, original->nodes[i].ctrl_deps);
    EXPECT_EQ(made->nodes[i].duration_ns, original->nodes[i].duration_ns);
  }
}

TEST(ConvertFormat, MakesChakrasFilesAndBack) {
  const std::string folder = tensor_files::TestFolder();
  const std::string chakra = folder + "/rank.0.et", back = folder + "/et.json";
  ASSERT_TRUE(ConvertFormat(kLinear, {.to = "chakra", .out = chakra}).ok());
  const absl::StatusOr<std::string> said = ConvertFormat(chakra, {.to = "et", .out = back});
  ASSERT_TRUE(said.ok()) << said.status();
  EXPECT_THAT(*said, HasSubstr("written    931 nodes"));
  EXPECT_EQ(traces::LoadTrace(back)->nodes.size(), 931u);
}

TEST(ConvertFormat, SaysWhatWasJoined) {
  const std::string out = absl::StrCat(tensor_files::TestFolder(), "/et.json");
  const absl::StatusOr<std::string> said =
      ConvertFormat(kLinear, {.to = "et", .out = out, .join = kKineto});
  ASSERT_TRUE(said.ok()) << said.status();
  EXPECT_THAT(*said,
              AllOf(HasSubstr("times      0 of 931 nodes"), HasSubstr("no record function id")));
}

TEST(ConvertFormat, RefusesWhatItCannotDo) {
  const auto problem = [](const ConvertOptions& options) {
    return std::string(ConvertFormat(kLinear, options).status().message());
  };
  EXPECT_THAT(problem({.to = "pdf", .out = "x"}), HasSubstr("--to=pdf: it is et or chakra"));
  EXPECT_THAT(problem({.to = "et"}), HasSubstr("--out=FILE is missing"));
  EXPECT_THAT(problem({.to = "et", .out = "/tmp/x.json", .join = kLinear}),
              HasSubstr("it is no trace of torch.profiler"));
  EXPECT_TRUE(
      absl::IsNotFound(ConvertFormat("no/such", {.to = "et", .out = "/tmp/x.json"}).status()));
}

}  // namespace
}  // namespace assay::trace
