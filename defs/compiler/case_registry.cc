#include "defs/compiler/case_registry.h"

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "defs/case/case_steps.h"
#include "defs/case/program_kinds.h"

namespace assay {
namespace {

template <typename Items>
const typename Items::value_type* Find(const Items& items, const std::string& name) {
  for (const auto& item : items) {
    if (item.name() == name) return &item;
  }
  return nullptr;
}

template <typename Item, typename Items>
std::string AddOnce(const Item& item, std::string_view what, Items* items) {
  const Item* known = Find(*items, item.name());
  if (known == nullptr) {
    *items->Add() = item;
    return "";
  }
  if (google::protobuf::util::MessageDifferencer::Equals(*known, item)) return "";
  return absl::StrCat("two ", what, " with different content are called '", item.name(),
                      "'; such a name is unique in the tree");
}

}  // namespace

std::string AddCase(const ResolvedCase& c, Registry* registry) {
  ResolvedCase& added = *registry->add_cases();
  added = c;
  // The limits that all cases share are written once.
  auto& limits = *added.mutable_execution_limits();
  limits.erase(
      std::remove_if(limits.begin(), limits.end(),
                     [registry](const ExecutionLimits& one) {
                       const auto& defaults = registry->default_limits();
                       return std::any_of(
                           defaults.begin(), defaults.end(), [&](const ExecutionLimits& other) {
                             return google::protobuf::util::MessageDifferencer::Equals(one, other);
                           });
                     }),
      limits.end());
  if (!KindOf(c).names_model) return "";  // shared with no other case
  std::string problem =
      AddOnce(c.implementation(), "implementations", registry->mutable_implementations());
  if (problem.empty()) problem = AddOnce(c.model(), "models", registry->mutable_models());
  added.clear_implementation();
  added.clear_model();
  return problem;
}

std::string AddRegistry(const Registry& from, Registry* registry) {
  std::string problem;
  for (const ModelImplementation& implementation : from.implementations()) {
    if (problem.empty())
      problem = AddOnce(implementation, "implementations", registry->mutable_implementations());
  }
  for (const Model& model : from.models()) {
    if (problem.empty()) problem = AddOnce(model, "models", registry->mutable_models());
  }
  registry->mutable_cases()->MergeFrom(from.cases());
  if (registry->default_limits().empty())
    *registry->mutable_default_limits() = from.default_limits();
  return problem;
}

bool JoinCase(const Registry& registry, ResolvedCase* c) {
  const auto has = [c](const ExecutionLimits& wanted) {
    return std::any_of(c->execution_limits().begin(), c->execution_limits().end(),
                       [&wanted](const ExecutionLimits& limits) {
                         return limits.dtype() == wanted.dtype() &&
                                limits.lowering() == wanted.lowering() &&
                                limits.matmul_precision() == wanted.matmul_precision();
                       });
  };
  const Dtype dtype = c->benchmark_case().dtype();
  for (const ExecutionLimits& limits : registry.default_limits()) {
    const bool called_otherwise =
        limits.lowering().empty()
            ? dtype == FP32 && (limits.dtype() == BF16 || limits.dtype() == FP16 ||
                                limits.matmul_precision() > HIGHEST)
            : limits.dtype() == dtype;
    if (called_otherwise && !has(limits)) *c->add_execution_limits() = limits;
  }
  if (c->has_model() && c->has_implementation()) {
    SetSteps(*c);
    return true;
  }
  const Model* model = Find(registry.models(), c->benchmark_case().model());
  if (model == nullptr) return false;
  const ModelImplementation* implementation =
      Find(registry.implementations(), model->implementation());
  if (implementation == nullptr) return false;
  *c->mutable_model() = *model;
  *c->mutable_implementation() = *implementation;
  SetSteps(*c);
  return true;
}

}  // namespace assay
