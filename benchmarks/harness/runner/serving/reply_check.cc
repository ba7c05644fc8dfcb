#include "benchmarks/harness/runner/serving/reply_check.h"

#include <string_view>

#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"

namespace assay::runner {
namespace {

size_t DigestOf(const execution::Tensors& reply) {
  size_t digest = 0;
  for (const at::Tensor& tensor : reply) {
    const std::string_view bytes(static_cast<const char*>(tensor.const_data_ptr()),
                                 tensor.nbytes());
    digest = absl::HashOf(digest, tensor.sizes().vec(), bytes);
  }
  return digest;
}

}  // namespace

void ReplyCheck::Take(int64_t request, int64_t sample, execution::Tensors reply) {
  Kept& kept = kept_[{sample, DigestOf(reply)}];
  if (kept.times++ > 0) return;
  // A row may be a view of the whole batch's memory, which ends with the batch.
  for (at::Tensor& tensor : reply) tensor = tensor.clone();
  kept.reply = std::move(reply);
  kept.request = request;
}

ReplyVerdict Judge(const ServedSamples& samples, const std::vector<ReplyCheck>& checks) {
  ReplyVerdict verdict;
  for (const ReplyCheck& check : checks) {
    for (const auto& [key, kept] : check.kept_) {
      const OutputDifference off = samples.Compare(key.first, kept.reply);
      (off.bit_equal       ? verdict.equal
       : off.within_limits ? verdict.close
                           : verdict.wrong) += kept.times;
      if (off.within_limits || (!verdict.reason.empty() && verdict.first_wrong < kept.request))
        continue;
      verdict.first_wrong = kept.request;
      verdict.reason = absl::StrCat("the reply to request ", kept.request, ", sample ", key.first,
                                    ", is not what this sample gives alone: ", off.text);
    }
  }
  return verdict;
}

}  // namespace assay::runner
