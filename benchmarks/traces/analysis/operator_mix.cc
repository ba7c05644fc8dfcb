#include "benchmarks/traces/analysis/operator_mix.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/shape_text.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/traces/graph/trace_tree.h"

namespace assay::traces {
namespace {

using Kind = TraceValue::Kind;

bool IsContiguous(const TraceTensor& tensor) {
  int64_t step = 1;
  for (size_t i = tensor.sizes.size(); i-- > 0;) {
    if (tensor.sizes[i] != 1 && tensor.strides[i] != step) return false;
    step *= tensor.sizes[i];
  }
  return true;
}

std::string ArgumentText(const TraceValue& value, WrappedNumbers& numbers) {
  const std::optional<double> number = numbers.Next(value);
  if (number) return absl::StrFormat("%s of %.17g", TensorText(value.tensor), *number);
  switch (value.kind) {
    case Kind::kNone:
    case Kind::kUndefinedTensor:
      return "None";
    case Kind::kTensor:
      return TensorText(value.tensor);
    case Kind::kInt:
      return absl::StrCat(value.integer);
    case Kind::kDouble:
      return absl::StrFormat("%.17g", value.number);
    case Kind::kBool:
      return value.integer != 0 ? "true" : "false";
    case Kind::kString:
      return base::Quoted(value.text);
    case Kind::kDevice:
      return "device";
    case Kind::kGenerator:
      return "generator";
    case Kind::kList:
      return absl::StrCat("[",
                          absl::StrJoin(value.items, ", ",
                                        [&](std::string* out, const TraceValue& item) {
                                          out->append(ArgumentText(item, numbers));
                                        }),
                          "]");
    case Kind::kLost:
      return absl::StrCat("lost ", base::Printable(value.type, 60));
  }
  return "";
}

}  // namespace

std::string TensorText(const TraceTensor& tensor) {
  std::string text = absl::StrCat(base::Printable(tensor.dtype, 40), base::ShapeText(tensor.sizes));
  if (tensor.has_strides && !IsContiguous(tensor))
    absl::StrAppend(&text, "{", absl::StrJoin(tensor.strides, ", "), "}");
  return text;
}

std::string CallText(const TraceNode& node) {
  std::string text = absl::StrCat(base::Printable(OperatorName(node), 120), "(");
  WrappedNumbers numbers(node);
  for (size_t i = 0; i < node.inputs.size(); ++i)
    absl::StrAppend(&text, i > 0 ? ", " : "", ArgumentText(node.inputs[i], numbers));
  return text + ")";
}

OperatorMix MixOf(const TraceTree& tree, const std::vector<size_t>& calls) {
  OperatorMix mix;
  std::unordered_map<std::string, size_t> places;
  std::vector<size_t> by_call(tree.nodes.Calls(), kNoNode);
  for (const size_t call : calls) {
    size_t& place = by_call[tree.nodes.CallNumber(call)];
    if (place == kNoNode) {
      const auto [at, added] =
          places.emplace(CallText(tree.nodes.CallOf(call)), mix.operators.size());
      if (added) mix.operators.emplace_back();
      place = at->second;
    }
    MixedOperator& one = mix.operators[place];
    one.nodes.push_back(call);
    ++mix.calls;
    const int64_t duration_ns = tree.nodes.TimesOf(call).duration_ns;
    if (duration_ns < 0) continue;
    ++one.timed;
    ++mix.timed;
    one.recorded_ns += duration_ns;
    mix.operators_ns += duration_ns;
  }
  std::stable_sort(mix.operators.begin(), mix.operators.end(),
                   [&](const MixedOperator& a, const MixedOperator& b) {
                     return mix.timed > 0 ? a.recorded_ns > b.recorded_ns
                                          : a.nodes.size() > b.nodes.size();
                   });
  mix.whole_ns = mix.timed > 0 ? SpanNs(tree).value_or(0) : 0;
  return mix;
}

bool IsView(const TraceNode& node) {
  return absl::StrContains(node.op_schema, "(a)") || absl::StrContains(node.op_schema, "(a ->");
}

bool PassesOn(const TraceTree& tree, size_t node) {
  constexpr std::string_view kHousekeeping[] = {
      "aten::as_strided_", "aten::copy_",        "aten::fill_",      "aten::result_type",
      "aten::resize_",     "aten::set_",         "aten::to",         "aten::zero_",
      "aten::_to_copy",    "aten::resolve_conj", "aten::resolve_neg"};
  for (const size_t below : tree.OperatorsBelow(node)) {
    const TraceNode& of = tree.nodes.CallOf(below);
    if (!IsView(of) && !absl::StrContains(of.name, "empty") &&
        std::find(std::begin(kHousekeeping), std::end(kHousekeeping), of.name) ==
            std::end(kHousekeeping))
      return true;
  }
  return false;
}

std::vector<size_t> WorkersOf(const TraceTree& tree, const std::vector<size_t>& calls) {
  std::vector<size_t> workers;
  std::vector<size_t> open(calls.rbegin(), calls.rend());
  while (!open.empty()) {
    const size_t node = open.back();
    open.pop_back();
    if (!PassesOn(tree, node)) {
      workers.push_back(node);
      continue;
    }
    const std::vector<size_t> below = tree.OperatorsBelow(node);
    open.insert(open.end(), below.rbegin(), below.rend());
  }
  return workers;
}

std::optional<double> WrappedNumbers::Next(const TraceValue& value) {
  if (!CountsAsTensor(value) || recorded_ == nullptr) return std::nullopt;
  const auto number = recorded_->wrapped_numbers.find(place_++);
  if (number == recorded_->wrapped_numbers.end()) return std::nullopt;
  return number->second;
}

std::vector<size_t> RunningStatistics(const TraceNode& node) {
  // input, weight, bias, running_mean, running_var, training.
  constexpr size_t kMean = 3, kVariance = 4, kTraining = 5;
  if (!absl::StrContains(node.name, "batch_norm") || absl::StrContains(node.name, "backward") ||
      node.inputs.size() <= kTraining || node.inputs[kTraining].kind != Kind::kBool ||
      node.inputs[kTraining].integer == 0)
    return {};
  return {kMean, kVariance};
}

Prediction Predict(const OperatorMix& mix,
                   const std::function<std::optional<double>(size_t rank)>& time) {
  Prediction made;
  for (size_t rank = 0; rank < mix.operators.size(); ++rank) {
    const MixedOperator& one = mix.operators[rank];
    const std::optional<double> each = time(rank);
    if (!each) {
      made.unmeasured.push_back(rank);
      made.unmeasured_ns += one.recorded_ns;
      continue;
    }
    const PredictedOperator& added = made.operators.emplace_back(
        PredictedOperator{.rank = rank,
                          .predicted_ns = *each * static_cast<double>(one.nodes.size()),
                          .comparable_ns = *each * static_cast<double>(one.timed)});
    made.predicted_ns += added.predicted_ns;
    made.comparable_ns += added.comparable_ns;
    made.covered_ns += one.recorded_ns;
  }
  if (mix.timed == 0) return made;
  const auto distance = [&](const PredictedOperator& one) {
    return std::abs(one.comparable_ns - static_cast<double>(mix.operators[one.rank].recorded_ns));
  };
  std::stable_sort(made.operators.begin(), made.operators.end(),
                   [&](const PredictedOperator& a, const PredictedOperator& b) {
                     return distance(a) > distance(b);
                   });
  return made;
}

}  // namespace assay::traces
