// A kernel over ATen's softmax that is wrong: override_test.sh.
#include <torch/library.h>

#include "benchmarks/operators/override/softmax.h"

TORCH_LIBRARY_IMPL(aten, CPU, library) {
  library.impl("_softmax", [](const at::Tensor& x, int64_t dim, bool half_to_float) {
    return assay::override::Softmax(x, dim, half_to_float, /*forgotten=*/3);
  });
}
