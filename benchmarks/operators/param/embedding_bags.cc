#include "benchmarks/operators/param/embedding_bags.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_unique.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/embedding_bag.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"

namespace assay::param {
namespace {

using execution::OperatorArguments;
using execution::Tensors;

constexpr int64_t kSum = 0, kMean = 1;

struct Tables {
  Tensors weights, squares;
  int64_t pooling = kSum;
  RowwiseAdagrad optimizer;
};

// The inputs of one table.
struct Bags {
  at::Tensor indices, offsets, weights;  // weights undefined where there are none
  at::Tensor bag_of_index;
  at::Tensor scale;  // (n, 1): what an index's row is multiplied by; undefined: 1
};

absl::Status BadTables(std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("SplitTableBatchedEmbeddingBagsCodegen: ", what));
}

// One number, or a list with one for each table, as one number for each table.
absl::StatusOr<std::vector<int64_t>> PerTable(const c10::IValue& value, int64_t tables,
                                              const char* name) {
  std::vector<int64_t> numbers = value.toIntVector();
  if (numbers.size() != static_cast<size_t>(tables)) {
    return BadTables(
        absl::StrCat("there are ", tables, " tables and ", numbers.size(), " of ", name));
  }
  for (const int64_t number : numbers) {
    if (number < 1) return BadTables(absl::StrCat(name, " is at least 1"));
  }
  return numbers;
}

absl::StatusOr<std::shared_ptr<Tables>> MakeTables(const OperatorArguments& build,
                                                   c10::Device device) {
  OperatorArguments as_lists = build;
  for (const size_t i : {1, 2}) {
    if (i < as_lists.positional.size() && as_lists.positional[i].isInt())
      as_lists.positional[i] = std::vector<int64_t>{as_lists.positional[i].toInt()};
  }
  for (auto& [name, value] : as_lists.named) {
    if ((name == "rows" || name == "dims") && value.isInt())
      value = std::vector<int64_t>{value.toInt()};
  }
  const absl::StatusOr<c10::Stack> bound = execution::BindArguments(
      torch::jit::parseSchema(
          "fbgemm::SplitTableBatchedEmbeddingBagsCodegen(int num_tables, int[] rows, int[] dims, "
          "int pooling, bool weighted, str weights_precision, str optimizer, float lr=0.01, "
          "float eps=1e-08, float weight_decay=0.) -> Tensor"),
      as_lists);
  if (!bound.ok()) return bound.status();
  const c10::Stack& given = *bound;
  const auto rows = PerTable(given[1], given[0].toInt(), "rows"),
             dims = PerTable(given[2], given[0].toInt(), "dims");
  if (!rows.ok()) return rows.status();
  if (!dims.ok()) return dims.status();
  auto tables = std::make_shared<Tables>();
  tables->pooling = given[3].toInt();
  if (tables->pooling != kSum && tables->pooling != kMean)
    return BadTables("pooling is 0 (sum) or 1 (mean)");
  const std::string& precision = given[5].toStringRef();
  if (precision != "fp32" && precision != "fp16")
    return BadTables("weights_precision is \"fp32\" or \"fp16\"");
  if (given[6].toStringRef() != "exact_row_wise_adagrad" || given[9].toDouble() != 0)
    return BadTables("the optimizer is \"exact_row_wise_adagrad\", without weight decay");
  tables->optimizer = {.learning_rate = given[7].toDouble(), .epsilon = given[8].toDouble()};
  for (size_t t = 0; t < rows->size(); ++t) {
    at::Tensor table = at::empty({(*rows)[t], (*dims)[t]}, at::kFloat);
    const absl::Status filled = numerics::Fill(
        table, /*seed=*/0, absl::StrCat("table ", t),
        {.multiplier = 1 / std::sqrt(static_cast<double>((*rows)[t])), .offset = 0, .slope = 1});
    if (!filled.ok()) return filled;
    tables->weights.push_back(table.to(device, precision == "fp16" ? at::kHalf : at::kFloat));
    tables->squares.push_back(at::zeros({(*rows)[t]}, at::device(device).dtype(at::kFloat)));
  }
  return tables;
}

// Splits the inputs by table, and refuses indices or offsets with which the kernels would read out
// of bounds.
absl::StatusOr<std::vector<Bags>> Split(const Tables& tables, const OperatorArguments& inputs) {
  const auto is = [&](size_t i, at::ScalarType dtype) {
    return i < inputs.positional.size() && inputs.positional[i].isTensor() &&
           inputs.positional[i].toTensor().scalar_type() == dtype &&
           inputs.positional[i].toTensor().dim() == 1;
  };
  const bool weighted = inputs.positional.size() > 2 && !inputs.positional[2].isNone();
  if (!is(0, at::kLong) || !is(1, at::kLong) || (weighted && !is(2, at::kFloat))) {
    return BadTables(
        "takes indices and offsets of dtype long, and weights of dtype float or None, all "
        "of one dimension");
  }
  const at::Tensor indices = inputs.positional[0].toTensor(),
                   offsets = inputs.positional[1].toTensor();
  const auto count = static_cast<int64_t>(tables.weights.size());
  const at::Tensor bounds = offsets.cpu();
  const bool rises = bounds.numel() > 1 && (bounds.diff() >= 0).all().item<bool>();
  if ((bounds.numel() - 1) % count != 0 || !rises || bounds[0].item<int64_t>() != 0 ||
      bounds[-1].item<int64_t>() != indices.numel() ||
      (weighted && inputs.positional[2].toTensor().numel() != indices.numel())) {
    return BadTables(
        "offsets rise from 0 to the number of indices, with one more of them than tables "
        "times bags, and weights are as many as indices");
  }
  const int64_t batch = (bounds.numel() - 1) / count;
  std::vector<Bags> split;
  for (int64_t t = 0; t < count; ++t) {
    const at::Tensor& table = tables.weights[static_cast<size_t>(t)];
    const int64_t begin = bounds[t * batch].item<int64_t>(),
                  end = bounds[(t + 1) * batch].item<int64_t>();
    Bags bags = {.indices = indices.slice(0, begin, end),
                 .offsets = offsets.slice(0, t * batch, (t + 1) * batch + 1) - begin,
                 .weights = {},
                 .bag_of_index = {},
                 .scale = {}};
    if (end > begin && (bags.indices.min().item<int64_t>() < 0 ||
                        bags.indices.max().item<int64_t>() >= table.size(0)))
      return BadTables(
          absl::StrCat("an index is beyond the ", table.size(0), " rows of table ", t));
    const at::Tensor lengths = bags.offsets.diff();
    bags.bag_of_index = at::repeat_interleave(at::arange(batch, lengths.options()), lengths);
    if (weighted) {
      const at::Tensor own = inputs.positional[2].toTensor().slice(0, begin, end);
      bags.weights = own.to(table.scalar_type());
      bags.scale = own.unsqueeze(1);
    }
    if (tables.pooling == kMean) {
      const at::Tensor share =
          lengths.to(at::kFloat).reciprocal().index_select(0, bags.bag_of_index);
      bags.scale = weighted ? bags.scale * share.unsqueeze(1) : share.unsqueeze(1);
    }
    split.push_back(std::move(bags));
  }
  return split;
}

// The tables' weights -> (batch, sum of dims), in float32, or in float64 for such weights.
at::Tensor Forward(const Tensors& weights, int64_t pooling, const std::vector<Bags>& bags) {
  const at::NoGradGuard no_grad;  // the optimizer's step is the backward pass
  Tensors outputs;
  for (size_t t = 0; t < bags.size(); ++t) {
    const at::Tensor& table = weights[t];
    const auto on_device = [&](const at::Tensor& tensor) { return tensor.to(table.device()); };
    const at::Tensor output = std::get<0>(at::embedding_bag(
        table, on_device(bags[t].indices), on_device(bags[t].offsets),
        /*scale_grad_by_freq=*/false, pooling, /*sparse=*/false,
        bags[t].weights.defined()
            ? std::optional<at::Tensor>(on_device(bags[t].weights).to(table.scalar_type()))
            : std::nullopt,
        /*include_last_offset=*/true));
    outputs.push_back(output.to(table.scalar_type() == at::kDouble ? at::kDouble : at::kFloat));
  }
  return outputs.size() == 1 ? outputs[0] : at::concat(outputs, 1);
}

// Moves the tables by `gradient`, that of Forward's result.
void Backward(Tensors& weights, Tensors& squares, const RowwiseAdagrad& optimizer,
              const std::vector<Bags>& bags, const at::Tensor& gradient) {
  const at::NoGradGuard no_grad;
  int64_t column = 0;
  for (size_t t = 0; t < bags.size(); ++t) {
    const auto on_device = [&](const at::Tensor& tensor) { return tensor.to(gradient.device()); };
    const int64_t dim = weights[t].size(1);
    at::Tensor rows =
        gradient.slice(1, column, column + dim).index_select(0, on_device(bags[t].bag_of_index));
    if (bags[t].scale.defined()) rows.mul_(on_device(bags[t].scale));
    optimizer.Step(weights[t], squares[t], on_device(bags[t].indices), rows);
    column += dim;
  }
}

// The step as a call that returns the moved tables, and leaves its arguments alone.
operators::Callable StepOf(const Tables& tables,
                           const std::shared_ptr<const std::vector<Bags>>& bags,
                           const at::Tensor& gradient) {
  return {.arguments = {tables.weights, tables.squares, gradient},
          .names = {"weights", "squares", "gradient"},
          .run = [optimizer = tables.optimizer, bags](const c10::Stack& arguments) {
            const c10::Stack copies = operators::Copies(arguments);
            Tensors weights = copies[0].toTensorVector(), squares = copies[1].toTensorVector();
            Backward(weights, squares, optimizer, *bags, copies[2].toTensor());
            return c10::Stack{weights, squares};
          }};
}

absl::StatusOr<BoundCall> BindBags(const std::shared_ptr<Tables>& tables, std::vector<Bags> split) {
  const auto bags = std::make_shared<const std::vector<Bags>>(std::move(split));
  const operators::Callable forward = {
      .arguments = {tables->weights},
      .names = {"weights"},
      .run = [pooling = tables->pooling, bags](const c10::Stack& arguments) {
        return c10::Stack{Forward(arguments[0].toTensorVector(), pooling, *bags)};
      }};
  int64_t columns = 0;
  for (const at::Tensor& table : tables->weights) columns += table.size(1);
  at::Tensor gradient = at::empty({bags->front().offsets.numel() - 1, columns}, at::kFloat);
  const absl::Status filled =
      numerics::Fill(gradient, /*seed=*/0, "gradient", {.multiplier = 1, .offset = 0, .slope = 1});
  if (!filled.ok()) return filled;
  gradient = gradient.to(tables->weights[0].device());
  return BoundCall{
      .forward = ForwardOf(forward),
      .backward =
          [tables, bags](const Tensors& gradients) {
            Backward(tables->weights, tables->squares, tables->optimizer, *bags, gradients[0]);
          },
      .judged = {{.call = forward, .repeats = false},
                 {.call = StepOf(*tables, bags, gradient), .backward = true}},
      .note =
          "at::embedding_bag and a row-wise Adagrad after FBGEMM's description; not FBGEMM's "
          "kernels, and not their speed"};
}

}  // namespace

