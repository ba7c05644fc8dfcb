#include "defs/case/program_kinds.h"

#include "absl/strings/str_cat.h"
#include "defs/case/generation_outputs.h"
#include "defs/case/step_names.h"
#include "defs/case/training_steps.h"
#include "defs/case/written_inputs.h"

namespace assay {
namespace {

std::string ForwardUnits(const ResolvedCase& c) { return c.implementation().units_per_call(); }

std::vector<StepRow> ForwardSteps(const ResolvedCase& c) {
  const std::string units = ForwardUnits(c);
  if (c.model().image_preset().crop() > 0) {
    return {{.name = steps::kPreprocess, .prepared = true, .units = units},
            {.name = steps::kForward, .by_default = true, .headline = true, .units = units},
            {.name = steps::kPostprocess, .prepared = true, .units = units}};
  }
  if (c.implementation().detector()) {
    return {{.name = steps::kForward, .by_default = true, .headline = true, .units = units},
            {.name = steps::kPostprocess, .prepared = true, .units = units}};
  }
  const bool written = !WrittenInputs(c.measured()).empty() || !WrittenState(c.measured()).empty();
  return {{.name = steps::kForward,
           .by_default = true,
           .headline = true,
           .prepared = written,
           .units = units}};
}

std::vector<StepRow> BackwardSteps(const ResolvedCase& c) {
  const std::string units = ForwardUnits(c);
  return {{.name = steps::kForward, .units = units},
          {.name = steps::kBackward,
           .by_default = true,
           .headline = true,
           .prepared = true,
           .units = units}};
}

std::vector<StepRow> TrainingSteps(const ResolvedCase& c) {
  const std::string units = ForwardUnits(c);
  // An update divides the gradients by the scale, in place, so that they must be made anew.
  const bool scales = c.benchmark_case().execution().grad_scaler();
  return {{.name = steps::kForward, .by_default = true, .units = units},
          {.name = steps::kBackward, .by_default = true, .prepared = true, .units = units},
          {.name = steps::kOptimizer, .by_default = true, .prepared = scales, .makes_state = true},
          {.name = steps::kTrainStep,
           .by_default = true,
           .headline = true,
           .makes_state = true,
           .units = units}};
}

std::vector<StepRow> GenerationSteps(const ResolvedCase& c) {
  return {{.name = steps::kPrefill, .by_default = true, .units = ForwardUnits(c)},
          {.name = steps::kDecode, .by_default = true, .units = "batch"},
          {.name = steps::kGenerate,
           .by_default = true,
           .headline = true,
           .units = absl::StrCat("batch*", kNewTokens)}};
}

std::vector<ExpectedOutput> OutputsOfTraining(const std::vector<ExpectedOutput>& of_forward,
                                              const ModelImplementation& implementation,
                                              const BenchmarkCase& c) {
  return TrainingOutputs(of_forward, c.training(), implementation.keeps_statistics(), c.dtype());
}

std::vector<ExpectedOutput> OutputsOfGeneration(const std::vector<ExpectedOutput>& of_forward,
                                                const ModelImplementation& /*implementation*/,
                                                const BenchmarkCase& c) {
  return GenerationOutputs(of_forward[0], c.generation().new_tokens());
}

std::string NewTokensText(const BenchmarkCase& c) {
  return absl::StrCat("_gen", c.generation().new_tokens());
}

constexpr std::string_view kNoModelToLower = "it is made of a model, and the case is an operator";
constexpr std::string_view kNoLayers = "the case is one operator, which has no layers";

std::vector<ProgramKind> Rows() {
  return {
      {.word = "operator_backward",
       .has = [](const BenchmarkCase& c) { return c.operator_call().backward(); },
       .names_model = false,
       .steps = BackwardSteps,
       .calls_forward_alone = false,
       .has_gradients = true,
       .truth = TruthSource::kOwnFloat64,
       .verified_as_measured = true,
       .why_not_lowered = kNoModelToLower,
       .why_not_located = kNoLayers,
       .shows_bandwidth = true},
      {.word = "operator",
       .has = [](const BenchmarkCase& c) { return c.has_operator_call(); },
       .names_model = false,
       .steps = ForwardSteps,
       .truth = TruthSource::kOwnFloat64,
       .verified_as_measured = true,
       .why_not_lowered = kNoModelToLower,
       .why_not_located = kNoLayers,
       .shows_bandwidth = true},
      {.word = "train",
       .has = [](const BenchmarkCase& c) { return c.mode() == TRAIN; },
       .mode = TRAIN,
       .steps = TrainingSteps,
       .own_steps = {steps::kBackward, steps::kOptimizer, steps::kTrainStep},
       .whose_steps = "gradients belong to training cases (names with _train)",
       .calls_forward_alone = false,
       .trains = true,
       .has_gradients = true,
       .outputs = OutputsOfTraining,
       .outputs_from_state = true,
       .depends_on_every_row = true,
       .held_to_float64 = false,
       .differs_on_cuda = "backward passes on CUDA may add in no fixed order",
       .why_not_lowered = "it is for inference, and the case trains",
       .chosen_unasked = false,
       .noun = "training",
       .models_column = "trained"},
      {.word = "generate",
       .has = [](const BenchmarkCase& c) { return c.mode() == GENERATE; },
       .mode = GENERATE,
       .steps = GenerationSteps,
       .own_steps = {steps::kPrefill, steps::kDecode, steps::kGenerate},
       .whose_steps = "new tokens belong to generation cases (names with _gen)",
       .calls_forward_alone = false,
       .generates = true,
       .outputs = OutputsOfGeneration,
       .held_to_float64 = false,
       .why_not_located = "layers are compared in one forward pass; take the case whose name ends "
                          "before _gen",
       .chosen_unasked = false,
       .noun = "generation",
       .models_column = "generates",
       .run_text = NewTokensText},
      {.word = "eval",
       .has = [](const BenchmarkCase&) { return true; },
       .steps = ForwardSteps,
       .own_steps = {steps::kPreprocess, steps::kPostprocess},
       .whose_steps = "photographs belong to classifiers that evaluate, boxes to detectors"},
  };
}

}  // namespace

absl::Span<const ProgramKind> ProgramKinds() {
  static const auto* rows = new std::vector<ProgramKind>(Rows());
  return *rows;
}

const ProgramKind& KindOf(const BenchmarkCase& c) {
  for (const ProgramKind& kind : ProgramKinds()) {
    if (kind.has(c)) return kind;
  }
  return ProgramKinds().back();
}

const std::string& ModelNameOf(const ResolvedCase& c) {
  return KindOf(c).names_model ? c.benchmark_case().model() : c.model().name();
}

google::protobuf::RepeatedPtrField<InputSpec> InputSpecsOf(
    const ModelImplementation& implementation, const BenchmarkCase& c) {
  auto specs = KindOf(c).names_model ? implementation.inputs() : c.operator_call().inputs();
  if (ReadsTargets(c.training())) specs.MergeFrom(implementation.targets());
  if (c.has_generation()) *specs.Add() = implementation.continuation();
  return specs;
}

}  // namespace assay
