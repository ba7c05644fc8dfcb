#include "defs/compiler/case_resolution.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "defs/case/dimensions.h"
#include "defs/case/distributions.h"
#include "defs/case/execution_names.h"
#include "defs/case/generation_outputs.h"
#include "defs/case/program_kinds.h"
#include "defs/case/training_steps.h"
#include "defs/compiler/case_checks.h"

namespace assay {
namespace {

// More elements than this in one input can only be a typing mistake (8 TiB of float64).
constexpr int64_t kMaximumElements = int64_t{1} << 40;

// Computes the numbers of one workload from what its author wrote, and collects problems.
class Resolution {
 public:
  Resolution(const Workload& workload, const BenchmarkCase& c, const std::string& where,
             Problems* problems)
      : workload_(workload),
        dtype_(c.dtype()),
        seed_(c.seed()),
        where_(where),
        problems_(problems) {}

  TensorSpec Input(const InputSpec& input) const {
    TensorSpec result;
    const std::string what = absl::StrCat("input '", input.name(), "'");
    result.set_name(input.name());
    result.set_dtype(input.dtype() == DTYPE_UNSPECIFIED ? dtype_ : input.dtype());
    *result.mutable_distribution() = input.distribution();
    if (input.shape_size() > 0) result.set_bags(std::string(SummedInput(input.shape(0))));
    const size_t before = problems_->size();
    for (const int64_t size : Shape(what, input.shape(), /*any=*/false)) result.add_shape(size);
    SetLimit(what, result.mutable_distribution());
    if (problems_->size() != before) return result;
    const std::string problem = DistributionProblem(result);
    if (!problem.empty()) Problem(what, problem);
    return result;
  }

  ExpectedOutput Output(const OutputSpec& output) const {
    ExpectedOutput result;
    result.set_name(output.name());
    result.set_dtype(output.dtype() == DTYPE_UNSPECIFIED ? dtype_ : output.dtype());
    const std::string what = absl::StrCat("output '", output.name(), "'");
    for (const int64_t size : Shape(what, output.shape(), /*any=*/true)) result.add_shape(size);
    result.set_batched(output.shape_size() > 0 && output.shape(0) == "batch");
    result.set_rule(HoldsIntegers(result.dtype()) ? EXACT : output.rule());
    return result;
  }

 private:
  void Problem(const std::string& what, const std::string& problem) const {
    problems_->push_back(absl::StrCat(where_, ": ", what, ": ", problem));
  }

  std::optional<int64_t> Number(const std::string& text) const {
    return Evaluate(text, workload_, seed_);
  }

  // `any`: whether "*" stands for any size, which is -1.
  template <typename Texts>
  std::vector<int64_t> Shape(const std::string& what, const Texts& texts, bool any) const {
    std::vector<int64_t> shape;
    int64_t elements = 1;
    for (const std::string& dimension : texts) {
      if (any && dimension == "*") {
        shape.push_back(-1);
        continue;
      }
      const std::optional<int64_t> size = Number(dimension);
      if (!size.has_value() || *size < 1) {
        problems_->push_back(absl::StrCat(where_, ": ", what, " has a dimension '", dimension,
                                          "'; allowed is ", kDimension, " that is positive",
                                          any ? ", and \"*\" for any size" : ""));
        return shape;
      }
      if (elements > kMaximumElements / *size) {
        problems_->push_back(absl::StrCat(where_, ": ", what, " has more than 2^40 elements"));
        return shape;
      }
      elements *= *size;
      shape.push_back(*size);
    }
    return shape;
  }

  // Replaces a parameter's name by its number.
  template <typename Set>
  void Replace(const std::string& what, std::string_view field, std::string* parameter,
               int64_t written, const Set& set) const {
    if (parameter->empty()) return;
    const std::optional<int64_t> number = Number(*parameter);
    if (written != 0) {
      Problem(what, absl::StrCat(field, " ", written, " and ", field, "_parameter '", *parameter,
                                 "' are both set; one of them is allowed"));
    } else if (!number.has_value()) {
      Problem(what,
              absl::StrCat(field, "_parameter is '", *parameter, "'; allowed is ", kDimension));
    } else {
      set(*number);
    }
    parameter->clear();
  }

