// ParseSafetensors and the bytes of every entry: an error with a fault, or an index that covers the
// file's data exactly once.
#include "benchmarks/harness/tensor_files/safetensors.h"

#include <cstdint>

#include "ci/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::tensor_files;
  using assay::fuzz::Require;
  const std::string_view file = assay::fuzz::Input(data, size);
  const absl::StatusOr<SafetensorsIndex> index = ParseSafetensors(file);
  if (!index.ok()) {
    Require(SafetensorsFaultOf(index.status()).has_value(), "an error has a fault");
    assay::fuzz::RequireMessage(index.status().message());
    return 0;
  }
  uint64_t covered = 0;
  for (const SafetensorsEntry& entry : index->entries) {
    Require(entry.begin == covered, "no hole and no overlap");
    covered = entry.end;
    uint64_t bytes = ItemBytes(entry.dtype);
    for (const int64_t dimension : entry.shape) bytes *= dimension;
    const bool packed = ItemBytes(entry.dtype) == 0;
    Require(packed || index->Data(file, entry).size() == bytes, "data fit dtype and shape");
    Require(index->Find(entry.name) == &entry, "names are distinct");
  }
  Require(index->data_start + covered == size, "every byte belongs to a tensor");
  return 0;
}
