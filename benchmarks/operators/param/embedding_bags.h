#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_EMBEDDING_BAGS_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_EMBEDDING_BAGS_H_

// ---------------------------------------------------------------------------------------------
// embedding_bags.h: tables of embedding bags whose backward pass is also the optimizer's step, as
// FBGEMM's SplitTableBatchedEmbeddingBagsCodegen has them, on at::embedding_bag.
//
// Build: num_tables, rows, dims, pooling (0 sum, 1 mean), weighted, weights_precision ("fp32",
// "fp16"), optimizer ("exact_row_wise_adagrad"), lr=0.01, eps=1e-8; rows and dims are one number or
// one for each table. Input: indices (all tables'), offsets (tables * batch + 1), weights or None.
// Output: (batch, sum of dims), float32.
//
// The optimizer's step follows FBGEMM's description of rowwise Adagrad
// (fbgemm_gpu/codegen/genscript/ optimizers.py): for each row that was read, g is the sum of its
// gradients, h += mean(g^2), row -= lr / (sqrt(h) + eps) * g. FBGEMM rounds fp16 rows at random,
// this to the nearest.
//
// Its speed is not FBGEMM's, whose kernels read all tables in one pass, and sort and update in one
// more.
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include "absl/status/statusor.h"
#include "benchmarks/operators/param/operators.h"

namespace assay::param {

absl::StatusOr<Operator> BuildEmbeddingBags(const execution::OperatorArguments& build,
                                            c10::Device device);

struct RowwiseAdagrad {
  double learning_rate = 0.01;
  double epsilon = 1e-8;

  // Updates a table. `indices` (n) and `gradients` (n, dim), float32, are those of the rows that
  // were read; `table` (rows, dim), `squares` (rows), float32.
  void Step(at::Tensor& table, at::Tensor& squares, const at::Tensor& indices,
            const at::Tensor& gradients) const;
};

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_EMBEDDING_BAGS_H_
