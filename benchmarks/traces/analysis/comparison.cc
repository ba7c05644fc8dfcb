#include "benchmarks/traces/analysis/comparison.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/traces/analysis/operator_mix.h"

namespace assay::traces {
namespace {

using Pairs = std::vector<std::pair<size_t, size_t>>;
using Texts = absl::Span<const uint32_t>;  // numbers of texts

// The longest common subsequence by its table; nothing where that would be too large.
Pairs BySubsequence(Texts a, Texts b) {
  constexpr size_t kMostCells = 40'000'000;
  if (a.empty() || b.empty() || a.size() > kMostCells / b.size()) return {};
  enum Step : uint8_t { kBoth, kFirst, kSecond };
  std::vector<uint8_t> steps(a.size() * b.size());
  std::vector<uint32_t> below(b.size() + 1),
      row(b.size() + 1);  // lengths from (i + 1, j), (i, j) on
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      const bool same = a[i] == b[j];
      row[j] = same ? below[j + 1] + 1 : std::max(below[j], row[j + 1]);
      steps[i * b.size() + j] = same ? kBoth : below[j] >= row[j + 1] ? kFirst : kSecond;
    }
    std::swap(below, row);
  }
  Pairs pairs;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const uint8_t step = steps[i * b.size() + j];
    if (step == kBoth) pairs.emplace_back(i, j);
    i += step != kSecond ? 1 : 0;
    j += step != kFirst ? 1 : 0;
  }
  return pairs;
}

// Pairs of texts that occur once in each, as many as grow in both.
Pairs ByUniqueTexts(Texts a, Texts b) {
  struct Places {
    size_t in_a = 0, in_b = 0, at_a = 0, at_b = 0;
  };
  std::unordered_map<uint32_t, Places> places;
  for (size_t i = 0; i < a.size(); ++i) {
    ++places[a[i]].in_a;
    places[a[i]].at_a = i;
  }
  for (size_t j = 0; j < b.size(); ++j) {
    ++places[b[j]].in_b;
    places[b[j]].at_b = j;
  }
  Pairs unique;
  for (size_t i = 0; i < a.size(); ++i) {
    const Places& of = places[a[i]];
    if (of.in_a == 1 && of.in_b == 1) unique.emplace_back(i, of.at_b);
  }
  // The longest growing list of places in b, by piles of cards.
  std::vector<size_t> tops, before(unique.size());
  for (size_t k = 0; k < unique.size(); ++k) {
    const auto pile =
        std::lower_bound(tops.begin(), tops.end(), unique[k].second,
                         [&](size_t top, size_t place) { return unique[top].second < place; });
    before[k] = pile == tops.begin() ? unique.size() : *(pile - 1);
    if (pile == tops.end()) {
      tops.push_back(k);
    } else {
      *pile = k;
    }
  }
  Pairs pairs;
  for (size_t k = tops.empty() ? unique.size() : tops.back(); k < unique.size(); k = before[k])
    pairs.push_back(unique[k]);
  std::reverse(pairs.begin(), pairs.end());
  return pairs;
}

Texts Part(Texts texts, size_t begin, size_t end) { return texts.subspan(begin, end - begin); }

// Calls `work` with the ranges that lie before, between and behind pairs.
void ForEachGap(const Pairs& pairs, size_t size_a, size_t size_b,
                const std::function<void(size_t a0, size_t a1, size_t b0, size_t b1)>& work) {
  size_t a0 = 0, b0 = 0;
  for (const auto& [a, b] : pairs) {
    if (a > a0 && b > b0) work(a0, a, b0, b);
    a0 = a + 1;
    b0 = b + 1;
  }
  if (size_a > a0 && size_b > b0) work(a0, size_a, b0, size_b);
}

std::string PathOf(const TraceTree& tree, size_t node) {
  std::string path;
  for (node = tree.parent[node]; node != kNoNode; node = tree.parent[node]) {
    const std::string& name = tree.nodes.CallOf(node).name;
    // ProfilerStep#6 and #7 are one step, twice.
    if (!absl::StartsWith(name, "[pytorch|profiler|"))
      path = absl::StrCat(name.substr(0, name.find('#')), "/", path);
  }
  return path;
}

