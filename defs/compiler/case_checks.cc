// Checks what authors write, before anything is resolved: CheckFamily and the checks of cases.

#include "defs/compiler/case_checks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "defs/case/dimensions.h"
#include "defs/case/distributions.h"
#include "defs/case/execution_names.h"
#include "defs/case/generation_outputs.h"
#include "defs/case/program_kinds.h"
#include "defs/case/training_steps.h"

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
  if (value.value_case() == ParameterValue::kInteger)
    return inside(static_cast<double>(value.integer()));
  if (value.value_case() == ParameterValue::kReal) return inside(value.real());
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
  const bool integer_as_real =
      spec->kind() == "real" && value.value_case() == ParameterValue::kInteger;
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

// Checks the limits of every rule: a NaN or an infinite one would let every output pass.
bool AreFinite(const VerifyParameters& verify) {
  for (const double limit :
       {verify.rms_limit(), verify.max_limit(), verify.atol(), verify.rtol(), verify.multiplier(),
        verify.cosine_min(), verify.mean_relative_limit(), verify.iou_min(), verify.corner_limit(),
        verify.score_limit(), verify.matched_min()}) {
    if (!std::isfinite(limit) || limit < 0) return false;
  }
  return true;
}

// The rules for a case.
constexpr std::string_view kRules =
    "RELATIVE_TO_STD, ALLCLOSE, DYNAMO_SAME, COSINE, MEAN_RELATIVE, DETECTIONS";

// Checks the limits that a rule reads. `where` says whose rule it is.
void CheckLimits(Rule rule, const VerifyParameters& verify, const std::string& where,
                 Problems* problems) {
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": verify: ", what));
  };
  switch (rule) {
    case RELATIVE_TO_STD:
      require(verify.rms_limit() < 1,
              "RELATIVE_TO_STD needs rms_limit < 1: from 1 on, zeros pass for anything");
      return require(verify.rms_limit() > 0 && verify.max_limit() > 0,
                     "RELATIVE_TO_STD needs rms_limit and max_limit");
    case ALLCLOSE:
      require(verify.rtol() < 1, "ALLCLOSE needs rtol < 1: from 1 on, zeros pass for anything");
      return require(verify.atol() + verify.rtol() > 0, "ALLCLOSE needs atol or rtol");
    case DYNAMO_SAME:
      require(verify.atol() > 0 && verify.atol() < 1,
              "DYNAMO_SAME needs atol, Dynamo's tol, in (0, 1): from 1 on, anything passes");
      return require(verify.cosine_min() <= 1, "DYNAMO_SAME needs cosine_min in (0, 1], or none");
    case COSINE:
      return require(verify.cosine_min() > 0 && verify.cosine_min() <= 1,
                     "COSINE needs cosine_min in (0, 1]");
    case MEAN_RELATIVE:
      return require(verify.mean_relative_limit() > 0 && verify.mean_relative_limit() < 1,
                     "MEAN_RELATIVE needs mean_relative_limit in (0, 1): from 1 on, zeros pass");
    case IOU:
      return require(verify.iou_min() > 0 && verify.iou_min() <= 1, "IOU needs iou_min in (0, 1]");
    case DETECTIONS:
      return require(verify.corner_limit() > 0 && verify.score_limit() > 0 &&
                         verify.matched_min() > 0 && verify.matched_min() <= 1,
                     "DETECTIONS needs corner_limit and score_limit, and matched_min in (0, 1]");
    case EXACT:
      return require(false,
                     absl::StrCat("EXACT is not chosen: it is the rule of every integer or boolean "
                                  "output; one of ",
                                  kRules));
    default:
      return require(false, absl::StrCat("rule is not set; one of ", kRules));
  }
}

void CheckVerify(const VerifyParameters& verify, const std::string& where, Problems* problems) {
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": verify: ", what));
  };
  require(!absl::StripAsciiWhitespace(verify.provenance()).empty(),
          "limits without provenance are refused; say what was measured, or the source");
  require(verify.gradient_factor() == 0 || verify.gradient_factor() >= 1,
          "gradient_factor is below 1; elements of gradients are held to so many times the limits");
  require(verify.rule() != RELATIVE_TO_STD || verify.gradient_factor() * verify.rms_limit() < 1,
          "gradient_factor times rms_limit is 1 or more, where zeros pass for any gradient");
  require(verify.batch() >= 0 && verify.batch() <= kMaximumBatch,
          "batch is out of range; 0 to 2^20");
  require(AreFinite(verify), "a limit is negative, infinite or NaN");
  require(
      verify.rule() != IOU,
      absl::StrCat("IOU is the rule of a boolean output, which says so itself; one of ", kRules));
  CheckLimits(verify.rule(), verify, where, problems);
}

