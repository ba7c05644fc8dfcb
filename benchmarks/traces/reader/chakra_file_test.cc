#include "benchmarks/traces/reader/chakra_file.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "benchmarks/traces/reader/chakra.pb.h"
#include "benchmarks/traces/reader/node_text.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "gmock/gmock.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/util/delimited_message_util.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

using ::testing::HasSubstr;

std::string MessagesText(const std::vector<const google::protobuf::MessageLite*>& messages) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    for (const auto* message : messages)
      google::protobuf::util::SerializeDelimitedToZeroCopyStream(*message, &stream);
  }
  return bytes;
}

std::string ChakraPath(const std::string& bytes) {
  const std::string path = absl::StrCat(tensor_files::TestFolder(), "/rank.0.et");
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

chakra::GlobalMetadata SomeMetadata() {
  chakra::GlobalMetadata metadata;
  chakra::Attribute* const schema = metadata.add_attr();
  schema->set_name("schema");
  schema->set_string_val("1.1.1-chakra.0.0.4");
  return metadata;
}

TEST(WriteChakra, GivesTheSameNodesBack) {
  for (const std::string name : {"linear_1.0.1", "pt2_triton_1.1.1", "kineto_mlp_train"}) {
    SCOPED_TRACE(name);
    absl::StatusOr<Trace> trace =
        LoadTrace(absl::StrCat("benchmarks/traces/testdata/", name, ".json.gz"));
    ASSERT_TRUE(trace.ok()) << trace.status();
    trace->about.exact = true;
    trace->about.generators = {{"cpu", std::string("\0\xff", 2)}};
    const int64_t changed = trace->nodes[2].id;
    trace->nodes.Change([&](TraceNode& node) {
      if (node.id != changed) return;
      node.start_ns = 12345;
      node.duration_ns = 678;
      node.name = "not \xff UTF-8";
    });
    const std::string path = ChakraPath("");
    const absl::Status written = WriteChakra(path, trace->about, trace->nodes);
    ASSERT_TRUE(written.ok()) << written;
    const absl::StatusOr<Trace> read = LoadTrace(path);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->about.format, TraceFormat::kChakra);
    EXPECT_EQ(read->about.schema, trace->about.schema);
    EXPECT_EQ(read->about.pid, trace->about.pid);
    EXPECT_EQ(read->about.time, trace->about.time);
    EXPECT_EQ(read->about.finish_ms, trace->about.finish_ms);
    EXPECT_TRUE(read->about.exact);
    EXPECT_EQ(read->about.generators, trace->about.generators);
    EXPECT_EQ(read->about.torn, "");
    std::vector<TraceNode> sorted;
    for (const TraceNode& node : trace->nodes) sorted.push_back(node);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const TraceNode& a, const TraceNode& b) { return a.id < b.id; });
    ASSERT_EQ(read->nodes.size(), sorted.size());
    // The text has every member of a node. What a profiler printed loses spaces and digits that say
    // nothing ("0.90000000000000002").
    const auto text = [&](TraceNode node) {
      for (TraceValue& value : node.inputs) {
        if (trace->about.format == TraceFormat::kKineto && value.kind == TraceValue::Kind::kLost)
          value.text.clear();
      }
      return JsonOfNode(node);
    };
    for (size_t i = 0; i < read->nodes.size(); ++i)
      ASSERT_EQ(text(read->nodes[i]), text(sorted[i]));
  }
}

