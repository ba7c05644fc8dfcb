#include "benchmarks/traces/reader/trace_file.h"

#include <zlib.h>

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::HasSubstr;

constexpr char kLinear[] = "benchmarks/traces/testdata/linear_1.0.1.json.gz";
constexpr char kTriton[] = "benchmarks/traces/testdata/pt2_triton_1.1.1.json.gz";

std::string Unpacked(const std::string& path) {
  std::string text(8 << 20, '\0');
  const gzFile file = gzopen(path.c_str(), "rb");
  const int got = gzread(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  text.resize(static_cast<size_t>(got));
  return text;
}

std::string Written(const std::string& text) {
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/et.json");
  std::ofstream(path) << text;
  return path;
}

std::string Problem(const std::string& text) {
  return std::string(LoadTrace(Written(text)).status().message());
}

TEST(LoadTrace, ReadsBothPublicFiles) {
  const absl::StatusOr<Trace> linear = LoadTrace(kLinear);
  ASSERT_TRUE(linear.ok()) << linear.status();
  EXPECT_EQ(linear->about.schema, "1.0.1");
  EXPECT_EQ(linear->nodes.size(), 931u);  // as PARAM's reader counts
  EXPECT_EQ(linear->about.torn, "");
  EXPECT_GT(linear->about.finish_ms, linear->about.start_ms);
  const absl::StatusOr<Trace> triton = LoadTrace(kTriton);
  ASSERT_TRUE(triton.ok()) << triton.status();
  EXPECT_EQ(triton->nodes.size(), 20u);
  EXPECT_EQ(triton->nodes[5].kernel_backend, "triton");
}

TEST(LoadTrace, ATornFileGivesItsWholeNodes) {
  const std::string text = Unpacked(kLinear);
  const absl::StatusOr<Trace> torn = LoadTrace(Written(text.substr(0, text.size() / 2)));
  ASSERT_TRUE(torn.ok()) << torn.status();
  EXPECT_GT(torn->nodes.size(), 300u);
  EXPECT_THAT(torn->about.torn, HasSubstr("ends within or behind node"));
}

TEST(LoadTrace, ATornPackedFileGivesItsWholeNodes) {
  std::ifstream file(kLinear, std::ios::binary);
  std::string packed((std::istreambuf_iterator<char>(file)), {});
  const absl::StatusOr<Trace> torn = LoadTrace(Written(packed.substr(0, packed.size() / 2)));
  ASSERT_TRUE(torn.ok()) << torn.status();
  EXPECT_GT(torn->nodes.size(), 100u);
  EXPECT_THAT(torn->about.torn, HasSubstr("the packed data"));
}

TEST(LoadTrace, RefusesWhatIsNoTrace) {
  EXPECT_TRUE(absl::IsNotFound(LoadTrace("no/such/file").status()));
  EXPECT_THAT(Problem(""), HasSubstr("it is no trace: it is empty"));
  EXPECT_THAT(Problem("{\"nodes\": ["), HasSubstr("ends before a first node"));
  EXPECT_THAT(
      Problem("[1]"),
      HasSubstr("it looks like a JSON list, as trace viewers write it; put {\"traceEvents\": "
                "before it and } behind it. Traces are JSON of"));
  EXPECT_THAT(Problem("PK\x03\x04"), HasSubstr("not a usable zip file"));
  EXPECT_THAT(Problem("<!DOCTYPE html>"), HasSubstr("it looks like HTML"));
  EXPECT_THAT(Problem("id,name"), HasSubstr("it begins with \"id,name\""));
  EXPECT_THAT(Problem("{\"a\": 1}"), HasSubstr("it has neither a schema nor traceEvents"));
  EXPECT_THAT(Problem(R"({"schema": "9.9", "nodes": [{"id": 1}]})"),
              HasSubstr("its schema is \"9.9\"; known are 1.0.1"));
}

TEST(LoadTrace, KnowsKinetosFiles) {
  const absl::StatusOr<Trace> trace = LoadTrace(Written(
      R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::f", "ts": 1, "dur": 2}]})"));
  ASSERT_TRUE(trace.ok()) << trace.status();
  EXPECT_EQ(trace->about.format, TraceFormat::kKineto);
  EXPECT_EQ(trace->nodes.size(), 3u);
  EXPECT_EQ(LoadTrace(Written(R"({"traceEvents": []})"))->nodes.size(), 1u);
}

TEST(LoadTrace, ReadsTheStatesOfGenerators) {
  const absl::StatusOr<Trace> trace = LoadTrace(
      Written(R"({"schema": "1.1.1-chakra.0.0.4", "generators": {"cpu": "00ff"}, "nodes": []})"));
  ASSERT_TRUE(trace.ok()) << trace.status();
  EXPECT_TRUE(trace->about.exact);
  EXPECT_EQ(trace->about.generators.at("cpu"), std::string("\0\xff", 2));
}

// The observer does not escape names (LibTorch 2.11).
TEST(LoadTrace, NamesTheNodeThatAQuoteBreaks) {
  EXPECT_THAT(
      Problem(R"({"schema": "1.1.1-chakra.0.0.4", "nodes": [{"id": 5, "name": "quote"d"}]})"),
      ::testing::AnyOf(HasSubstr("node number 1"), HasSubstr("ends before a first node")));
}

}  // namespace
}  // namespace assay::traces
