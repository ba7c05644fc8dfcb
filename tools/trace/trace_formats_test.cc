#include "tools/trace/trace_formats.h"

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

TEST(TraceFormats, MakesAnExecutionTraceOfAProfilersTrace) {
  const std::string out = absl::StrCat(tensor_files::TestFolder(), "/et.json");
  const absl::StatusOr<OpenedTrace> opened = OpenTrace(kKineto, {});
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_THAT(opened->said, HasSubstr("schemas   found for "));
  ASSERT_TRUE(WriteFormat(opened->trace, "et", out).ok());
  const absl::StatusOr<traces::Trace> made = traces::LoadTrace(out);
  ASSERT_TRUE(made.ok()) << made.status();
  ASSERT_EQ(made->nodes.size(), opened->trace.nodes.size());
  for (size_t i = 0; i < made->nodes.size(); ++i) {
    EXPECT_EQ(made->nodes[i].name, opened->trace.nodes[i].name);
    EXPECT_EQ(made->nodes[i].ctrl_deps, opened->trace.nodes[i].ctrl_deps);
    EXPECT_EQ(made->nodes[i].duration_ns, opened->trace.nodes[i].duration_ns);
  }
}

TEST(TraceFormats, MakesChakrasFilesAndBack) {
  const std::string folder = tensor_files::TestFolder();
  const std::string chakra = folder + "/rank.0.et", back = folder + "/et.json";
  ASSERT_TRUE(WriteFormat(OpenTrace(kLinear, {})->trace, "chakra", chakra).ok());
  const absl::StatusOr<OpenedTrace> opened = OpenTrace(chakra, {});
  ASSERT_TRUE(opened.ok()) << opened.status();
  const absl::StatusOr<std::string> said = WriteFormat(opened->trace, "et", back);
  ASSERT_TRUE(said.ok()) << said.status();
  EXPECT_THAT(*said, HasSubstr("wrote     931 nodes"));
  EXPECT_EQ(traces::LoadTrace(back)->nodes.size(), 931u);
}

TEST(TraceFormats, SaysWhatWasJoined) {
  const absl::StatusOr<OpenedTrace> opened = OpenTrace(kLinear, {.join = kKineto});
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_THAT(opened->said,
              AllOf(HasSubstr("times     0 of 931 nodes"), HasSubstr("no record function id")));
}

TEST(TraceFormats, RefusesWhatCannotBeOpened) {
  EXPECT_THAT(std::string(OpenTrace(kLinear, {.join = kLinear}).status().message()),
              HasSubstr("it is no trace of torch.profiler"));
  EXPECT_TRUE(absl::IsNotFound(OpenTrace("no/such", {}).status()));
}

}  // namespace
}  // namespace assay::trace