  void SetLimit(const std::string& what, Distribution* distribution) const {
    const auto limit_of = [&](auto* kind) {
      Replace(what, "limit", kind->mutable_limit_parameter(), kind->limit(),
              [kind](int64_t number) { kind->set_limit(number); });
    };
    switch (distribution->kind_case()) {
      case Distribution::kIntegers: {
        Integers* integers = distribution->mutable_integers();
        Replace(what, "run", integers->mutable_run_parameter(), integers->run(),
                [integers](int64_t number) { integers->set_run(number); });
        return limit_of(integers);
      }
      case Distribution::kZipf:
        return limit_of(distribution->mutable_zipf());
      case Distribution::kTimeSteps:
        return limit_of(distribution->mutable_time_steps());
      case Distribution::kBoxes:
        return limit_of(distribution->mutable_boxes());
      case Distribution::kBagOffsets: {
        BagOffsets* bags = distribution->mutable_bag_offsets();
        Replace(what, "spread", bags->mutable_spread_parameter(), bags->spread(),
                [bags](int64_t number) { bags->set_spread(number); });
        return Replace(what, "bag_size", bags->mutable_bag_size_parameter(), bags->bag_size(),
                       [bags](int64_t number) { bags->set_bag_size(number); });
      }
      case Distribution::kUniform:
      case Distribution::kNormal:
      case Distribution::kPrefixMask:
      case Distribution::kSegments:
      case Distribution::kBernoulli:
      case Distribution::KIND_NOT_SET:  // DistributionProblem says so
        return;
    }
  }

