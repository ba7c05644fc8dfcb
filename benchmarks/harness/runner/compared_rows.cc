#include "benchmarks/harness/runner/compared_rows.h"

#include <ATen/ops/tensor.h>

#include <numeric>
#include <set>

#include "benchmarks/harness/numerics/philox.h"

namespace assay::runner {
namespace {

using numerics::PhiloxStream;

std::vector<int64_t> AllRows(int64_t batch) {
  std::vector<int64_t> rows(static_cast<size_t>(batch));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

std::vector<int64_t> DrawnRows(int64_t batch, int64_t count, uint64_t seed) {
  if (count >= batch) return AllRows(batch);
  const PhiloxStream stream(seed, "compared rows");
  std::set<int64_t> rows = {batch - 1};
  for (uint64_t i = 0; static_cast<int64_t>(rows.size()) < count; ++i) {
    rows.insert(
        static_cast<int64_t>(PhiloxStream::Integer(stream.Word(i), static_cast<uint64_t>(batch))));
  }
  return {rows.begin(), rows.end()};
}

std::vector<int64_t> RepeatedRows(int64_t batch, int64_t known, uint64_t seed) {
  const PhiloxStream stream(seed, "repeated rows");
  std::vector<int64_t> rows = AllRows(batch);
  for (int64_t i = known; i < batch; ++i) {
    rows[static_cast<size_t>(i)] = static_cast<int64_t>(
        PhiloxStream::Integer(stream.Word(static_cast<uint64_t>(i)), static_cast<uint64_t>(known)));
  }
  return rows;
}

execution::Tensors RowsOfInputs(execution::TensorsRef inputs, const Workload& from,
                                const Workload& to, const std::vector<int64_t>& rows) {
  execution::Tensors result;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorSpec& all = from.inputs(static_cast<int>(i));
    const TensorSpec& some = to.inputs(static_cast<int>(i));
    at::Tensor input = inputs[i];
    for (int d = 0; d < all.shape_size(); ++d) {
      if (all.shape(d) == some.shape(d)) continue;
      input = input.index_select(d, at::tensor(rows).to(input.device()));
    }
    result.push_back(input.contiguous());
  }
  return result;
}

}  // namespace assay::runner
