#include "benchmarks/harness/configuration/with_call_flags.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "defs/case/case_steps.h"
#include "defs/case/dimensions.h"
#include "defs/case/execution_names.h"
#include "defs/case/program_kinds.h"
#include "defs/case/training_steps.h"

namespace assay::configuration {
namespace {

// The sizes of a shape at another batch.
template <typename Spec, typename Tensor>
void SetShape(const Spec& spec, const Workload& workload, uint64_t seed, Tensor& tensor) {
  for (int d = 0; d < std::min(spec.shape_size(), tensor.shape_size()); ++d) {
    const std::optional<int64_t> size = Evaluate(spec.shape(d), workload, seed);
    if (size) tensor.set_shape(d, *size);  // else "*"
  }
}

void SetBatch(const ResolvedCase& c, int64_t batch, Workload& workload) {
  const uint64_t seed = c.benchmark_case().seed();
  workload.set_batch(batch);
  const auto inputs = InputSpecsOf(c.implementation(), c.benchmark_case());
  for (const int i : BagsLast(inputs)) {
    if (i < workload.inputs_size())
      SetShape(inputs.at(i), workload, seed, *workload.mutable_inputs(i));
  }
  if (KindOf(c).outputs == nullptr) {
    const auto& outputs = c.implementation().outputs();
    for (int i = 0; i < std::min(outputs.size(), workload.outputs_size()); ++i)
      SetShape(outputs.at(i), workload, seed, *workload.mutable_outputs(i));
  }
  for (ExpectedOutput& output : *workload.mutable_outputs()) {
    if (output.batched()) output.set_shape(0, batch);
  }
}

absl::Status ChangeBatch(const CallFlags& flags, bool compared, ResolvedCase& c) {
  if (!flags.batch) return absl::OkStatus();
  if (KindOf(c).depends_on_every_row && compared && *flags.batch != c.measured().batch()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--batch=", *flags.batch,
        ": a training step depends on every row, so the reference, of batch ", c.measured().batch(),
        ", says nothing about it; add --verify=off to measure without comparing"));
  }
  if (KindOf(c).truth == TruthSource::kOwnFloat64) {
    // An operator whose rows depend on each other needs a reference of all rows; any other keeps
    // the case's number of rows.
    const bool all = c.referenced().batch() == c.measured().batch();
    SetBatch(c, all ? *flags.batch : std::min(*flags.batch, c.referenced().batch()),
             *c.mutable_referenced());
  }
  SetBatch(c, *flags.batch, *c.mutable_measured());
  // Verifies the batch that is timed. Rows that the reference does not have are not compared.
  SetBatch(c, *flags.batch, *c.mutable_verified());
  c.mutable_benchmark_case()->set_batch(*flags.batch);
  return absl::OkStatus();
}

// The case's limits for how it is called on this device; null: those that it has anyway. Of several
// reasons that which rounds more decides: autocast, since a lowering to integers takes none, and then
// the lowering.
const ExecutionLimits* LimitsOf(const ResolvedCase& c, DeviceType device) {
  const Execution& e = c.benchmark_case().execution();
  const MatmulPrecision rounding = RoundingOf(e, device);
  const auto find = [&c](const auto& fits) -> const ExecutionLimits* {
    const auto found = absl::c_find_if(c.execution_limits(), fits);
    return found == c.execution_limits().end() ? nullptr : &*found;
  };
  if (e.autocast() != DTYPE_UNSPECIFIED) {
    return find([&](const ExecutionLimits& l) {
      return l.lowering().empty() && l.matmul_precision() <= HIGHEST && l.dtype() == e.autocast();
    });
  }
  const ExecutionLimits* lowered = e.lowering().empty() ? nullptr : find([&](const auto& l) {
    return l.lowering() == e.lowering() && l.dtype() == c.benchmark_case().dtype();
  });
  if (lowered != nullptr || rounding == HIGHEST) return lowered;
  return find([&](const ExecutionLimits& l) {
    return l.matmul_precision() == rounding && l.dtype() == c.benchmark_case().dtype();
  });
}

