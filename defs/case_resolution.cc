#include "defs/case_resolution.h"

#include <algorithm>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "defs/case_checks.h"

namespace assay {
namespace {

// More elements than this in one input can only be a slip of the pen (8 TiB of float64).
constexpr int64_t kMaximumElements = int64_t{1} << 40;

// A dimension or limit: a number, "batch", or an integer parameter.
std::optional<int64_t> NumberOf(const std::string& text, const ParameterMap& parameters,
                                int64_t batch) {
  int64_t number;
  if (absl::SimpleAtoi(text, &number)) return number;
  if (text == "batch") return batch;
  const auto found = parameters.find(text);
  if (found == parameters.end() || !found->second.has_integer()) return std::nullopt;
  return found->second.integer();
}

// The tensor of one input, or a problem with its shape.
TensorSpec ResolveInput(const InputSpec& input, const Workload& workload, Dtype dtype,
                        const std::string& where, Problems* problems) {
  TensorSpec result;
  result.set_name(input.name());
  result.set_dtype(input.dtype() == DTYPE_UNSPECIFIED ? dtype : input.dtype());
  result.set_fill(input.fill());
  int64_t elements = 1;
  for (const std::string& dimension : input.shape()) {
    const std::optional<int64_t> size =
        NumberOf(dimension, workload.parameters(), workload.batch());
    if (!size.has_value() || *size < 1) {
      problems->push_back(
          absl::StrCat(where, ": input '", input.name(), "' has a dimension '", dimension,
                       "'; a positive number, \"batch\" or an integer parameter is allowed"));
      return result;
    }
    if (elements > kMaximumElements / *size) {
      problems->push_back(
          absl::StrCat(where, ": input '", input.name(), "' has more than 2^40 elements"));
      return result;
    }
    elements *= *size;
    result.add_shape(*size);
  }
  if (input.fill() == TOKEN_IDS) {
    const std::optional<int64_t> limit =
        NumberOf(input.limit(), workload.parameters(), workload.batch());
    if (!limit.has_value() || *limit < 1) {
      problems->push_back(
          absl::StrCat(where, ": input '", input.name(), "' has limit '", input.limit(),
                       "'; TOKEN_IDS need a positive number or an integer parameter"));
    }
    result.set_limit(limit.value_or(0));
  }
  return result;
}

Workload ResolveWorkload(const ModelImplementation& implementation,
                         const std::vector<const ParameterMap*>& layers, int64_t batch, Dtype dtype,
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
    } else if (spec.kind() == "real" && found->second.has_integer()) {
      found->second.set_real(static_cast<double>(found->second.integer()));
    }
  }
  for (const InputSpec& input : implementation.inputs()) {
    *workload.add_inputs() = ResolveInput(input, workload, dtype, where, problems);
  }
  return workload;
}

void FillDefaults(BenchmarkCase* c) {
  if (c->mode() == MODE_UNSPECIFIED) c->set_mode(EVAL);
  Execution& execution = *c->mutable_execution();
  if (execution.backend() == BACKEND_UNSPECIFIED) execution.set_backend(EAGER);
  if (execution.memory_format() == MEMORY_FORMAT_UNSPECIFIED)
    execution.set_memory_format(CONTIGUOUS);
  if (execution.matmul_precision() == MATMUL_PRECISION_UNSPECIFIED)
    execution.set_matmul_precision(HIGHEST);
}

// The model that the case names, or null and a problem.
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
  const Model* model = FindModel(family, c, where, problems);
  const ModelImplementation* implementation =
      model == nullptr ? nullptr : FindImplementation(family, model->implementation());
  if (implementation != nullptr) CheckParameters(*implementation, c.parameters(), where, problems);
  if (implementation == nullptr || problems->size() != before) return resolved;

  *resolved.mutable_model() = *model;
  *resolved.mutable_implementation() = *implementation;
  const int64_t verified =
      c.verify().batch() > 0 ? reference.rows : std::min(c.batch(), reference.rows);
  const std::vector<const ParameterMap*> layers = {&model->parameters(), &c.parameters()};
  std::vector<const ParameterMap*> smoke_layers = layers;
  smoke_layers.push_back(&model->smoke_parameters());
  const auto workload = [&](int64_t batch) {
    return ResolveWorkload(*implementation, layers, batch, c.dtype(), where, problems);
  };
  *resolved.mutable_measured() = workload(c.batch());
  *resolved.mutable_verified() = workload(verified);
  *resolved.mutable_referenced() = workload(reference.rows);
  *resolved.mutable_smoke() = ResolveWorkload(*implementation, smoke_layers, kSmokeBatch, c.dtype(),
                                              where + ", smoke test", problems);
  const auto row = lock.find(reference.key);
  if (row != lock.end()) *resolved.mutable_reference() = row->second;
  resolved.mutable_reference()->set_key(reference.key);
  return resolved;
}

}  // namespace assay
