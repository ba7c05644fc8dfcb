// ParseCheckpointIndex: a printable error, or plain file names only.
#include <cstdint>
#include <map>
#include <string>

#include "benchmarks/harness/tensor_files/checkpoint.h"
#include "ci/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using assay::fuzz::Require;
  const absl::StatusOr<std::map<std::string, std::string>> files =
      assay::tensor_files::ParseCheckpointIndex(assay::fuzz::Input(data, size));
  if (!files.ok()) {
    assay::fuzz::RequireMessage(files.status().message());
    return 0;
  }
  for (const auto& [tensor, file] : *files) {
    Require(!file.empty() && file != "." && file != "..", "a file has a name");
    Require(file.find_first_of(std::string_view("/\\\0\n", 4)) == std::string::npos,
            "a name is no path");
  }
  return 0;
}