absl::Status ChangeLimits(bool compared, DeviceType device, ResolvedCase& c) {
  BenchmarkCase& b = *c.mutable_benchmark_case();
  if (const ExecutionLimits* limits = LimitsOf(c, device); limits != nullptr) {
    if (!limits->lowering().empty() && !c.has_unlowered_verify())
      *c.mutable_unlowered_verify() = b.verify();
    *b.mutable_verify() = limits->verify();
    if (KindOf(b).trains) SetLimitFactors(limits->verify(), *c.mutable_verified());
    return absl::OkStatus();
  }
  const Dtype autocast = b.execution().autocast();
  // A lowering and a precision without limits keep the dtype's.
  if (!compared || autocast == DTYPE_UNSPECIFIED) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--autocast=", DtypeText(autocast), ": there are no limits for a ",
                   DtypeText(b.dtype()), " case under it; leave --autocast out"));
}

// Keeps one of the case's optimizers and removes the outputs of the others.
absl::Status ChooseOptimizer(const CallFlags& flags, ResolvedCase& c) {
  Training& training = *c.mutable_benchmark_case()->mutable_training();
  std::vector<std::string> names;
  for (const Optimizer& optimizer : training.optimizers())
    names.push_back(OptimizerName(optimizer));
  const auto chosen = flags.optimizer.empty()
                          ? names.begin()
                          : std::find(names.begin(), names.end(), flags.optimizer);
  if (chosen == names.end()) {
    return absl::InvalidArgumentError(absl::StrCat("--optimizer=", flags.optimizer,
                                                   ": the case has ", absl::StrJoin(names, ", ")));
  }
  const Optimizer optimizer = training.optimizers(static_cast<int>(chosen - names.begin()));
  training.clear_optimizers();
  *training.add_optimizers() = optimizer;
  for (Workload* workload :
       {c.mutable_measured(), c.mutable_verified(), c.mutable_referenced(), c.mutable_smoke()}) {
    auto& outputs = *workload->mutable_outputs();
    outputs.erase(std::remove_if(outputs.begin(), outputs.end(),
                                 [&](const ExpectedOutput& output) {
                                   return IsOfAnotherOptimizer(output.name(), training);
                                 }),
                  outputs.end());
  }
  return absl::OkStatus();
}

// Why the batch cannot be split into that many parts; empty where it can.
std::string AccumulationProblem(const ResolvedCase& c, int64_t parts, bool compared) {
  const int64_t batch = c.measured().batch();
  if (parts < 1 || batch % parts != 0) {
    return absl::StrCat("parts of equal rows, and batch ", batch, " cannot be cut into so many");
  }
  if (parts == 1) return "";
  if (c.benchmark_case().training().row_clip_norm() > 0)
    return "the case has a pass of its own for each row; leave it out";
  for (const TensorSpec& input : c.measured().inputs()) {
    if (input.bags().empty()) continue;
    return absl::StrCat("parts of equal rows, and input \"", input.name(),
                        "\" holds bags of any size, which are not cut");
  }
  if (!compared) return "";
  if (c.implementation().keeps_statistics()) {
    return absl::StrCat("implementation ", c.implementation().name(),
                        " normalises over the batch, so a step in parts is another one than the "
                        "reference's; add --verify=off to measure without comparing");
  }
  for (const OutputSpec& output : c.implementation().outputs()) {
    if (output.shape_size() == 0 || output.shape(0) != "batch") {
      return absl::StrCat("output \"", output.name(),
                          "\" has no batch dimension, so that of a step in parts has no reference; "
                          "add --verify=off to measure without comparing");
    }
  }
  return "";
}

