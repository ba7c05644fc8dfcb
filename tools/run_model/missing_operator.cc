#include "tools/run_model/missing_operator.h"

#include <torch/version.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace assay::run_model {
namespace {

// The packages that register operators, by namespace.
constexpr std::pair<std::string_view, std::string_view> kLibraries[] = {
    {"fbgemm", "fbgemm_gpu"},
    {"image", "torchvision"},
    {"pyg", "pyg_lib"},
    {"torch_cluster", "torch_cluster"},
    {"torch_ipex", "intel_extension_for_pytorch"},
    {"torch_scatter", "torch_scatter"},
    {"torch_sparse", "torch_sparse"},
    {"torch_spline_conv", "torch_spline_conv"},
    {"torchaudio", "torchaudio"},
    {"torchvision", "torchvision"},
};

// The text between two others; "" where one of them is missing.
std::string_view Between(std::string_view text, std::string_view before, std::string_view after) {
  const size_t from = text.find(before);
  if (from == std::string_view::npos) return "";
  text.remove_prefix(from + before.size());
  const size_t to = text.find(after);
  return to == std::string_view::npos ? "" : text.substr(0, to);
}

// "mine::twice", in the words of TorchScript or of exported_graph.h.
std::string Operator(std::string_view message) {
  const std::string_view built_in = Between(message, "Unknown builtin op: ", "\n");
  if (!built_in.empty()) return std::string(absl::StripSuffix(built_in, "."));
  const std::string_view target =
      Between(message, "calls torch.ops.", ", which this LibTorch lacks");
  const size_t overload = target.rfind('.');
  if (overload == std::string_view::npos) return "";
  return absl::StrReplaceAll(target.substr(0, overload), {{".", "::"}});
}

}  // namespace

absl::Status OfMissingOperator(std::string_view path, const absl::Status& status) {
  const std::string name = Operator(status.message());
  if (name.empty()) return status;
  const std::string_view space = std::string_view(name).substr(0, name.find(':'));
  const auto* const known = std::find_if(std::begin(kLibraries), std::end(kLibraries),
                                         [&](const auto& row) { return row.first == space; });
  std::string advice =
      absl::StrCat(known == std::end(kLibraries)
                       ? "give the library that registers it (TORCH_LIBRARY)"
                       : absl::StrCat("give the library of ", known->second,
                                      ", for torch " TORCH_VERSION " and built without Python,"),
                   " by --load-library=FILE; an operator that is written in Python has none");
  if (space == "aten" || space == "prim") {
    advice = "the file is of another version of PyTorch; write it again by torch " TORCH_VERSION;
  }
  return absl::Status(status.code(),
                      absl::StrCat(path, ": it calls ", name,
                                   ", an operator that this program does not have; ", advice));
}

}  // namespace assay::run_model
