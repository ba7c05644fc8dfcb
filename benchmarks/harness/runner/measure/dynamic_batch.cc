#include "benchmarks/harness/runner/measure/dynamic_batch.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "defs/compiler/case_resolution.h"

namespace assay::runner {

absl::StatusOr<std::vector<int64_t>> ParseBatches(std::string_view text) {
  std::vector<int64_t> batches;
  for (const std::string_view word : absl::StrSplit(text, ',')) {
    int64_t batch = 0;
    std::string problem;
    if (!absl::SimpleAtoi(word, &batch) || batch < 1 || batch > kMaximumBatch) {
      problem = absl::StrCat("'", word, "' is no number of rows from 1 to ", kMaximumBatch,
                             "; a list like 1,2,4,8");
    } else if (std::find(batches.begin(), batches.end(), batch) != batches.end()) {
      problem = absl::StrCat(batch, " is there twice; each batch is one record");
    }
    if (!problem.empty())
      return absl::InvalidArgumentError(absl::StrCat("--dynamic-batch=", text, ": ", problem));
    batches.push_back(batch);
  }
  return batches;
}

std::vector<std::string> WithBatch(const std::vector<std::string>& words, int64_t batch) {
  std::vector<std::string> with;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view name = std::string_view(words[i]).substr(0, words[i].find('='));
    if (!absl::EndsWith(name, "-dynamic-batch") && !absl::EndsWith(name, "-dynamic_batch")) {
      with.push_back(words[i]);
      continue;
    }
    if (name.size() == words[i].size()) ++i;  // its value is the next word
    with.push_back(absl::StrCat("--batch=", batch));
  }
  return with;
}

}  // namespace assay::runner
