#include "defs/case_resolution.h"

#include <algorithm>
#include <optional>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay {
namespace {

using ParameterMap = google::protobuf::Map<std::string, ParameterValue>;

// More elements than this in one input can only be a slip of the pen (8 TiB of float64).
constexpr int64_t kMaximumElements = int64_t{1} << 40;

std::string_view KindOf(const ParameterValue& value) {
  switch (value.value_case()) {
    case ParameterValue::kInteger:
      return "integer";
    case ParameterValue::kReal:
      return "real";
    case ParameterValue::kFlag:
      return "flag";
    case ParameterValue::kText:
      return "text";
    case ParameterValue::kIntegers:
      return "integers";
    case ParameterValue::VALUE_NOT_SET:
      break;
  }
  return "empty";
}

const ParameterSpec* FindSpec(const ModelImplementation& implementation, const std::string& name) {
  for (const ParameterSpec& spec : implementation.parameters()) {
    if (spec.name() == name) return &spec;
  }
  return nullptr;
}

std::string ParameterNames(const ModelImplementation& implementation) {
  std::vector<std::string> names;
  for (const ParameterSpec& spec : implementation.parameters()) names.push_back(spec.name());
  std::sort(names.begin(), names.end());
  return names.empty() ? "none" : absl::StrJoin(names, ", ");
}

// Whether every number in `value` lies in the spec's range.
bool InRange(const ParameterSpec& spec, const ParameterValue& value) {
  const auto inside = [&](double x) { return x >= spec.minimum() && x <= spec.maximum(); };
  if (value.has_integer()) return inside(static_cast<double>(value.integer()));
  if (value.has_real()) return inside(value.real());
  if (!value.has_integers()) return true;
  const auto& all = value.integers().values();
  return std::all_of(all.begin(), all.end(),
                     [&](int64_t x) { return inside(static_cast<double>(x)); });
}

void CheckParameter(const ModelImplementation& implementation, const std::string& name,
                    const ParameterValue& value, const std::string& where, Problems* problems) {
  const ParameterSpec* spec = FindSpec(implementation, name);
  if (spec == nullptr) {
    problems->push_back(absl::StrCat(where, ": unknown parameter '", name, "'; ",
                                     implementation.name(),
                                     " has: ", ParameterNames(implementation)));
    return;
  }
  const bool integer_as_real = spec->kind() == "real" && value.has_integer();
  if (KindOf(value) != spec->kind() && !integer_as_real) {
    problems->push_back(absl::StrCat(where, ": parameter '", name, "' is ", KindOf(value),
                                     "; it must be ", spec->kind()));
  } else if (!InRange(*spec, value)) {
    problems->push_back(absl::StrCat(where, ": parameter '", name, "' is out of range; ",
                                     spec->minimum(), " to ", spec->maximum()));
  } else if (spec->allowed_size() > 0 &&
             std::count(spec->allowed().begin(), spec->allowed().end(), value.text()) == 0) {
    problems->push_back(absl::StrCat(where, ": parameter '", name, "' is '", value.text(),
                                     "'; one of ", absl::StrJoin(spec->allowed(), ", ")));
  }
}

void CheckParameters(const ModelImplementation& implementation, const ParameterMap& values,
                     const std::string& where, Problems* problems) {
  const std::map<std::string, ParameterValue> sorted(values.begin(), values.end());
  for (const auto& [name, value] : sorted)
    CheckParameter(implementation, name, value, where, problems);
}

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

void CheckVerify(const VerifyParameters& verify, const std::string& where, Problems* problems) {
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": verify: ", what));
  };
  require(!absl::StripAsciiWhitespace(verify.provenance()).empty(),
          "limits without provenance are refused; say what was measured, or the source");
  require(verify.batch() >= 0 && verify.batch() <= kMaximumBatch,
          "batch is out of range; 0 to 2^20");
  switch (verify.rule()) {
    case RELATIVE_TO_STD:
      return require(verify.rms_limit() > 0 && verify.max_limit() > 0,
                     "RELATIVE_TO_STD needs rms_limit and max_limit");
    case ALLCLOSE:
      return require(verify.atol() >= 0 && verify.rtol() >= 0 && verify.atol() + verify.rtol() > 0,
                     "ALLCLOSE needs atol or rtol");
    case DYNAMO_SAME:
      return require(verify.atol() > 0, "DYNAMO_SAME needs atol");
    case COSINE:
      return require(verify.cosine_min() > 0 && verify.cosine_min() <= 1,
                     "COSINE needs cosine_min in (0, 1]");
    default:
      return require(false,
                     "rule is not set; one of RELATIVE_TO_STD, ALLCLOSE, DYNAMO_SAME, COSINE");
  }
}

// Everything about a case that needs no model.
void CheckCase(const BenchmarkCase& c, const std::string& where, Problems* problems) {
  if (c.batch() < 1 || c.batch() > kMaximumBatch) {
    problems->push_back(
        absl::StrCat(where, ": batch ", c.batch(), " is out of range; 1 to ", kMaximumBatch));
  }
  if (c.dtype() != FP32 && c.dtype() != FP64 && c.dtype() != BF16 && c.dtype() != FP16) {
    problems->push_back(absl::StrCat(where, ": dtype ", Dtype_Name(c.dtype()),
                                     " cannot be a case's; one of FP32, FP64, BF16, FP16"));
  }
  if (c.mode() != EVAL) {
    problems->push_back(
        absl::StrCat(where, ": mode ", Mode_Name(c.mode()), " cannot be run yet; EVAL can"));
  }
  for (const Skip& skip : c.skips()) {
    if (absl::StripAsciiWhitespace(skip.reason()).empty()) {
      problems->push_back(absl::StrCat(where,
                                       ": a skip without a reason; say why the case cannot run on ",
                                       DeviceType_Name(skip.device())));
    }
    if (skip.device() == DEVICE_TYPE_UNSPECIFIED) {
      problems->push_back(absl::StrCat(where, ": a skip without a device; one of CPU, CUDA"));
    }
  }
  CheckVerify(c.verify(), where, problems);
}

