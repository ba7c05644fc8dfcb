#include "benchmarks/harness/dispatcher/operator_graph.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace assay::execution {
namespace {

c10::OperatorHandle Operator(const std::string& name, const std::string& overload = "") {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name.c_str(), overload.c_str());
}

at::Tensor Filled(double value) { return at::ones({2, 2}) * value; }

// split(x) -> a, b; cat([a, a, b]) -> c; c + constant -> d.
class Graph : public testing::Test {
 protected:
  Graph() {
    x_ = graph_.NewValue();
    a_ = graph_.NewValue();
    b_ = graph_.NewValue();
    c_ = graph_.NewValue();
    constant_ = graph_.NewValue();
    d_ = graph_.NewValue();
    graph_.inputs.push_back({.value = x_, .sizes = {2, 2}, .name = "x"});
    graph_.constants[static_cast<size_t>(constant_)] = at::ones({1});
    graph_.calls.push_back({.handle = Operator("aten::split", "Tensor"),
                            .arguments = {c10::IValue(), 1, 0},
                            .tensors = {{.argument = 0, .values = {x_}}},
                            .results = {{a_, b_}},
                            .result_is_list = {true}});
    graph_.calls.push_back({.handle = Operator("aten::cat"),
                            .arguments = {c10::IValue(), 0},
                            .tensors = {{.argument = 0, .list = true, .values = {a_, a_, b_}}},
                            .results = {{c_}},
                            .result_is_list = {false}});
    graph_.calls.push_back(
        {.handle = Operator("aten::add", "Tensor"),
         .arguments = {c10::IValue(), c10::IValue(), 1},
         .tensors = {{.argument = 0, .values = {c_}}, {.argument = 1, .values = {constant_}}},
         .results = {{d_}},
         .result_is_list = {false}});
    graph_.outputs = {d_};
  }

  OperatorGraph graph_;
  int x_, a_, b_, c_, constant_, d_;
};

TEST_F(Graph, IsReplayedAnewEachTime) {
  graph_.FindLastUses();
  for (const double value : {1.0, 4.0}) {
    const std::vector<at::Tensor> outputs = graph_.Call({Filled(value)});
    ASSERT_EQ(outputs.size(), 1u);
    EXPECT_TRUE(outputs[0].equal(at::ones({3, 2}) * (value + 1)));
  }
}

TEST_F(Graph, LetsATensorGoAfterItsLastUse) {
  graph_.outputs = {d_, a_};
  graph_.FindLastUses();
  EXPECT_EQ(graph_.calls[0].last_uses, std::vector<int>({x_}));
  EXPECT_EQ(graph_.calls[1].last_uses, std::vector<int>({b_})) << "a is an output";
  EXPECT_EQ(graph_.calls[2].last_uses, std::vector<int>({c_, constant_}));
  EXPECT_TRUE(graph_.Call({Filled(2)})[1].equal(at::ones({1, 2}) * 2));
}

TEST_F(Graph, SaysWhichOperatorGaveAnotherNumberOfTensors) {
  graph_.calls[0].results = {{a_}};
  try {
    graph_.Call({Filled(1)});
    FAIL();
  } catch (const c10::Error& error) {
    EXPECT_NE(std::string(error.what()).find("takes 1 tensors from aten::split, which gave 2"),
              std::string::npos)
        << error.what();
  }
}

TEST(OperatorGraph, GivesNoneWhereAListHasNoTensor) {
  OperatorGraph graph;
  const int x = graph.NewValue(), rows = graph.NewValue(), y = graph.NewValue();
  graph.inputs = {{.value = x}, {.value = rows, .dtype = at::kLong}};
  graph.calls.push_back(
      {.handle = Operator("aten::index", "Tensor"),
       .arguments = {c10::IValue(), c10::IValue()},
       .tensors = {{.argument = 0, .values = {x}},
                   {.argument = 1, .list = true, .optional = true, .values = {kNoTensor, rows}}},
       .results = {{y}},
       .result_is_list = {false}});
  graph.outputs = {y};
  graph.FindLastUses();
  const at::Tensor first = at::zeros({1}, at::kLong);
  EXPECT_TRUE(graph.Call({Filled(3), first})[0].equal(at::ones({2, 1}) * 3)) << "x[:, [0]]";
}

