#include "benchmarks/harness/execution/model_workload.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/execution/seeded_model.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/numerics/value_shares.h"

namespace assay::execution {
namespace {

constexpr double kManyZeros = 0.5;
constexpr double kManySubnormals = 0.001;

}  // namespace

absl::StatusOr<std::unique_ptr<ModelWorkload>> ModelWorkload::Make(const ResolvedCase& c,
                                                                   models::Model& model,
                                                                   at::Device device,
                                                                   int input_sets) {
  const BenchmarkCase& b = c.benchmark_case();
  std::vector<std::vector<at::Tensor>> sets;
  for (int set = 0; set < input_sets; ++set) {
    absl::StatusOr<std::vector<at::Tensor>> inputs =
        SeededInputs(c.measured(), b.dtype(), b.seed() + set, device);
    if (!inputs.ok()) return inputs.status();
    sets.push_back(*std::move(inputs));
  }
  absl::StatusOr<std::unique_ptr<Executable>> executable =
      execution::Prepare(b.backend(), model, sets.at(0));
  if (!executable.ok()) return executable.status();
  return std::unique_ptr<ModelWorkload>(
      new ModelWorkload(model, std::move(sets), *std::move(executable)));
}

ModelWorkload::ModelWorkload(models::Model& model, std::vector<std::vector<at::Tensor>> sets,
                             std::unique_ptr<Executable> executable)
    : model_(model), sets_(std::move(sets)), executable_(std::move(executable)) {}

void ModelWorkload::Call() {
  outputs_.clear();  // before the call, so that it finds the memory that the last one gave back
  outputs_ = executable_->Call();
}

int64_t ModelWorkload::InputBytes() const {
  int64_t bytes = 0;
  for (const at::Tensor& input : sets_.at(0)) {
    if (input.defined()) bytes += static_cast<int64_t>(input.nbytes());
  }
  return bytes;
}

std::optional<uint64_t> ModelWorkload::OutputDigest() { return numerics::Fingerprint(outputs_); }

std::optional<uint64_t> ModelWorkload::InputDigest() {
  std::vector<at::Tensor> tensors = sets_.at(0);
  for (const models::NamedTensor& entry : model_.State()) tensors.push_back(entry.tensor);
  return numerics::Fingerprint(tensors);
}

std::optional<std::string> ModelWorkload::InputConcern() {
  if (input_concern_) return input_concern_;
  const numerics::ValueShares shares = numerics::SharesOf(sets_.at(0));
  std::vector<std::string> concerns;
  if (shares.zeros > kManyZeros)
    concerns.push_back(absl::StrFormat("%.0f %% of the inputs are zero", 100 * shares.zeros));
  if (shares.subnormals > kManySubnormals)
    concerns.push_back(absl::StrFormat("%.2g %% are subnormal", 100 * shares.subnormals));
  input_concern_ = absl::StrJoin(concerns, ", ");
  return input_concern_;
}

}  // namespace assay::execution
