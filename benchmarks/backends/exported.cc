// Back end exported: the forward pass as torch.export wrote it (.pt2), called operator by operator
// (exported_graph.h). Any model that Python can export runs this way, without a line of C++ of its
// own.

#include <ATen/ops/empty.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/backends/exported_graph.h"
#include "benchmarks/backends/module_backend.h"

namespace assay::backends {
namespace {

class ExportedModule final : public LoadedModule {
 public:
  explicit ExportedModule(ExportedGraph graph) : graph_(std::move(graph)) {}

  std::string Forms() const override {
    std::vector<at::Tensor> forms;
    for (const ExportedGraph::Input& input : graph_.inputs())
      forms.push_back(
          at::empty(input.sizes, at::TensorOptions().dtype(input.dtype).device("meta")));
    return FormsText(forms);
  }
  execution::Tensors Call(const execution::Tensors& inputs) override { return graph_.Call(inputs); }

 private:
  const ExportedGraph graph_;
};

absl::StatusOr<std::unique_ptr<LoadedModule>> LoadExported(const std::string& path) {
  absl::StatusOr<ExportedGraph> graph = ReadExportedGraph(path);
  if (!graph.ok()) return graph.status();
  return std::make_unique<ExportedModule>(*std::move(graph));
}

[[maybe_unused]] const bool kRegistered = RegisterModuleBackend(
    {.backend = "exported", .format = "pt2", .extension = ".pt2", .load = LoadExported});

}  // namespace
}  // namespace assay::backends
