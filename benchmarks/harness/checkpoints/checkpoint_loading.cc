#include "benchmarks/harness/checkpoints/checkpoint_loading.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <c10/core/GradMode.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/checkpoints/checkpoint_likeness.h"
#include "benchmarks/harness/checkpoints/checkpoint_misfit.h"
#include "benchmarks/harness/checkpoints/checkpoint_plan.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "benchmarks/harness/text/shape_text.h"

namespace assay::checkpoints {
namespace {

using tensor_files::Checkpoint;
using tensor_files::SafetensorsEntry;

std::string TypeText(at::ScalarType type) {
  const Dtype dtype = base::FromScalarType(type);
  return std::string(dtype == DTYPE_UNSPECIFIED ? c10::toString(type) : base::DtypeName(dtype));
}

bool SameKind(at::ScalarType stored, at::ScalarType wanted) {
  if (at::isFloatingType(wanted)) return at::isFloatingType(stored);
  return stored == wanted;
}

// Identifies a tensor's memory. Tensors that share all of it are one tensor under several names.
using Memory = std::pair<const void*, int64_t>;  // address, elements
Memory MemoryOf(const at::Tensor& tensor) { return {tensor.const_data_ptr(), tensor.numel()}; }

// The state, with the parts of a stack in its place where the file holds those.
std::vector<models::NamedTensor> AsStored(std::vector<models::NamedTensor> state,
                                          const CheckpointExtras& extras, const FileNames& file) {
  const auto in_file = [&](std::string_view end) {
    return absl::c_any_of(file, [&](const std::string& name) { return name.ends_with(end); });
  };
  for (const CheckpointExtras::Stack& stack : extras.stacks()) {
    if (!in_file(absl::StrReplaceAll(stack.parts(0), {{"*", "0"}}))) continue;
    std::vector<models::NamedTensor> stored;
    for (models::NamedTensor& entry : state) {
      std::string_view front = entry.name;
      if (!absl::ConsumeSuffix(&front, stack.today())) {
        stored.push_back(std::move(entry));
        continue;
      }
      for (int64_t i = 0; i < entry.tensor.size(0); ++i) {
        const std::vector<at::Tensor> parts = entry.tensor[i].chunk(stack.parts_size());
        for (size_t p = 0; p < parts.size(); ++p) {
          const std::string name =
              absl::StrReplaceAll(stack.parts(static_cast<int>(p)), {{"*", absl::StrCat(i)}});
          stored.push_back({.name = absl::StrCat(front, name), .tensor = parts[p]});
        }
      }
    }
    state = std::move(stored);
  }
  return state;
}

ModelNames NamesOf(const std::vector<models::NamedTensor>& state) {
  ModelNames names;
  std::map<Memory, std::string> firsts;
  for (const models::NamedTensor& entry : state) {
    names[entry.name] = entry.tensor.numel() == 0
                            ? entry.name
                            : firsts.insert({MemoryOf(entry.tensor), entry.name}).first->second;
  }
  return names;
}

FileNames NamesOf(const Checkpoint& checkpoint) {
  FileNames names;
  for (const auto& [name, place] : checkpoint.tensors()) names.insert(name);
  return names;
}

// Adds the misfits of shape and dtype to the plan's, which knows only names.
Misfit Compare(const std::vector<models::NamedTensor>& state, const Checkpoint& checkpoint,
               const CheckpointPlan& plan) {
  Misfit misfit = plan.misfit;
  for (const models::NamedTensor& want : state) {
    const auto source = plan.sources.find(want.name);
    if (source == plan.sources.end()) continue;
    const SafetensorsEntry& got = *checkpoint.tensors().at(source->second).entry;
    if (want.tensor.sizes() != at::IntArrayRef(got.shape)) {
      misfit.misshaped[want.name] =
          absl::StrCat("is ", base::ShapeText(got.shape), ", the model's is ",
                       base::ShapeText(want.tensor.sizes()));
    }
    if (!SameKind(tensor_files::ScalarTypeOf(got.dtype), want.tensor.scalar_type())) {
      misfit.mistyped[want.name] =
          absl::StrCat("is ", tensor_files::SafetensorsDtypeName(got.dtype), ", the model's is ",
                       TypeText(want.tensor.scalar_type()));
    }
  }
  return misfit;
}

// Collects the warnings that arise while tensors are filled.
class Notes {
 public:
  explicit Notes(std::vector<std::string> conversions) {
    loaded_.conversions = std::move(conversions);
  }

