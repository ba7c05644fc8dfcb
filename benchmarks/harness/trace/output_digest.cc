#include "benchmarks/harness/trace/output_digest.h"

#include "benchmarks/harness/base/sha256.h"

namespace assay::trace {

std::string OutputDigest(const at::Tensor& row_major) {
  return base::Sha256Hex({static_cast<const char*>(row_major.const_data_ptr()),
                          static_cast<size_t>(row_major.nbytes())})
      .substr(0, 16);
}

}  // namespace assay::trace
