#include "benchmarks/harness/runner/verdict/compared_rows.h"

#include <ATen/ops/tensor.h>

#include <map>
#include <numeric>
#include <set>
#include <string_view>

#include "defs/case/philox.h"

namespace assay::runner {
namespace {

std::vector<int64_t> AllRows(int64_t batch) {
  std::vector<int64_t> rows(static_cast<size_t>(batch));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// The places of each row's bags in an input of bags.
struct Bags {
  std::vector<int64_t> begins;  // of each row, and where the last one ends

  std::vector<int64_t> SizesOf(const std::vector<int64_t>& rows) const {
    std::vector<int64_t> sizes;
    for (const int64_t row : rows) {
      const auto r = static_cast<size_t>(row);
      sizes.push_back(begins.at(r + 1) - begins.at(r));
    }
    return sizes;
  }

  // The elements of the bags of these rows.
  std::vector<int64_t> ElementsOf(const std::vector<int64_t>& rows) const {
    std::vector<int64_t> elements;
    for (const int64_t row : rows) {
      const auto r = static_cast<size_t>(row);
      for (int64_t e = begins.at(r); e < begins.at(r + 1); ++e) elements.push_back(e);
    }
    return elements;
  }
};

// `described`: the lengths (rows, ...) or offsets (rows) of bags that have `elements` in all.
Bags BagsOf(const at::Tensor& described, bool offsets, int64_t elements) {
  at::Tensor begins = described.to(at::kCPU, at::kLong);
  if (!offsets) {
    const at::Tensor sizes = begins.reshape({begins.size(0), -1}).sum(1);
    begins = sizes.cumsum(0) - sizes;
  }
  begins = begins.contiguous();
  const int64_t* const first = begins.const_data_ptr<int64_t>();
  Bags bags{.begins = {first, first + begins.numel()}};
  bags.begins.push_back(elements);
  return bags;
}

at::Tensor Selected(const at::Tensor& tensor, int64_t dimension,
                    const std::vector<int64_t>& places) {
  return tensor.index_select(dimension, at::tensor(places, at::kLong).to(tensor.device()));
}

int PlaceOf(const Workload& workload, std::string_view input) {
  int place = 0;
  while (workload.inputs(place).name() != input) ++place;
  return place;
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
  std::map<int, Bags> described;  // by the input that describes them
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorSpec& all = from.inputs(static_cast<int>(i));
    const TensorSpec& some = to.inputs(static_cast<int>(i));
    at::Tensor input = inputs[i];
    if (!all.bags().empty()) {
      const int place = PlaceOf(from, all.bags());
      const bool offsets = from.inputs(place).distribution().has_bag_offsets();
      const Bags bags = BagsOf(inputs[static_cast<size_t>(place)], offsets, input.size(0));
      result.push_back(Selected(input, 0, bags.ElementsOf(rows)));
      described[place] = bags;
      continue;
    }
    for (int d = 0; d < all.shape_size(); ++d) {
      if (all.shape(d) != some.shape(d)) input = Selected(input, d, rows);
    }
    result.push_back(input.contiguous());
  }
  for (const auto& [place, bags] : described) {
    if (!from.inputs(place).distribution().has_bag_offsets()) continue;
    at::Tensor& offsets = result[static_cast<size_t>(place)];
    const at::Tensor sizes = at::tensor(bags.SizesOf(rows), at::kLong);
    offsets = (sizes.cumsum(0) - sizes).to(offsets.options());
  }
  return result;
}

}  // namespace assay::runner
