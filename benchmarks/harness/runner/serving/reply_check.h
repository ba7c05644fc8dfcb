#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_REPLY_CHECK_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_REPLY_CHECK_H_

// ---------------------------------------------------------------------------------------------
// reply_check.h: checks every reply under load against what its sample gives alone.
//
// A sample gives few different replies, one for each batch that it rides in at most. So a worker
// only takes a digest of each reply, and keeps the first reply of each digest; these are compared
// once, after the run.
//
// One for each worker; not thread-safe.
//
// Example:
//   check.Take({.request = 12, .sample = 3}, samples.RowsOf(outputs, 0));
//   ReplyVerdict verdict = Judge(samples, checks);
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

class ReplyCheck {
 public:
  // `reply`: as ServedSamples::RowsOf() gives it.
  void Take(int64_t request, int64_t sample, execution::Tensors reply);

 private:
  friend struct ReplyVerdict Judge(const ServedSamples& samples,
                                   const std::vector<ReplyCheck>& checks);
  struct Kept {
    execution::Tensors reply;
    int64_t request = 0;  // the first one that got it
    int64_t times = 0;
  };
  absl::flat_hash_map<std::pair<int64_t, size_t>, Kept> kept_;  // by sample and digest
};

struct ReplyVerdict {
  int64_t equal = 0;  // replies equal to the bit
  int64_t close = 0;  // not so, but within the case's limits
  int64_t wrong = 0;
  int64_t first_wrong = 0;  // the request's number
  std::string reason = {};  // why that one is wrong
};

ReplyVerdict Judge(const ServedSamples& samples, const std::vector<ReplyCheck>& checks);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_REPLY_CHECK_H_
