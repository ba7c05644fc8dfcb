#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_SUBJECT_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_SUBJECT_H_

// ---------------------------------------------------------------------------------------------
// served_subject.h: what a case under load sends, who answers it, and whether the answers are right.
// There are two: rows of a forward pass (row_subject.h), prompts of a decoder (prompt_subject.h).
//
// Example:
//   std::unique_ptr<load::Server> server = subject.NewServer(generator);
//   ... server->Finish();
//   ReplyVerdict verdict = subject.Judge();
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "benchmarks/harness/load/load_generator.h"
#include "benchmarks/harness/load/server.h"
#include "benchmarks/harness/runner/serving/reply_check.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"
#include "defs/proto/record.pb.h"

namespace assay::runner {

class ServedSubject {
 public:
  virtual ~ServedSubject() = default;

  virtual int64_t samples() const = 0;
  // Median time of a sample alone.
  virtual absl::Duration time_alone() const = 0;
  // About the longest that one request can be answered for on a quiet machine.
  virtual absl::Duration longest() const = 0;
  // How many are answered at once without a batch.
  virtual int at_once() const = 0;

  // Replaces the server before, whose replies are forgotten.
  virtual std::unique_ptr<load::Server> NewServer(load::LoadGenerator& generator) = 0;
  // The replies of the last server, once it has finished.
  virtual ReplyVerdict Judge() const = 0;
  // Adds all that is known beside latencies: tokens, checks.
  virtual void AddTo(const load::LoadResult& result, Served& served) const = 0;
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_SUBJECT_H_