// Names of models become names of targets and of files, on any file system.
bool IsLowerName(std::string_view name) {
  constexpr size_t kLongestName = 100;
  return !name.empty() && name.size() <= kLongestName &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '_';
         });
}

// proto3 accepts a number for which the enum has no name; it would count as the default.
void CheckExecution(const BenchmarkCase& c, const std::string& where, Problems* problems) {
  constexpr int kMostThreads = 4096;
  const Execution& execution = c.execution();
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": execution: ", what));
  };
  require(
      IsLowerName(execution.backend()),
      absl::StrCat("backend '", execution.backend(), "' is no name; a-z, 0-9 and _ are allowed"));
  const absl::Status lowered = CheckLowering(c);
  require(lowered.ok(), lowered.message());
  require(MemoryFormat_IsValid(execution.memory_format()),
          "unknown memory_format; one of CONTIGUOUS, CHANNELS_LAST");
  require(execution.autocast() == DTYPE_UNSPECIFIED || execution.autocast() == BF16 ||
              execution.autocast() == FP16,
          absl::StrCat("autocast is ", Dtype_Name(execution.autocast()),
                       "; BF16 or FP16 is allowed, or none"));
  require(execution.autocast() == DTYPE_UNSPECIFIED || c.dtype() == FP32,
          "autocast needs a case in FP32, whose operators it calls in the other dtype");
  require(MatmulPrecision_IsValid(execution.matmul_precision()),
          "unknown matmul_precision; one of HIGHEST, HIGH, MEDIUM");
  require(
      execution.accumulation() == 0 && !execution.grad_scaler() && !execution.no_grad(),
      "accumulation, grad_scaler and no_grad have no word in a case's name; give them to a run, "
      "as --accumulation, --grad-scaler and --no-grad");
  require(execution.threads() >= 0 && execution.threads() <= kMostThreads,
          absl::StrCat("threads ", execution.threads(),
                       " is out of range; 0 (LibTorch's default) to ", kMostThreads));
}

// Refuses what torch.optim refuses, and numbers that are not finite.
void CheckOptimizer(const Optimizer& optimizer, const std::string& where, Problems* problems) {
  const auto require = [&](bool holds, std::string_view name, double value,
                           std::string_view allowed) {
    if (holds) return;
    problems->push_back(absl::StrCat(where, ": ", OptimizerName(optimizer), ": ", name, " ", value,
                                     " must be ", allowed));
  };
  const auto positive = [&](std::string_view name, double value) {
    require(std::isfinite(value) && value > 0, name, value, "positive");
  };
  const auto not_negative = [&](std::string_view name, double value) {
    require(std::isfinite(value) && value >= 0, name, value, "0 or positive");
  };
  const auto below_one = [&](std::string_view name, double value) {
    require(value >= 0 && value < 1, name, value, "in [0, 1)");
  };
  if (optimizer.has_sgd()) {
    const Sgd& sgd = optimizer.sgd();
    positive("learning_rate", sgd.learning_rate());
    below_one("momentum", sgd.momentum());
    not_negative("weight_decay", sgd.weight_decay());
    require(!sgd.nesterov() || sgd.momentum() > 0, "momentum", sgd.momentum(),
            "positive with nesterov");
    return;
  }
  const Adam& adam = optimizer.has_adamw() ? optimizer.adamw() : optimizer.adam();
  positive("learning_rate", adam.learning_rate());
  below_one("beta1", adam.beta1());
  below_one("beta2", adam.beta2());
  positive("epsilon", adam.epsilon());
  not_negative("weight_decay", adam.weight_decay());
}

void CheckOptimizers(const Training& training, const std::string& where, Problems* problems) {
  std::set<std::string> names;
  for (const Optimizer& optimizer : training.optimizers()) {
    const std::string name = OptimizerName(optimizer);
    if (name.empty()) {
      problems->push_back(
          absl::StrCat(where, ": training: an optimizer is empty; one of sgd, adam, adamw"));
      continue;
    }
    if (!names.insert(name).second)
      problems->push_back(absl::StrCat(where, ": training: two optimizers are ", name));
    CheckOptimizer(optimizer, where, problems);
  }
}

