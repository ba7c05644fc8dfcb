#include "models/layers/core/layer.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::models {
namespace {

std::string_view DotBehind(std::string_view name) { return name.empty() ? "" : "."; }

}  // namespace

Layer::Layer(Layer& parent, std::string name) {
  parent.children_.push_back({std::move(name), this});
}

void Layer::AppendState(const std::string& prefix, std::vector<NamedTensor>& state) const {
  for (const Entry& entry : entries_) {
    if (!entry.in_state) continue;
    state.push_back(entry.description);
    state.back().name = prefix + entry.name;
    state.back().tensor = *entry.tensor;
  }
  for (const Child& child : children_)
    child.layer->AppendState(absl::StrCat(prefix, child.name, DotBehind(child.name)), state);
}

void Layer::MoveTo(at::Device device, at::ScalarType dtype) {
  MoveOwnTensors(device, dtype);
  FollowAliases();
}

void Layer::MoveOwnTensors(at::Device device, at::ScalarType dtype) {
  for (Entry& entry : entries_) {
    if (entry.of != nullptr) continue;
    at::Tensor& tensor = *entry.tensor;
    const bool follows = tensor.is_floating_point() && !entry.keeps_dtype;
    tensor = tensor.to(device, follows ? dtype : tensor.scalar_type()).detach();
  }
  Moved();
  for (Child& child : children_) child.layer->MoveOwnTensors(device, dtype);
}

void Layer::FollowAliases() {
  for (Entry& entry : entries_) {
    if (entry.of != nullptr) *entry.tensor = *entry.of;
  }
  for (Child& child : children_) child.layer->FollowAliases();
}

void Layer::SetLayerTraining(bool training) {
  training_ = training;
  for (Child& child : children_) child.layer->SetLayerTraining(training);
}

bool Layer::SetLayerDropout(bool on) {
  dropout_on_ = on;
  bool draws = Draws();
  for (Child& child : children_) draws |= child.layer->SetLayerDropout(on);
  return draws;
}

absl::StatusOr<int> Layer::LowerLayers(const Lowering& lowering) {
  const absl::StatusOr<bool> self = LowerSelf(lowering);
  if (!self.ok()) return self.status();
  int changed = *self ? 1 : 0;
  for (Child& child : children_) {
    Lowering of_child = lowering;
    if (!child.name.empty())
      absl::StrAppend(&of_child.layer, DotBehind(lowering.layer), child.name);
    const absl::StatusOr<int> below = child.layer->LowerLayers(of_child);
    if (!below.ok()) return below;
    changed += *below;
  }
  return changed;
}

void Layer::Freeze() {
  for (Entry& entry : entries_) entry.description.trainable = false;
  for (Child& child : children_) child.layer->Freeze();
}

void Layer::RemoveTensor(const at::Tensor& member) {
  const auto is_member = [&member](const Entry& entry) { return entry.tensor == &member; };
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(), is_member), entries_.end());
}

void Layer::AddParameter(std::string name, at::IntArrayRef shape, Init init, at::Tensor& member) {
  member = at::empty(shape, at::kFloat);
  entries_.push_back({std::move(name), &member, {.init = init, .trainable = true}});
}

void Layer::AddLookedUpParameter(std::string name, at::IntArrayRef shape, Init init,
                                 at::Tensor& member) {
  AddParameter(std::move(name), shape, init, member);
  entries_.back().description.sparse_access = true;
}

void Layer::AddBuffer(std::string name, at::IntArrayRef shape, Init init, at::Tensor& member) {
  member = at::empty(shape, at::kFloat);
  entries_.push_back({std::move(name), &member, {.init = init}});
}

void Layer::AddBuffer(std::string name, at::Tensor value, at::Tensor& member) {
  member = std::move(value);
  entries_.push_back({std::move(name), &member, {.given = true}});
}

void Layer::AddLoweredWeight(std::string name, at::Tensor value, int64_t elements,
                             at::Tensor& member) {
  AddBuffer(std::move(name), std::move(value), member);
  entries_.back().description.lowered_elements = elements;
}

void Layer::AddConstant(at::Tensor value, at::Tensor& member, bool keeps_dtype) {
  AddBuffer("", std::move(value), member);
  entries_.back().in_state = false;
  entries_.back().keeps_dtype = keeps_dtype;
}

void Layer::AddAlias(std::string name, at::Tensor& member, const at::Tensor& of) {
  member = of;
  entries_.push_back({std::move(name), &member, {.alias = true}, &of});
}

void Layer::AddCounter(std::string name, at::Tensor& member) {
  AddBuffer(std::move(name), at::zeros({}, at::kLong), member);
  entries_.back().description.sparse_access = true;
}

}  // namespace assay::models