// As Chakra's pytorch_converter.py writes it: str() of Python's lists.
TEST(ReadChakra, ReadsListsOfPython) {
  const chakra::GlobalMetadata metadata = SomeMetadata();
  chakra::Node node;
  node.set_id(7);
  node.set_name("aten::add");
  node.set_type(chakra::COMP_NODE);
  node.add_ctrl_deps(3);
  node.set_start_time_micros(5);
  node.set_duration_micros(12);
  node.mutable_inputs()->set_values("[[4, 5, 0, 6, 4, 'cpu'], True, '<None>', 1e-08, \"it's\"]");
  node.mutable_inputs()->set_shapes("[[2, 3], [], [], [], []]");
  node.mutable_inputs()->set_types("['Tensor(float)', 'Bool', 'None', 'Double', 'String']");
  chakra::Attribute* const tid = node.add_attr();
  tid->set_name("tid");
  tid->set_int64_val(2);
  const absl::StatusOr<Trace> trace = LoadTrace(ChakraPath(MessagesText({&metadata, &node})));
  ASSERT_TRUE(trace.ok()) << trace.status();
  ASSERT_EQ(trace->nodes.size(), 1u);
  const TraceNode read = trace->nodes[0];
  EXPECT_EQ(read.ctrl_deps, 3);
  EXPECT_EQ(read.duration_ns, 12000);
  EXPECT_EQ(read.tid, 2);
  ASSERT_EQ(read.inputs.size(), 5u);
  EXPECT_EQ(read.inputs[0].tensor.device, "cpu");
  EXPECT_FALSE(read.inputs[0].tensor.has_strides);
  EXPECT_EQ(read.inputs[3].number, 1e-8);
  EXPECT_EQ(read.inputs[4].text, "it's");
}

TEST(JsonOfPython, KnowsPythonsWords) {
  EXPECT_EQ(JsonOfPython(R"(['a"b', '\'', '\xe9\n', -inf, nan, None, (1, -2)])"),
            R"(["a\"b", "'", "\u00e9\n", "-inf", "nan", null, [1, -2]])");
  EXPECT_EQ(JsonOfPython(R"(["it's", True])"), R"(["it's", true])");
  EXPECT_EQ(JsonOfPython("[1,\"x\"]"), "[1,\"x\"]");
  EXPECT_FALSE(JsonOfPython("'\\").empty());
}

TEST(ReadChakra, ATornFileGivesItsWholeNodes) {
  const chakra::GlobalMetadata metadata = SomeMetadata();
  chakra::Node node;
  node.set_id(7);
  node.set_name("aten::add");
  const std::string bytes = MessagesText({&metadata, &node, &node});
  const absl::StatusOr<Trace> torn = LoadTrace(ChakraPath(bytes.substr(0, bytes.size() - 1)));
  ASSERT_TRUE(torn.ok()) << torn.status();
  EXPECT_EQ(torn->nodes.size(), 1u);
  EXPECT_THAT(torn->about.torn, HasSubstr("ends within or behind node 1"));
}

TEST(ReadChakra, NumbersTheNodeThatItCannotRead) {
  const chakra::GlobalMetadata metadata = SomeMetadata();
  const auto problem = [&](const std::string& rest) {
    return std::string(LoadTrace(ChakraPath(MessagesText({&metadata}) + rest)).status().message());
  };
  EXPECT_THAT(problem("\x03\xff\xff\xff and more"), HasSubstr("node number 1 is no message"));
  chakra::Node node;
  node.set_id(uint64_t{1} << 63);
  EXPECT_THAT(problem(MessagesText({&node})), HasSubstr("is of no whole number"));
  node.set_id(1);
  node.mutable_inputs()->set_values(std::string(100000, '['));
  EXPECT_THAT(problem(MessagesText({&node})), HasSubstr("node number 1: node 0 \"\": no JSON"));
  EXPECT_FALSE(WriteChakra(ChakraPath(""), {}, {TraceNode{.id = -1}}).ok());
}

TEST(IsChakra, KnowsAGlobalMetadata) {
  const chakra::GlobalMetadata metadata = SomeMetadata();
  EXPECT_TRUE(IsChakra(MessagesText({&metadata})));
  EXPECT_FALSE(IsChakra(""));
  EXPECT_FALSE(IsChakra("id,name\n"));
  EXPECT_FALSE(IsChakra("\x05\x12\x7f\x7f\x7f\x7f"));
}

}  // namespace
}  // namespace assay::traces
