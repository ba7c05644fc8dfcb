#include "benchmarks/harness/record/outcome.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

namespace assay::record {
namespace {

struct SystemWord {
  System system;
  OutcomeWord entry;
};

constexpr SystemWord kSystemWords[] = {
#define ASSAY_OUTCOME_WORD(system, outcome, word) {System::system, {outcome, word}},
#define ASSAY_FAILED_RUN(system, word)
#include "benchmarks/harness/record/outcome_words.inc"
#undef ASSAY_OUTCOME_WORD
#undef ASSAY_FAILED_RUN
};

// The same without the systems, so that the words of one are a part of it.
constexpr auto kWords = [] {
  std::array<OutcomeWord, std::size(kSystemWords)> words = {};
  for (size_t i = 0; i < words.size(); ++i) words[i] = kSystemWords[i].entry;
  return words;
}();

// A word with a number in it: the batch size at which the outputs changed.
constexpr std::string_view kBatchInvariancePrefix = "fail_batch_invariance_at_";

// Intel's suite runs TorchDynamo's scripts.
System WhoseWords(System system) {
  return system == System::kIntelXpu ? System::kTorchDynamo : system;
}

// Its word for a run that gave nothing, for outcomes without a word of their own.
std::string_view FailedRun(System system) {
#define ASSAY_OUTCOME_WORD(system, outcome, word)
#define ASSAY_FAILED_RUN(name, word) \
  if (WhoseWords(system) == System::name) return word;
#include "benchmarks/harness/record/outcome_words.inc"
#undef ASSAY_OUTCOME_WORD
#undef ASSAY_FAILED_RUN
  return "";
}

}  // namespace

int ExitCode(Outcome outcome) {
  switch (outcome) {
    case PASS:
    case SKIPPED_DECLARED:
    case NOT_VERIFIED:
      return 0;
    case FAIL_ARTIFACT:
    case ARTIFACT_UNAVAILABLE:
    case NO_DEVICE:
    case DEVICE_LOST:
    case OUT_OF_MEMORY:
    case TIMEOUT:
    case INTERRUPTED:
    case RECORD_FAILED:
      return 2;
    default:
      return 1;
  }
}

std::string_view OutcomeName(Outcome outcome) { return Outcome_Name(outcome); }

absl::Span<const OutcomeWord> Words(System system) {
  const auto is_its = [&](const SystemWord& word) { return word.system == WhoseWords(system); };
  const auto first = std::find_if(std::begin(kSystemWords), std::end(kSystemWords), is_its);
  const auto end = std::find_if_not(first, std::end(kSystemWords), is_its);
  return absl::MakeConstSpan(kWords).subspan(first - std::begin(kSystemWords), end - first);
}

std::string_view NameIn(System system, Outcome outcome) {
  for (const OutcomeWord& entry : Words(system)) {
    if (entry.outcome == outcome) return entry.word;
  }
  return FailedRun(system);
}

absl::StatusOr<Outcome> FromNameIn(System system, std::string_view word) {
  for (const OutcomeWord& entry : Words(system)) {
    if (entry.word == word) return entry.outcome;
  }
  const bool dynamo = system == System::kTorchDynamo || system == System::kIntelXpu;
  int64_t batch = 0;
  std::string_view number = word;
  if (dynamo && absl::ConsumePrefix(&number, kBatchInvariancePrefix) &&
      absl::SimpleAtoi(number, &batch) && batch > 0)
    return FAIL_ACCURACY;
  return absl::NotFoundError(absl::StrFormat("no outcome is known for the word \"%s\"", word));
}

}  // namespace assay::record
