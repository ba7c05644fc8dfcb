#include "benchmarks/traces/graph/trace_tree.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace assay::traces {

TraceTree::TraceTree(const std::vector<TraceNode>& nodes) : nodes(nodes) {
  order.resize(nodes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return nodes[a].id < nodes[b].id; });
  std::unordered_map<int64_t, size_t> by_id;
  for (const size_t node : order) {
    if (!by_id.emplace(nodes[node].id, node).second) twice.push_back(node);
  }
  parent.assign(nodes.size(), kNoNode);
  children.resize(nodes.size());
  // If a chain of parents comes back to itself, the node with the lowest id becomes a root.
  std::vector<int> reached(nodes.size(), 0);  // 1: on the chain that is walked; 2: ends at a root
  for (const size_t first : order) {
    std::vector<size_t> chain;
    for (size_t node = first; node != kNoNode && reached[node] != 2;) {
      if (reached[node] == 1) {
        parent[node] = kNoNode;
        cyclic.push_back(node);
        break;
      }
      reached[node] = 1;
      chain.push_back(node);
      const auto found = by_id.find(nodes[node].ctrl_deps);
      if (found == by_id.end()) orphans.push_back(node);
      // The process is its own parent.
      const bool root = found == by_id.end() || found->second == node;
      parent[node] = root ? kNoNode : found->second;
      node = parent[node];
    }
    for (const size_t node : chain) reached[node] = 2;
  }
  for (const size_t node : order)
    (parent[node] == kNoNode ? roots : children[parent[node]]).push_back(node);
}

bool TraceTree::Within(size_t node, size_t above) const {
  while (node != kNoNode && node != above) node = parent[node];
  return node == above;
}

size_t TraceTree::OperatorAbove(size_t node) const {
  for (node = parent[node]; node != kNoNode && !nodes[node].IsOperator();) node = parent[node];
  return node;
}

bool TraceTree::IsTopMost(size_t node, size_t under) const {
  if (!nodes[node].IsOperator() || !Under(node, under)) return false;
  const size_t above = OperatorAbove(node);
  return above == kNoNode || !Under(above, under);
}

std::vector<size_t> TraceTree::OperatorsBelow(size_t node) const {
  std::vector<size_t> found;
  std::vector<size_t> open(children[node].rbegin(), children[node].rend());
  while (!open.empty()) {
    const size_t next = open.back();
    open.pop_back();
    if (nodes[next].IsOperator()) {
      found.push_back(next);
    } else {
      open.insert(open.end(), children[next].rbegin(), children[next].rend());
    }
  }
  return found;
}

void WalkOperators(const TraceTree& tree, const std::function<void(size_t node)>& begin,
                   const std::function<void(size_t node)>& end) {
  std::vector<size_t> open;
  const auto close_until = [&](size_t keep) {
    while (!open.empty() && open.back() != keep) {
      end(open.back());
      open.pop_back();
    }
  };
  for (const size_t node : tree.order) {
    if (!tree.nodes[node].IsOperator()) continue;
    size_t above = tree.OperatorAbove(node);
    // With several threads, what calls it may have been closed by another thread's operator.
    while (above != kNoNode && std::find(open.begin(), open.end(), above) == open.end())
      above = tree.OperatorAbove(above);
    close_until(above);
    begin(node);
    open.push_back(node);
  }
  close_until(kNoNode);
}

}  // namespace assay::traces