void CheckRun(const BenchmarkCase& c, const std::string& where, Problems* problems) {
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": ", what));
  };
  switch (c.mode()) {
    case EVAL:
      require(!c.has_training(), "training is set, but mode is EVAL; set mode: TRAIN");
      return require(!c.has_generation(),
                     "generation is set, but mode is EVAL; set mode: GENERATE");
    case GENERATE:
      return require(c.generation().new_tokens() >= kFewestNewTokens &&
                         c.generation().new_tokens() <= kMostNewTokens,
                     absl::StrCat("mode GENERATE needs generation { new_tokens: … }; ",
                                  kFewestNewTokens, " to ", kMostNewTokens));
    case TRAIN: {
      require(c.training().optimizers_size() > 0,
              "mode TRAIN needs training with an optimizer: training { optimizers { sgd { … } } }");
      require(c.training().loss() != LOSS_UNSPECIFIED && Loss_IsValid(c.training().loss()),
              "mode TRAIN needs training with a loss; one of OWN, CROSS_ENTROPY, SUM, MEAN");
      require(std::isfinite(c.training().clip_norm()) && c.training().clip_norm() >= 0,
              absl::StrCat("training: clip_norm ", c.training().clip_norm(),
                           " must be positive, or 0 for none"));
      require(std::isfinite(c.training().row_clip_norm()) && c.training().row_clip_norm() >= 0,
              absl::StrCat("training: row_clip_norm ", c.training().row_clip_norm(),
                           " must be positive, or 0 for none"));
      require(c.verify().batch() == 0,
              "verify.batch is set; a training case is verified at its own batch, since a step "
              "depends on every row");
      return CheckOptimizers(c.training(), where, problems);
    }
    default:
      return require(false, "unknown mode; one of EVAL, TRAIN, GENERATE");
  }
}

// Names of inputs and outputs are those of the independent implementation, and of tensors in blobs,
// where '#' separates parts.
bool IsTensorName(std::string_view name) {
  return IsLowerName(absl::StrReplaceAll(absl::AsciiStrToLower(name), {{".", "_"}}));
}

void CheckNames(const ModelImplementation& implementation, const std::string& where,
                Problems* problems) {
  RequireName("implementation", implementation.name(), false, where, problems);
  for (const ParameterSpec& spec : implementation.parameters())
    RequireName("parameter", spec.name(), false, where, problems);
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

void CheckTrainingNames(const ModelImplementation& implementation, const std::string& where,
                        Problems* problems) {
  for (const OutputSpec& output : implementation.outputs()) {
    for (const std::string_view taken : kTrainingOutputs) {
      if (output.name() != taken) continue;
      problems->push_back(
          absl::StrCat(where, ": output '", output.name(),
                       "': a training step has an output of that name; call it otherwise"));
    }
  }
}

// Checks targets, and that no output has a name that training steps use (training_steps.h).
void CheckTrainable(const ModelImplementation& implementation, const std::string& where,
                    Problems* problems) {
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": ", what));
  };
  std::set<std::string> names;
  for (const InputSpec& input : implementation.inputs()) names.insert(input.name());
  for (const InputSpec& target : implementation.targets()) {
    RequireName("target", target.name(), true, where, problems);
    require(names.insert(target.name()).second,
            absl::StrCat("target '", target.name(), "' has the name of another input or target"));
    require(target.distribution().kind_case() != Distribution::KIND_NOT_SET,
            absl::StrCat("target '", target.name(), "' needs a distribution"));
  }
  if (implementation.trainable()) CheckTrainingNames(implementation, where, problems);
}

