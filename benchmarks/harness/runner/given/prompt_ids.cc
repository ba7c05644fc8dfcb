#include "benchmarks/harness/runner/given/prompt_ids.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay::runner {
namespace {

using Row = std::vector<int64_t>;

absl::StatusOr<std::vector<Row>> RowsOf(std::string_view text) {
  std::vector<Row> rows;
  int line = 0;
  for (const std::string_view content : absl::StrSplit(text, '\n')) {
    ++line;
    Row row;
    for (const std::string_view word :
         absl::StrSplit(content, absl::ByAnyChar(" \t\r,[]"), absl::SkipEmpty())) {
      int64_t id = 0;
      if (!absl::SimpleAtoi(word, &id)) {
        return absl::InvalidArgumentError(
            absl::StrCat("line ", line, ": \"", word.substr(0, 32), "\" is no token id"));
      }
      row.push_back(id);
    }
    if (!row.empty()) rows.push_back(std::move(row));
  }
  if (rows.empty()) return absl::InvalidArgumentError("it holds no token ids: the prompt is empty");
  return rows;
}

}  // namespace

absl::StatusOr<std::vector<at::Tensor>> ParsePrompts(std::string_view text, const ResolvedCase& c) {
  const auto& specs = c.verified().inputs();
  const bool masked = specs.size() == 3 && specs[1].name() == "attention_mask";
  if (!c.benchmark_case().has_generation() || (specs.size() != 2 && !masked)) {
    return absl::InvalidArgumentError(
        "it is for cases that generate (names with _gen) from one prompt; --inputs is for others");
  }
  absl::StatusOr<std::vector<Row>> rows = RowsOf(text);
  if (!rows.ok()) return rows.status();
  const auto batch = static_cast<size_t>(specs[0].shape(0));
  const auto tokens = static_cast<size_t>(specs[0].shape(1));
  if (rows->size() != 1 && rows->size() != batch) {
    return absl::InvalidArgumentError(absl::StrCat("it holds ", rows->size(),
                                                   " rows; the verified call has ", batch,
                                                   ", and one row stands for all"));
  }
  rows->resize(batch, rows->front());
  std::vector<at::Tensor> inputs;
  for (const TensorSpec& spec : specs)
    inputs.push_back(at::zeros({spec.shape(0), spec.shape(1)}, at::kLong));
  for (size_t r = 0; r < batch; ++r) {
    const Row& row = (*rows)[r];
    if (row.size() > tokens || (row.size() < tokens && !masked)) {
      return absl::InvalidArgumentError(
          absl::StrCat("row ", r, " has ", row.size(), " tokens; the case takes ", tokens,
                       row.size() < tokens ? ", and only models with an attention_mask take fewer"
                                           : ": a case with a longer prompt takes more"));
    }
    const auto padding = static_cast<int64_t>(tokens - row.size());
    const auto begin = static_cast<int64_t>(r) * static_cast<int64_t>(tokens) + padding;
    std::copy(row.begin(), row.end(), inputs[0].mutable_data_ptr<int64_t>() + begin);
    if (masked) inputs[1].select(0, static_cast<int64_t>(r)).slice(0, padding).fill_(1);
  }
  return inputs;
}

}  // namespace assay::runner
