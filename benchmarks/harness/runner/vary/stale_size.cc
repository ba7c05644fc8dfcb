#include "benchmarks/harness/runner/vary/stale_size.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/time/time.h"

namespace assay::runner {
namespace {

using execution::Executable;
using execution::Step;
using execution::Tensors;

class StaleSizeExecutable final : public Executable {
 public:
  explicit StaleSizeExecutable(std::unique_ptr<Executable> inner)
      : Executable(inner->program()), inner_(std::move(inner)) {}

  void SetInputs(Tensors inputs) override {
    given_ = inputs;
    Tensors next = inputs;
    for (size_t i = 0; i < next.size() && i < called_.size(); ++i) {
      if (next[i].dim() != called_[i].dim() || next[i].sizes() == called_[i].sizes()) continue;
      next[i] = next[i].clone();
      at::Tensor place = next[i], kept = called_[i];
      for (int64_t d = 0; d < place.dim(); ++d) {
        const int64_t both = std::min(place.size(d), kept.size(d));
        place = place.narrow(d, 0, both);
        kept = kept.narrow(d, 0, both);
      }
      place.copy_(kept);
    }
    inner_->SetInputs(std::move(next));
  }
  const Tensors& Inputs() const override { return given_; }
  Tensors Outputs() override {
    called_ = given_;
    return inner_->Outputs();
  }
  void Begin(Step step) override { inner_->Begin(step); }
  void BeginVerified(Step step) override { inner_->BeginVerified(step); }
  void Prepare(Step step) override { inner_->Prepare(step); }
  Tensors Call(Step step) override {
    called_ = given_;
    return inner_->Call(step);
  }
  absl::Duration ExportTime() const override { return inner_->ExportTime(); }
  int64_t Compilations() const override { return inner_->Compilations(); }
  std::string Runtime() const override { return inner_->Runtime(); }

 private:
  const std::unique_ptr<Executable> inner_;
  Tensors given_, called_;
};

}  // namespace

std::unique_ptr<Executable> WithStaleSize(std::unique_ptr<Executable> inner) {
  return std::make_unique<StaleSizeExecutable>(std::move(inner));
}

}  // namespace assay::runner