void CheckContinuation(const InputSpec& continuation, const std::string& where,
                       Problems* problems) {
  RequireName("continuation", continuation.name(), true, where, problems);
  if (continuation.distribution().kind_case() == Distribution::KIND_NOT_SET) {
    problems->push_back(
        absl::StrCat(where, ": continuation '", continuation.name(), "' needs a distribution"));
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
  require(implementation.reference() != REFERENCE_UNSPECIFIED,
          "reference is required; one of INDEPENDENT, OWN_FLOAT64");
  require(implementation.reference() != INDEPENDENT || !implementation.reference_script().empty(),
          "an INDEPENDENT reference needs reference_script");
  CheckNames(implementation, here, problems);
  CheckDistinct(implementation.parameters(), "parameters", here, problems);
  CheckTensors(implementation.inputs(), implementation.outputs(), here, problems);
  CheckTrainable(implementation, here, problems);
  if (implementation.has_continuation())
    CheckContinuation(implementation.continuation(), here, problems);
}

void CheckImagePreset(const ImagePreset& preset, const ModelImplementation& implementation,
                      const std::string& where, Problems* problems) {
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": ", what));
  };
  const auto positive = [](double value) { return value > 0; };
  require(preset.crop() >= 1 && preset.resize() >= preset.crop(),
          absl::StrCat("resize ", preset.resize(), ", crop ", preset.crop(),
                       "; a crop of at least 1 pixel, and a resize that is no smaller"));
  require(preset.interpolation() == BILINEAR || preset.interpolation() == BICUBIC,
          "interpolation is required; one of BILINEAR, BICUBIC");
  require(preset.mean_size() == 3 && preset.std_size() == 3 &&
              std::all_of(preset.std().begin(), preset.std().end(), positive),
          "mean and std have three numbers each, red, green and blue; std above 0");
  require(implementation.inputs_size() == 1 && implementation.inputs(0).shape_size() == 4 &&
              implementation.outputs_size() == 1 && implementation.outputs(0).shape_size() == 2,
          "is for models with one image in and logits out: inputs [batch, 3, height, width], "
          "outputs [batch, classes]");
}

}  // namespace

void RequireName(std::string_view what, std::string_view name, bool is_tensor,
                 const std::string& where, Problems* problems) {
  if (is_tensor ? IsTensorName(name) : IsLowerName(name)) return;
  problems->push_back(absl::StrCat(where, ": ", what, " '", name.substr(0, 120),
                                   "': a name is at most 100 letters, digits and _",
                                   is_tensor ? " ." : ", lower case"));
}

// The fault of the `place`-th dimension of an input, as far as it is a sum of bags.
std::string BagsProblem(const google::protobuf::RepeatedPtrField<InputSpec>& inputs,
                        std::string_view dimension, int place) {
  if (!absl::StrContains(dimension, "sum:")) return "";
  const std::string_view name = SummedInput(dimension);
  if (name.empty() || place != 0) return "a sum of bags stands alone, as the first dimension";
  const auto bags = std::find_if(inputs.begin(), inputs.end(),
                                 [name](const InputSpec& input) { return input.name() == name; });
  if (bags == inputs.end()) return absl::StrCat("there is no input '", name, "'");
  const Distribution& distribution = bags->distribution();
  const bool lengths = AreLengths(distribution);
  if (!lengths && !distribution.has_bag_offsets()) {
    return absl::StrCat("input '", name, "' is drawn by ", DistributionName(distribution),
                        "; integers from 0 on are lengths, bag_offsets are offsets");
  }
  const bool of_rows =
      bags->shape_size() > 0 && bags->shape(0) == "batch" && (lengths || bags->shape_size() == 1);
  if (of_rows) return "";
  return absl::StrCat("input '", name, "' has the shape [", absl::StrJoin(bags->shape(), ", "),
                      "]; lengths are [batch] or [batch, ...], offsets [batch]");
}

