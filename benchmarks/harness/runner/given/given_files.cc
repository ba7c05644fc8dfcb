#include "benchmarks/harness/runner/given/given_files.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/checkpoints/checkpoint_config.h"
#include "benchmarks/harness/checkpoints/checkpoint_loading.h"
#include "benchmarks/harness/numerics/reference_writer.h"
#include "benchmarks/harness/numerics/tensor_values.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/given/given_tensors.h"
#include "benchmarks/harness/runner/given/prompt_ids.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/safetensors.h"
#include "benchmarks/harness/text/shape_text.h"
#include "defs/case/dimensions.h"
#include "defs/case/distributions.h"

namespace assay::runner {
namespace {

// Outputs are small, weights are not: a path to weights by mistake should not fill the memory.
constexpr int64_t kMostReferenceBytes = int64_t{1} << 32;
constexpr int64_t kMostPromptBytes = int64_t{1} << 28;
constexpr int64_t kMostConfigBytes = int64_t{1} << 24;

// Checks that each row has the limit as often as a drawn one, wherever it stands: once for each feature of an image.
absl::Status CheckRuns(const Integers& integers, const at::Tensor& rows) {
  if (integers.run() == 0) return absl::OkStatus();
  const at::Tensor counts = rows.eq(integers.limit()).sum(-1).flatten();
  const at::Tensor wrong = counts.ne(integers.run());
  if (!wrong.any().item<bool>()) return absl::OkStatus();
  const auto first = wrong.to(at::kByte).argmax().item<int64_t>();
  return absl::InvalidArgumentError(absl::StrCat(
      "holds ", integers.limit(), " at ", counts[first].item<int64_t>(), " places of row ", first,
      "; the case has it at ", integers.run(), " places of each row"));
}

// Checks that integers lie in the range of the distribution: an index beyond it would end the run.
absl::Status CheckIntegers(const TensorSpec& spec, const at::Tensor& tensor) {
  if (tensor.numel() == 0) return absl::OkStatus();
  const std::optional<IntegerRange> range = IntegersOf(spec);
  if (!range.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("holds integers; its distribution is ",
                                                   DistributionName(spec.distribution())));
  }
  const at::Tensor wide = tensor.to(at::kLong);
  if (spec.distribution().has_prefix_mask() && wide.dim() > 0 &&
      !wide.ne(0).any(-1).all().item<bool>()) {
    return absl::InvalidArgumentError("has a row of zeros alone: no token of it is there");
  }
  at::Tensor wrong = wide.lt(range->low);
  // The limit is excluded, and nothing lies above the largest integer (in ONNX: to the end).
  if (range->limit != std::numeric_limits<int64_t>::max())
    wrong = wrong.logical_or(wide.ge(range->limit));
  if (!wrong.any().item<bool>()) return CheckRuns(spec.distribution().integers(), wide);
  const auto first = wrong.to(at::kByte).argmax().item<int64_t>();
  return absl::InvalidArgumentError(
      absl::StrCat("holds ", wide.flatten()[first].item<int64_t>(), " at ",
                   base::ShapeText(numerics::Unravel(first, wide.sizes())), "; it may hold ",
                   range->low, " to ", range->limit - 1));
}

// Returns one input of the workload as the model takes it.
absl::StatusOr<at::Tensor> Fitted(const Workload& workload, const TensorSpec& spec,
                                  Dtype case_dtype, const at::Tensor& given) {
  std::vector<int64_t> shape(spec.shape().begin(), spec.shape().end());
  // As many as the given lengths or offsets say: CheckAllBags().
  if (!spec.bags().empty() && given.dim() > 0) shape[0] = given.size(0);
  if (given.sizes() != at::IntArrayRef(shape)) {
    return absl::InvalidArgumentError(absl::StrCat("has shape ", base::ShapeText(given.sizes()),
                                                   "; the verified call takes ",
                                                   base::ShapeText(shape)));
  }
  const Dtype dtype = spec.dtype() == DTYPE_UNSPECIFIED ? case_dtype : spec.dtype();
  const at::ScalarType wanted = base::ToScalarType(dtype);
  const bool floats = base::IsFloatingPoint(dtype);
  if (floats ? !given.is_floating_point() : given.scalar_type() != wanted) {
    return absl::InvalidArgumentError(absl::StrCat("is ", c10::toString(given.scalar_type()),
                                                   "; the case takes ", base::DtypeName(dtype)));
  }
  if (!floats) {
    // Bags may be of any size: CheckAllBags().
    const bool offsets = DescribesBags(workload, spec) && spec.distribution().has_bag_offsets();
    absl::Status within = offsets ? absl::OkStatus() : CheckIntegers(spec, given);
    if (!within.ok()) return within;
    return given;
  }
  at::Tensor rounded = given.to(wanted);
  // NaN and infinities that were given are meant: a mask holds -inf. What rounding makes is not.
  if (at::equal(at::isfinite(rounded), at::isfinite(given))) return rounded;
  return absl::InvalidArgumentError(
      absl::StrCat("holds numbers that are infinite as ", base::DtypeName(dtype)));
}

// Checks the lengths or offsets of bags that hold `elements` in all.
absl::Status CheckBags(const TensorSpec& spec, const at::Tensor& given, int64_t elements) {
  const at::Tensor wide = given.to(at::kLong).flatten().contiguous();
  const absl::Span<const int64_t> values(wide.const_data_ptr<int64_t>(),
                                         static_cast<size_t>(wide.numel()));
  if (spec.distribution().has_integers()) {
    const int64_t sum = wide.sum().item<int64_t>();
    if (sum == elements && sum > 0) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat("holds lengths whose sum is ", sum,
                                                   "; the bags hold ", elements,
                                                   " elements, one at least"));
  }
  const auto backwards = absl::c_adjacent_find(values, std::greater<>());
  if (backwards != values.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "holds offsets that run backwards: ", backwards[1], " comes after ", backwards[0]));
  }
  if (values.empty() || (values.front() == 0 && values.back() <= elements)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("holds offsets from ", values.front(), " to ", values.back(),
                   "; the first is 0 and the last at most ", elements, ", the number of elements"));
}

