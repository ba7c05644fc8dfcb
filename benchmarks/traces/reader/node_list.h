#ifndef ASSAY_BENCHMARKS_TRACES_READER_NODE_LIST_H_
#define ASSAY_BENCHMARKS_TRACES_READER_NODE_LIST_H_

// ---------------------------------------------------------------------------------------------
// node_list.h: the nodes of a trace in little memory. A program makes few different calls, each many
// times: the list keeps each different call once, as a TraceNode. Of a node it keeps the number of its
// call, and what only this node has: ids, times, the ids of tensors and storages, recorded values. These
// are numbers of few bytes each (varints): 50 bytes a node, 150 with recorded values, in place of 3 KB.
//
// Not for: a trace in which no call is made twice. It needs the memory of its TraceNodes and of
// their keys: 2 to 3.5 KB a node.
//
// Example:
//   NodeList nodes;
//   nodes.Add(node);
//   const TraceNode& of = nodes[0];                    // a copy
//   if (nodes.CallOf(0).IsOperator()) ...              // no copy
// ---------------------------------------------------------------------------------------------

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "absl/functional/function_ref.h"
#include "benchmarks/traces/reader/trace_node.h"

namespace assay::traces {

class NodeList {
 public:
  // A tensor, without its ids, and its ids.
  using TakeTensor = absl::FunctionRef<void(const TraceTensor& like, int64_t id, int64_t storage)>;

  NodeList() = default;
  NodeList(std::initializer_list<TraceNode> nodes) {
    for (const TraceNode& node : nodes) Add(node);
  }

  void Add(TraceNode node);
  size_t size() const { return starts_.size(); }
  bool empty() const { return starts_.empty(); }

  // A copy, which takes a microsecond or two.
  TraceNode operator[](size_t node) const;

  // The part that all equal calls share. Of recorded values it has `wrapped_numbers`. Valid until the nodes
  // change.
  const TraceNode& CallOf(size_t node) const { return *calls_[CallNumber(node)]; }
  // Equal calls have the same number, and numbers are below Calls().
  size_t CallNumber(size_t node) const;
  size_t Calls() const { return calls_.size(); }

  struct Ids {
    int64_t id = 0, ctrl_deps = 0;
  };
  Ids IdsOf(size_t node) const;
  struct Times {
    int64_t start_ns = -1, duration_ns = -1;
  };
  Times TimesOf(size_t node) const;
  // 0 of a node without times.
  int64_t DurationNs(size_t node) const { return std::max<int64_t>(TimesOf(node).duration_ns, 0); }

  // In the order of ForEachTensor().
  void ForEachInput(size_t node, TakeTensor take) const;
  void ForEachOutput(size_t node, TakeTensor take) const;

  // Leaves out the nodes that are not to be kept.
  void Keep(const std::vector<bool>& kept);
  // Changes each node.
  void Change(absl::FunctionRef<void(TraceNode& node)> change);
  // Changes each different call, which so many nodes make. It must leave the order of its tensors.
  void ChangeCalls(absl::FunctionRef<void(TraceNode& call, int64_t nodes)> change);

  class Iterator {
   public:
    Iterator(const NodeList& nodes, size_t node) : nodes_(nodes), node_(node) {}
    TraceNode operator*() const { return nodes_[node_]; }
    void operator++() { ++node_; }
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    const NodeList& nodes_;
    size_t node_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  std::string bytes_;           // of each node: the number of its call, then what only it has
  std::vector<size_t> starts_;  // by node: a place in bytes_
  std::vector<std::shared_ptr<const TraceNode>> calls_;
  std::unordered_map<std::string, size_t> numbers_;  // of calls, by all that they are
};

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_READER_NODE_LIST_H_
