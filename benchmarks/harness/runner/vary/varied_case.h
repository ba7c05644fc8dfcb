#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_VARIED_CASE_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_VARIED_CASE_H_

// ---------------------------------------------------------------------------------------------
// varied_case.h: --vary: one program, called with sizes that change from call to call.
//
// The case's own size is compared with its reference, as always. Each size of the mix is compared with
// outputs that this process computes: a program that is made for this size, of the same code and the same
// weights (rounded to the case's dtype), in float64, by LibTorch's own kernels. This finds what a program
// keeps of another size, and wrong kernels; a mistake of the code itself is for the reference. A lowered
// case gets its second judgement (lowered_layers.h) of each size, too. Then each size is called twice more,
// once behind the size before it and once behind the size after it: the outputs equal the verified ones to
// the bit. Those that may differ (execution/repeatability.h) are compared with float64 again.
//
// A size that needs weights of other shapes, such as a table of positions for each pixel, is refused: one
// program has one size then.
//
// Not for: the order of calls (mix.h), timing (varied_rounds.h).
//
// Example:
//   VariedCase varied({.mix = mix, .declared = c, .sizes = sizes, ...});
//   absl::Status status = varied.Open();
//   if (status.ok()) status = varied.CallFirst();
//   if (status.ok()) status = varied.ComputeTruths();
//   varied.Verify(verdict);
//   absl::StatusOr<std::vector<Measurement>> measured = varied.Measure({.budget = budget});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/repeatability.h"
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
  static constexpr int kSets = 2;  // of inputs, for each size

  explicit VariedCase(const VariedParts& parts);

  // Draws the inputs. UsageError for a size that needs other weights.
  absl::Status Open();

  // Calls each size for the first time, and notes what that takes: a back end may compile for it.
  // `called` is called behind the first output. UsageError for a size that the model does not take;
  // ARTIFACT_UNAVAILABLE where a back end's file for a size cannot be made or loaded.
  absl::Status CallFirst(const std::function<void()>& called = nullptr);

  // Computes what the outputs should be, for Verify(). UsageError as above.
  absl::Status ComputeTruths();

  // Adds a check for each size, and one for calls between others. What is wrong becomes the verdict's
  // outcome.
  void Verify(Verdict& verdict);

  // The measurement of all calls, and one for each size. Errors of MeasureVaried(), and FAIL_ACCURACY
  // (run_status.h) where a timed call gives other outputs than the verified one.
  absl::StatusOr<std::vector<Measurement>> Measure(const VariedOptions& options);

 private:
  struct Size {
    std::vector<execution::Tensors> sets = {};  // of inputs; the first one is verified
    // Kept behind Verify() where outputs may differ.
    std::optional<numerics::ReferenceOutputs> truth = {};
    execution::Tensors baseline = {};  // of the verified call, likewise
    uint64_t digest = 0;               // of its outputs that may not differ
    double first_call_ns = 0, made_ns = 0;
    int64_t compilations = 0;
  };

  class Work;

  absl::Status CheckState(execution::Program& declared, size_t size) const;
  // The error itself, or a UsageError where the model fails at this size alone.
  absl::Status ErrorAt(size_t size, const absl::Status& status) const;
  absl::StatusOr<uint64_t> DigestOf(size_t size, const execution::Tensors& outputs) const;
  // Nothing where the outputs are as in the verified call; else what the comparison says, if it is that.
  absl::StatusOr<std::optional<std::string>> DifferenceOf(size_t size,
                                                          const execution::Tensors& outputs) const;
  // Empty where all outputs are as in the verified calls.
  absl::StatusOr<std::string> DifferenceBetweenOthers();
  absl::StatusOr<std::string> DifferenceOfTimed();
  absl::StatusOr<Measurement> MeasurementOf(const VariedTimes& times,
                                            std::optional<size_t> size) const;

  const VariedParts parts_;
  const execution::Repeatability calls_;
  std::vector<Size> sizes_;
  bool verified_ = false;
};

// A table of the sizes and of the mix; empty for a record without.
std::string VariedLines(const Record& record);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VARY_VARIED_CASE_H_