// Checks each input that describes another's bags.
absl::Status CheckAllBags(const std::string& path, const Workload& workload,
                          const std::vector<at::Tensor>& inputs) {
  for (int i = 0; i < workload.inputs_size(); ++i) {
    for (int j = 0; j < workload.inputs_size(); ++j) {
      const TensorSpec& spec = workload.inputs(j);
      if (spec.name() != workload.inputs(i).bags()) continue;
      const absl::Status checked =
          CheckBags(spec, inputs[static_cast<size_t>(j)], inputs[static_cast<size_t>(i)].size(0));
      if (!checked.ok()) {
        return absl::InvalidArgumentError(absl::StrCat(path, ": input \"", spec.name(), "\" ",
                                                       checked.message(), ", of \"",
                                                       workload.inputs(i).name(), "\""));
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<at::Tensor>> ReadPrompts(const std::string& path,
                                                    const ResolvedCase& c) {
  const absl::StatusOr<std::string> text = tensor_files::ReadFile(path, kMostPromptBytes);
  if (!text.ok()) return text.status();
  absl::StatusOr<std::vector<at::Tensor>> prompts = ParsePrompts(*text, c);
  if (prompts.ok()) return prompts;
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", prompts.status().message()));
}

absl::Status ReadInputs(const GivenPaths& paths, const ResolvedCase& c, GivenFiles& files) {
  const std::string& path = paths.inputs.empty() ? paths.prompt_ids : paths.inputs;
  std::vector<std::string> names;
  for (const TensorSpec& spec : c.verified().inputs()) names.push_back(spec.name());
  absl::StatusOr<GivenFile> identity = IdentityOf(path);
  if (!identity.ok()) return identity.status();
  const absl::StatusOr<std::vector<at::Tensor>> given =
      paths.inputs.empty() ? ReadPrompts(path, c) : ReadGivenTensors(path, names, "input");
  if (!given.ok()) return given.status();
  for (size_t i = 0; i < names.size(); ++i) {
    absl::StatusOr<at::Tensor> fitted;
    absl::Status caught = base::CatchTorch(absl::StrCat("reading ", path), [&] {
      fitted = Fitted(c.verified(), c.verified().inputs(static_cast<int>(i)),
                      c.benchmark_case().dtype(), (*given)[i]);
    });
    if (!caught.ok()) return caught;
    if (!fitted.ok()) {
      return absl::Status(fitted.status().code(), absl::StrCat(path, ": input \"", names[i], "\" ",
                                                               fitted.status().message()));
    }
    files.inputs.push_back(*std::move(fitted));
  }
  if (absl::Status bags = CheckAllBags(path, c.verified(), files.inputs); !bags.ok()) return bags;
  if (const absl::Status same = CheckUnchanged(path, *identity); !same.ok()) return same;
  files.inputs_identity = *std::move(identity);
  files.inputs_identity.set_tensors(static_cast<int64_t>(names.size()));
  return absl::OkStatus();
}

bool IsReferenceBlob(std::string_view bytes) {
  const absl::StatusOr<tensor_files::SafetensorsIndex> index =
      tensor_files::ParseSafetensors(bytes);
  if (!index.ok()) return false;
  const auto format = index->metadata.find("format");
  // Any version counts; ParseReference says what is to be done about an old one.
  return format != index->metadata.end() && absl::StartsWith(format->second, "assay-reference-");
}

// Reads a reference in this suite's own format; nullopt where it is another file.
absl::StatusOr<std::optional<numerics::ReferenceOutputs>> ReadBlob(const std::string& path) {
  std::error_code ignored;
  if (absl::EndsWith(path, ".npz") || std::filesystem::is_directory(path, ignored)) {
    return std::nullopt;
  }
  const absl::StatusOr<std::string> bytes = tensor_files::ReadFile(path, kMostReferenceBytes);
  if (!bytes.ok()) return bytes.status();
  if (!IsReferenceBlob(*bytes)) return std::nullopt;
  absl::StatusOr<numerics::ReferenceOutputs> outputs = numerics::ParseReference(*bytes);
  if (!outputs.ok()) {
    return absl::Status(outputs.status().code(),
                        absl::StrCat(path, ": ", outputs.status().message()));
  }
  return *std::move(outputs);
}

absl::StatusOr<numerics::ReferenceOutputs> ReadPlain(const std::string& path,
                                                     const Workload& verified) {
  std::vector<std::string> names;
  for (const ExpectedOutput& output : verified.outputs()) names.push_back(output.name());
  const absl::StatusOr<std::vector<at::Tensor>> given = ReadGivenTensors(path, names, "output");
  if (!given.ok()) return given.status();
  numerics::ReferenceOutputs outputs;
  for (size_t i = 0; i < names.size(); ++i) {
    absl::StatusOr<numerics::ReferenceOutput> output = numerics::MakeReferenceOutput(
        {names[i], (*given)[i]}, /*whole_limit=*/std::numeric_limits<int64_t>::max());
    if (!output.ok()) {
      return absl::Status(output.status().code(),
                          absl::StrCat(path, ": ", output.status().message()));
    }
    outputs.outputs.push_back(*std::move(output));
  }
  return outputs;
}

absl::StatusOr<GivenReference> ReadReferenceOf(const std::string& path, bool by_python,
                                               const ResolvedCase& c) {
  const absl::StatusOr<GivenFile> identity = IdentityOf(path);
  if (!identity.ok()) return identity.status();
  absl::StatusOr<std::optional<numerics::ReferenceOutputs>> blob = ReadBlob(path);
  if (!blob.ok()) return blob.status();
  GivenReference reference;
  if (blob->has_value()) {
    reference.outputs = **std::move(blob);
  } else {
    absl::StatusOr<numerics::ReferenceOutputs> plain = ReadPlain(path, c.verified());
    if (!plain.ok()) return plain.status();
    reference.outputs = *std::move(plain);
  }
  if (const absl::Status same = CheckUnchanged(path, *identity); !same.ok()) return same;
  std::string& provenance = reference.outputs.metadata["provenance"];
  provenance = absl::StrCat(identity->name(),
                            by_python ? ", by --verify-with=python" : ", given by --reference",
                            provenance.empty() ? "" : absl::StrCat(": ", provenance));
  reference.artifact.set_key(identity->name());
  reference.artifact.set_sha256(identity->sha256());
  reference.artifact.set_size_bytes(identity->size_bytes());
  reference.artifact.set_provenance(provenance);
  reference.outputs.sha256 = identity->sha256();
  return reference;
}

}  // namespace

absl::StatusOr<GivenFiles> ReadGivenFiles(const GivenPaths& paths, const ResolvedCase& c) {
  GivenFiles files;
  if (!paths.model.empty()) {
    absl::StatusOr<GivenFile> identity = IdentityOf(paths.model);
    if (!identity.ok()) return identity.status();
    files.model = *std::move(identity);
  }
  if (!paths.weights.empty()) {
    absl::StatusOr<tensor_files::Checkpoint> weights =
        tensor_files::Checkpoint::Open(paths.weights);
    if (!weights.ok()) return weights.status();
    files.weights = *std::move(weights);
  }
  if (paths.replaces_inputs()) {
    if (absl::Status read = ReadInputs(paths, c, files); !read.ok()) return read;
  }
  if (!paths.reference.empty()) {
    absl::StatusOr<GivenReference> reference = ReadReferenceOf(paths.reference, paths.by_python, c);
    if (!reference.ok()) return reference.status();
    files.reference = *std::move(reference);
  }
  return files;
}

absl::StatusOr<ResolvedCase> WithConfigBeside(GivenPaths& paths, ResolvedCase c) {
  const std::filesystem::path given(paths.weights);
  std::error_code ignored;
  const std::filesystem::path folder =
      std::filesystem::is_directory(given, ignored) ? given : given.parent_path();
  const std::filesystem::path path = folder / "config.json";
  if (paths.weights.empty() || !std::filesystem::exists(path, ignored)) {
    if (paths.config_ignore.empty()) return c;
    return absl::InvalidArgumentError(
        absl::StrCat("--config-ignore: there is no ", path.string(), " beside the weights"));
  }
  const absl::StatusOr<std::string> json = tensor_files::ReadFile(path, kMostConfigBytes);
  if (!json.ok()) return absl::InvalidArgumentError(json.status().message());
  absl::StatusOr<checkpoints::ConfiguredCase> configured =
      checkpoints::WithCheckpointConfig(c, *json, paths.config_ignore);
  if (!configured.ok()) {
    return absl::InvalidArgumentError((folder / configured.status().message()).string());
  }
  paths.notes = std::move(configured->notes);
  return std::move(configured->resolved);
}

absl::StatusOr<LoadedProgram> ProgramWithWeights(const tensor_files::Checkpoint& checkpoint,
                                                 const GivenPaths& paths, const ResolvedCase& c) {
  absl::StatusOr<std::unique_ptr<execution::Program>> program =
      execution::NewProgram(c, c.measured());
  if (!program.ok()) return program.status();
  const checkpoints::LoadingRules rules = {.extras = c.implementation().checkpoint_extras(),
                                           .prefix = paths.weights_prefix,
                                           .ignored = paths.weights_ignore};
  const absl::StatusOr<checkpoints::LoadedWeights> loaded =
      checkpoints::LoadCheckpoint(checkpoint, rules, c.benchmark_case().dtype(), **program);
  if (!loaded.ok()) return loaded.status();
  LoadedProgram result{.program = *std::move(program)};
  result.weights.set_name(checkpoint.name());
  result.weights.set_sha256(checkpoint.Sha256());
  result.weights.set_size_bytes(checkpoint.bytes());
  result.weights.set_tensors(loaded->tensors);
  *result.weights.mutable_conversions() = {paths.notes.begin(), paths.notes.end()};
  for (const std::string& conversion : loaded->conversions)
    result.weights.add_conversions(conversion);
  *result.weights.mutable_warnings() = {loaded->warnings.begin(), loaded->warnings.end()};
  return result;
}

Verdict NotComparable(std::string_view what, const GivenFile& given, bool by_python) {
  Verdict verdict;
  verdict.set_outcome(NOT_VERIFIED);
  verdict.set_message(absl::StrCat(what, " ", given.name(),
                                   "; give --reference=FILE with the outputs that another "
                                   "implementation computes from them",
                                   by_python ? ", or --verify-with=python" : ""));
  return verdict;
}

}  // namespace assay::runner
