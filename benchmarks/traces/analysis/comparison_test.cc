#include "benchmarks/traces/analysis/comparison.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "benchmarks/traces/graph/test_nodes.h"
#include "gtest/gtest.h"

namespace assay::traces {
namespace {

std::vector<std::pair<size_t, size_t>> AlignWords(const std::string& a, const std::string& b) {
  return Align(std::vector<uint32_t>(a.begin(), a.end()),
               std::vector<uint32_t>(b.begin(), b.end()));
}

TEST(Align, FindsTheLongestList) {
  // Lengths of longest common subsequences, by hand.
  for (const auto& [a, b, length] :
       std::vector<std::tuple<std::string, std::string, size_t>>{{"", "abc", 0},
                                                                 {"abc", "abc", 3},
                                                                 {"abcabba", "cbabac", 4},
                                                                 {"aaaa", "aa", 2},
                                                                 {"xaxbxc", "abc", 3},
                                                                 {"abcdef", "fedcba", 1}}) {
    const auto pairs = AlignWords(a, b);
    EXPECT_EQ(pairs.size(), length) << a << " " << b;
    for (size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(a[pairs[i].first], b[pairs[i].second]);
      if (i == 0) continue;
      EXPECT_LT(pairs[i - 1].first, pairs[i].first);
      EXPECT_LT(pairs[i - 1].second, pairs[i].second);
    }
  }
}

constexpr char kRelu[] = "aten::relu(Tensor self) -> Tensor";
constexpr char kAdd[] = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";

struct Program {
  NodeList nodes = {Label(1, "layer", 1)};
  Program& Call(const std::string& schema, std::vector<TraceValue> inputs, int64_t ns = -1) {
    TraceNode node =
        Operator(static_cast<int64_t>(nodes.size()) * 10, schema, 1, std::move(inputs));
    node.start_ns = ns < 0 ? -1 : 0;
    node.duration_ns = ns;
    nodes.Add(std::move(node));
    return *this;
  }
};

std::map<std::string, size_t> KindsOf(const Comparison& comparison) {
  std::map<std::string, size_t> kinds;
  for (const Difference& difference : comparison.differences)
    kinds[std::string(difference.kind)] +=
        std::max(difference.nodes_before.size(), difference.nodes_after.size());
  return kinds;
}

TEST(Compare, AProgramIsTheSameAsItself) {
  Program a;
  a.Call(kRelu, {Tensor(3, 4, {2})}).Call(kRelu, {Tensor(5, 6, {2})});
  Program b;  // in other memory
  b.Call(kRelu, {Tensor(9, 8, {2})}).Call(kRelu, {Tensor(7, 6, {2})});
  const Comparison same = Compare(TraceTree(a.nodes), TraceTree(b.nodes));
  EXPECT_TRUE(same.Same());
  EXPECT_EQ(same.equal, 2u);
  EXPECT_TRUE(same.differences.empty());
}

TEST(Compare, NamesEachKindOfDifference) {
  TraceValue turned = Tensor(3, 4, {2, 3});
  turned.tensor.strides = {1, 2};
  Program a, b;
  const auto x = [](std::vector<int64_t> sizes) { return Tensor(3, 4, std::move(sizes)); };
  a.Call(kRelu, {x({2, 3})}).Call("aten::t(Tensor self) -> Tensor", {x({2, 3})});
  b.Call(kRelu, {turned}).Call("aten::t(Tensor self) -> Tensor", {x({2, 4})});
  a.Call("aten::exp(Tensor self) -> Tensor", {x({5})});
  b.Call("aten::exp(Tensor self) -> Tensor", {Tensor(3, 4, {5}, "double", 8)});
  a.Call(kAdd, {x({7}), x({7}), Int(1)}).Call("aten::log(Tensor self) -> Tensor", {x({7})});
  b.Call(kAdd, {x({7}), x({7}), Int(2)}).Call("aten::clone(Tensor self) -> Tensor", {x({7})});
  const Comparison c = Compare(TraceTree(a.nodes), TraceTree(b.nodes));
  EXPECT_EQ(KindsOf(c), (std::map<std::string, size_t>{{"strides", 1},
                                                       {"shape", 1},
                                                       {"dtype", 1},
                                                       {"arguments", 1},
                                                       {"vanished", 1},
                                                       {"appeared", 1}}));
  EXPECT_EQ(c.different, 6u);
  EXPECT_FALSE(c.timed);
}

TEST(Compare, TimesSayWhatExplainsTheTotal) {
  Program a, b;
  a.Call(kRelu, {Tensor(3, 4, {2})}, 100)
      .Call(kAdd, {Tensor(3, 4, {7}), Tensor(3, 4, {7}), Int(1)}, 50);
  b.Call(kRelu, {Tensor(3, 4, {2})}, 160)
      .Call("aten::clone(Tensor self) -> Tensor", {Tensor(3, 4, {7})}, 15)
      .Call(kAdd, {Tensor(3, 4, {7}), Tensor(3, 4, {7}), Int(1)}, 40);
  const Comparison c = Compare(TraceTree(a.nodes), TraceTree(b.nodes));
  ASSERT_EQ(c.differences.size(), 3u);
  EXPECT_TRUE(c.timed);
  EXPECT_EQ(c.after_ns - c.before_ns, 65);
  EXPECT_EQ(c.differences[0].kind, "slower");
  EXPECT_EQ(c.differences[0].change_ns, 60);
  EXPECT_EQ(c.differences[1].kind, "appeared");
  EXPECT_EQ(c.differences[1].change_ns, 15);
  EXPECT_EQ(c.differences[2].kind, "faster");
  EXPECT_EQ(c.differences[2].change_ns, -10);
  EXPECT_EQ(c.different, 1u);  // the clone; times alone do not count
}

TEST(Compare, AnInsertedCallShiftsNoOther) {
  Program a, b;
  for (int64_t size = 1; size < 6; ++size) {
    a.Call(kRelu, {Tensor(3, 4, {size})});
    if (size == 3) b.Call(kRelu, {Tensor(3, 4, {99})});
    b.Call(kRelu, {Tensor(3, 4, {size})});
  }
  const Comparison c = Compare(TraceTree(a.nodes), TraceTree(b.nodes));
  EXPECT_EQ(c.equal, 5u);
  EXPECT_EQ(KindsOf(c), (std::map<std::string, size_t>{{"appeared", 1}}));
}

}  // namespace
}  // namespace assay::traces
