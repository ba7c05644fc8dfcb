#include "models/layers/layer.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <utility>

namespace assay::models {

Layer::Layer(Layer& parent, std::string name) {
  parent.children_.push_back({std::move(name), this});
}

void Layer::AppendState(const std::string& prefix, std::vector<NamedTensor>& state) const {
  for (const Entry& entry : entries_) {
    state.push_back({prefix + entry.name, *entry.tensor, entry.init, entry.trainable});
  }
  for (const Child& child : children_) child.layer->AppendState(prefix + child.name + ".", state);
}

void Layer::MoveTo(at::Device device, at::ScalarType dtype) {
  for (Entry& entry : entries_) {
    at::Tensor& tensor = *entry.tensor;
    tensor = tensor.to(device, tensor.is_floating_point() ? dtype : tensor.scalar_type()).detach();
  }
  for (Child& child : children_) child.layer->MoveTo(device, dtype);
}

void Layer::SetLayerTraining(bool training) {
  training_ = training;
  for (Child& child : children_) child.layer->SetLayerTraining(training);
}

void Layer::AddParameter(std::string name, at::IntArrayRef shape, Init init, at::Tensor& member) {
  member = at::empty(shape, at::kFloat);
  entries_.push_back({std::move(name), &member, init, /*trainable=*/true});
}

void Layer::AddBuffer(std::string name, at::IntArrayRef shape, Init init, at::Tensor& member) {
  member = at::empty(shape, at::kFloat);
  entries_.push_back({std::move(name), &member, init, /*trainable=*/false});
}

void Layer::AddCounter(std::string name, at::Tensor& member) {
  member = at::zeros({}, at::kLong);
  entries_.push_back({std::move(name), &member, Init{0, 0, 0}, /*trainable=*/false});
}

}  // namespace assay::models
