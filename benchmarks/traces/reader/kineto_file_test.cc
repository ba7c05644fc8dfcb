#include "benchmarks/traces/reader/kineto_file.h"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::HasSubstr;

std::string SpanText(const std::string& category, const std::string& name, const std::string& tid,
                     const std::string& start, const std::string& length,
                     const std::string& args = "") {
  return absl::StrCat(R"({"ph": "X", "cat": ")", category, R"(", "name": ")", name,
                      R"(", "pid": 9, "tid": )", tid, R"(, "ts": )", start, R"(, "dur": )", length,
                      R"(, "args": {)", args, "}}");
}

struct KinetoRead {
  absl::StatusOr<TraceReading> about;
  std::vector<TraceNode> nodes;
};

KinetoRead ReadEvents(const std::string& events, const std::string& tail = "]}") {
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/trace.json");
  std::ofstream(path) << R"({"deviceProperties": [{"id": 0}], "traceEvents": [)" << events << tail;
  KinetoRead read;
  read.about = ReadKineto({.path = path}, [&](TraceNode node) {
    read.nodes.push_back(std::move(node));
    return absl::OkStatus();
  });
  return read;
}

int64_t ParentOf(const KinetoRead& read, const std::string& name) {
  for (const TraceNode& node : read.nodes) {
    if (node.name == name) return node.ctrl_deps;
  }
  return -1;
}

int64_t IdOf(const KinetoRead& read, const std::string& name) {
  for (const TraceNode& node : read.nodes) {
    if (node.name == name) return node.id;
  }
  return -1;
}

TEST(ReadKineto, FindsCallersByTimeWithinAThread) {
  // Children stand before their parents, and another thread works at the same time.
  const KinetoRead read =
      ReadEvents(absl::StrCat(SpanText("cpu_op", "inner", "5", "12.000", "2.000"), ",",
                              SpanText("cpu_op", "other_thread", "6", "12.500", "0.100"), ",",
                              SpanText("cpu_op", "outer", "5", "10.000", "10.000"), ",",
                              SpanText("cpu_op", "innermost", "5", "12.000", "1.001"), ",",
                              SpanText("cpu_op", "next", "5", "20.001", "1.000"), ",",
                              SpanText("user_annotation", "step", "5", "9.000", "30.000")));
  ASSERT_TRUE(read.about.ok()) << read.about.status();
  EXPECT_EQ(read.about->format, TraceFormat::kKineto);
  EXPECT_EQ(read.about->pid, 9);
  EXPECT_EQ(read.about->nodes, 9);  // the process, two threads, six spans
  EXPECT_EQ(read.nodes[1].name, "[pytorch|profiler|execution_trace|thread]");
  EXPECT_EQ(ParentOf(read, "step"), 2);
  EXPECT_EQ(ParentOf(read, "outer"), IdOf(read, "step"));
  EXPECT_EQ(ParentOf(read, "inner"), IdOf(read, "outer"));
  EXPECT_EQ(ParentOf(read, "innermost"), IdOf(read, "inner"));
  EXPECT_EQ(ParentOf(read, "next"), IdOf(read, "step"));
  EXPECT_EQ(ParentOf(read, "other_thread"), 3);
  // Ids count in order of start.
  EXPECT_LT(IdOf(read, "step"), IdOf(read, "outer"));
  EXPECT_LT(IdOf(read, "outer"), IdOf(read, "inner"));
}