// Different texts, by their numbers.
class NumberedTexts {
 public:
  uint32_t Of(std::string text) {
    const auto [at, added] =
        numbers_.try_emplace(std::move(text), static_cast<uint32_t>(texts_.size()));
    if (added) texts_.push_back(&at->first);
    return at->second;
  }
  const std::string& operator[](uint32_t number) const { return *texts_[number]; }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<const std::string*> texts_;
};

struct Sequence {
  Sequence(const TraceTree& tree, NumberedTexts& texts) {
    std::vector<uint32_t> by_call(tree.nodes.Calls(), UINT32_MAX);
    for (const size_t node : tree.order) {
      if (!tree.IsTopMost(node)) continue;
      const TraceNode& call = tree.nodes.CallOf(node);
      uint32_t& text = by_call[tree.nodes.CallNumber(node)];
      if (text == UINT32_MAX) text = texts.Of(CallText(call));
      const std::string path = PathOf(tree, node), name = OperatorName(call);
      nodes.push_back(node);
      keys[0].push_back(texts.Of(absl::StrCat(path, texts[text])));
      keys[1].push_back(text);
      keys[2].push_back(texts.Of(absl::StrCat(path, name)));
      keys[3].push_back(texts.Of(name));
    }
  }
  std::vector<size_t> nodes;
  std::vector<uint32_t> keys[4];  // numbers of texts; the finest first
};

std::string_view KindOf(const TraceNode& before, const TraceNode& after) {
  const auto texts = [](const TraceNode& node, const auto& text) {
    std::vector<std::string> all;
    ForEachTensor(node.inputs, [&](const TraceTensor& tensor) { all.push_back(text(tensor)); });
    return all;
  };
  const auto differ = [&](const auto& text) { return texts(before, text) != texts(after, text); };
  const auto count = [](const TraceTensor&) { return std::string(); };
  if (differ(count)) return "arguments";
  if (differ([](const TraceTensor& t) { return t.dtype; })) return "dtype";
  if (differ([](const TraceTensor& t) { return TensorText({.dtype = t.dtype, .sizes = t.sizes}); }))
    return "shape";
  if (differ([](const TraceTensor& t) { return TensorText(t); })) return "strides";
  return "arguments";
}

class Comparer {
 public:
  Comparer(const TraceTree& before, const TraceTree& after)
      : before_(before), after_(after), a_(before, texts_), b_(after, texts_) {}

  Comparison Compare() && {
    const Pairs pairs = Aligned();
    for (const auto& [a, b] : pairs) Pair(a, b);
    for (size_t a = 0; a < a_.nodes.size(); ++a)
      if (!paired_a_[a]) Add("vanished", a, kNoNode);
    for (size_t b = 0; b < b_.nodes.size(); ++b)
      if (!paired_b_[b]) Add("appeared", kNoNode, b);
    made_.before_ns = Total(before_, a_.nodes);
    made_.after_ns = Total(after_, b_.nodes);
    made_.timed = made_.before_ns > 0 && made_.after_ns > 0;
    for (auto& [key, difference] : by_text_) {
      if (difference.kind == "time")
        difference.kind = difference.change_ns > 0 ? "slower" : "faster";
      if (!made_.timed) difference.change_ns = 0;
      made_.differences.push_back(std::move(difference));
    }
    std::stable_sort(
        made_.differences.begin(), made_.differences.end(), [](const auto& x, const auto& y) {
          const auto size = [](const Difference& d) {
            return std::make_pair(std::abs(d.change_ns),
                                  std::max(d.nodes_before.size(), d.nodes_after.size()));
          };
          return size(x) > size(y);
        });
    return std::move(made_);
  }

