#include "benchmarks/traces/replay/seeded_storage.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <string_view>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "benchmarks/traces/replay/traced_call.h"
#include "defs/case/philox.h"

namespace assay::traces {
namespace {

// An argument of an operator that holds indices, and the argument that they index.
struct IndexRule {
  std::string_view name;
  size_t index;  // the argument with the indices
  size_t of;     // the argument that is indexed, or a number that is the limit
  int dimension;  // of that; kGiven: the argument after it says; kAll: all its elements; kEach: those of
                  // a list, one dimension each; kClasses: the second, of one dimension the first
};
constexpr int kGiven = -1, kAll = -2, kEach = -3, kClasses = -4, kNumber = -5, kZero = -6;
constexpr IndexRule kIndexRules[] = {
    {"aten::embedding", 1, 0, 0},
    {"aten::embedding_dense_backward", 1, 2, kNumber},
    {"aten::embedding_bag", 1, 0, 0},
    {"aten::embedding_bag", 2, 0, kZero},
    {"aten::_embedding_bag", 1, 0, 0},
    {"aten::_embedding_bag", 2, 0, kZero},
    {"aten::index_select", 2, 0, kGiven},
    {"aten::index_add", 2, 0, kGiven},
    {"aten::index_add_", 2, 0, kGiven},
    {"aten::gather", 2, 0, kGiven},
    {"aten::scatter", 2, 0, kGiven},
    {"aten::scatter_", 2, 0, kGiven},
    {"aten::scatter_add", 2, 0, kGiven},
    {"aten::scatter_add_", 2, 0, kGiven},
    {"aten::index", 1, 0, kEach},
    {"aten::index_put", 1, 0, kEach},
    {"aten::index_put_", 1, 0, kEach},
    {"aten::_index_put_impl_", 1, 0, kEach},
    {"aten::take", 1, 0, kAll},
    {"aten::one_hot", 0, 1, kNumber},
    {"aten::cross_entropy_loss", 1, 0, kClasses},
    {"aten::nll_loss", 1, 0, kClasses},
    {"aten::nll_loss_nd", 1, 0, kClasses},
    {"aten::nll_loss_forward", 1, 0, kClasses},
    {"aten::nll_loss_backward", 2, 1, kClasses},
    {"aten::nll_loss2d_forward", 1, 0, kClasses},
    {"aten::nll_loss2d_backward", 2, 1, kClasses},
    {"aten::max_pool2d_with_indices_backward", 7, 1, kAll},
};

// Arguments that must not be negative.
constexpr std::string_view kPositive[] = {"running_var", "exp_avg_sqs", "max_exp_avg_sqs",
                                          "state_steps", "state_sums",  "p",
                                          "save_invstd"};

bool IsWhole(std::string_view dtype) {
  return !absl::StrContains(dtype, "float") && !absl::StrContains(dtype, "Float") &&
         !absl::StrContains(dtype, "double") && !absl::StrContains(dtype, "Half");
}

int64_t SizeAt(const TraceTensor& tensor, int64_t dimension) {
  const auto count = static_cast<int64_t>(tensor.sizes.size());
  if (dimension < 0) dimension += count;
  return dimension >= 0 && dimension < count ? tensor.sizes[static_cast<size_t>(dimension)] : 1;
}

// The limit of the indices in element `item` of the rule's argument.
int64_t LimitOf(const IndexRule& rule, const std::vector<TraceValue>& inputs, size_t item) {
  const TraceValue& of = inputs[rule.of];
  switch (rule.dimension) {
    case kNumber:
      return std::max<int64_t>(of.integer, 1);
    case kZero:
      return 1;
    case kAll:
      // A pooling's indices count the elements of one plane.
      return rule.name == "aten::take" ? of.tensor.elements
                                       : SizeAt(of.tensor, -1) * SizeAt(of.tensor, -2);
    case kEach:
      return SizeAt(of.tensor, static_cast<int64_t>(item));
    case kClasses:
      return SizeAt(of.tensor, of.tensor.sizes.size() > 1 ? 1 : 0);
    case kGiven:
      return SizeAt(of.tensor, inputs[rule.of + 1].integer);
    default:
      return SizeAt(of.tensor, rule.dimension);
  }
}

class Needs {
 public:
  Needs(const TraceTree& tree, const Storages& storages) : tree_(tree), storages_(storages) {}

  std::map<int, SeededValues> Of(const std::vector<size_t>& calls) && {
    for (const size_t call : calls) {
      LookAtIndices(call);
      LookAtNames(call);
      FollowWholeNumbers(call);
    }
    for (const auto& [storage, limit] : limits_) {
      needed_[storage].limit = std::max<int64_t>(limit, 1);
      needed_[storage].indexes = true;
    }
    return std::move(needed_);
  }