void CheckTensors(const google::protobuf::RepeatedPtrField<InputSpec>& inputs,
                  const google::protobuf::RepeatedPtrField<OutputSpec>& outputs,
                  const std::string& where, Problems* problems) {
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) problems->push_back(absl::StrCat(where, ": ", what));
  };
  require(!inputs.empty(), "at least one input is required");
  require(!outputs.empty(), "at least one output is required");
  for (const InputSpec& input : inputs) {
    RequireName("input", input.name(), true, where, problems);
    require(Dtype_IsValid(input.dtype()),
            absl::StrCat("input '", input.name(), "' has an unknown dtype"));
    require(input.distribution().kind_case() != Distribution::KIND_NOT_SET,
            absl::StrCat("input '", input.name(),
                         "' needs a distribution; one of uniform, normal, integers, zipf, "
                         "prefix_mask, segments, bernoulli, bag_offsets, time_steps, boxes"));
    for (int i = 0; i < input.shape_size(); ++i) {
      const std::string problem = BagsProblem(inputs, input.shape(i), i);
      require(problem.empty(), absl::StrCat("input '", input.name(), "' has a dimension '",
                                            input.shape(i), "'; ", problem));
    }
  }
  for (const OutputSpec& output : outputs) {
    for (const std::string& dimension : output.shape()) {
      require(!absl::StrContains(dimension, "sum:"),
              absl::StrCat("output '", output.name(), "' has a dimension '", dimension,
                           "'; only inputs hold bags"));
    }
    RequireName("output", output.name(), true, where, problems);
    require(Dtype_IsValid(output.dtype()),
            absl::StrCat("output '", output.name(), "' has an unknown dtype"));
    require(Rule_IsValid(output.rule()),
            absl::StrCat("output '", output.name(), "' has an unknown rule"));
    require(output.rule() != EXACT || HoldsIntegers(output.dtype()),
            absl::StrCat("output '", output.name(),
                         "' has rule EXACT, which only integers and booleans can meet; its dtype "
                         "may be INT64, INT32, INT8, UINT8 or BOOL"));
    const bool mask = output.dtype() == BOOL && output.rule() == IOU;
    require(!HoldsIntegers(output.dtype()) || output.rule() == RULE_UNSPECIFIED ||
                output.rule() == EXACT || mask,
            absl::StrCat("output '", output.name(), "' holds ",
                         output.dtype() == BOOL ? "booleans, which are compared by EXACT or IOU"
                                                : "integers, which are compared by EXACT",
                         ", not by ", Rule_Name(output.rule())));
    require(output.rule() != IOU || output.dtype() == BOOL,
            absl::StrCat("output '", output.name(), "' has rule IOU, which is for booleans; its ",
                         "dtype must be BOOL"));
  }
  CheckDistinct(inputs, "inputs", where, problems);
  CheckDistinct(outputs, "outputs", where, problems);
}

const ModelImplementation* FindImplementation(const Family& family, const std::string& name) {
  for (const ModelImplementation& implementation : family.implementations()) {
    if (implementation.name() == name) return &implementation;
  }
  return nullptr;
}

bool HoldsIntegers(Dtype dtype) {
  return dtype == INT64 || dtype == INT32 || dtype == INT8 || dtype == UINT8 || dtype == BOOL;
}

void CheckOutputRules(const google::protobuf::RepeatedPtrField<OutputSpec>& outputs,
                      Dtype case_dtype, const VerifyParameters& verify, const std::string& where,
                      Problems* problems) {
  for (const OutputSpec& output : outputs) {
    const Dtype dtype = output.dtype() == DTYPE_UNSPECIFIED ? case_dtype : output.dtype();
    const bool exact = HoldsIntegers(dtype) && output.rule() != IOU;
    if (exact || output.rule() == RULE_UNSPECIFIED) continue;
    CheckLimits(output.rule(), verify, absl::StrCat(where, ": output '", output.name(), "'"),
                problems);
  }
}

namespace {

void CheckGeneration(const ModelImplementation& implementation, const BenchmarkCase& c,
                     const std::string& where, Problems* problems) {
  const auto require = [&](bool holds, std::string_view what) {
    if (holds) return;
    problems->push_back(absl::StrCat(where, ": generation, but implementation '",
                                     implementation.name(), "' ", what));
  };
  const auto& outputs = implementation.outputs();
  require(implementation.has_continuation(),
          "declares no continuation; one whose code generates says continuation = input(…)");
  require(
      implementation.continued().empty() ||
          std::any_of(
              implementation.inputs().begin(), implementation.inputs().end(),
              [&](const InputSpec& input) { return input.name() == implementation.continued(); }),
      absl::StrCat("has no input '", implementation.continued(), "', which is to be continued"));
  require(
      outputs.size() == 1 && outputs[0].shape_size() == 3 &&
          !HoldsIntegers(outputs[0].dtype() == DTYPE_UNSPECIFIED ? c.dtype() : outputs[0].dtype()),
      "has other outputs than logits, shape [batch, tokens, vocabulary]");
}

void CheckNondeterminism(const BenchmarkCase& c, const Nondeterminism& declared,
                         const std::string& where, Problems* problems) {
  if (absl::StripAsciiWhitespace(declared.reason()).empty()) {
    problems->push_back(absl::StrCat(
        where, ": nondeterministic without a reason; name the kernel that adds in no fixed order"));
  }
  if (declared.device() == DEVICE_TYPE_UNSPECIFIED) {
    problems->push_back(
        absl::StrCat(where, ": nondeterministic without a device; one of CPU, CUDA"));
  }
  if (KindOf(c).names_model) return;  // the outputs of a model's case are not known here
  std::vector<std::string> known;
  for (const OutputSpec& output : c.operator_call().outputs()) known.push_back(output.name());
  for (const std::string& output : declared.outputs()) {
    if (std::count(known.begin(), known.end(), output) > 0) continue;
    problems->push_back(absl::StrCat(where, ": nondeterministic: no output is called '", output,
                                     "'; one of ", absl::StrJoin(known, ", ")));
  }
}

}  // namespace

