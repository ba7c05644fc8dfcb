#include "benchmarks/traces/reader/node_list.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/traces/reader/node_text.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

TraceValue TensorOf(int64_t id, int64_t storage, std::vector<int64_t> sizes) {
  return {.kind = TraceValue::Kind::kTensor,
          .type = "Tensor(float)",
          .tensor = {.id = id, .storage = storage, .device = "cpu", .sizes = std::move(sizes)}};
}

TraceValue NumberOf(double number) {
  return {.kind = TraceValue::Kind::kDouble, .type = "Double", .number = number};
}

// The text has all members of a node.
TEST(NodeList, GivesNodesBackAsTheyWere) {
  std::vector<TraceNode> nodes;
  for (const int64_t number :
       {int64_t{0}, int64_t{-1}, int64_t{127}, int64_t{128}, std::numeric_limits<int64_t>::min(),
        std::numeric_limits<int64_t>::max()}) {
    TraceNode node = {.id = number, .ctrl_deps = 7, .name = "aten::f"};
    node.inputs = {TensorOf(number, -number / 2, {2, 3}),
                   NumberOf(1.5),
                   {.kind = TraceValue::Kind::kList,
                    .type = "GenericList[Tensor(float)]",
                    .items = {TensorOf(9, number, {4})}}};
    node.outputs = {TensorOf(5, 6, {})};
    for (int64_t TraceNode::*member : {&TraceNode::rf_id, &TraceNode::fw_parent, &TraceNode::seq_id,
                                       &TraceNode::scope, &TraceNode::tid, &TraceNode::fw_tid})
      node.*member = number;
    nodes.push_back(node);
    node.start_ns = 0;
    node.duration_ns = 1000;
    node.threw = true;
    node.other_attributes = {{"pg_name", "string", "\"0\""}};
    node.recorded = std::make_shared<RecordedValues>(
        RecordedValues{.wrapped_numbers = {{1, 0.1}},
                       .snapshots = {{0, "storage/5/7"}},
                       .generator_states = {{2, "0f10"}},
                       .output_digests = {"0123456789abcdef", ""},
                       .output_samples = {{{0, 1.5}, {5, 1e-300}}, {}}});
    nodes.push_back(node);
  }
  NodeList list;
  for (const TraceNode& node : nodes) list.Add(node);
  ASSERT_EQ(list.size(), nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    EXPECT_EQ(JsonOfNode(list[i]), JsonOfNode(nodes[i]));
    EXPECT_EQ(list.IdsOf(i).id, nodes[i].id);
    EXPECT_EQ(list.IdsOf(i).ctrl_deps, 7);
    EXPECT_EQ(list.TimesOf(i).duration_ns, nodes[i].duration_ns);
    std::vector<int64_t> ids;
    const auto take = [&](const TraceTensor&, int64_t id, int64_t storage) {
      ids.insert(ids.end(), {id, storage});
    };
    list.ForEachInput(i, take);
    list.ForEachOutput(i, take);
    const int64_t id = nodes[i].id;
    EXPECT_EQ(ids, (std::vector<int64_t>{id, -id / 2, 9, id, 5, 6}));
  }
}

TEST(NodeList, KeepsEachDifferentCallOnce) {
  const auto node = [](int64_t id, double number, int64_t size) {
    TraceNode made = {.id = id, .name = "aten::f", .start_ns = id, .duration_ns = 3};
    made.inputs = {TensorOf(id + 1, id + 2, {size}), NumberOf(number)};
    return made;
  };
  const double nan = std::nan("");
  const NodeList list = {node(1, 0.0, 4),  node(4, 0.0, 4),  node(7, -0.0, 4),
                         node(10, 0.0, 5), node(13, nan, 4), node(16, nan, 4)};
  EXPECT_EQ(list.Calls(), 4u);
  EXPECT_EQ(list.CallNumber(0), list.CallNumber(1));
  EXPECT_NE(list.CallNumber(0), list.CallNumber(2)) << "0 and -0 are two numbers";
  EXPECT_EQ(list.CallNumber(4), list.CallNumber(5));
  EXPECT_TRUE(std::signbit(list[2].inputs[1].number));
  EXPECT_EQ(list.CallOf(3).inputs[0].tensor.sizes[0], 5);
}

// The bytes of the texts and of their lengths are those of the number and of its place.
TEST(NodeList, TellsAttributesFromNumbers) {
  const std::string bytes = "ab\2cd\2ef";
  double number = 0;
  ASSERT_EQ(bytes.size(), sizeof number);
  std::memcpy(&number, bytes.data(), sizeof number);
  TraceNode attributes = {.id = 1, .name = "aten::f"}, numbers = attributes;
  attributes.other_attributes = {{"ab", "cd", "ef"}};
  attributes.recorded = std::make_shared<RecordedValues>();
  numbers.recorded =
      std::make_shared<RecordedValues>(RecordedValues{.wrapped_numbers = {{2, number}}});
  const NodeList list = {attributes, numbers};
  EXPECT_EQ(list.Calls(), 2u);
}

TEST(NodeList, ChangesNodesAndCalls) {
  NodeList list = {{.id = 1, .name = "a"}, {.id = 2, .name = "a"}, {.id = 3, .name = "b"}};
  std::string counts;
  list.ChangeCalls([&](TraceNode& call, int64_t nodes) {
    absl::StrAppend(&counts, call.name, nodes);
    call.name += "::f";
  });
  EXPECT_EQ(counts, "a2b1");
  list.Add({.id = 4, .name = "a"});
  list.Change([](TraceNode& node) { node.id *= 10; });
  const auto text = [&] {
    std::string made;
    for (const TraceNode& node : list) absl::StrAppend(&made, node.id, node.name, " ");
    return made;
  };
  EXPECT_EQ(text(), "10a::f 20a::f 30b::f 40a ");
  list.Keep({false, true, false, true});
  EXPECT_EQ(text(), "20a::f 40a ");
}

}  // namespace
}  // namespace assay::traces