  // `to` is the model's tensor after it was filled.
  void Add(const std::string& name, tensor_files::SafetensorsDtype from, const at::Tensor& to) {
    ++loaded_.tensors;
    if (!to.is_floating_point()) return;
    if (tensor_files::ScalarTypeOf(from) != to.scalar_type()) {
      ++converted_[{std::string(tensor_files::SafetensorsDtypeName(from)),
                    TypeText(to.scalar_type())}];
    }
    if (at::isfinite(to).all().item<bool>()) return;
    if (nonfinite_++ == 0) first_nonfinite_ = name;
  }

  LoadedWeights Take() {
    for (const auto& [types, count] : converted_) {
      loaded_.conversions.push_back(absl::StrCat(count, count == 1 ? " tensor " : " tensors ",
                                                 types.first, " converted to ", types.second));
    }
    if (nonfinite_ > 0) {
      loaded_.warnings.push_back(absl::StrCat("NaN or infinity in ", nonfinite_, " of ",
                                              loaded_.tensors, " tensors, the first is \"",
                                              first_nonfinite_, "\""));
    }
    return std::move(loaded_);
  }

 private:
  LoadedWeights loaded_;
  std::map<std::pair<std::string, std::string>, int64_t> converted_;
  int64_t nonfinite_ = 0;
  std::string first_nonfinite_;
};

absl::Status Damaged(const Checkpoint::Place& place, std::string_view problem) {
  return absl::DataLossError(absl::StrCat(place.shard->file->path(), ": ", problem));
}

// Copies one stored tensor into the model's. `filled`: names by the memory that they filled.
absl::Status FillOne(const Checkpoint::Place& place, models::NamedTensor& to,
                     std::map<Memory, std::string>& filled) {
  const absl::StatusOr<at::Tensor> from =
      tensor_files::ViewTensor(place.shard->file, place.shard->index, *place.entry);
  if (!from.ok()) return Damaged(place, from.status().message());
  bool equal = true;
  std::string first;
  absl::Status caught = base::CatchTorch(absl::StrCat("loading tensor \"", to.name, "\""), [&] {
    if (to.tensor.numel() == 0) return;
    const c10::NoGradGuard no_grad;
    const auto [tied, fresh] = filled.insert({MemoryOf(to.tensor), to.name});
    first = tied->second;
    if (fresh) {
      to.tensor.copy_(*from);
    } else {
      equal = at::equal(to.tensor, from->to(to.tensor.scalar_type()));
    }
  });
  if (!caught.ok() || equal) return caught;
  return Damaged(place, absl::StrCat("tensors \"", first, "\" and \"", to.name,
                                     "\" are one in the model and differ in the file"));
}

}  // namespace

absl::StatusOr<LoadedWeights> LoadCheckpoint(const Checkpoint& checkpoint,
                                             const LoadingRules& rules, Dtype dtype,
                                             execution::Program& program) {
  if (absl::Status moved = Move(program, at::kCPU, dtype); !moved.ok()) return moved;
  const FileNames in_file = NamesOf(checkpoint);
  std::vector<models::NamedTensor> state = AsStored(program.State(), rules.extras, in_file);
  const ModelNames names = NamesOf(state);
  const absl::StatusOr<CheckpointPlan> plan = PlanCheckpoint(names, in_file, rules);
  if (!plan.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("weights ", checkpoint.name(), ": ", plan.status().message()));
  }
  Misfit misfit = Compare(state, checkpoint, *plan);
  if (misfit.any()) {
    FileNames own;
    for (const auto& [name, first] : names) own.insert(name);
    misfit.looks_like = LooksLike(in_file, own);
    return absl::InvalidArgumentError(
        absl::StrCat("weights ", checkpoint.name(), " do not fit the model\n", misfit.Text()));
  }
  Notes notes(plan->Notes());
  std::map<Memory, std::string> filled;
  for (models::NamedTensor& entry : state) {
    const auto source = plan->sources.find(entry.name);
    if (source == plan->sources.end()) continue;  // a counter, or tied to one that is there
    const Checkpoint::Place& place = checkpoint.tensors().at(source->second);
    absl::Status status = FillOne(place, entry, filled);
    if (!status.ok()) return status;
    status = base::CatchTorch(absl::StrCat("looking at tensor \"", entry.name, "\""),
                              [&] { notes.Add(entry.name, place.entry->dtype, entry.tensor); });
    if (!status.ok()) return status;
  }
  return notes.Take();
}

}  // namespace assay::checkpoints
