#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_REPLY_CHECK_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_REPLY_CHECK_H_

// ---------------------------------------------------------------------------------------------
// reply_check.h: checks every reply under load against what its sample gives alone.
//
// Most samples give few different replies. So a worker takes a digest of each reply, and keeps the first
// reply of each digest; these are compared once, after the run. Beyond some thousand replies each further
// one is compared at once.
//
// One for each worker; not thread-safe.
//
// Example:
//   check.Take(/*request=*/12, /*sample=*/3, samples.RowsOf(outputs, 0));
//   ReplyVerdict verdict = Judge(checks);
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/serving/served_samples.h"

namespace assay::runner {

struct ReplyVerdict {
  int64_t equal = 0;  // replies equal to the bit
  int64_t close = 0;  // not so, but within the case's limits
  int64_t wrong = 0;
  int64_t first_wrong = 0;  // the request's number
  std::string reason = {};  // why that one is wrong
};

class ReplyCheck {
 public:
  // `samples` outlive it.
  explicit ReplyCheck(const ServedSamples& samples) : samples_(&samples) {}

  // `reply`: as ServedSamples::RowsOf() gives it.
  void Take(int64_t request, int64_t sample, execution::Tensors reply);

 private:
  friend ReplyVerdict Judge(const std::vector<ReplyCheck>& checks);
  struct Kept {
    execution::Tensors reply;
    int64_t request = 0;  // the first one that got it
    int64_t times = 0;
  };

  // `sample`'s reply, which `times` requests got, `request` first.
  void Compare(int64_t sample, const Kept& kept, ReplyVerdict& verdict) const;

  const ServedSamples* samples_;
  absl::flat_hash_map<std::pair<int64_t, size_t>, Kept> kept_;  // by sample and digest
  ReplyVerdict compared_;                                       // those that were not kept
};

ReplyVerdict Judge(const std::vector<ReplyCheck>& checks);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_REPLY_CHECK_H_