 private:
  Pairs Aligned() {
    Pairs pairs;
    for (size_t level = 0; level < 4; ++level) {
      Pairs more;
      ForEachGap(pairs, a_.nodes.size(), b_.nodes.size(),
                 [&](size_t a0, size_t a1, size_t b0, size_t b1) {
                   for (const auto& [a, b] :
                        Align(Part(a_.keys[level], a0, a1), Part(b_.keys[level], b0, b1)))
                     more.emplace_back(a0 + a, b0 + b);
                 });
      pairs.insert(pairs.end(), more.begin(), more.end());
      std::sort(pairs.begin(), pairs.end());
    }
    return pairs;
  }

  void Pair(size_t a, size_t b) {
    paired_a_[a] = paired_b_[b] = true;
    if (a_.keys[1][a] != b_.keys[1][b]) {
      Add(KindOf(before_.nodes.CallOf(a_.nodes[a]), after_.nodes.CallOf(b_.nodes[b])), a, b);
      return;
    }
    ++made_.equal;
    const int64_t before = before_.nodes.TimesOf(a_.nodes[a]).duration_ns,
                  after = after_.nodes.TimesOf(b_.nodes[b]).duration_ns;
    if (before >= 0 && after >= 0 && before != after) Add("time", a, b);
  }

  void Add(std::string_view kind, size_t a, size_t b) {
    const std::string before = a == kNoNode ? "" : texts_[a_.keys[1][a]],
                      after = b == kNoNode ? "" : texts_[b_.keys[1][b]];
    Difference& of = by_text_[{std::string(kind), before, after}];
    of.kind = kind;
    of.before = before;
    of.after = after;
    if (kind != "time") ++made_.different;
    if (a != kNoNode) {
      of.nodes_before.push_back(a_.nodes[a]);
      of.change_ns -= before_.nodes.DurationNs(a_.nodes[a]);
    }
    if (b != kNoNode) {
      of.nodes_after.push_back(b_.nodes[b]);
      of.change_ns += after_.nodes.DurationNs(b_.nodes[b]);
    }
  }

  static int64_t Total(const TraceTree& tree, const std::vector<size_t>& nodes) {
    int64_t total = 0;
    for (const size_t node : nodes) total += tree.nodes.DurationNs(node);
    return total;
  }

  const TraceTree &before_, &after_;
  NumberedTexts texts_;
  const Sequence a_, b_;
  std::vector<bool> paired_a_ = std::vector<bool>(a_.nodes.size()),
                    paired_b_ = std::vector<bool>(b_.nodes.size());
  std::map<std::tuple<std::string, std::string, std::string>, Difference> by_text_;
  Comparison made_;
};

}  // namespace

Pairs Align(Texts a, Texts b) {
  Pairs pairs;
  size_t begin = 0, end = 0;
  while (begin < a.size() && begin < b.size() && a[begin] == b[begin]) {
    pairs.emplace_back(begin, begin);
    ++begin;
  }
  while (begin + end < std::min(a.size(), b.size()) &&
         a[a.size() - 1 - end] == b[b.size() - 1 - end])
    ++end;
  const Texts middle_a = Part(a, begin, a.size() - end), middle_b = Part(b, begin, b.size() - end);
  const Pairs unique = ByUniqueTexts(middle_a, middle_b);
  Pairs inner = unique;
  if (unique.empty()) {
    inner = BySubsequence(middle_a, middle_b);
  } else {
    ForEachGap(unique, middle_a.size(), middle_b.size(),
               [&](size_t a0, size_t a1, size_t b0, size_t b1) {
                 for (const auto& [x, y] : Align(Part(middle_a, a0, a1), Part(middle_b, b0, b1)))
                   inner.emplace_back(a0 + x, b0 + y);
               });
    std::sort(inner.begin(), inner.end());
  }
  for (const auto& [x, y] : inner) pairs.emplace_back(begin + x, begin + y);
  for (; end > 0; --end) pairs.emplace_back(a.size() - end, b.size() - end);
  return pairs;
}

Comparison Compare(const TraceTree& before, const TraceTree& after) {
  return Comparer(before, after).Compare();
}

}  // namespace assay::traces
