// Says for each file named on standard input, one a line, what the C++ readers think of it:
//
//   echo corpus/safetensors/hole | verdicts safetensors
//   refused not a valid safetensors file: tensor "b" begins at byte 3, the one before ends at 2
//
// For agreement_test.py, which asks the Python readers the same. Not for people.

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/harness/tensor_files/safetensors.h"

namespace assay {
namespace {

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  const std::string kind = words.size() == 1 ? words[0] : "";
  if (kind != "safetensors" && kind != "reference_blob")
    return absl::InvalidArgumentError("usage: verdicts safetensors|reference_blob <PATHS");
  std::string path;
  while (std::getline(std::cin, path)) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    const absl::Status status = kind == "safetensors"
                                    ? tensor_files::ParseSafetensors(bytes).status()
                                    : numerics::ParseReference(bytes).status();
    std::cout << (status.ok() ? "read" : "refused ") << status.message() << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv, {.name = "verdicts", .run = assay::Main});
}