TEST(ReadKineto, FindsWhoLaunchedAKernel) {
  const KinetoRead read = ReadEvents(absl::StrCat(
      SpanText("kernel", "gemm", "7", "30", "5",
               R"("External id": 99, "correlation": 3, "stream": 7, "device": 1)"),
      ",", SpanText("cpu_op", "aten::mm", "5", "10", "10", R"("External id": 1)"), ",",
      SpanText("cpu_op", "aten::sum", "5", "22", "3", R"("External id": 2)"), ",",
      SpanText("cuda_driver", "cuLaunchKernel", "5", "12.5", "0.2", R"("correlation": 3)"), ",",
      SpanText("cuda_runtime", "cudaLaunchKernel", "5", "12", "1", R"("correlation": 3)"), ",",
      SpanText("gpu_memset", "Memset", "7", "24", "1", R"("External id": 2, "correlation": 8)"),
      ",", SpanText("kernel", "gemm", "7", "40", "1", R"("correlation": 77)")));
  ASSERT_TRUE(read.about.ok()) << read.about.status();
  const std::vector<TraceKernel>& kernels = read.about->kernels;
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(read.about->kernel_names[kernels[0].name], "Memset");
  EXPECT_EQ(kernels[0].node, IdOf(read, "aten::sum"));
  EXPECT_EQ(read.about->kernel_names[kernels[1].name], "gemm");
  EXPECT_EQ(kernels[1].node, IdOf(read, "aten::mm"));  // by correlation, not by External id
  EXPECT_EQ(kernels[1].start_ns, 30000);
  EXPECT_EQ(kernels[1].duration_ns, 5000);
  EXPECT_EQ(kernels[1].stream, 7);
  EXPECT_EQ(kernels[1].device, 1);
  EXPECT_EQ(kernels[2].name, kernels[1].name);
  EXPECT_EQ(kernels[2].node, 0);
  EXPECT_EQ(kernels[0].kind, KernelKind::kMemory);
  EXPECT_EQ(kernels[0].launch_ns, -1);
  EXPECT_EQ(kernels[1].kind, KernelKind::kCompute);
  EXPECT_EQ(kernels[1].launch_ns, 12000);
  EXPECT_EQ(kernels[1].launch_duration_ns, 1000);
}

TEST(ReadKineto, CallsWithoutCorrelationLaunchNothing) {
  const KinetoRead read =
      ReadEvents(absl::StrCat(SpanText("cpu_op", "aten::mm", "5", "10", "10"), ",",
                              SpanText("cuda_runtime", "cudaStreamIsCapturing", "5", "12", "1"),
                              ",", SpanText("kernel", "gemm", "7", "30", "5")));
  ASSERT_TRUE(read.about.ok()) << read.about.status();
  ASSERT_EQ(read.about->kernels.size(), 1u);
  EXPECT_EQ(read.about->kernels[0].node, 0);
  EXPECT_EQ(read.about->kernels[0].launch_ns, -1);
}

TEST(ReadKineto, CountsEventsWithoutALength) {
  const KinetoRead read =
      ReadEvents(absl::StrCat(SpanText("cpu_op", "aten::mm", "5", "10", "null"), ",",
                              SpanText("kernel", "gemm", "7", "30", "-5"), ",",
                              SpanText("cpu_op", "aten::add", "5", "40", "2")));
  ASSERT_TRUE(read.about.ok()) << read.about.status();
  EXPECT_EQ(read.about->without_length, 2);
  EXPECT_EQ(read.nodes.size(), 3u);  // the process, the thread, add
  EXPECT_TRUE(read.about->kernels.empty());
}

TEST(ReadKineto, ATornFileGivesItsWholeEvents) {
  const KinetoRead read =
      ReadEvents(SpanText("cpu_op", "aten::mm", "5", "10", "10"), R"(,{"ph": "X", "cat)");
  ASSERT_TRUE(read.about.ok()) << read.about.status();
  EXPECT_EQ(read.nodes.size(), 3u);
  EXPECT_THAT(read.about->torn, HasSubstr("ends within or behind node 1"));
}

TEST(ReadKineto, NumbersTheEventThatItCannotRead) {
  const KinetoRead read =
      ReadEvents(absl::StrCat(R"({"ph": "M"},)", SpanText("cpu_op", "aten::mm", "5", "null", "1")));
  EXPECT_THAT(std::string(read.about.status().message()),
              HasSubstr("event number 2: event \"aten::mm\": \"ts\" is"));
}

}  // namespace
}  // namespace assay::traces
