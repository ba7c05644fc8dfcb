#include "benchmarks/harness/runner/verdict/output_difference.h"

#include <ATen/ops/equal.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/numerics/reference_writer.h"

namespace assay::runner {
namespace {

// Beyond this number of elements the errors are those of a sample, which saves float64 copies of
// all.
constexpr int64_t kWhole = int64_t{1} << 24;

at::Tensor Bytes(const at::Tensor& tensor) {
  return tensor.detach().cpu().contiguous().view({-1}).view(at::kByte);
}

// Compares one output that is not bit-equal, by the limits.
Verdict Compared(const ExpectedOutput& expected, const at::Tensor& got, const at::Tensor& want,
                 const VerifyParameters& limits) {
  absl::StatusOr<numerics::ReferenceOutput> made =
      numerics::MakeReferenceOutput({expected.name(), want}, kWhole);
  if (!made.ok()) {
    Verdict verdict;
    verdict.set_outcome(FAIL_ACCURACY);
    verdict.set_message(absl::StrCat("output \"", expected.name(),
                                     "\" cannot be compared: ", made.status().message()));
    return verdict;
  }
  numerics::ReferenceOutputs reference;
  reference.outputs.push_back(*std::move(made));
  reference.metadata["provenance"] = "the other call";
  numerics::ExpectedOutputs one;
  *one.Add() = expected;
  return numerics::Compare(reference, one, {got}, limits);
}

std::string ErrorText(const Verdict& verdict) {
  if (verdict.outputs().empty()) return "not comparable";
  const OutputVerdict& output = verdict.outputs(0);
  if (verdict.outcome() != PASS && verdict.outcome() != FAIL_ACCURACY)
    return Outcome_Name(verdict.outcome());
  std::string text = WorstText(verdict);
  if (output.elements_compared() < output.elements()) {
    absl::StrAppend(&text, " on ", output.elements_compared(), " of ", output.elements(),
                    " elements");
  }
  return text;
}

}  // namespace

bool BitEqual(const at::Tensor& a, const at::Tensor& b) {
  return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() &&
         at::equal(Bytes(a), Bytes(b));
}

int64_t ElementsThatDiffer(const at::Tensor& a, const at::Tensor& b) {
  if (a.numel() == 0) return 0;
  const std::vector<int64_t> elements = {a.numel(), static_cast<int64_t>(a.element_size())};
  return Bytes(a).ne(Bytes(b)).view(elements).any(1).sum().item<int64_t>();
}

std::string WorstText(const Verdict& verdict) {
  double rms = 0, max = 0;
  for (const OutputVerdict& output : verdict.outputs()) {
    rms = std::max(rms, output.rms_error());
    max = std::max(max, output.max_error());
  }
  return absl::StrFormat("max |Δ| %.1e, rms %.1e of std", max, rms);
}

OutputDifference DifferenceOf(const numerics::ExpectedOutputs& expected,
                              at::ArrayRef<at::Tensor> got, at::ArrayRef<at::Tensor> want,
                              const VerifyParameters& limits) {
  const execution::OwnKernels own;
  OutputDifference result;
  std::vector<std::string> texts, reasons;
  for (std::size_t i = 0; i < static_cast<std::size_t>(expected.size()); ++i) {
    const ExpectedOutput& output = expected[static_cast<int>(i)];
    bool equal = false;
    const absl::Status read = base::CatchTorch("reading a tensor", [&] {
      equal = i < got.size() && i < want.size() && BitEqual(got[i], want[i]);
    });
    if (equal) {
      texts.push_back(absl::StrCat(output.name(), " bit-equal"));
      continue;
    }
    result.bit_equal = false;
    Verdict verdict;
    if (!read.ok() || i >= got.size() || i >= want.size()) {
      verdict.set_outcome(FAIL_ACCURACY);
      verdict.set_message(absl::StrCat("output \"", output.name(), "\" ",
                                       read.ok() ? "is missing" : read.message()));
    } else {
      verdict = Compared(output, got[i], want[i], limits);
    }
    texts.push_back(absl::StrCat(output.name(), " ", ErrorText(verdict)));
    if (verdict.outcome() == PASS) continue;
    result.within_limits = false;
    reasons.push_back(verdict.message());
  }
  result.text = absl::StrJoin(texts, "; ");
  result.reasons = absl::StrJoin(reasons, "\n");
  return result;
}

}  // namespace assay::runner
