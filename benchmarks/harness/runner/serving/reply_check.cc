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
  constexpr size_t kMostKept = 4096;
  const std::pair<int64_t, size_t> key = {sample, DigestOf(reply)};
  const auto found = kept_.find(key);
  if (found != kept_.end()) {
    ++found->second.times;
    return;
  }
  Kept kept = {.reply = std::move(reply), .request = request, .times = 1};
  if (kept_.size() >= kMostKept) return Compare(sample, kept, compared_);
  // A row may be a view of the whole batch's memory, which ends with the batch.
  for (at::Tensor& tensor : kept.reply) tensor = tensor.clone();
  kept_.emplace(key, std::move(kept));
}

void ReplyCheck::Compare(int64_t sample, const Kept& kept, ReplyVerdict& verdict) const {
  const OutputDifference off = samples_->Compare(sample, kept.reply);
  (off.bit_equal ? verdict.equal : off.within_limits ? verdict.close : verdict.wrong) += kept.times;
  if (off.within_limits || (!verdict.reason.empty() && verdict.first_wrong < kept.request)) return;
  verdict.first_wrong = kept.request;
  verdict.reason = absl::StrCat("the reply to request ", kept.request, ", sample ", sample,
                                ", is not what this sample gives alone: ", off.text);
}

ReplyVerdict Judge(const std::vector<ReplyCheck>& checks) {
  ReplyVerdict all;
  for (const ReplyCheck& check : checks) {
    ReplyVerdict verdict = check.compared_;
    for (const auto& [key, kept] : check.kept_) check.Compare(key.first, kept, verdict);
    all.equal += verdict.equal;
    all.close += verdict.close;
    all.wrong += verdict.wrong;
    if (verdict.reason.empty() || (!all.reason.empty() && all.first_wrong < verdict.first_wrong))
      continue;
    all.first_wrong = verdict.first_wrong;
    all.reason = verdict.reason;
  }
  return all;
}

}  // namespace assay::runner
