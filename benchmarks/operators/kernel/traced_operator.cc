#include "benchmarks/operators/kernel/traced_operator.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/op_registration/infer_schema.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>
#include <torch/csrc/jit/serialization/import.h>
#include <torch/library.h>

#include <algorithm>
#include <map>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/operators/kernel/sizes_text.h"

namespace assay::kernel {
namespace {

constexpr char kFixed[] = "fixed_";

// Read once. c10::Error where it cannot be read.
torch::jit::Module& TraceAt(const OperatorRow& row, int place, bool exact) {
  static auto& read = *new std::map<std::string, torch::jit::Module>();
  const std::string path =
      absl::StrCat(row.traced().folder(), "/", place, exact ? ".exact.pt" : ".own.pt");
  const auto found = read.find(path);
  if (found != read.end()) return found->second;
  return read.emplace(path, torch::jit::load(path, at::kCPU)).first->second;
}

// A dimension of a definition is the name of an axis or a number.
int64_t NumberOf(const std::string& dimension, const Sizes& sizes) {
  int64_t number = -1;
  if (absl::SimpleAtoi(dimension, &number)) return number;
  for (const Size& size : sizes.sizes()) {
    if (size.letter() == dimension) return size.number();
  }
  return -1;
}

bool HasShapes(const OperatorRow& row, const Sizes& sizes, const std::vector<at::Tensor>& inputs) {
  for (int i = 0; i < row.call().inputs_size(); ++i) {
    const InputSpec& input = row.call().inputs(i);
    const at::Tensor& tensor = inputs[static_cast<size_t>(i)];
    if (tensor.dim() != input.shape_size()) return false;
    for (int d = 0; d < input.shape_size(); ++d) {
      if (tensor.size(d) != NumberOf(input.shape(d), sizes)) return false;
    }
  }
  return true;
}

bool HasIntegers(const OperatorRow& row, int place, const std::vector<at::Tensor>& inputs) {
  for (const auto& buffer : TraceAt(row, place, false).named_buffers()) {
    for (int i = 0; i < row.call().inputs_size(); ++i) {
      const at::Tensor& input = inputs[static_cast<size_t>(i)];
      if (buffer.name == kFixed + row.call().inputs(i).name() && !input.is_floating_point() &&
          !input.is_meta() && !buffer.value.equal(input))
        return false;
    }
  }
  return true;
}

class TracedKernel : public c10::OperatorKernel {
 public:
  explicit TracedKernel(const OperatorRow& row) : row_(row) {}

  void operator()(const c10::OperatorHandle&, c10::DispatchKeySet, torch::jit::Stack* stack) {
    std::vector<at::Tensor> inputs;
    for (const c10::IValue& value : *stack) {
      if (value.isTensor()) inputs.push_back(value.toTensor());
    }
    const bool exact = std::any_of(inputs.begin(), inputs.end(), [](const at::Tensor& tensor) {
      return tensor.scalar_type() == at::kDouble;
    });
    for (int place = 0; place < row_.sizes_size(); ++place) {
      if (!HasShapes(row_, row_.sizes(place), inputs) || !HasIntegers(row_, place, inputs))
        continue;
      const c10::IValue results =
          TraceAt(row_, place, exact).forward({inputs.begin(), inputs.end()});
      *stack = results.toTupleRef().elements().vec();
      return;
    }
    TORCH_CHECK(false, "the definition has no workload of these shapes and integers");
  }

 private:
  const OperatorRow row_;
};

}  // namespace

absl::Status RegisterTraced(const OperatorRow& row) {
  // As long as this process: nothing takes a kernel out again.
  static auto& registered = *new std::vector<std::unique_ptr<torch::Library>>();
  const std::string& name = row.call().name();
  const absl::Status added = base::CatchTorch(absl::StrCat("registering ", name), [&] {
    registered.push_back(std::make_unique<torch::Library>(torch::Library::FRAGMENT,
                                                          name.substr(0, name.find(':')),
                                                          std::nullopt, __FILE__, __LINE__));
    registered.back()->def(torch::jit::parseSchema(row.traced().schema()));
    registered.back()->impl(name.c_str(),
                            torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd,
                                            torch::CppFunction::makeFromBoxedFunctor(
                                                std::make_unique<TracedKernel>(row))));
  });
  return added.ok() ? added : absl::FailedPreconditionError(added.message());
}

absl::Status FixInputs(const OperatorRow& row, const Sizes& sizes,
                       std::vector<std::pair<std::string, at::Tensor>>& inputs) {
  for (int place = 0; place < row.sizes_size(); ++place) {
    if (SizesText(row.sizes(place)) != SizesText(sizes)) continue;
    const absl::Status read = base::CatchTorch("the trace of the reference", [&] {
      for (const auto& buffer : TraceAt(row, place, false).named_buffers()) {
        for (auto& [name, tensor] : inputs) {
          if (buffer.name == kFixed + name) tensor = buffer.value.clone();
        }
      }
    });
    return read.ok() ? read : absl::FailedPreconditionError(read.message());
  }
  return absl::OkStatus();
}

}  // namespace assay::kernel
