#include "benchmarks/harness/programs/model_program.h"

#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/programs/image_steps.h"
#include "defs/case/case_steps.h"
#include "models/detector.h"

namespace assay::execution {
namespace {

constexpr std::string_view kScaled = "scaled_";
constexpr std::string_view kScaledInputs = "scaled_inputs";

std::string_view Parent(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

// The block to which a layer of weights belongs.
std::string_view BlockOf(std::string_view weight) {
  const std::string_view layer = Parent(weight);
  for (std::string_view block = Parent(layer); !block.empty(); block = Parent(block)) {
    if (absl::ascii_isdigit(static_cast<unsigned char>(block.back()))) return block;
  }
  return layer;
}

// Every block that multiplies by weights, in the order of the state.
std::vector<std::string> Blocks(const std::vector<models::NamedTensor>& state) {
  std::vector<std::string> blocks;
  for (const models::NamedTensor& entry : state) {
    if (!entry.trainable || entry.tensor.dim() < 2 || !absl::EndsWith(entry.name, "weight"))
      continue;
    std::string block(BlockOf(entry.name));
    if (!block.empty() && std::find(blocks.begin(), blocks.end(), block) == blocks.end())
      blocks.push_back(std::move(block));
  }
  return blocks;
}

bool HasScaledNorms(const std::vector<models::NamedTensor>& state) {
  return std::any_of(state.begin(), state.end(), [](const models::NamedTensor& entry) {
    return entry.trainable && entry.tensor.dim() == 1 && absl::EndsWith(entry.name, "weight");
  });
}

}  // namespace

void ModelProgram::Prepare(Step step, TensorsRef inputs) {
  if (step == steps::kPreprocess) prepared_ = PhotographsOf(inputs[0], preset_);
  if (step != steps::kPostprocess) return;
  outputs_ = model_->Forward(inputs);
  prepared_ = outputs_[0];
}

Tensors ModelProgram::Call(Step step, TensorsRef inputs) {
  if (step == steps::kPreprocess)
    return {Preprocess(prepared_, preset_, inputs[0].size(3), inputs[0].scalar_type())};
  if (step == steps::kForward && scales_inputs_) {
    Tensors wrong = inputs.vec();
    for (at::Tensor& input : wrong)
      if (input.is_floating_point()) input = input.mul(1.01);
    return model_->Forward(wrong);
  }
  if (step == steps::kForward) return model_->Forward(inputs);
  if (auto* detector = dynamic_cast<models::Detector*>(model_.get()))
    return {detector->Detections(outputs_)};
  TopClasses top = Postprocess(prepared_);
  return {std::move(top.probabilities), std::move(top.classes)};
}

std::vector<VerifiedOutput> ModelProgram::Verified(Step step, Tensors returned) {
  if (step != steps::kForward) return {};
  return InPlaces(std::move(returned), 0);
}

absl::Status ModelProgram::Lower(const Lowering& lowering) {
  mistakes_ = Mistakes();
  return model_->Lower(lowering);
}

std::vector<std::string> ModelProgram::Mistakes() const {
  if (mistakes_) return *mistakes_;
  const std::vector<std::string> blocks = Blocks(model_->State());
  if (blocks.empty()) return {std::string(kScaledInputs)};
  std::vector<std::string> mistakes;
  for (const size_t at : {size_t{0}, blocks.size() / 2, blocks.size() - 1}) {
    std::string mistake = absl::StrCat(kScaled, blocks[at]);
    // In a model of two blocks, first and middle are the same.
    if (mistakes.empty() || mistakes.back() != mistake) mistakes.push_back(std::move(mistake));
  }
  return mistakes;
}

void ModelProgram::MakeMistake(std::string_view mistake) {
  scales_inputs_ = mistake == kScaledInputs;
  const c10::InferenceMode no_autograd;
  const std::string inside = absl::StrCat(absl::StripPrefix(mistake, kScaled), ".");
  bool behind = false;  // the block, which a normalisation may follow
  const std::vector<models::NamedTensor> state = State();
  const bool scaled_norms = HasScaledNorms(state);
  for (const models::NamedTensor& entry : state) {
    if (!entry.trainable) continue;
    const bool in_block = absl::StartsWith(entry.name, inside);
    behind = in_block || (behind && entry.tensor.dim() < 2);
    if (!behind) continue;
    // Half of the rows of a matrix: a norm of directions takes out a factor of all. Half of the columns of a
    // kernel where norms have no scale: an instance norm takes out the factor of a row.
    const int64_t along = entry.tensor.dim() == 4 && !scaled_norms ? 1 : 0;
    const int64_t half = entry.tensor.dim() < 2 ? 0 : entry.tensor.size(along) / 2;
    (half > 0 ? entry.tensor.narrow(along, 0, half) : entry.tensor).mul_(1.01);
  }
}

}  // namespace assay::execution