absl::Status ChangeTraining(const CallFlags& flags, Comparison comparison, ResolvedCase& c) {
  BenchmarkCase& b = *c.mutable_benchmark_case();
  Execution& execution = *b.mutable_execution();
  const bool compared = comparison != Comparison::kNone;
  if (!KindOf(b).trains) {
    for (const auto& [given, flag] : {std::pair(!flags.optimizer.empty(), "--optimizer"),
                                      std::pair(flags.accumulation.has_value(), "--accumulation"),
                                      std::pair(flags.grad_scaler.has_value(), "--grad-scaler"),
                                      std::pair(flags.clip_norm.has_value(), "--clip-norm")}) {
      if (given) {
        return absl::InvalidArgumentError(absl::StrCat(
            flag, ": ", b.name(), " does not train; it belongs to cases named ..._train"));
      }
    }
    return absl::OkStatus();
  }
  if (flags.no_grad) {
    return absl::InvalidArgumentError("--no-grad: a training step needs gradients");
  }
  if (comparison != Comparison::kAllOptimizers || !flags.optimizer.empty()) {
    if (absl::Status chosen = ChooseOptimizer(flags, c); !chosen.ok()) return chosen;
  }
  if (flags.accumulation) {
    if (const std::string problem = AccumulationProblem(c, *flags.accumulation, compared);
        !problem.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--accumulation=", *flags.accumulation, ": ", problem));
    }
    execution.set_accumulation(*flags.accumulation);
  }
  execution.set_grad_scaler(flags.grad_scaler.value_or(execution.autocast() == FP16));
  if (!flags.clip_norm || *flags.clip_norm == b.training().clip_norm()) return absl::OkStatus();
  if (!(*flags.clip_norm >= 0 && std::isfinite(*flags.clip_norm))) {
    return absl::InvalidArgumentError(
        absl::StrCat("--clip-norm=", *flags.clip_norm, ": a norm, or 0 for none"));
  }
  if (compared) {
    return absl::InvalidArgumentError(
        absl::StrCat("--clip-norm=", *flags.clip_norm, ": the reference was computed with ",
                     b.training().clip_norm(), "; add --verify=off to measure without comparing"));
  }
  b.mutable_training()->set_clip_norm(*flags.clip_norm);
  return absl::OkStatus();
}

}  // namespace

std::string DtypeText(Dtype dtype) { return absl::AsciiStrToLower(Dtype_Name(dtype)); }

absl::StatusOr<ResolvedCase> WithCallFlags(const ResolvedCase& c, const CallFlags& flags,
                                           Comparison comparison, DeviceType device) {
  const bool compared = comparison != Comparison::kNone;
  ResolvedCase called = c;
  Execution& execution = *called.mutable_benchmark_case()->mutable_execution();
  if (flags.memory_format) execution.set_memory_format(*flags.memory_format);
  if (!flags.backend.empty()) execution.set_backend(flags.backend);
  if (flags.lowering) execution.set_lowering(*flags.lowering);
  if (flags.autocast) execution.set_autocast(*flags.autocast);
  if (flags.matmul_precision) execution.set_matmul_precision(*flags.matmul_precision);
  if (flags.deterministic) execution.set_deterministic(*flags.deterministic);
  if (flags.no_grad) execution.set_no_grad(*flags.no_grad);
  if (absl::Status status = CheckBackend(called.benchmark_case()); !status.ok()) return status;
  if (absl::Status status = CheckAutocast(called.benchmark_case()); !status.ok()) return status;
  if (absl::Status status = CheckLowering(called.benchmark_case()); !status.ok()) return status;
  if (absl::Status status = ChangeLimits(compared, device, called); !status.ok()) return status;
  if (absl::Status status = ChangeBatch(flags, compared, called); !status.ok()) return status;
  if (absl::Status status = ChangeTraining(flags, comparison, called); !status.ok()) return status;
  SetSteps(called);
  return called;
}

}  // namespace assay::configuration
