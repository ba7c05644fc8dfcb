// Back end aoti: the forward pass as AOTInductor compiles it: torch.export's graph, its operators
// fused and written in C++, a shared library in a package (.pt2). Convolutions and products of
// matrices call LibTorch's kernels, by the same threads.
//
// The library has the vector instructions of the CPU that it was compiled on, and belongs to one
// release of LibTorch.

#include <c10/util/Exception.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "benchmarks/backends/module_backend.h"
#include "benchmarks/backends/module_file.h"
#include "benchmarks/backends/tensor_form.h"

namespace assay::backends {
namespace {

class AotiModule final : public LoadedModule {
 public:
  explicit AotiModule(const std::string& path) : loader_(path) {
    auto metadata = loader_.get_metadata();
    for (const std::string_view text :
         absl::StrSplit(metadata["assay_inputs"], ' ', absl::SkipEmpty())) {
      std::optional<TensorForm> form = ParseForm(text);
      TORCH_CHECK(form.has_value(), "its inputs are said to be ", std::string(text));
      inputs_.push_back(*std::move(form));
    }
  }
  std::vector<TensorForm> Inputs() const override { return inputs_; }
  execution::Tensors Call(const execution::Tensors& inputs) override { return loader_.run(inputs); }

 private:
  torch::inductor::AOTIModelPackageLoader loader_;
  std::vector<TensorForm> inputs_;
};

absl::StatusOr<std::unique_ptr<LoadedModule>> LoadAoti(const std::string& path) {
  auto module = std::make_unique<AotiModule>(path);
  // Compiled code does not look at the shapes of its inputs, and would read others as memory that is
  // not theirs; with this variable it does look, in each call.
  if (!module->Inputs().empty() || std::getenv("AOTI_RUNTIME_CHECK_INPUTS") != nullptr)
    return module;
  return absl::InvalidArgumentError(
      "it does not say for which inputs it was compiled; make it by tools/bazel run "
      "//tools:export_model -- --format=aoti");
}

[[maybe_unused]] const bool kRegistered = RegisterModuleBackend({.backend = "aoti",
                                                                 .format = "aoti",
                                                                 .extension = ".pt2",
                                                                 .made_with = CompilerVersion,
                                                                 .load = LoadAoti});

}  // namespace
}  // namespace assay::backends
