#include "benchmarks/traces/graph/trace_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "absl/strings/match.h"

namespace assay::traces {

TraceTree::TraceTree(const NodeList& nodes) : nodes(nodes) {
  std::vector<int64_t> ids(nodes.size());
  for (size_t node = 0; node < nodes.size(); ++node) ids[node] = nodes.IdsOf(node).id;
  order.resize(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return ids[a] < ids[b]; });
  for (size_t i = 1; i < order.size(); ++i)
    if (ids[order[i]] == ids[order[i - 1]]) twice.push_back(order[i]);
  // The first node with the id.
  const auto node_of = [&](int64_t id) -> size_t {
    const auto found = std::lower_bound(order.begin(), order.end(), id,
                                        [&](uint32_t node, int64_t of) { return ids[node] < of; });
    return found == order.end() || ids[*found] != id ? kNoNode : *found;
  };
  parent.assign(nodes.size(), kNoNode);
  // If a chain of parents comes back to itself, the node with the lowest id becomes a root.
  std::vector<uint8_t> reached(nodes.size());  // 1: on the chain that is walked; 2: ends at a root
  std::vector<size_t> chain;
  for (const size_t first : order) {
    chain.clear();
    for (size_t node = first; node != kNoNode && reached[node] != 2;) {
      if (reached[node] == 1) {
        parent[node] = kNoNode;
        cyclic.push_back(node);
        break;
      }
      reached[node] = 1;
      chain.push_back(node);
      const size_t found = node_of(nodes.IdsOf(node).ctrl_deps);
      if (found == kNoNode) orphans.push_back(node);
      // The process is its own parent.
      parent[node] = static_cast<uint32_t>(found == node ? kNoNode : found);
      node = parent[node];
    }
    for (const size_t node : chain) reached[node] = 2;
  }
  child_starts.resize(nodes.size() + 1);
  for (const uint32_t above : parent)
    if (above != kNoNode) ++child_starts[above + 1];
  std::partial_sum(child_starts.begin(), child_starts.end(), child_starts.begin());
  children.resize(child_starts.back());
  std::vector<uint32_t> next(child_starts.begin(), child_starts.end() - 1);
  for (const uint32_t node : order) {
    if (parent[node] == kNoNode) {
      roots.push_back(node);
    } else {
      children[next[parent[node]]++] = node;
    }
  }
}

bool TraceTree::Within(size_t node, size_t above) const {
  while (node != kNoNode && node != above) node = parent[node];
  return node == above;
}

size_t TraceTree::OperatorAbove(size_t node) const {
  for (node = parent[node]; node != kNoNode && !IsOperator(node);) node = parent[node];
  return node;
}

bool TraceTree::IsTopMost(size_t node, size_t under) const {
  if (!IsOperator(node) || !Under(node, under)) return false;
  const size_t above = OperatorAbove(node);
  return above == kNoNode || !Under(above, under);
}

std::vector<size_t> TraceTree::OperatorsBelow(size_t node) const {
  std::vector<size_t> found;
  std::vector<size_t> open(Children(node).rbegin(), Children(node).rend());
  while (!open.empty()) {
    const size_t next = open.back();
    open.pop_back();
    if (IsOperator(next)) {
      found.push_back(next);
    } else {
      open.insert(open.end(), Children(next).rbegin(), Children(next).rend());
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
    if (!tree.IsOperator(node)) continue;
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

void Mark(TimeMarks& marks, int64_t start_ns, int64_t duration_ns) {
  marks.emplace_back(start_ns, 1);
  marks.emplace_back(start_ns + duration_ns, -1);
}

int64_t TimeOpen(TimeMarks marks, int least) {
  // An end comes before a begin at the same time.
  std::sort(marks.begin(), marks.end());
  int64_t time = 0, since = 0;
  int open = 0;
  for (const auto& [at, step] : marks) {
    if (open >= least) time += at - since;
    since = at;
    open += step;
  }
  return time;
}

std::optional<int64_t> SpanNs(const TraceTree& tree, size_t under) {
  int64_t first = std::numeric_limits<int64_t>::max(), last = 0;
  for (const size_t node : tree.order) {
    const NodeList::Times of = tree.nodes.TimesOf(node);
    if (of.duration_ns < 0 || !tree.Under(node, under)) continue;
    first = std::min(first, of.start_ns);
    last = std::max(last, of.start_ns + of.duration_ns);
  }
  if (first > last) return std::nullopt;
  return last - first;
}

int64_t OwnNs(const TraceTree& tree, size_t node) {
  int64_t own = tree.nodes.DurationNs(node);
  for (const size_t below : tree.OperatorsBelow(node)) own -= tree.nodes.DurationNs(below);
  return std::max<int64_t>(own, 0);
}

int64_t EngineNs(const TraceTree& tree, size_t under) {
  int64_t engine = 0;
  for (const size_t node : tree.order) {
    if (absl::StartsWith(tree.nodes.CallOf(node).name, "autograd::engine::evaluate_function") &&
        tree.Under(node, under))
      engine += OwnNs(tree, node);
  }
  return engine;
}

}  // namespace assay::traces
