#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_EMBEDDING_DATA_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_EMBEDDING_DATA_H_

// ---------------------------------------------------------------------------------------------
// embedding_data.h: makes indices, offsets and weights of embedding bags, as PARAM's generator
// makes them (train/compute/python/workloads/pytorch/split_table_batched_embeddings_ops.py).
//
// Every table has `batch` bags of its own pooling factor. The environment variable
// split_embedding_distribution is alpha (default 1), which decides how indices are drawn:
//
//   0            0, 1, ... modulo the pooling factor
//   up to 0.5    0, 1, ... modulo the table's rows
//   up to 1      uniform
//   above 1      Zipf's law with this exponent, modulo the rows
//
// Or tensors that Python's torch.save wrote: of the pooling factor's "indices_tensor",
// "offsets_tensor" and "weights_tensor", else of the variables split_embedding_indices,
// split_embedding_offsets and split_embedding_weights.
//
// Not for: using them (embedding_bags.h).
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/operators/param/parsing/config_file.h"

namespace assay::param {

struct GeneratorOptions;

// A DataGenerator (data_generator.h) for the three tensors; without weights the third is None.
absl::StatusOr<execution::OperatorArguments> GenerateEmbedding(const Json& config,
                                                               const GeneratorOptions& options);

// Draws `count` indices below `rows`, which is positive; `place` and `seed` determine the random
// ones.
std::vector<int64_t> EmbeddingIndices(double alpha, int64_t count, int64_t pooling, int64_t rows,
                                      const std::string& place, uint64_t seed);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_EMBEDDING_DATA_H_