void CheckMode(const ModelImplementation& implementation, const BenchmarkCase& c,
               const std::string& where, Problems* problems) {
  const ProgramKind& kind = KindOf(c);
  if (kind.generates) CheckGeneration(implementation, c, where, problems);
  if (!kind.trains) return;
  if (!implementation.trainable()) CheckTrainingNames(implementation, where, problems);
  const auto require = [&](bool holds, std::string_view what) {
    if (holds) return;
    problems->push_back(absl::StrCat(where, ": training: loss ", Loss_Name(c.training().loss()),
                                     ", but implementation '", implementation.name(), "' ", what));
  };
  const auto floats = [&](const OutputSpec& output) {
    return !HoldsIntegers(output.dtype() == DTYPE_UNSPECIFIED ? c.dtype() : output.dtype());
  };
  const auto& outputs = implementation.outputs();
  switch (c.training().loss()) {
    case OWN:
      return require(implementation.trainable(),
                     "has none; one whose code has a loss says trainable = True");
    case CROSS_ENTROPY:
      require(implementation.targets_size() > 0 && implementation.targets(0).shape_size() == 1 &&
                  HoldsIntegers(implementation.targets(0).dtype()),
              "declares no target of class indices, shape [batch]");
      return require(!outputs.empty() && floats(outputs[0]) && outputs[0].shape_size() == 2,
                     "has no logits, shape [batch, classes], as its first output");
    default:
      return require(std::any_of(outputs.begin(), outputs.end(), floats),
                     "has no output that holds floats");
  }
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
  CheckRun(c, where, problems);
  CheckExecution(c, where, problems);
  for (const Skip& skip : c.skips()) {
    if (absl::StripAsciiWhitespace(skip.reason()).empty()) {
      problems->push_back(absl::StrCat(where,
                                       ": a skip without a reason; say why the case cannot run on ",
                                       DeviceType_Name(skip.device())));
    }
    if (skip.device() == DEVICE_TYPE_UNSPECIFIED) {
      problems->push_back(absl::StrCat(where, ": a skip without a device; one of CPU, CUDA"));
    }
    if (double least = 0;
        !skip.below_capability().empty() &&
        (skip.device() != CUDA || !absl::SimpleAtod(skip.below_capability(), &least))) {
      problems->push_back(absl::StrCat(where, ": a skip below compute capability '",
                                       skip.below_capability(),
                                       "'; it is for CUDA, and a number such as 10.0"));
    }
  }
  for (const Nondeterminism& declared : c.nondeterministic())
    CheckNondeterminism(c, declared, where, problems);
  CheckVerify(c.verify(), where, problems);
}

void CheckFamily(const Family& family, const std::string& where, Problems* problems) {
  for (const ModelImplementation& implementation : family.implementations())
    CheckImplementation(implementation, where, problems);
  CheckDistinct(family.implementations(), "implementations", where, problems);
  CheckDistinct(family.models(), "models", where, problems);
  for (const Model& model : family.models()) {
    const std::string here = absl::StrCat(where, ", model '", model.name(), "'");
    RequireName("model", model.name(), false, where, problems);
    const ModelImplementation* implementation = FindImplementation(family, model.implementation());
    if (implementation == nullptr) {
      problems->push_back(
          absl::StrCat(here, ": the family has no implementation '", model.implementation(), "'"));
      continue;
    }
    CheckParameters(*implementation, model.parameters(), here, problems);
    CheckParameters(*implementation, model.smoke_parameters(), here + ", smoke_parameters",
                    problems);
    if (model.has_image_preset())
      CheckImagePreset(model.image_preset(), *implementation, here + ", image_preset", problems);
  }
}

}  // namespace assay
