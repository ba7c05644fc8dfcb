#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_VARIED_CASE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_VARIED_CASE_H_

// ---------------------------------------------------------------------------------------------
// varied_case.h: --vary: one program, called with sizes that change from call to call.
//
// The case's own size is compared with its reference, as always. Each size of the mix is compared with
// outputs that this process computes: a program that is made for this size, of the same code and the same
// weights (rounded to the case's dtype), in float64, by LibTorch's own kernels. This finds what a program
// keeps of another size, and wrong kernels; a mistake of the code itself is for the reference. Then each
// size is called twice more, each call behind one of another size: the outputs are equal to the bit.
//
// A size that needs weights of other shapes, such as a table of positions for each pixel, is refused: one
// program has one size then.
//
// Not for: the order of calls (mix.h), timing (varied_rounds.h).
//
// Example:
//   VariedCase varied({.mix = mix, .declared = c, .sizes = sizes, ...});
//   absl::Status status = varied.Open(/*compared=*/true);
//   if (status.ok()) status = varied.CallFirst();
//   varied.Verify(verdict);
//   absl::StatusOr<std::vector<Measurement>> measured = varied.Measure({.budget = budget});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/vary/mix.h"
#include "benchmarks/harness/runner/vary/varied_rounds.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

inline constexpr std::string_view kVaryMode = "vary";

// All must outlive the VariedCase.
struct VariedParts {
  const Mix& mix;
  const ResolvedCase& declared;            // as called
  const std::vector<ResolvedCase>& sizes;  // for each size of the mix (sized_case.h)
  execution::Executable& executable;       // of `declared`
  sampling::Device& device;
  at::Device torch_device;
};

class VariedCase {
 public:
  explicit VariedCase(const VariedParts& parts) : parts_(parts) {}

  // Draws the inputs and, if outputs are `compared`, computes what they should be. UsageError for a size
  // that the model does not take.
  absl::Status Open(bool compared);

  // Calls each size for the first time, and notes what that takes: a back end may compile for it.
  absl::Status CallFirst();

  // Adds a check for each size, and one for calls between others. What is wrong becomes the verdict's
  // outcome.
  void Verify(Verdict& verdict);

  // The measurement of all calls, and one for each size. Errors of MeasureVaried(), and FAIL_ACCURACY
  // (run_status.h) where a timed call gives other outputs than the verified one.
  absl::StatusOr<std::vector<Measurement>> Measure(const VariedOptions& options);

 private:
  struct Size {
    std::vector<execution::Tensors> sets = {};  // of inputs; the first one is verified
    std::optional<numerics::ReferenceOutputs> truth = {};
    uint64_t digest = 0;  // of the verified outputs
    double first_call_ns = 0, made_ns = 0;
    int64_t compilations = 0;
  };

  class Work;

  absl::Status CheckState(size_t size) const;
  absl::StatusOr<uint64_t> DigestOfCall(const execution::Tensors& inputs);
  // Empty where every digest is as in the verified call.
  absl::StatusOr<std::string> DifferenceBetweenOthers();
  absl::StatusOr<std::string> DifferenceOfTimed();
  absl::StatusOr<Measurement> MeasurementOf(const VariedTimes& times, std::optional<size_t> size,
                                            int64_t late_compilations) const;

  const VariedParts parts_;
  std::vector<Size> sizes_;
  bool verified_ = false;
};

// A table of the sizes and of the mix; empty for a record without.
std::string VariedLines(const Record& record);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_VARIED_CASE_H_
