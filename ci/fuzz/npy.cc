// ParseNpy: a printable error, or an array whose bytes fit its dtype and shape.
#include "benchmarks/harness/tensor_files/numpy/npy.h"

#include <cstdint>

#include "ci/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::tensor_files;
  using assay::fuzz::Require;
  const absl::StatusOr<NpyArray> array = ParseNpy(assay::fuzz::Input(data, size));
  if (!array.ok()) {
    assay::fuzz::RequireMessage(array.status().message());
    return 0;
  }
  uint64_t bytes = ItemBytes(array->dtype);
  for (const int64_t dimension : array->shape) bytes *= dimension;
  Require(array->Data().size() == bytes, "data fit dtype and shape");
  Require(bytes < size, "the array is smaller than its file");
  return 0;
}
