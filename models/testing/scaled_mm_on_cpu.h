#ifndef ASSAY_MODELS_TESTING_SCALED_MM_ON_CPU_H_
#define ASSAY_MODELS_TESTING_SCALED_MM_ON_CPU_H_

// ---------------------------------------------------------------------------------------------
// models/testing/scaled_mm_on_cpu.h: aten::_scaled_mm_v2 for the CPU, for which LibTorch has no kernel of it.
// It takes the operands of MXFP8 and NVFP4 as a GPU's kernel takes them, and refuses what that would
// refuse. It decodes each byte by the formulas of the formats' documents, and shares no code with
// models/layers/core/block_scaled.cc. So it finds operands that are laid out or scaled wrongly.
//
// Linked into a case, it shows what MXFP8 and NVFP4 cost in accuracy:
//   tools/bazel run --//benchmarks/backends=//models/testing:scaled_mm_in_cases //benchmarks/bert:bert_tiny_bf16_b1_s8 -- --lowering=nvfp4_dynamic --action=verify
//
// Not for times, nor for a proof that a GPU computes right. Its sums are float32's in an order of the CPU's.
//
// Example, in a test:
//   const ScaledMmOnCpu kernel;  // as long as it exists
//   ASSERT_TRUE(model.Lower({lowerings::kNvfp4Dynamic}).ok());
// ---------------------------------------------------------------------------------------------

#include <memory>

namespace torch {
class Library;
}

namespace assay::models {

class ScaledMmOnCpu {
 public:
  ScaledMmOnCpu();
  ~ScaledMmOnCpu();
  ScaledMmOnCpu(const ScaledMmOnCpu&) = delete;
  ScaledMmOnCpu& operator=(const ScaledMmOnCpu&) = delete;

 private:
  const std::unique_ptr<torch::Library> library_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_TESTING_SCALED_MM_ON_CPU_H_
