#include "benchmarks/operators/kernel/sized_call.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "benchmarks/harness/programs/operator_program.h"
#include "benchmarks/operators/judge/result_difference.h"
#include "benchmarks/operators/kernel/traced_operator.h"
#include "defs/case/dimensions.h"
#include "defs/case/distributions.h"

namespace assay::kernel {
namespace {

// Unit roundoffs, as in defs/operator_limits.bzl; v is that of float32.
double RoundoffOf(Dtype dtype) {
  switch (dtype) {
    case Dtype::BF16:
      return 1.0 / (1 << 8);
    case Dtype::FP16:
      return 1.0 / (1 << 11);
    case Dtype::FP64:
      return std::ldexp(1.0, -53);
    default:
      return std::ldexp(1.0, -24);
  }
}

OutputLimit LimitOf(const ErrorModel& model, int64_t terms, Dtype dtype) {
  const double u = RoundoffOf(dtype);
  const double v = dtype == Dtype::FP64 ? u : RoundoffOf(Dtype::FP32);
  const auto n = static_cast<double>(terms);
  const double growth = terms > 0 ? std::min(n, 8 * std::sqrt(n)) : 0;
  const double roundings = static_cast<double>(std::max<int64_t>(model.roundings(), 1));
  OutputLimit limit;
  if (model.kind() == "counts") {
    limit.kind = OutputLimit::Kind::kEqual;
  } else if (model.kind() == "copies") {
    limit.kind = OutputLimit::Kind::kElements;
    limit.rtol = u / 2;
  } else if (model.kind() == "relative") {
    limit.kind = OutputLimit::Kind::kElements;
    limit.rtol = roundings * u + (model.functions() + growth) * v;
    limit.atol = model.functions() * v;
  } else {
    limit.rms = std::sqrt(roundings) * u + growth * v;
    limit.largest = (model.largest() > 0 ? model.largest() : 8) * limit.rms;
  }
  return limit;
}

Workload WorkloadOf(const Sizes& sizes) {
  Workload workload;
  for (const Size& size : sizes.sizes())
    (*workload.mutable_parameters())[size.letter()].set_integer(size.number());
  workload.set_batch(1);
  return workload;
}

// Sets a number that a table writes with letters.
template <typename Set>
absl::Status Replace(const Sizes& sizes, std::string* product, const Set& set) {
  if (product->empty()) return absl::OkStatus();
  const absl::StatusOr<int64_t> number = ProductAt(*product, sizes);
  if (!number.ok()) return number.status();
  set(*number);
  product->clear();
  return absl::OkStatus();
}

template <typename Limited>
absl::Status SetLimit(const Sizes& sizes, Limited* limited) {
  return Replace(sizes, limited->mutable_limit_parameter(),
                 [limited](int64_t number) { limited->set_limit(number); });
}

absl::Status SetLimits(const Sizes& sizes, Distribution& distribution) {
  switch (distribution.kind_case()) {
    case Distribution::kIntegers:
      return SetLimit(sizes, distribution.mutable_integers());
    case Distribution::kZipf:
      return SetLimit(sizes, distribution.mutable_zipf());
    case Distribution::kTimeSteps:
      return SetLimit(sizes, distribution.mutable_time_steps());
    case Distribution::kBoxes:
      return SetLimit(sizes, distribution.mutable_boxes());
    case Distribution::kBagOffsets: {
      BagOffsets* bags = distribution.mutable_bag_offsets();
      absl::Status set = Replace(sizes, bags->mutable_spread_parameter(),
                                 [bags](int64_t number) { bags->set_spread(number); });
      if (!set.ok()) return set;
      return Replace(sizes, bags->mutable_bag_size_parameter(),
                     [bags](int64_t number) { bags->set_bag_size(number); });
    }
    default:
      return absl::OkStatus();
  }
}

}  // namespace

OutputLimit DefaultLimit(Dtype dtype) {
  const operators::DtypeLimits* const limits = operators::LimitsOf(base::ToScalarType(dtype));
  if (limits == nullptr) return {.kind = OutputLimit::Kind::kEqual};
  return {.kind = OutputLimit::Kind::kSpread, .rms = limits->rms, .largest = limits->largest};
}

absl::StatusOr<int64_t> ProductAt(const std::string& product, const Sizes& sizes) {
  const std::optional<int64_t> number = Evaluate(product, WorkloadOf(sizes), 0);
  if (!number) {
    return absl::InvalidArgumentError(absl::StrCat("dimension '", product, "' has no value at ",
                                                   SizesText(sizes),
                                                   "; give each of its letters a size"));
  }
  return *number;
}

absl::StatusOr<SizedCall> AtSizes(const OperatorRow& row, const Sizes& sizes, Dtype dtype,
                                  uint64_t seed) {
  SizedCall call = {.row = row, .sizes = sizes, .dtype = dtype};
  Workload workload = WorkloadOf(sizes);
  // Bags last: their inputs depend on what the others hold.
  for (const InputSpec& input : row.call().inputs()) {
    TensorSpec* spec = workload.add_inputs();
    spec->set_name(input.name());
    spec->set_dtype(input.dtype());
    *spec->mutable_distribution() = input.distribution();
    if (absl::Status set = SetLimits(sizes, *spec->mutable_distribution()); !set.ok()) return set;
  }
  for (const int i : BagsLast(row.call().inputs())) {
    TensorSpec& spec = *workload.mutable_inputs(i);
    for (const std::string& dimension : row.call().inputs(i).shape()) {
      const std::optional<int64_t> number = Evaluate(dimension, workload, seed);
      if (!number) return ProductAt(dimension, sizes).status();
      spec.add_shape(*number);
      if (const std::string_view bags = SummedInput(dimension); !bags.empty())
        spec.set_bags(std::string(bags));
    }
    if (spec.dtype() == Dtype::DTYPE_UNSPECIFIED && !IntegersOf(spec)) spec.set_dtype(dtype);
    const bool empty = std::find(spec.shape().begin(), spec.shape().end(), 0) != spec.shape().end();
    if (const std::string problem = DistributionProblem(spec); !problem.empty() && !empty)
      return absl::InvalidArgumentError(absl::StrCat("input '", spec.name(), "': ", problem));
  }
  for (const TensorSpec& spec : workload.inputs()) {
    const bool empty = std::find(spec.shape().begin(), spec.shape().end(), 0) != spec.shape().end();
    if (empty) {
      const Dtype of = spec.dtype() == Dtype::DTYPE_UNSPECIFIED ? dtype : spec.dtype();
      call.inputs.emplace_back(
          spec.name(), at::zeros(std::vector<int64_t>(spec.shape().begin(), spec.shape().end()),
                                 base::ToScalarType(of)));
      continue;
    }
    absl::StatusOr<at::Tensor> tensor = numerics::MakeInput(spec, dtype, seed);
    if (!tensor.ok()) return tensor.status();
    call.inputs.emplace_back(spec.name(), *std::move(tensor));
  }
  if (row.has_traced()) {
    if (absl::Status fixed = FixInputs(row, sizes, call.inputs); !fixed.ok()) return fixed;
  }
  for (const ErrorModel& model : row.errors()) {
    int64_t terms = 0;
    if (!model.terms().empty()) {
      const absl::StatusOr<int64_t> number = ProductAt(model.terms(), sizes);
      if (!number.ok()) return number.status();
      terms = *number;
    }
    call.limits.push_back(LimitOf(model, terms, dtype));
  }
  return call;
}

absl::StatusOr<execution::BoundOperator> Bind(std::string_view name, const SizedCall& call) {
  execution::OperatorArguments arguments;
  std::map<std::string, std::vector<at::Tensor>> lists;
  for (const auto& [input, tensor] : call.inputs) {
    const size_t dot = input.rfind('.');
    if (dot == std::string::npos) {
      arguments.named.emplace_back(input, tensor);
    } else {
      lists[input.substr(0, dot)].push_back(tensor);
    }
  }
  for (const auto& [list, tensors] : lists) arguments.named.emplace_back(list, tensors);
  for (const auto& [argument, value] : call.row.call().arguments())
    arguments.named.emplace_back(argument, execution::IValueOf(value));
  for (const SizedArgument& argument : call.row.sized_arguments()) {
    std::vector<int64_t> numbers;
    for (const std::string& product : argument.products()) {
      const absl::StatusOr<int64_t> number = ProductAt(product, call.sizes);
      if (!number.ok()) return number.status();
      numbers.push_back(*number);
    }
    arguments.named.emplace_back(
        argument.name(), argument.list() ? c10::IValue(numbers) : c10::IValue(numbers.front()));
  }
  return execution::BindOperator(name, arguments);
}

SizedCall InFloat64(SizedCall call) {
  for (auto& [name, tensor] : call.inputs) {
    if (tensor.is_floating_point()) tensor = tensor.to(at::kDouble);
  }
  return call;
}

}  // namespace assay::kernel