void RowwiseAdagrad::Step(at::Tensor& table, at::Tensor& squares, const at::Tensor& indices,
                          const at::Tensor& gradients) const {
  const auto [rows, row_of_index] = at::_unique(indices, /*sorted=*/true, /*return_inverse=*/true);
  const at::Tensor sums = at::zeros({rows.numel(), table.size(1)}, gradients.options())
                              .index_add_(0, row_of_index, gradients);
  const at::Tensor grown = squares.index_select(0, rows) + sums.square().mean(1);
  squares.index_copy_(0, rows, grown);
  const at::Tensor step = sums * (learning_rate / (grown.sqrt() + epsilon)).unsqueeze(1);
  const at::Tensor moved = table.index_select(0, rows).to(step.scalar_type()) - step;
  table.index_copy_(0, rows, moved.to(table.scalar_type()));
}

absl::StatusOr<Operator> BuildEmbeddingBags(const OperatorArguments& build, c10::Device device) {
  absl::StatusOr<std::shared_ptr<Tables>> made;
  const absl::Status caught = base::CatchTorch("making the tables of embedding bags",
                                               [&] { made = MakeTables(build, device); });
  if (!caught.ok()) return caught;
  if (!made.ok()) return made.status();
  return [tables = *made](OperatorArguments inputs) -> absl::StatusOr<BoundCall> {
    absl::StatusOr<std::vector<Bags>> split;
    const absl::Status caught =
        base::CatchTorch("reading the bags", [&] { split = Split(*tables, inputs); });
    if (!caught.ok()) return caught;
    if (!split.ok()) return split.status();
    return BindBags(tables, *std::move(split));
  };
}

}  // namespace assay::param
