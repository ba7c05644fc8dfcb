// What authors may get wrong, said before anything is resolved: CheckFamily and the checks of
// cases.

#include "defs/case_checks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace assay {
namespace {

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

// Limits of every rule: a NaN or an infinite one would let every output pass.
bool AreFinite(const VerifyParameters& verify) {
  for (const double limit : {verify.rms_limit(), verify.max_limit(), verify.atol(), verify.rtol(),
                             verify.multiplier(), verify.cosine_min()}) {
    if (!std::isfinite(limit) || limit < 0) return false;
  }
  return true;
}

void CheckVerify(const VerifyParameters& verify, const std::string& where, Problems* problems) {
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": verify: ", what));
  };
  require(!absl::StripAsciiWhitespace(verify.provenance()).empty(),
          "limits without provenance are refused; say what was measured, or the source");
  require(verify.batch() >= 0 && verify.batch() <= kMaximumBatch,
          "batch is out of range; 0 to 2^20");
  require(AreFinite(verify), "a limit is negative, infinite or NaN");
  switch (verify.rule()) {
    case RELATIVE_TO_STD:
      return require(verify.rms_limit() > 0 && verify.max_limit() > 0,
                     "RELATIVE_TO_STD needs rms_limit and max_limit");
    case ALLCLOSE:
      require(verify.rtol() < 1, "ALLCLOSE needs rtol < 1: from 1 on, zeros pass for anything");
      return require(verify.atol() + verify.rtol() > 0, "ALLCLOSE needs atol or rtol");
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

// Names of models become those of targets and files, on any file system.
bool IsLowerName(std::string_view name) {
  constexpr size_t kLongestName = 100;
  return !name.empty() && name.size() <= kLongestName &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '_';
         });
}

// Names of inputs and outputs are those of the independent implementation and of tensors in blobs,
// where '#' separates parts.
bool IsTensorName(std::string_view name) {
  return IsLowerName(absl::StrReplaceAll(absl::AsciiStrToLower(name), {{".", "_"}}));
}

void RequireName(std::string_view what, std::string_view name, bool good, const std::string& where,
                 Problems* problems) {
  if (good) return;
  problems->push_back(absl::StrCat(where, ": ", what, " '", name.substr(0, 120),
                                   "': a name is at most 100 letters, digits and _",
                                   what == "input" || what == "output" ? " ." : ", lower case"));
}

void CheckNames(const ModelImplementation& implementation, const std::string& where,
                Problems* problems) {
  const auto require_name = [&](std::string_view what, std::string_view name, bool good) {
    RequireName(what, name, good, where, problems);
  };
  require_name("implementation", implementation.name(), IsLowerName(implementation.name()));
  for (const ParameterSpec& spec : implementation.parameters()) {
    require_name("parameter", spec.name(), IsLowerName(spec.name()));
  }
  for (const InputSpec& input : implementation.inputs()) {
    require_name("input", input.name(), IsTensorName(input.name()));
  }
  for (const std::string& output : implementation.outputs()) {
    require_name("output", output, IsTensorName(output));
  }
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

void CheckImplementation(const ModelImplementation& implementation, const std::string& where,
                         Problems* problems) {
  const std::string here = absl::StrCat(where, ", implementation '", implementation.name(), "'");
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(here, ": ", what));
  };
  require(!implementation.description().empty(), "description is required");
  require(!implementation.owner().empty(), "owner is required");
  require(implementation.inputs_size() > 0, "at least one input is required");
  require(implementation.outputs_size() > 0, "at least one output is required");
  require(implementation.reference() != REFERENCE_UNSPECIFIED,
          "reference is required; one of INDEPENDENT, OWN_FLOAT64");
  require(implementation.reference() != INDEPENDENT || !implementation.reference_script().empty(),
          "an INDEPENDENT reference needs reference_script");
  CheckNames(implementation, here, problems);
  for (const InputSpec& input : implementation.inputs()) {
    require(input.fill() != FILL_UNSPECIFIED,
            absl::StrCat("input '", input.name(), "' needs a fill"));
  }
  CheckDistinct(implementation.parameters(), "parameters", here, problems);
  CheckDistinct(implementation.inputs(), "inputs", here, problems);
  const std::set<std::string> outputs(implementation.outputs().begin(),
                                      implementation.outputs().end());
  require(static_cast<int>(outputs.size()) == implementation.outputs_size(),
          "two outputs have one name");
}

}  // namespace

const ModelImplementation* FindImplementation(const Family& family, const std::string& name) {
  for (const ModelImplementation& implementation : family.implementations()) {
    if (implementation.name() == name) return &implementation;
  }
  return nullptr;
}

void CheckParameters(const ModelImplementation& implementation, const ParameterMap& values,
                     const std::string& where, Problems* problems) {
  const std::map<std::string, ParameterValue> sorted(values.begin(), values.end());
  for (const auto& [name, value] : sorted)
    CheckParameter(implementation, name, value, where, problems);
}

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

void CheckFamily(const Family& family, const std::string& where, Problems* problems) {
  for (const ModelImplementation& implementation : family.implementations())
    CheckImplementation(implementation, where, problems);
  CheckDistinct(family.implementations(), "implementations", where, problems);
  CheckDistinct(family.models(), "models", where, problems);
  for (const Model& model : family.models()) {
    const std::string here = absl::StrCat(where, ", model '", model.name(), "'");
    RequireName("model", model.name(), IsLowerName(model.name()), where, problems);
    const ModelImplementation* implementation = FindImplementation(family, model.implementation());
    if (implementation == nullptr) {
      problems->push_back(
          absl::StrCat(here, ": the family has no implementation '", model.implementation(), "'"));
      continue;
    }
    CheckParameters(*implementation, model.parameters(), here, problems);
    CheckParameters(*implementation, model.smoke_parameters(), here + ", smoke_parameters",
                    problems);
  }
}

}  // namespace assay
