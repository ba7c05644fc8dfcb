#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_SUBJECT_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_SUBJECT_H_

// ---------------------------------------------------------------------------------------------
// served_subject.h: what a case under load sends, who answers it, and whether the answers are right.
// There are two:
//
//   rows     of one forward pass; a worker answers several with one call. Workers share the program, and
//            so its weights. Where a program takes one call at a time, they take turns, and a check says so.
//   prompts  of a decoder, answered by continuous batching (decoder_server.h); their tokens have times, too
//
// Example:
//   absl::StatusOr<std::unique_ptr<ServedSubject>> subject = MakeRowSubject(given);
//   std::unique_ptr<load::Server> server = (*subject)->NewServer(generator);
//   ... server->Finish();
//   ReplyVerdict verdict = (*subject)->Judge();
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/load/load_generator.h"
#include "benchmarks/harness/load/server.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/verdict/output_difference.h"
#include "defs/proto/record.pb.h"

namespace assay::runner {

struct ReplyVerdict {
  int64_t equal = 0;  // replies equal to the bit
  int64_t close = 0;  // not so, but within the case's limits
  int64_t wrong = 0;
  int64_t first_wrong = 0;  // the request's number
  std::string reason = {};  // why that one is wrong

  // Such replies; `off`: from what the sample gives alone. `request` is the first that got one.
  void Add(int64_t replies, int64_t request, int64_t sample, const OutputDifference& off) {
    (off.bit_equal ? equal : off.within_limits ? close : wrong) += replies;
    if (off.within_limits || (!reason.empty() && first_wrong < request)) return;
    first_wrong = request;
    reason = absl::StrCat("the reply to request ", request, ", sample ", sample,
                          ", is not what this sample gives alone: ", off.text);
  }
};

class ServedSubject {
 public:
  virtual ~ServedSubject() = default;

  virtual int64_t samples() const = 0;
  // Median time of a sample alone.
  virtual absl::Duration time_alone() const = 0;

  // Replaces the server before, whose replies are forgotten.
  virtual std::unique_ptr<load::Server> NewServer(load::LoadGenerator& generator) = 0;
  // The replies of the last server, once it has finished.
  virtual ReplyVerdict Judge() = 0;
  // Adds all that is known beside latencies: tokens, checks.
  virtual void AddTo(const load::LoadResult& result, Served& served) const = 0;
};

// Computes each sample alone. InvalidArgument for a case that cannot be served. `given`, without zeros, outlives
// the result.
absl::StatusOr<std::unique_ptr<ServedSubject>> MakeRowSubject(const ServedCase& given);
absl::StatusOr<std::unique_ptr<ServedSubject>> MakePromptSubject(const ServedCase& given);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_SUBJECT_H_