template <typename Items>
void CheckDistinct(const Items& items, std::string_view what, const std::string& where,
                   Problems* problems) {
  std::set<std::string> seen;
  for (const auto& item : items) {
    if (!seen.insert(item.name()).second) {
      problems->push_back(absl::StrCat(where, ": two ", what, " are called '", item.name(), "'"));
    }
  }
}

}  // namespace

std::string LowerName(Dtype dtype) { return absl::AsciiStrToLower(Dtype_Name(dtype)); }

std::string CanonicalName(const ModelImplementation& implementation, const BenchmarkCase& c,
                          int64_t batch) {
  std::string name = absl::StrCat(c.model(), "_", LowerName(c.dtype()), "_b", batch);
  for (const ParameterSpec& spec : implementation.parameters()) {
    const auto found = c.parameters().find(spec.name());
    if (spec.suffix().empty() || found == c.parameters().end()) continue;
    absl::StrAppend(&name, "_", spec.suffix(), found->second.integer());
  }
  if (c.mode() == TRAIN) absl::StrAppend(&name, "_train");
  return name;
}

void CheckFamily(const Family& family, const std::string& where, Problems* problems) {
  const ModelImplementation& implementation = family.implementation();
  const std::string here = absl::StrCat(where, ", implementation '", implementation.name(), "'");
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(here, ": ", what));
  };
  require(!implementation.name().empty(), "name is required");
  require(!implementation.description().empty(), "description is required");
  require(!implementation.owner().empty(), "owner is required");
  require(implementation.inputs_size() > 0, "at least one input is required");
  require(implementation.outputs_size() > 0, "at least one output is required");
  require(implementation.reference() != REFERENCE_UNSPECIFIED,
          "reference is required; one of INDEPENDENT, OWN_FLOAT64");
  require(implementation.reference() != INDEPENDENT || !implementation.reference_script().empty(),
          "an INDEPENDENT reference needs reference_script");
  for (const InputSpec& input : implementation.inputs()) {
    require(input.fill() != FILL_UNSPECIFIED,
            absl::StrCat("input '", input.name(), "' needs a fill"));
  }
  CheckDistinct(implementation.parameters(), "parameters", here, problems);
  CheckDistinct(implementation.inputs(), "inputs", here, problems);
  CheckDistinct(family.models(), "models", where, problems);
  for (const Model& model : family.models()) {
    const std::string there = absl::StrCat(where, ", model '", model.name(), "'");
    CheckParameters(implementation, model.parameters(), there, problems);
    CheckParameters(implementation, model.smoke_parameters(), there + ", smoke_parameters",
                    problems);
  }
}

ResolvedCase Resolve(const Family& family, const BenchmarkCase& benchmark_case, const Lock& lock,
                     const std::string& where, Problems* problems) {
  const ModelImplementation& implementation = family.implementation();
  ResolvedCase resolved;
  BenchmarkCase& c = *resolved.mutable_benchmark_case();
  c = benchmark_case;
  if (c.mode() == MODE_UNSPECIFIED) c.set_mode(EVAL);
  if (c.backend() == BACKEND_UNSPECIFIED) c.set_backend(EAGER);
  *resolved.mutable_implementation() = implementation;

  const size_t before = problems->size();
  CheckCase(c, where, problems);
  CheckParameters(implementation, c.parameters(), where, problems);
  const auto model = std::find_if(family.models().begin(), family.models().end(),
                                  [&](const Model& m) { return m.name() == c.model(); });
  if (model == family.models().end()) {
    std::vector<std::string> names;
    for (const Model& m : family.models()) names.push_back(m.name());
    problems->push_back(absl::StrCat(where, ": unknown model '", c.model(), "'; one of ",
                                     absl::StrJoin(names, ", ")));
  }
  const std::string name = CanonicalName(implementation, c, c.batch());
  if (c.name() != name) {
    problems->push_back(absl::StrCat(where, ": is called '", c.name(),
                                     "', but what it says makes it '", name, "'"));
  }
  if (problems->size() != before) return resolved;

  *resolved.mutable_model() = *model;
  const int64_t verified =
      c.verify().batch() > 0 ? c.verify().batch() : std::min(c.batch(), kVerifiedBatch);
  const std::vector<const ParameterMap*> layers = {&model->parameters(), &c.parameters()};
  std::vector<const ParameterMap*> smoke_layers = layers;
  smoke_layers.push_back(&model->smoke_parameters());
  *resolved.mutable_measured() =
      ResolveWorkload(implementation, layers, c.batch(), c.dtype(), where, problems);
  *resolved.mutable_verified() =
      ResolveWorkload(implementation, layers, verified, c.dtype(), where, problems);
  *resolved.mutable_smoke() =
      ResolveWorkload(implementation, smoke_layers, std::min(c.batch(), kSmokeBatch), c.dtype(),
                      where + ", smoke test", problems);
  std::string key = CanonicalName(implementation, c, verified);
  if (c.seed() != 0) absl::StrAppend(&key, "_seed", c.seed());
  const auto row = lock.find(key);
  if (row != lock.end()) *resolved.mutable_reference() = row->second;
  resolved.mutable_reference()->set_key(key);
  return resolved;
}

}  // namespace assay
