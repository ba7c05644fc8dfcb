#include "benchmarks/harness/checkpoints/checkpoint_likeness.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace assay::checkpoints {
namespace {

// A part of a name that only one architecture has. The first that is found counts, so a part that
// contains another comes first.
constexpr struct {
  std::string_view part;
  std::string_view architecture;
} kTelltales[] = {
    {"model.diffusion_model.", "a Stable Diffusion checkpoint in its original layout"},
    {"down_blocks.0.resnets.0.", "a UNet or VAE (diffusers)"},
    {"text_model.encoder.layers.0.", "CLIP (transformers)"},
    {"roberta.encoder.layer.0.", "RoBERTa (transformers)"},
    {"electra.encoder.layer.0.", "ELECTRA (transformers)"},
    {"encoder.layer.0.attention.self.query.", "BERT (transformers)"},
    {"encoder.layer.0.attention.attn.q.", "MPNet (transformers)"},
    {"encoder.layer.0.attention.attention.query.", "ViT (transformers)"},
    {"encoder.albert_layer_groups.0.", "ALBERT (transformers)"},
    {"transformer.layer.0.attention.q_lin.", "DistilBERT (transformers)"},
    {"block.0.layer.0.SelfAttention.q.", "T5 (transformers)"},
    {"h.0.attn.c_attn.", "GPT-2 (transformers)"},
    {"layers.0.block_sparse_moe.", "Mixtral (transformers)"},
    {"layers.0.self_attn.q_proj.", "a decoder like Llama (transformers)"},
    {"encoder.stages.0.layers.0.", "ResNet (transformers)"},
    {"layer1.0.conv3.", "ResNet of bottleneck blocks (torchvision, timm)"},
    {"layer1.0.conv2.", "ResNet of basic blocks (torchvision, timm)"},
    {"features.denseblock1.", "DenseNet (torchvision)"},
    {"features.0.0.weight", "MobileNet, EfficientNet or ConvNeXt (torchvision)"},
    {"features.0.weight", "VGG or AlexNet (torchvision)"},
    {"encoder.layers.encoder_layer_0.", "ViT (torchvision)"},
    {"blocks.0.attn.qkv.", "ViT (timm)"},
};

std::string_view ArchitectureOf(const std::set<std::string>& names) {
  for (const auto& telltale : kTelltales) {
    for (const std::string& name : names) {
      // The part must begin a part of the name: "h.0." is not in "fourth.0.".
      const size_t at = name.find(telltale.part);
      if (at != name.npos && (at == 0 || name[at - 1] == '.')) return telltale.architecture;
    }
  }
  return "";
}

// "layer1" -> 2 where names begin with layer1.0. and layer1.1.; for numbers within numbers, the
// outermost.
std::map<std::string, size_t> Blocks(const std::set<std::string>& names) {
  std::map<std::string, std::set<std::string>> numbers;
  for (const std::string& name : names) {
    const std::vector<std::string> parts = absl::StrSplit(name, '.');
    for (size_t i = 1; i < parts.size(); ++i) {
      if (!std::all_of(parts[i].begin(), parts[i].end(), absl::ascii_isdigit)) continue;
      numbers[absl::StrJoin(parts.begin(), parts.begin() + i, ".")].insert(parts[i]);
      break;
    }
  }
  std::map<std::string, size_t> blocks;
  for (const auto& [where, which] : numbers) blocks[where] = which.size();
  return blocks;
}

// The number of blocks that the file has for one of the model's rows of blocks, whatever its
// prefix.
size_t CountIn(const std::map<std::string, size_t>& file, const std::string& where) {
  for (const auto& [name, count] : file) {
    if (name == where || absl::EndsWith(name, absl::StrCat(".", where))) return count;
  }
  return 0;
}

}  // namespace

std::string LooksLike(const std::set<std::string>& file, const std::set<std::string>& model) {
  const std::string_view architecture = ArchitectureOf(file);
  const std::string_view models = ArchitectureOf(model);
  if (architecture != models) {
    if (architecture.empty()) return "";
    return absl::StrCat(architecture, models.empty() ? "" : "; the model is like ", models);
  }
  const std::map<std::string, size_t> in_file = Blocks(file);
  std::vector<std::string> names, theirs, ours;
  for (const auto& [where, count] : Blocks(model)) {
    names.push_back(where);
    ours.push_back(absl::StrCat(count));
    theirs.push_back(absl::StrCat(CountIn(in_file, where)));
  }
  if (ours == theirs || std::count(theirs.begin(), theirs.end(), "0") > 0) return "";
  return absl::StrCat(architecture, architecture.empty() ? "the same model" : "", " with ",
                      absl::StrJoin(theirs, ", "), " blocks in ", absl::StrJoin(names, ", "),
                      ", where the model has ", absl::StrJoin(ours, ", "));
}

}  // namespace assay::checkpoints
