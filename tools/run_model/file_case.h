#ifndef ASSAY_TOOLS_RUN_MODEL_FILE_CASE_H_
#define ASSAY_TOOLS_RUN_MODEL_FILE_CASE_H_

// ---------------------------------------------------------------------------------------------
// file_case.h: a case whose program is a file. What the file does not say of itself, dtypes and
// shapes of its outputs, is found by calling it once; nothing of that call is kept.
//
// Example:
//   absl::StatusOr<ResolvedCase> c = CaseOfFile({.path = "model.pt", .kind = *kind, .specs = {x}});
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"
#include "tools/run_model/file_kind.h"

namespace assay::run_model {

struct ModelFile {
  std::string path;
  FileKind kind;
  std::vector<TensorSpec> specs = {};  // of some or all inputs, in any order
  // A file of tensors; empty: seeded ones. Beside it, specs are only for a file that does not name its
  // inputs: they do, in their order.
  std::string inputs = {};
};

// Loads the file, which may run what it holds, and calls it. InvalidArgument, naming the input or
// the file, where they do not fit, and for a file that cannot be loaded or called.
absl::StatusOr<ResolvedCase> CaseOfFile(const ModelFile& model);

// The program of such a case. Its state and its calls are the back end's, which reads the file.
class FileProgram final : public execution::Program {
 public:
  execution::StateContract Contract() const override { return execution::StateContract::kPure; }
  bool RunsEagerly() const override { return false; }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  execution::Tensors Outputs(execution::TensorsRef inputs) override;
  execution::Tensors Call(execution::Step step, execution::TensorsRef inputs) override;
  bool VerifiesAsTimed(execution::Step) const override { return true; }
  std::vector<execution::VerifiedOutput> Verified(execution::Step step,
                                                  execution::Tensors returned) override;
};

}  // namespace assay::run_model

#endif  // ASSAY_TOOLS_RUN_MODEL_FILE_CASE_H_
