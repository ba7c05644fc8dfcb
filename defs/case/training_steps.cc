#include "defs/case/training_steps.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace assay {
namespace {

// Rounding adds to a norm as often as it takes from it. A gradient that a program forgot has none.
constexpr double kLeastShareOfNorm = 0.1;

// The outputs of one step, in the order of training_steps.h.
class Outputs {
 public:
  Outputs(const std::vector<ExpectedOutput>& of_forward, bool keeps_statistics, Dtype dtype)
      : of_forward_(of_forward), keeps_statistics_(keeps_statistics), dtype_(dtype) {}

  void AddBeforeUpdate(const std::string& prefix) {
    Add(prefix + "loss", {});
    for (const ExpectedOutput& forward : of_forward_) {
      all_.push_back(forward);
      all_.back().set_name(prefix + forward.name());
      all_.back().set_batched(false);
    }
    Add(prefix + "gradients", {-1});
    AddNorms(prefix + "gradient_norms");
    if (keeps_statistics_) Add(prefix + "buffers", {-1});
  }

  void AddAfterUpdate(const std::string& prefix) {
    Add(prefix + "parameters", {-1});
    AddNorms(prefix + "update_norms");
  }

  std::vector<ExpectedOutput> Take() { return std::move(all_); }

 private:
  void Add(const std::string& name, const std::vector<int64_t>& shape) {
    ExpectedOutput& output = all_.emplace_back();
    output.set_name(name);
    output.set_dtype(dtype_);
    *output.mutable_shape() = {shape.begin(), shape.end()};
  }

  void AddNorms(const std::string& name) {
    Add(name, {-1});
    all_.back().set_least_share(kLeastShareOfNorm);
  }

  const std::vector<ExpectedOutput>& of_forward_;
  const bool keeps_statistics_;
  const Dtype dtype_;
  std::vector<ExpectedOutput> all_;
};

}  // namespace

std::string OptimizerName(const Optimizer& optimizer) {
  switch (optimizer.kind_case()) {
    case Optimizer::kSgd:
      return "sgd";
    case Optimizer::kAdam:
      return "adam";
    case Optimizer::kAdamw:
      return "adamw";
    case Optimizer::KIND_NOT_SET:
      break;
  }
  return "";
}

std::vector<ExpectedOutput> TrainingOutputs(const std::vector<ExpectedOutput>& of_forward,
                                            const Training& training, bool keeps_statistics,
                                            Dtype dtype) {
  Outputs outputs(of_forward, keeps_statistics, dtype);
  outputs.AddBeforeUpdate("step1.");
  for (const Optimizer& optimizer : training.optimizers()) {
    const std::string name = OptimizerName(optimizer);
    outputs.AddAfterUpdate(name + ".step1.");
    const std::string last = absl::StrCat(name, ".step", kLastVerifiedStep, ".");
    outputs.AddBeforeUpdate(last);
    outputs.AddAfterUpdate(last);
  }
  return outputs.Take();
}

void SetLimitFactors(const VerifyParameters& limits, Workload& workload) {
  for (ExpectedOutput& output : *workload.mutable_outputs()) {
    if (absl::EndsWith(output.name(), ".gradients"))
      output.set_limit_factor(limits.gradient_factor());
  }
}

bool ReadsTargets(const Training& training) {
  return training.loss() == OWN || training.loss() == CROSS_ENTROPY;
}

bool IsOfAnotherOptimizer(std::string_view output, const Training& training) {
  const auto is_of = [&](std::string_view optimizer) {
    return absl::StartsWith(output, absl::StrCat(optimizer, ".step"));
  };
  const auto& own = training.optimizers();
  if (std::any_of(own.begin(), own.end(),
                  [&](const Optimizer& optimizer) { return is_of(OptimizerName(optimizer)); }))
    return false;
  return is_of("sgd") || is_of("adam") || is_of("adamw");
}

}  // namespace assay
