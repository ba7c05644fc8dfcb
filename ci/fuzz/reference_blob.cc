// ParseReference: a printable error, or finite numbers whose parts agree, which then survive
// being written and read.
#include <cmath>
#include <cstdint>

#include "benchmarks/harness/numerics/reference.h"
#include "ci/fuzz/property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::numerics;
  using assay::fuzz::Require;
  const absl::StatusOr<ReferenceOutputs> reference = ParseReference(assay::fuzz::Input(data, size));
  if (!reference.ok()) {
    assay::fuzz::RequireMessage(reference.status().message());
    return 0;
  }
  for (const ReferenceOutput& output : reference->outputs) {
    for (const double value : output.values) Require(std::isfinite(value), "values are finite");
    Require(!output.sampled || output.indices.size() == output.values.size(), "a value each");
  }
  const absl::StatusOr<std::string> written = SerializeReference(*reference);
  Require(written.ok(), "what was read can be written");
  const absl::StatusOr<ReferenceOutputs> again = ParseReference(*written);
  Require(again.ok() && *SerializeReference(*again) == *written, "and read again");
  return 0;
}
