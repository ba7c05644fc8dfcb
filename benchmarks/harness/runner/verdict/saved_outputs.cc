#include "benchmarks/harness/runner/verdict/saved_outputs.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "benchmarks/harness/text/shape_text.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::runner {
namespace {

namespace fs = std::filesystem;

constexpr char kFormat[] = "assay-outputs-1";
constexpr std::string_view kDirty = "-dirty";

absl::Status Refused(const std::string& file, std::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat(file, ": ", problem));
}

// Checks that the file's metadata name this case.
absl::Status CheckOrigin(const std::string& file, const BenchmarkCase& c,
                         const std::map<std::string, std::string>& metadata) {
  const auto of = [&](const std::string& key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : base::Printable(found->second, 120);
  };
  if (of("format") != kFormat) {
    return Refused(file, "holds no outputs that --save-outputs wrote; its metadata lack format " +
                             std::string(kFormat));
  }
  if (of("case") != c.name())
    return Refused(file, absl::StrCat("holds outputs of ", of("case"), ", this is ", c.name()));
  if (of("seed") != absl::StrCat(c.seed())) {
    return Refused(
        file, absl::StrCat("holds outputs of seed ", of("seed"), ", the case's is ", c.seed()));
  }
  return absl::OkStatus();
}

absl::Status CheckShape(const std::string& file, const ExpectedOutput& expected,
                        const at::Tensor& saved) {
  bool fits = saved.dim() == expected.shape_size();
  for (int d = 0; fits && d < expected.shape_size(); ++d)
    fits = expected.shape(d) == -1 || expected.shape(d) == saved.size(d);
  if (fits) return absl::OkStatus();
  const std::vector<int64_t> shape(expected.shape().begin(), expected.shape().end());
  return Refused(file, absl::StrCat("output \"", expected.name(), "\" has shape ",
                                    base::ShapeText(saved.sizes()), ", the case's is ",
                                    base::ShapeText(shape), "; saved with another --batch?"));
}

}  // namespace

std::string OutputsFile(const std::string& path, const std::string& case_name) {
  std::error_code ignored;
  if (absl::EndsWith(path, ".safetensors") || fs::is_regular_file(path, ignored)) return path;
  return (fs::path(path) / (case_name + ".safetensors")).string();
}

absl::Status CheckFolderOf(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  std::error_code ignored;
  if (folder.empty() || fs::is_directory(folder, ignored)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("there is no folder ", folder.string(),
                                                 "; make it, or name a FILE.safetensors"));
}

absl::Status SaveOutputs(const std::string& file, const ResolvedCase& c,
                         const std::vector<at::Tensor>& outputs, Outcome outcome,
                         const Environment& environment) {
  if (static_cast<int>(outputs.size()) != c.verified().outputs_size()) {
    return absl::InternalError(absl::StrCat("the program returned ", outputs.size(),
                                            " outputs, the case specifies ",
                                            c.verified().outputs_size()));
  }
  const BenchmarkCase& b = c.benchmark_case();
  std::vector<tensor_files::StoredTensor> tensors;
  for (int i = 0; i < c.verified().outputs_size(); ++i)
    tensors.push_back({c.verified().outputs(i).name(), outputs[static_cast<size_t>(i)]});
  return tensor_files::WriteTensors(
      file, tensors,
      {{"format", kFormat},
       {"case", b.name()},
       {"seed", absl::StrCat(b.seed())},
       {"execution", execution::ExecutionText(b.execution())},
       {"outcome", std::string(record::OutcomeName(outcome))},
       {"torch", environment.torch_version()},
       {"git_commit",
        absl::StrCat(environment.git_commit(), environment.git_dirty() ? kDirty : "")}});
}

std::string SavedOutputs::Origin() const {
  const auto of = [&](const std::string& key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : base::Printable(found->second, 120);
  };
  std::vector<std::string> parts = {of("execution"), absl::StrCat("torch ", of("torch"))};
  if (const std::string commit = of("git_commit"); !commit.empty()) {
    const std::string_view dirty = absl::EndsWith(commit, kDirty) ? kDirty : "";
    parts.push_back(absl::StrCat("commit ", commit.substr(0, 8), dirty));
  }
  return absl::StrJoin(parts, ", ");
}

absl::StatusOr<SavedOutputs> ReadSavedOutputs(const std::string& file, const ResolvedCase& c) {
  const auto mapped = tensor_files::MappedFile::Open(file);
  if (!mapped.ok()) return mapped.status();
  absl::StatusOr<tensor_files::SafetensorsIndex> index =
      tensor_files::ParseSafetensors((*mapped)->bytes());
  if (!index.ok()) {
    return absl::DataLossError(absl::StrCat(file, ": ", index.status().message()));
  }
  if (absl::Status origin = CheckOrigin(file, c.benchmark_case(), index->metadata); !origin.ok())
    return origin;
  SavedOutputs saved;
  saved.metadata = index->metadata;
  for (const ExpectedOutput& expected : c.verified().outputs()) {
    const tensor_files::SafetensorsEntry* entry = index->Find(expected.name());
    if (entry == nullptr)
      return Refused(file, absl::StrCat("output \"", expected.name(), "\" is missing"));
    const absl::StatusOr<at::Tensor> view = tensor_files::ViewTensor(*mapped, *index, *entry);
    if (!view.ok()) {
      return absl::DataLossError(absl::StrCat(file, ": ", view.status().message()));
    }
    if (absl::Status shape = CheckShape(file, expected, *view); !shape.ok()) return shape;
    // Copies the tensors: --save-outputs may replace the file.
    const absl::Status copied =
        base::CatchTorch("reading saved outputs", [&] { saved.outputs.push_back(view->clone()); });
    if (!copied.ok()) return copied;
  }
  if (index->entries.size() != saved.outputs.size()) {
    return Refused(file, absl::StrCat("holds ", index->entries.size(), " outputs, the case has ",
                                      saved.outputs.size()));
  }
  return saved;
}

}  // namespace assay::runner