  const Workload& workload_;
  const Dtype dtype_;
  const uint64_t seed_;
  const std::string& where_;
  Problems* const problems_;
};

Workload ResolveWorkload(const ModelImplementation& implementation, const BenchmarkCase& c,
                         const std::vector<const ParameterMap*>& layers, int64_t batch,
                         const std::string& where, Problems* problems) {
  Workload workload;
  workload.set_batch(batch);
  ParameterMap& parameters = *workload.mutable_parameters();
  for (const ParameterSpec& spec : implementation.parameters()) {
    if (spec.has_default_value()) parameters[spec.name()] = spec.default_value();
  }
  for (const ParameterMap* layer : layers) {
    for (const auto& [name, value] : *layer) parameters[name] = value;
  }
  for (const ParameterSpec& spec : implementation.parameters()) {
    const auto found = parameters.find(spec.name());
    if (found == parameters.end()) {
      problems->push_back(
          absl::StrCat(where, ": parameter '", spec.name(), "' is not set and has no default"));
    } else if (spec.kind() == "real" && found->second.value_case() == ParameterValue::kInteger) {
      found->second.set_real(static_cast<double>(found->second.integer()));
    }
  }
  if (c.has_generation()) parameters[kNewTokens].set_integer(c.generation().new_tokens());
  const Resolution resolution(workload, c, where, problems);
  const auto inputs = InputSpecsOf(implementation, c);
  for (int i = 0; i < inputs.size(); ++i) workload.add_inputs();
  for (const int i : BagsLast(inputs)) *workload.mutable_inputs(i) = resolution.Input(inputs.at(i));
  std::vector<ExpectedOutput> outputs;
  for (const OutputSpec& output : implementation.outputs())
    outputs.push_back(resolution.Output(output));
  const ProgramKind& kind = KindOf(c);
  if (kind.outputs != nullptr) outputs = kind.outputs(outputs, implementation, c);
  *workload.mutable_outputs() = {outputs.begin(), outputs.end()};
  if (kind.trains) SetLimitFactors(c.verify(), workload);
  return workload;
}

void CheckUnits(const ResolvedCase& resolved, const std::string& where, Problems* problems) {
  const ModelImplementation& implementation = resolved.implementation();
  const Workload& measured = resolved.measured();
  const std::string& units = implementation.units_per_call();
  if (implementation.unit().empty() ||
      Evaluate(units, measured, resolved.benchmark_case().seed()).value_or(0) > 0)
    return;
  problems->push_back(absl::StrCat(where, ": implementation '", implementation.name(),
                                   "' completes '", units, "' of unit '", implementation.unit(),
                                   "' in a call; allowed is ", kDimension, " that is positive"));
}

void FillDefaults(BenchmarkCase* c) {
  if (c->mode() == MODE_UNSPECIFIED) c->set_mode(EVAL);
  Execution& execution = *c->mutable_execution();
  if (execution.backend().empty()) execution.set_backend(BackendName(execution));
  if (execution.memory_format() == MEMORY_FORMAT_UNSPECIFIED)
    execution.set_memory_format(CONTIGUOUS);
  if (execution.matmul_precision() == MATMUL_PRECISION_UNSPECIFIED)
    execution.set_matmul_precision(HIGHEST);
}

// The model that the case names; null, with a problem, if there is none.
const Model* FindModel(const Family& family, const BenchmarkCase& c, const std::string& where,
                       Problems* problems) {
  std::vector<std::string> names;
  for (const Model& model : family.models()) {
    if (model.name() == c.model()) return &model;
    names.push_back(model.name());
  }
  problems->push_back(absl::StrCat(where, ": unknown model '", c.model(), "'; one of ",
                                   absl::StrJoin(names, ", ")));
  return nullptr;
}

// Enters model and implementation into the resolved case.
void ResolveModel(const Family& family, const std::string& where, ResolvedCase* resolved,
                  Problems* problems) {
  const BenchmarkCase& c = resolved->benchmark_case();
  const Model* model = FindModel(family, c, where, problems);
  if (model == nullptr) return;
  const ModelImplementation* implementation = FindImplementation(family, model->implementation());
  if (implementation == nullptr) return;  // CheckFamily reports it
  CheckParameters(*implementation, c.parameters(), where, problems);
  CheckOutputRules(implementation->outputs(), c.dtype(), c.verify(), where, problems);
  CheckMode(*implementation, c, where, problems);
  *resolved->mutable_model() = *model;
  *resolved->mutable_implementation() = *implementation;
}

// Makes a model and an implementation out of an operator's call, so that code which reads cases
// finds both in every case.
void ResolveOperator(const std::string& where, ResolvedCase* resolved, Problems* problems) {
  const BenchmarkCase& c = resolved->benchmark_case();
  const OperatorCall& call = c.operator_call();
  CheckOperatorCall(c, where, problems);
  std::string name = call.name().substr(call.name().rfind(':') + 1);
  std::replace(name.begin(), name.end(), '.', '_');
  ModelImplementation& implementation = *resolved->mutable_implementation();
  implementation.set_name(name);
  implementation.set_description("the operator " + call.name());
  implementation.set_owner("ATen");
  implementation.set_reference(OWN_FLOAT64);
  *implementation.mutable_inputs() = call.inputs();
  *implementation.mutable_outputs() = call.outputs();
  Model& model = *resolved->mutable_model();
  model.set_implementation(name);
  const std::string dtype = absl::AsciiStrToLower(Dtype_Name(c.dtype()));
  model.set_name(c.name().substr(0, c.name().rfind(absl::StrCat("_", dtype, "_"))));
}

}  // namespace

ResolvedCase Resolve(const Family& family, const BenchmarkCase& benchmark_case,
                     const ReferenceName& reference, const Lock& lock, const std::string& where,
                     Problems* problems) {
  ResolvedCase resolved;
  BenchmarkCase& c = *resolved.mutable_benchmark_case();
  c = benchmark_case;
  FillDefaults(&c);

  const size_t before = problems->size();
  CheckCase(c, where, problems);
  if (KindOf(c).names_model) {
    ResolveModel(family, where, &resolved, problems);
  } else {
    ResolveOperator(where, &resolved, problems);
  }
  if (problems->size() != before) return resolved;

  const Model& model = resolved.model();
  const int64_t verified =
      c.verify().batch() > 0 ? reference.rows : std::min(c.batch(), reference.rows);
  const std::vector<const ParameterMap*> layers = {&model.parameters(), &c.parameters()};
  std::vector<const ParameterMap*> smoke_layers = layers;
  smoke_layers.push_back(&model.smoke_parameters());
  const auto workload = [&](int64_t batch) {
    return ResolveWorkload(resolved.implementation(), c, layers, batch, where, problems);
  };
  *resolved.mutable_measured() = workload(c.batch());
  CheckUnits(resolved, where, problems);
  if (KindOf(c).verified_as_measured) {
    // The verdict calls the operator at the size that is timed, so that both use the same kernel.
    // Only the reference, which is computed at that time, may have fewer rows.
    *resolved.mutable_verified() = resolved.measured();
    *resolved.mutable_smoke() = resolved.measured();
    *resolved.mutable_referenced() = workload(std::min(c.batch(), reference.rows));
    return resolved;
  }
  *resolved.mutable_verified() = workload(verified);
  *resolved.mutable_referenced() = workload(reference.rows);
  *resolved.mutable_smoke() = ResolveWorkload(resolved.implementation(), c, smoke_layers,
                                              kSmokeBatch, where + ", smoke test", problems);
  const auto row = lock.find(reference.key);
  if (row != lock.end()) *resolved.mutable_reference() = row->second;
  resolved.mutable_reference()->set_key(reference.key);
  return resolved;
}

}  // namespace assay