 private:
  int SourceOf(int storage) const {
    const auto found = sources_.find(storage);
    return found == sources_.end() ? storage : found->second;
  }

  void Limit(int storage, int64_t limit) {
    if (storage == kNoStorage) return;
    const auto [at, first] = limits_.emplace(SourceOf(storage), limit);
    if (!first) at->second = std::min(at->second, limit);
  }

  void LookAtIndices(size_t call) {
    const TraceNode& node = tree_.nodes.CallOf(call);
    for (const IndexRule& rule : kIndexRules) {
      if (rule.name != node.name || std::max(rule.index, rule.of + 1) >= node.inputs.size())
        continue;
      size_t at = 0, item = 0;
      for (size_t i = 0; i < rule.index; ++i)
        ForEachTensor({node.inputs[i]}, [&](const TraceTensor&) { ++at; });
      const TraceValue& index = node.inputs[rule.index];
      const auto take = [&](const TraceValue& value) {
        if (value.kind == TraceValue::Kind::kTensor)
          Limit(storages_.inputs[call][at++], LimitOf(rule, node.inputs, item));
        ++item;
      };
      if (index.kind == TraceValue::Kind::kTensor) take(index);
      for (const TraceValue& value : index.items) take(value);
    }
  }

  void LookAtNames(size_t call) {
    const TraceNode& node = tree_.nodes.CallOf(call);
    const auto handle = OperatorOf(node);
    if (!handle) return;
    const std::vector<c10::Argument>& declared = handle->schema().arguments();
    size_t tensor = 0;
    for (size_t i = 0; i < std::min(node.inputs.size(), declared.size()); ++i) {
      const bool positive = absl::StrContains(node.name, "sqrt") ||
                            absl::c_linear_search(kPositive, declared[i].name());
      ForEachTensor({node.inputs[i]}, [&](const TraceTensor&) {
        const int storage = storages_.inputs[call][tensor++];
        if (storage != kNoStorage && positive) needed_[storage].positive = true;
      });
    }
  }

  // An operator that makes whole numbers of whole numbers hands them on.
  void FollowWholeNumbers(size_t call) {
    int source = kNoStorage;
    size_t at = 0;
    ForEachTensor(tree_.nodes.CallOf(call).inputs, [&](const TraceTensor& tensor) {
      const int storage = storages_.inputs[call][at++];
      if (source == kNoStorage && storage != kNoStorage && IsWhole(tensor.dtype)) source = storage;
    });
    at = 0;
    ForEachTensor(tree_.nodes.CallOf(call).outputs, [&](const TraceTensor& tensor) {
      const int storage = storages_.outputs[call][at++];
      if (source != kNoStorage && storage != kNoStorage && storage != source &&
          IsWhole(tensor.dtype))
        sources_[storage] = SourceOf(source);
    });
  }

  const TraceTree& tree_;
  const Storages& storages_;
  std::map<int, SeededValues> needed_;
  std::map<int, int64_t> limits_;
  std::map<int, int> sources_;
};

}  // namespace

at::Tensor SeededStorage(at::ScalarType dtype, int64_t elements, const SeededValues& values) {
  if (at::isFloatingType(dtype)) {
    const bool exact =
        dtype == at::kFloat || dtype == at::kDouble || dtype == at::kHalf || dtype == at::kBFloat16;
    at::Tensor made = at::empty({elements}, exact ? dtype : at::kFloat);
    const models::Init init = values.positive
                                  ? models::Init{.multiplier = 0.5, .offset = 1, .slope = 1}
                                  : models::Init{.multiplier = 1, .offset = 0, .slope = 1};
    const absl::Status filled = numerics::Fill(made, values.seed, values.name, init);
    TORCH_CHECK(filled.ok(), filled.message());
    return made.to(dtype);
  }
  if (!at::isIntegralType(dtype, /*includeBool=*/true)) return at::zeros({elements}, dtype);
  at::Tensor made = at::empty({elements}, at::kLong);
  const PhiloxStream stream(values.seed, values.name);
  int64_t limit = dtype == at::kBool ? 2 : std::min(values.limit, int64_t{1} << 31);
  if (dtype == at::kByte || dtype == at::kChar) limit = std::min<int64_t>(limit, 127);
  auto* data = made.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < elements; ++i) {
    data[i] = static_cast<int64_t>(
        PhiloxStream::Integer(stream.Word(static_cast<uint64_t>(i)), static_cast<uint64_t>(limit)));
  }
  return made.to(dtype);
}

std::map<int, SeededValues> NeededValues(const TraceTree& tree, const Storages& storages,
                                         const std::vector<size_t>& calls) {
  return Needs(tree, storages).Of(calls);
}

}  // namespace assay::traces
