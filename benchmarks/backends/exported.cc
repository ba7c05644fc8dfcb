// Back end exported: the forward pass as torch.export wrote it (.pt2), called operator by operator
// (exported_graph.h). Any model that Python can export runs this way, without a line of C++ of its
// own.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/backends/exported_graph.h"
#include "benchmarks/backends/module_backend.h"
#include "benchmarks/backends/tensor_form.h"

namespace assay::backends {
namespace {

class ExportedModule final : public LoadedModule {
 public:
  explicit ExportedModule(execution::OperatorGraph graph) : graph_(std::move(graph)) {}

  std::vector<TensorForm> Inputs() const override {
    std::vector<TensorForm> forms;
    for (const execution::OperatorGraph::Input& input : graph_.inputs)
      forms.push_back(
          {.dtype = input.dtype, .sizes = input.sizes, .name = input.name, .open = input.open});
    return forms;
  }
  execution::Tensors Call(const execution::Tensors& inputs) override { return graph_.Call(inputs); }

 private:
  const execution::OperatorGraph graph_;
};

absl::StatusOr<std::unique_ptr<LoadedModule>> LoadExported(const std::string& path) {
  absl::StatusOr<execution::OperatorGraph> graph = ReadExportedGraph(path);
  if (!graph.ok()) return graph.status();
  return std::make_unique<ExportedModule>(*std::move(graph));
}

[[maybe_unused]] const bool kRegistered = RegisterModuleBackend(
    {.backend = "exported", .format = "pt2", .extension = ".pt2", .load = LoadExported});

}  // namespace
}  // namespace assay::backends
