#include "benchmarks/traces/reader/trace_writer.h"

#include <limits>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "benchmarks/traces/reader/node_json.h"
#include "benchmarks/traces/reader/node_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::HasSubstr;
using Kind = TraceValue::Kind;

// A tensor without dimensions has strides in every file of schema 1.1.1.
void ExpectEqualValues(std::vector<TraceValue> a, std::vector<TraceValue> b) {
  const auto normal = [](auto& self, std::vector<TraceValue>& values) -> void {
    for (TraceValue& value : values) {
      if (value.tensor.sizes.empty()) value.tensor.has_strides = true;
      self(self, value.items);
    }
  };
  normal(normal, a);
  normal(normal, b);
  EXPECT_TRUE(a == b);
}

void ExpectEqualNodes(const TraceNode& a, const TraceNode& b) {
  SCOPED_TRACE(absl::StrCat(a.id, " ", a.name));
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.ctrl_deps, b.ctrl_deps);
  EXPECT_EQ(a.name, b.name);
  ExpectEqualValues(a.inputs, b.inputs);
  ExpectEqualValues(a.outputs, b.outputs);
  EXPECT_EQ(a.rf_id, b.rf_id);
  EXPECT_EQ(a.fw_parent, b.fw_parent);
  EXPECT_EQ(a.seq_id, b.seq_id);
  EXPECT_EQ(a.scope, b.scope);
  EXPECT_EQ(a.tid, b.tid);
  EXPECT_EQ(a.fw_tid, b.fw_tid);
  EXPECT_EQ(a.op_schema, b.op_schema);
  EXPECT_EQ(a.kernel_backend, b.kernel_backend);
  EXPECT_EQ(a.kernel_file, b.kernel_file);
  EXPECT_EQ(a.tensor_range, b.tensor_range);
  EXPECT_EQ(a.start_ns, b.start_ns);
  EXPECT_EQ(a.duration_ns, b.duration_ns);
  EXPECT_EQ(a.threw, b.threw);
  EXPECT_TRUE(a.other_attributes == b.other_attributes);
  ASSERT_EQ(a.recorded == nullptr, b.recorded == nullptr);
  EXPECT_TRUE(a.recorded == b.recorded || *a.recorded == *b.recorded);
}

TraceNode FullNode() {
  TraceNode node = {.id = (int64_t{1} << 53) + 1, .ctrl_deps = 7, .name = "quote\"d \\ \xc3\xa9"};
  const TraceTensor tensor = {.id = 4,
                              .storage = 5,
                              .offset = 6,
                              .elements = 6,
                              .element_size = 4,
                              .device = "cpu",
                              .dtype = "float",
                              .sizes = {2, 3},
                              .strides = {1, 2},
                              .has_strides = true};
  const TraceValue value = {.kind = Kind::kTensor, .type = "Tensor(float)", .tensor = tensor};
  const TraceValue none = {.kind = Kind::kNone, .type = "None"};
  TraceTensor sparse = tensor;
  sparse.device = "";
  node.inputs = {
      value,
      {.kind = Kind::kList, .type = "GenericList[None,Tensor(float)]", .items = {none, value}},
      {.kind = Kind::kDouble, .type = "Double", .number = -0.0052631578947368437},
      {.kind = Kind::kDouble, .type = "Double", .number = std::numeric_limits<double>::infinity()},
      {.kind = Kind::kInt, .type = "Int", .integer = std::numeric_limits<int64_t>::min()},
      {.kind = Kind::kBool, .type = "Bool", .integer = 1},
      {.kind = Kind::kString, .type = "String", .text = "a\"b\n"},
      {.kind = Kind::kDevice, .type = "Device", .text = "cuda:1"},
      {.kind = Kind::kGenerator, .type = "Generator"},
      {.kind = Kind::kList, .type = "GenericList[]"},
      {.kind = Kind::kLost, .type = "ComplexDouble", .text = "[1.0,2.0]"},
      {.kind = Kind::kLost, .type = "Object", .text = "\"<Object>\""},
      {.kind = Kind::kLost,
       .type = "Tensor(float)",
       .text = "a tensor that is not strided",
       .tensor = sparse}};
  node.outputs = {{.kind = Kind::kUndefinedTensor,
                   .type = "Tensor(nullptr (uninitialized))",
                   .tensor = {.id = 3, .dtype = "nullptr (uninitialized)", .has_strides = true}}};
  node.rf_id = 1;
  node.fw_parent = -1;
  node.seq_id = -2;
  node.scope = 3;
  node.tid = 4;
  node.fw_tid = 5;
  node.op_schema = "aten::f(str s=\"q\") -> ()";
  node.kernel_backend = "triton";
  node.kernel_file = "k.py";
  node.tensor_range = R"({"0":[0,1]})";
  node.start_ns = 0;
  node.duration_ns = 12;
  node.threw = true;
  node.other_attributes = {{"pg_name", "string", "\"0\""}, {"pg_size", "uint64", "8"}};
  node.recorded = std::make_shared<RecordedValues>(
      RecordedValues{.wrapped_numbers = {{1, 0.1}},
                     .snapshots = {{0, "storage/5/7"}},
                     .generator_states = {{2, "0f10"}},
                     .output_digests = {"0123456789abcdef", ""},
                     .output_samples = {{{0, 1.5}, {5, 1e-300}}, {}}});
  return node;
}

TEST(JsonOfNode, IsReadBackAsItWas) {
  const TraceNode node = FullNode();
  const absl::StatusOr<TraceNode> read = ParseNode(JsonOfNode(node));
  ASSERT_TRUE(read.ok()) << read.status();
  ExpectEqualNodes(node, *read);
  const absl::StatusOr<TraceNode> empty = ParseNode(JsonOfNode({}));
  ASSERT_TRUE(empty.ok()) << empty.status();
  ExpectEqualNodes({}, *empty);
}

TEST(WriteTrace, KeepsPublicTraces) {
  for (const std::string name : {"linear_1.0.1", "pt2_triton_1.1.1"}) {
    absl::StatusOr<Trace> trace =
        LoadTrace(absl::StrCat("benchmarks/traces/testdata/", name, ".json.gz"));
    ASSERT_TRUE(trace.ok()) << trace.status();
    trace->about.exact = true;
    trace->about.generators = {{"cpu", std::string("\0\xff", 2)}};
    const std::string path = absl::StrCat(tensor_files::TestFolder(), "/et.json");
    const absl::Status written = WriteTrace(path, *trace);
    ASSERT_TRUE(written.ok()) << written;
    const absl::StatusOr<Trace> read = LoadTrace(path);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->about.schema, "1.1.1-chakra.0.0.4");
    EXPECT_EQ(read->about.pid, trace->about.pid);
    EXPECT_EQ(read->about.time, trace->about.time);
    EXPECT_EQ(read->about.start_ms, trace->about.start_ms);
    EXPECT_EQ(read->about.finish_ms, trace->about.finish_ms);
    EXPECT_TRUE(read->about.exact);
    EXPECT_EQ(read->about.generators, trace->about.generators);
    EXPECT_EQ(read->about.torn, "");
    ASSERT_EQ(read->nodes.size(), trace->nodes.size());
    for (size_t i = 0; i < read->nodes.size(); ++i)
      ExpectEqualNodes(trace->nodes[i], read->nodes[i]);
  }
}

TEST(WriteTrace, RefusesOtherNames) {
  EXPECT_THAT(std::string(WriteTrace("et.txt", {}).message()), HasSubstr("must end with .json"));
}

}  // namespace
}  // namespace assay::traces
