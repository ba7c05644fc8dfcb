// ParseNpz: a printable error, or arrays with distinct safe names within the promised memory.
#include "benchmarks/harness/tensor_files/numpy/npz.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "ci/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::tensor_files;
  using assay::fuzz::Require;
  const absl::StatusOr<std::vector<NpyFile>> files = ParseNpz(assay::fuzz::Input(data, size));
  if (!files.ok()) {
    assay::fuzz::RequireMessage(files.status().message());
    return 0;
  }
  uint64_t bytes = 0;
  std::string before;
  for (const NpyFile& file : *files) {
    Require(before < file.name, "names are sorted and distinct");
    Require(file.name.find_first_of("/\\") == std::string::npos && file.name[0] != '.',
            "a name is no path");
    before = file.name;
    bytes += file.bytes->size();
  }
  Require(bytes <= std::max<uint64_t>(uint64_t{1} << 24, 201 * size), "no more than 200 times");
  return 0;
}