std::vector<int> WrittenByCall(const std::string& name, const std::string& overload,
                               c10::Stack arguments, std::vector<TensorArgument> tensors) {
  return WrittenBy({.handle = Operator(name, overload),
                    .arguments = std::move(arguments),
                    .tensors = std::move(tensors)});
}

TEST(OperatorGraph, ACallWritesToWhatItsSchemaMarks) {
  const c10::IValue none;
  const TensorArgument first{.argument = 0, .values = {4}}, second{.argument = 1, .values = {5}};
  EXPECT_EQ(WrittenByCall("aten::add", "Tensor", {none, none, 1}, {first, second}),
            std::vector<int>());
  EXPECT_EQ(WrittenByCall("aten::add_", "Tensor", {none, none, 1}, {first, second}),
            std::vector<int>({4}));
  EXPECT_EQ(WrittenByCall("aten::neg", "out", {none, none}, {first, second}),
            std::vector<int>({5}));
  EXPECT_EQ(WrittenByCall("aten::_foreach_add_", "Scalar", {none, 1},
                          {{.argument = 0, .list = true, .values = {7, 8}}}),
            std::vector<int>({7, 8}));
}

TEST(OperatorGraph, ANormalisationThatTrainsWritesItsStatistics) {
  const c10::IValue none;
  const std::vector<TensorArgument> tensors = {{.argument = 0, .values = {0}},
                                               {.argument = 3, .values = {1}},
                                               {.argument = 4, .values = {2}}};
  for (const bool training : {true, false}) {
    EXPECT_EQ(WrittenByCall("aten::native_batch_norm", "",
                            {none, none, none, none, none, training, 0.1, 1e-5}, tensors),
              training ? std::vector<int>({1, 2}) : std::vector<int>());
  }
  EXPECT_EQ(WrittenByCall("aten::_batch_norm_no_update", "",
                          {none, none, none, none, none, 0.1, 1e-5}, tensors),
            std::vector<int>());
}

// relu(x) -> a; a.view(4) -> v, after which nobody reads a; v.neg_() -> v.
TEST(OperatorGraph, MemoryStaysWhileAViewOfItIsRead) {
  OperatorGraph graph;
  const int x = graph.NewValue(), a = graph.NewValue(), v = graph.NewValue();
  graph.inputs = {{.value = x}};
  graph.calls.push_back({.handle = Operator("aten::relu"),
                         .arguments = {c10::IValue()},
                         .tensors = {{.argument = 0, .values = {x}}},
                         .results = {{a}},
                         .result_is_list = {false}});
  graph.calls.push_back({.handle = Operator("aten::view"),
                         .arguments = {c10::IValue(), std::vector<int64_t>{4}},
                         .tensors = {{.argument = 0, .values = {a}}},
                         .results = {{v}},
                         .result_is_list = {false}});
  graph.calls.push_back({.handle = Operator("aten::neg_"),
                         .arguments = {c10::IValue()},
                         .tensors = {{.argument = 0, .values = {v}}},
                         .results = {{v}},
                         .result_is_list = {false}});
  graph.outputs = {v};
  graph.FindLastUses();
  EXPECT_EQ(graph.calls[1].last_uses, std::vector<int>({a}));
  EXPECT_EQ(graph.calls[2].last_uses, std::vector<int>());
  GraphReplay replay(graph, {Filled(3)});
  replay.Make(graph.calls[0]);
  const c10::weak_intrusive_ptr<c10::StorageImpl> memory(replay[a].storage().getWeakStorageImpl());
  replay.Make(graph.calls[1]);
  EXPECT_FALSE(replay[a].defined());
  EXPECT_FALSE(memory.expired()) << "the view holds it";
  replay.Make(graph.calls[2]);
  EXPECT_TRUE(replay[v].equal(at::ones({4}) * -3));
  graph.outputs = {x};
  graph.FindLastUses();
  GraphReplay other(graph, {Filled(3)});
  for (const GraphCall& call : graph.calls) other.Make(call);
  EXPECT_FALSE(other[v].defined()) << "nobody reads it";
}

}  // namespace
}  // namespace assay::execution
